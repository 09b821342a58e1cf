"""Paths that cannot lead out of the folder they were given for."""
