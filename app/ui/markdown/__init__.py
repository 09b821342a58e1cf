"""Markdown as the window shows it: parsed, made safe, and cut into blocks to draw."""
