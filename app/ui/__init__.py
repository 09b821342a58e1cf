"""Widgets: they draw, collect input and emit."""
