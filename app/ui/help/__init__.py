"""The manual in the window: its pages, its search, and which page belongs to which place."""
