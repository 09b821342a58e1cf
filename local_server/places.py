"""How many connections there are at once, and who gives way when there are too many.

Anybody can open a connection; only a valid key makes it worth keeping. So a newcomer always gets
in: the oldest of those who have shown no key is closed for it, and nobody is kept out by a crowd.
"""

from typing import Final, Protocol

from starlette.types import Scope

EXTENSION: Final = "parley.place"
# Held back from those who are being answered, so that the next one can be heard at all.
_FREE_FOR_NEWCOMERS: Final = 16


class Guest(Protocol):
    """A connection that can be closed."""

    def leave(self) -> None:
        """Close at once, whatever is still to be written."""


class Places:
    """The places of one server process, each taken by a connection.

    Three kinds of guests: strangers, who have shown no valid key yet; those who are being
    answered; and those who were, and now rest. One for the life of a server.
    """

    def __init__(self, at_most: int) -> None:
        self._at_most = at_most
        self._most_answered = at_most - min(_FREE_FOR_NEWCOMERS, (at_most + 3) // 4)
        # In the order in which they came, or came to rest.
        self._strangers: dict[Guest, None] = {}
        self._resting: dict[Guest, None] = {}
        self._answered: set[Guest] = set()

    def take(self, guest: Guest) -> None:
        """Let a newcomer in; when the places are full, the one who is missed least goes."""
        while len(self._strangers) + len(self._resting) + len(self._answered) >= self._at_most:
            oldest = next(iter(self._strangers or self._resting))
            self.free(oldest)
            oldest.leave()
        self._strangers[guest] = None

    def keep(self, guest: Guest) -> bool:
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

    def rest(self, guest: Guest) -> None:
        """Note that a guest was answered."""
        if guest in self._answered:
            self.free(guest)
            self._resting[guest] = None

    def free(self, guest: Guest) -> None:
        """Note that a guest is gone."""
        self._strangers.pop(guest, None)
        self._resting.pop(guest, None)
        self._answered.discard(guest)


class Place:
    """The place of a request's connection, as the application finds it in the scope."""

    def __init__(self, places: Places, guest: Guest) -> None:
        self._places = places
        self._guest = guest

    def keep(self) -> bool:
        """Keep the place until the request is answered; False when there is no room for that."""
        return self._places.keep(self._guest)


def place_of(scope: Scope) -> Place | None:
    """Find the place of a request; None under a server that counts none."""
    place: Place | None = scope.get("extensions", {}).get(EXTENSION)
    return place
