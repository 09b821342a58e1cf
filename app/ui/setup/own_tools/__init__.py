"""The part of the settings about a person's own tools."""
