"""Check for newer versions: the packager's address, and signed announcements."""
