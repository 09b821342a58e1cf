"""Find and quarantine what a call leaves behind for other programs to run."""
