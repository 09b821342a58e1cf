"""The extensions of the interface: how a service announces them, and how a client asks for events.

Without being asked, a stream has the events of the specification and no others.
"""

from collections.abc import Iterable
from typing import Final, Literal, get_args

Extension = Literal["models", "settings", "usage", "thinking", "title", "fork", "attachments"]

ANNOUNCE_HEADER: Final = "Parley-Extensions"
ACCEPT_HEADER: Final = "Parley-Accept"
# Served wherever the service runs; the others, where users may choose.
ALWAYS: Final[tuple[Extension, ...]] = ("usage", "thinking", "fork", "attachments")
_KNOWN: Final[tuple[Extension, ...]] = get_args(Extension)


def announcement(extensions: Iterable[Extension]) -> str:
    """Write the value of `Parley-Extensions`, always in one order."""
    return ", ".join(sorted(extensions, key=_KNOWN.index))


def accepted(value: str) -> frozenset[Extension]:
    """Read the value of `Parley-Accept`; names that nobody knows are passed over."""
    names = {name.strip() for name in value.split(",")}
    return frozenset(name for name in _KNOWN if name in names)
