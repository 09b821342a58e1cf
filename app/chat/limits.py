"""How large what is sent may be. Specification 8 does not say, so these are our choice."""

from typing import Final

MESSAGE_LIMIT_CHARS: Final = 1_000_000
"""The longest message: at six bytes a character at worst it stays below 8 MiB, the largest body
that the bundled service takes, with room for what is declared beside it."""
