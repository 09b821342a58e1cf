"""PostgreSQL, the database of several services on the same data."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, func, select
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from local_server.store.database import (
    DatabaseError,
    SqlDatabase,
    timed_use,
    translated_errors,
    unusable_database,
)
from local_server.store.migrations import bring_up_to_date

_DRIVER: Final = "postgresql+asyncpg"
_SCHEMES: Final = (_DRIVER, "postgresql", "postgres")
# What may stand behind the question mark; `sslmode` is how other programs call `ssl`.
_OPTIONS: Final = {"host": "host", "ssl": "ssl", "sslmode": "ssl"}
_SSL: Final = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")
# Of each service. All services share PostgreSQL's default of 100 connections.
_CONNECTIONS: Final = 5
_CONNECTIONS_AT_PEAK: Final = 10
_CONNECT_TIMEOUT_S: Final = 5
_POOL_TIMEOUT_S: Final = 10
_STATEMENT_TIMEOUT_S: Final = 30
_MIGRATION_TIMEOUT_S: Final = 600
_RECYCLE_S: Final = 1800
# Any number that no other program locks in the same database.
_MIGRATION_LOCK: Final = 0x7061726C6579
_READING: Final = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}

Result = TypeVar("Result")


@dataclass(frozen=True)
class PostgresAddress:
    """Where a PostgreSQL database is, with the name and the password for it.

    Only the place is shown when it is printed.
    """

    url: URL = field(repr=False)

    @classmethod
    def parse(cls, text: str) -> "PostgresAddress":
        """Read an address such as `postgresql+asyncpg://name:password@host:5432/database`.

        Raises:
            DatabaseError: When it is not one; the message does not repeat it.
        """
        try:
            url = make_url(text)
        except (ArgumentError, ValueError):
            # What they say may hold the address, and so the password.
            raise _not_an_address() from None
        if url.drivername not in _SCHEMES or not url.database:
            raise _not_an_address()
        query = dict(_read_option(name, value) for name, value in url.query.items())
        return cls(url.set(drivername=_DRIVER, query=query))

    def __str__(self) -> str:
        """Return the place, without the name and the password."""
        host = self.url.host or self.url.query.get("host", "localhost")
        host = f"[{host}]" if ":" in host else host
        port = f":{self.url.port}" if self.url.port else ""
        return f"{host}{port}/{self.url.database}"

    async def open(self) -> SqlDatabase:
        """Open the database there, making it where it is missing and migrating it where it is old.

        Raises:
            DatabaseError: When it cannot be used, or was written by a newer version.
        """
        migrating = _make_engine(self, _MIGRATION_TIMEOUT_S)
        try:
            async with migrating.connect() as connection, connection.begin():
                # Held to the end of the transaction: of services that start at once, one migrates.
                await connection.execute(select(func.pg_advisory_xact_lock(_MIGRATION_LOCK)))
                await connection.run_sync(bring_up_to_date)
        except (SQLAlchemyError, OSError) as exc:
            raise unusable_database(f"at {self}", exc) from exc
        finally:
            await migrating.dispose()
        return PostgresDatabase(_make_engine(self, _STATEMENT_TIMEOUT_S))


class PostgresDatabase(SqlDatabase):
    """Writers are kept apart by the rows that they lock: the conversation's always first.

    What is deleted there is gone from the disk after the server's next vacuum.

    Made by `PostgresAddress.open`, and closed by whoever asked for it.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        super().__init__()
        self._engine = engine

    def _start(
        self, work: Callable[[Connection], Result], *, writes: bool
    ) -> asyncio.Future[Result]:
        options = {} if writes else _READING
        return asyncio.create_task(self._transact(work, options), name="database")

    async def _erase(self, conversation_id: str) -> None:
        """Do nothing: the next vacuum of the server removes deleted rows."""

    async def _dispose(self) -> None:
        await self._engine.dispose()

    async def _transact(
        self, work: Callable[[Connection], Result], options: dict[str, Any]
    ) -> Result:
        with translated_errors(), timed_use():
            async with self._engine.connect() as plain:
                connection = await plain.execution_options(**options) if options else plain
                async with connection.begin():
                    return await connection.run_sync(work)


def _make_engine(address: PostgresAddress, timeout_s: int) -> AsyncEngine:
    """Make what opens connections; whoever asks for it disposes of it.

    Args:
        address: Where the database is.
        timeout_s: How long a statement may take, and how long a transaction may stand still:
            the rows that a service locked are free again when its machine is gone.
    """
    return create_async_engine(
        address.url,
        hide_parameters=True,
        # A connection that the server has closed is replaced before it is used.
        pool_pre_ping=True,
        pool_size=_CONNECTIONS,
        max_overflow=_CONNECTIONS_AT_PEAK - _CONNECTIONS,
        pool_timeout=_POOL_TIMEOUT_S,
        pool_recycle=_RECYCLE_S,
        connect_args={
            "timeout": _CONNECT_TIMEOUT_S,
            "command_timeout": timeout_s,
            "server_settings": {"idle_in_transaction_session_timeout": f"{timeout_s}s"},
        },
    )


def _read_option(name: str, value: str | tuple[str, ...]) -> tuple[str, str]:
    if name not in _OPTIONS or isinstance(value, tuple):
        raise DatabaseError(
            "The database’s address may have the options host and ssl, each once, and no others."
        )
    if _OPTIONS[name] == "ssl" and value not in _SSL:
        raise DatabaseError(
            f"The option ssl of the database’s address is one of {', '.join(_SSL)}."
        )
    return _OPTIONS[name], value


def _not_an_address() -> DatabaseError:
    return DatabaseError(
        "The database’s address has this form: "
        "postgresql+asyncpg://name:password@host:5432/database."
    )
