"""What asks the person: cards, rules and what the sandbox holds. QtCore only."""
