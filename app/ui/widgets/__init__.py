"""Reusable widgets and painting helpers, in colours of the theme."""
