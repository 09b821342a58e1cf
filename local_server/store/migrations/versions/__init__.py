"""One module for each shape since the first: what changes on the way to it.

A module is never changed once it was released, and so imports nothing from the tables of today.
"""
