"""Sandboxes for workers: one module for each kind, and one probe that tries them."""
