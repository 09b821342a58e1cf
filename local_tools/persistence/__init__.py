"""What a call could leave behind for other programs to run."""
