"""The first-run page and the settings."""
