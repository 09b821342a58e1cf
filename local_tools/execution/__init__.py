"""Prepare a call, run it in a worker, and return exactly one outcome."""
