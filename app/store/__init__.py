"""What this computer remembers: turns, drafts, titles and kept messages. No Qt."""
