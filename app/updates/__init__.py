"""Newer versions: where to ask, what a signed answer says, and when not to believe it."""
