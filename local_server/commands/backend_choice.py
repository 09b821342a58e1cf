"""Choose database and coordination by a command's options, and open the command's store.

A service may be using the same store while a command of an operator works on it.
"""

import os
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

from pydantic import SecretStr

from local_server.commands.options import DATABASE_URL, REDIS_URL, CommandError, require_cluster
from local_server.coordination import BackendConfig
from local_server.settings import utc_now
from local_server.store.database import DatabaseError
from local_server.store.opening import ServiceStore, StoreAddress, has_data


def choose_store(data: Path, database_url: str | None) -> StoreAddress:
    """Choose where the data is: in the database that was named, or else in the data folder.

    Raises:
        CommandError: When that is no address of a database, which the message does not repeat, or
            the packages for it are not installed.
    """
    address = _secret(database_url, DATABASE_URL)
    if address is None:
        return data
    require_cluster("--database-url")
    from local_server.cluster.postgres import PostgresAddress  # noqa: PLC0415 - optional

    try:
        return PostgresAddress.parse(address.get_secret_value())
    except DatabaseError as exc:
        raise CommandError(str(exc)) from None


def choose_backend(data: Path, database_url: str | None, redis_url: str | None) -> BackendConfig:
    """Choose the backend of a service: one that several share has to be complete.

    Raises:
        CommandError: When something is missing, or cannot be read.
    """
    store = choose_store(data, database_url)
    redis_address = _secret(redis_url, REDIS_URL)
    has_database = not isinstance(store, Path)
    if has_database and redis_address is None:
        raise CommandError(
            "Services on one database also have to agree on limits and turns: "
            "give --redis-url redis://… too."
        )
    if redis_address is not None and not has_database:
        raise CommandError(
            "--redis-url is for services that share a database: "
            "give --database-url postgresql+asyncpg://… too."
        )
    if redis_address is None:
        return BackendConfig(store)
    from local_server.cluster.redis import (  # noqa: PLC0415 - optional, heavy
        open_coordination,
    )

    return BackendConfig(store, partial(open_coordination, redis_address))


def _secret(given: str | None, variable: str) -> SecretStr | None:
    """Read an address as it was given, or from the file that `…_FILE` in the environment names."""
    if given:
        return SecretStr(given)
    path = os.environ.get(f"{variable}_FILE")
    if not path:
        return None
    try:
        return SecretStr(Path(path).read_text(encoding="utf-8").strip())
    except (OSError, UnicodeDecodeError):
        raise CommandError(f"The file that {variable}_FILE names cannot be read.") from None


Result = TypeVar("Result")


async def with_data(
    where: StoreAddress, act: Callable[[ServiceStore], Awaitable[Result]]
) -> Result:
    """Use what is there, and make nothing in a folder that was mistyped.

    Raises:
        CommandError: When there are no data, or they cannot be used.
    """
    if not has_data(where):
        raise CommandError(f"There is no data in {where}.")
    return await with_store(where, act)


async def with_store(
    where: StoreAddress, act: Callable[[ServiceStore], Awaitable[Result]]
) -> Result:
    """Open the store, creating a missing one, run `act` on it, and close it.

    Raises:
        CommandError: When it cannot be used.
    """
    try:
        store = await ServiceStore.open(where, utc_now)
        try:
            return await act(store)
        finally:
            await store.aclose()
    except DatabaseError as exc:
        raise CommandError(str(exc)) from exc
