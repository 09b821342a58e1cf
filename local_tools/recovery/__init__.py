"""Recovery from damaged files: they are put aside, and what can still be read is taken over.

App, tools and service each have a database of their own, and all use this. It stands on the
standard library alone and knows none of them.
"""
