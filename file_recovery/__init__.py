"""Recovers from damaged files: puts them aside and takes out what can still be read.

Beneath the three programs, which know nothing of each other: none of them is imported here, and
nothing but the standard library.
"""
