"""Recover from damaged files: put them aside, and keep what can still be read.

App, tools and service each have a database of their own and use this package, which imports the
standard library only.
"""
