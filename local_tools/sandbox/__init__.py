"""What keeps a worker inside its bounds: one kind of sandbox a file, and one probe for all."""
