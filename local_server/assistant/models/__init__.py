"""Real models: how they are named, reached, asked, and what becomes of their answers."""
