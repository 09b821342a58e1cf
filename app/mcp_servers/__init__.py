"""The tool servers that the user has: kept, switched on and off, watched. No Qt."""
