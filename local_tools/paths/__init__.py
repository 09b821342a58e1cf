"""Resolve and open paths so that they cannot leave their folder."""
