"""The approval dock: cards that show a tool call in full and take the user's decision."""
