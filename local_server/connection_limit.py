"""Limits how many connections are open at once, and says which is closed when there are too many.

`ConnectionLimiter` counts them, `room_for` asks the system how many this process may have, and a
route finds the place of its own connection by `place_of`.

Anybody can open a connection; only a valid key makes it worth keeping. So a newcomer always gets
in: the oldest of those who have shown no key is closed for it, and nobody is kept out by a crowd.
"""

import logging
import sys
from typing import Final

if sys.platform != "win32":
    import resource

from typing import Protocol

from starlette.types import Scope

log = logging.getLogger(__name__)

# What is open besides connections: the database, its log, models that are asked.
_FOR_THE_REST: Final = 256


def room_for(connections: int) -> int:
    """Ask the system for so many connections; tells how many of them there may be."""
    if sys.platform == "win32":
        return connections
    wanted = connections + _FOR_THE_REST
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return connections
    if hard != resource.RLIM_INFINITY and hard < wanted:
        log.warning(
            "this system allows %d open files, so there is room for %d connections, not %d",
            *(hard, max(hard - _FOR_THE_REST, 1), connections),
        )
        wanted = hard
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return max(min(connections, wanted - _FOR_THE_REST), 1)


EXTENSION: Final = "parley.place"
# Held back from those who are being answered, so that the next one can be heard at all.
_FREE_FOR_NEWCOMERS: Final = 16


class Client(Protocol):
    """A connection that can be closed."""

    def leave(self) -> None:
        """Close at once, whatever is still to be written."""


class ConnectionLimiter:
    """The places of one server process, each taken by a connection.

    Three kinds of guests: strangers, who have shown no valid key yet; those who are being
    answered; and those who were, and now rest. One for the life of a server.
    """

    def __init__(self, at_most: int) -> None:
        self._at_most = at_most
        self._most_answered = at_most - min(_FREE_FOR_NEWCOMERS, (at_most + 3) // 4)
        # In the order in which they came, or came to rest.
        self._strangers: dict[Client, None] = {}
        self._resting: dict[Client, None] = {}
        self._answered: set[Client] = set()

    def take(self, guest: Client) -> None:
        """Let a newcomer in; when the places are full, the one who is missed least goes."""
        while len(self._strangers) + len(self._resting) + len(self._answered) >= self._at_most:
            oldest = next(iter(self._strangers or self._resting))
            self.free(oldest)
            oldest.leave()
        self._strangers[guest] = None

    def keep(self, guest: Client) -> bool:
        """Note that a guest has shown a valid key; False when too many are being answered.

        One who left while the key was looked up gets no place, and none is missing.
        """
        if guest not in self._strangers and guest not in self._resting:
            return True
        if len(self._answered) >= self._most_answered:
            return False
        self.free(guest)
        self._answered.add(guest)
        return True

    def rest(self, guest: Client) -> None:
        """Note that a guest was answered."""
        if guest in self._answered:
            self.free(guest)
            self._resting[guest] = None

    def free(self, guest: Client) -> None:
        """Note that a guest is gone."""
        self._strangers.pop(guest, None)
        self._resting.pop(guest, None)
        self._answered.discard(guest)


class Slot:
    """The place of a request's connection, as the application finds it in the scope."""

    def __init__(self, places: ConnectionLimiter, guest: Client) -> None:
        self._places = places
        self._guest = guest

    def keep(self) -> bool:
        """Keep the place until the request is answered; False when there is no room for that."""
        return self._places.keep(self._guest)


def place_of(scope: Scope) -> Slot | None:
    """Find the place of a request; None under a server that counts none."""
    place: Slot | None = scope.get("extensions", {}).get(EXTENSION)
    return place
