"""The connection to a database: whole operations, and failures in our words."""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Final, TypeVar

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

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


class Database:
    """An open database. Its kinds say how a transaction begins and what deleting leaves behind.

    Made by `open_database` for the command that needs it, and closed by the same.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._running: set[asyncio.Task[Any]] = set()

    async def aclose(self) -> None:
        """Let operations under way end, then close."""
        if self._running:
            await asyncio.wait(set(self._running), timeout=_CANCELLED_GRACE_S)
        await self._engine.dispose()

    async def whole(self, operation: Coroutine[Any, Any, Result]) -> Result:
        """Run an operation to its end, also when its caller is cancelled meanwhile.

        A half cancelled operation would leave it open whether it happened. The caller is held
        until it has, so that what it does next comes after.
        """
        task = asyncio.create_task(operation, name="database")
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            await asyncio.wait({task}, timeout=_CANCELLED_GRACE_S)
            raise

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that only reads, and sees one state of the data.

        Raises:
            StoreUnavailableError: When the database cannot be used just now.
        """
        async with self._transaction() as connection:
            yield connection

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that writes; kept at its end, undone on an exception.

        Raises:
            StoreUnavailableError: When the database cannot be used just now.
        """
        async with self._transaction() as connection:
            yield connection

    async def forget(self, conversation_id: str) -> None:
        """Remove what a deleted conversation left in places that no query reaches."""

    @asynccontextmanager
    async def _transaction(self, **options: Any) -> AsyncIterator[AsyncConnection]:
        with told_in_words():
            async with self._engine.connect() as plain:
                connection = await plain.execution_options(**options) if options else plain
                async with connection.begin():
                    yield connection


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
