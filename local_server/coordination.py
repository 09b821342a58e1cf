"""Locks of conversations and rate limits of keys, for one service or several on the same data.

`ConversationLocks` allow one turn at a time in a conversation, and `RateLimits` count the requests
of each key (specification 8). `Coordination` holds both. The classes here keep them in memory, for
a service that is alone with its data; `local_server.cluster` keeps them in Redis. `BackendConfig`
says which of the two is used.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

from local_server.errors import ConversationBusyError
from local_server.settings import Clock
from local_server.store.opening import StoreAddress
from local_server.store.records import Owner

RATE_WINDOW_S: Final = 60

_LockKey = tuple[Owner, str]


class CoordinationError(Exception):
    """Shared locks or limits cannot be used; the message says why."""


class ConversationLock(Protocol):
    """The right to write in one conversation, from the moment it was acquired until its release.

    Attributes:
        lost: Done as soon as it is known that the lock is no longer held here: the writer must
            stop at once and store nothing more. Never done after the release.
    """

    @property
    def lost(self) -> asyncio.Future[None]:
        """A future that is done when the right was lost."""

    async def release(self) -> None:
        """Free the conversation; when this returns, the next turn may begin. Safe to call twice.

        Does not raise when the place where locks are kept cannot be reached: the lock then
        ends by itself.
        """


class ConversationLocks(Protocol):
    """Which conversations have a turn under way. One for the life of the application."""

    async def acquire(self, owner: Owner, conversation_id: str) -> ConversationLock:
        """Lock a conversation.

        Waits a moment for a turn that its client has just left.

        Raises:
            ConversationBusyError: When the turn there goes on.
            UnavailableError: When the place where locks are kept does not answer.
        """

    async def wait_until_free(self, timeout_s: float) -> None:
        """Wait until no lock acquired here is held any more, but not longer than this."""


@dataclass(frozen=True)
class RateWindow:
    """The requests of a key in the last minute, after an attempt to count one more.

    Attributes:
        is_counted: Whether the request was counted; False if the limit was reached.
        count: The number of requests in the last minute.
        oldest_age_s: The age of the oldest of them.
    """

    is_counted: bool
    count: int
    oldest_age_s: float


class RateLimits(Protocol):
    """The latest requests of each key. One for the life of the application."""

    async def count(self, key_id: str, per_minute: int) -> RateWindow:
        """Count a request, unless the sliding minute of its key is full.

        Raises:
            UnavailableError: When it cannot be counted just now.
        """


class CoordinationBackend(Protocol):
    """Where locks and rate limits are kept."""

    async def is_there(self) -> bool:
        """Return whether it can be reached just now."""

    async def aclose(self) -> None:
        """Close its connections."""


@dataclass(frozen=True)
class Coordination:
    """One for the life of a service; whoever made it closes it.

    Attributes:
        locks: The conversations in which a turn is under way.
        rate_limits: The latest requests of each key.
        backend: Where both are kept.
    """

    locks: ConversationLocks
    rate_limits: RateLimits
    backend: CoordinationBackend

    @classmethod
    def in_this_process(cls, clock: Clock, release_wait_s: float) -> "Coordination":
        """Make it for a service that is alone with its data."""
        return cls(InProcessLocks(release_wait_s), InProcessRateLimits(clock), InProcessBackend())

    async def aclose(self) -> None:
        """Close the backend, after the application has ended."""
        await self.backend.aclose()


# Opens what services share, given the clock and for how long a lock is waited for.
OpenCoordination = Callable[[Clock, float], Awaitable[Coordination]]


async def open_in_this_process(clock: Clock, release_wait_s: float) -> Coordination:
    """Open the coordination of a service that is alone with its data."""
    return Coordination.in_this_process(clock, release_wait_s)


@dataclass(frozen=True)
class BackendConfig:
    """Where a service keeps its data, and how it agrees with others on the same data.

    Attributes:
        store: A data folder, for a service that is alone with it, or a PostgreSQL database.
        open_coordination: Opens what is shared; whoever calls it closes that. It raises
            `CoordinationError` when what is shared cannot be used.
    """

    store: StoreAddress
    open_coordination: OpenCoordination = open_in_this_process

    @property
    def is_shared(self) -> bool:
        """Whether locks and limits are shared with other services."""
        return not isinstance(self.store, Path)


class InProcessBackend:
    """The backend of a service that has nobody to agree with."""

    async def is_there(self) -> bool:
        """Return True."""
        return True

    async def aclose(self) -> None:
        """Do nothing: it all goes with the process."""


class InProcessLocks:
    """Locks of a service that is alone with its data: they are lost only with the process."""

    def __init__(self, wait_s: float) -> None:
        self._wait_s = wait_s
        self._held: dict[_LockKey, _InProcessLock] = {}

    async def acquire(self, owner: Owner, conversation_id: str) -> ConversationLock:
        """Lock a conversation, waiting a moment for a turn that its client has just left.

        Raises:
            ConversationBusyError: When the turn there goes on.
        """
        key = (owner, conversation_id)
        try:
            async with asyncio.timeout(self._wait_s):
                while (held := self._held.get(key)) is not None:
                    await asyncio.wait({held.released})
        except TimeoutError as exc:
            raise ConversationBusyError from exc
        lock = self._held[key] = _InProcessLock(self._held, key)
        return lock

    async def wait_until_free(self, timeout_s: float) -> None:
        """Wait until no turn is under way, but not longer than this."""
        if self._held:
            released = {held.released for held in self._held.values()}
            await asyncio.wait(released, timeout=timeout_s)


def _future() -> asyncio.Future[None]:
    return asyncio.get_running_loop().create_future()


@dataclass(frozen=True, eq=False)
class _InProcessLock:
    """An entry in the table of its maker, which its release removes."""

    held: dict[_LockKey, "_InProcessLock"]
    key: _LockKey
    released: asyncio.Future[None] = field(default_factory=_future)
    lost: asyncio.Future[None] = field(default_factory=_future)

    async def release(self) -> None:
        """Free the conversation."""
        if not self.released.done():
            self.released.set_result(None)
            del self.held[self.key]


class InProcessRateLimits:
    """The latest requests of each key in the memory of this process, on the clock given to it.

    What falls out of a window is dropped when its key comes again.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._times: dict[str, deque[float]] = {}

    async def count(self, key_id: str, per_minute: int) -> RateWindow:
        """Count a request, unless the sliding minute of its key is full."""
        times = self._times.setdefault(key_id, deque())
        now = self._clock().timestamp()
        # A clock that was set back must not lock a key out until it has caught up.
        while times and not now - RATE_WINDOW_S < times[0] <= now:
            times.popleft()
        is_counted = len(times) < per_minute
        if is_counted:
            times.append(now)
        return RateWindow(is_counted, len(times), now - times[0] if times else 0)
