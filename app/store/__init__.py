"""The local database: turns, drafts, titles, kept messages and rules. No Qt."""
