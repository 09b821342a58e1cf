"""The approval dock: what would run, and the answers that count only on purpose."""
