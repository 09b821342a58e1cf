"""The connection to a database: whole operations, and failures in our words."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from local_server.store.failures import explain

_CANCELLED_GRACE_S: Final = 2.0

Result = TypeVar("Result")


class StoreError(Exception):
    """The store cannot be used; the message says why."""


class StoreUnavailableError(StoreError):
    """The store cannot be used just now: it does not answer, or its disk is full.

    Nothing was stored by the operation that raises it. The next one may succeed.
    """


class RefusedStatementError(StoreError):
    """The database refused what the store asked of it, which is a mistake of this program.

    What the database itself says about it may repeat what people wrote; this does not.
    """


class Database(ABC):
    """An open database, used by whole operations: plain functions of a connection.

    Its kinds say where an operation runs, how a transaction begins and what deleting leaves
    behind. Made by `open_database` for the command that needs it, and closed by the same.
    """

    def __init__(self) -> None:
        self._running: set[asyncio.Future[Any]] = set()
        self._is_closed = False

    async def aclose(self) -> None:
        """Let operations under way end, then close."""
        self._is_closed = True
        if self._running:
            await asyncio.wait(set(self._running), timeout=_CANCELLED_GRACE_S)
        await self._dispose()

    async def read(self, work: Callable[[Connection], Result]) -> Result:
        """Run an operation that only reads, and that sees one state of the data.

        Raises:
            StoreUnavailableError: When the database cannot be used just now.
        """
        self._check()
        return await self._whole(self._start(work, writes=False))

    async def write(self, work: Callable[[Connection], Result]) -> Result:
        """Run an operation that writes; kept at its end, undone on an exception.

        Raises:
            StoreUnavailableError: When the database cannot be used just now.
        """
        self._check()
        return await self._whole(self._start(work, writes=True))

    async def forget(self, conversation_id: str) -> None:
        """Remove what a deleted conversation left in places that no query reaches.

        Raises:
            StoreUnavailableError: When that cannot be done just now.
        """
        self._check()
        forgetting = asyncio.create_task(self._forget(conversation_id), name="database")
        await self._whole(forgetting)

    @abstractmethod
    def _start(
        self, work: Callable[[Connection], Result], *, writes: bool
    ) -> asyncio.Future[Result]:
        """Begin an operation, in a transaction."""

    @abstractmethod
    async def _forget(self, conversation_id: str) -> None:
        """Remove what no query reaches."""

    @abstractmethod
    async def _dispose(self) -> None:
        """Close all connections."""

    def _check(self) -> None:
        if self._is_closed:
            raise StoreUnavailableError("The database is closed, since the service is stopping.")

    async def _whole(self, operation: asyncio.Future[Result]) -> Result:
        """Wait for the end of an operation, also when the caller is cancelled meanwhile.

        A half cancelled operation would leave it open whether it happened. The caller is held
        until it has, so that what it does next comes after.
        """
        self._running.add(operation)
        operation.add_done_callback(self._running.discard)
        try:
            return await asyncio.shield(operation)
        except asyncio.CancelledError:
            await asyncio.wait({operation}, timeout=_CANCELLED_GRACE_S)
            raise


def unusable_database(place: str, exc: Exception) -> StoreError:
    """Say why a database cannot be opened; `place` is "in FOLDER" or "at ADDRESS"."""
    reason = explain(exc) or "It refuses what the service asks of it."
    return StoreError(f"The database {place} cannot be used. {reason}")


@contextmanager
def told_in_words() -> Iterator[None]:
    """Turn failures of the database into errors in our own words."""
    try:
        yield
    except DBAPIError as exc:
        words = explain(exc)
        if words is not None:
            raise StoreUnavailableError(words) from exc
        kind = type(exc.orig).__name__
        raise RefusedStatementError(f"The database has a {kind} for: {exc.statement}") from None
    except (PoolTimeoutError, OSError) as exc:
        raise StoreUnavailableError(explain(exc)) from exc
