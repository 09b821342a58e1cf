"""What the fake model server is told to do: a few words within the user's message.

So one server serves every measurement and every party, and nothing is to be set between them.
"""

import re
from dataclasses import dataclass
from typing import Final, Literal

# As fast as possible; so many a second; the first and then silence.
Kind = Literal["fast", "paced", "idle"]

TOKENS_PER_S: Final = 50
# Each token has it once, and nothing else that is sent has it.
MARK: Final = b"~"
# The moment at which a paced token was due, in microseconds of the system's monotonic clock.
STAMP: Final = re.compile(rb"~(\d{15})")
_PATTERN: Final = re.compile(rb"bench (fast|paced|idle) (\d+)!")


@dataclass(frozen=True)
class Order:
    """One reply: how its tokens come, and how many."""

    kind: Kind
    tokens: int

    @property
    def text(self) -> str:
        """The message that asks for it."""
        return f"bench {self.kind} {self.tokens}!"


def last_order(body: bytes) -> tuple[bytes, int] | None:
    """Return the order of the newest message of a request: its kind and its number of tokens."""
    found = _PATTERN.findall(body)
    return (found[-1][0], int(found[-1][1])) if found else None
