"""Tools that run on the user's computer: registry, workers, ledger. No Qt, no app."""
