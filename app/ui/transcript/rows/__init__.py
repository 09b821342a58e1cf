"""The rows of the transcript: one kind a kind of item."""
