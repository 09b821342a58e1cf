"""The transcript: one item a row, laid out and painted only where it is seen."""
