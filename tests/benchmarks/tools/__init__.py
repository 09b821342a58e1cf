"""What a call of a tool costs, from the allowing click to its result."""
