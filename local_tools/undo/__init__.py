"""What is kept so that a change of a file can be undone."""
