"""The tools that a person wrote or was given: which there are, and which are allowed. No Qt."""
