"""Find secrets in text and files, and by the names of files. No Qt."""
