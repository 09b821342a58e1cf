"""Fixtures that watch over every test."""
