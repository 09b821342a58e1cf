"""What secrets look like: in text, in files, and by the names of files. No Qt."""
