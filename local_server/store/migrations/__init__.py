"""How a database of an older shape becomes one of today's."""
