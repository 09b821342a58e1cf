"""What stands behind a service or a command, from what was said about it, if that goes together."""

import os
from pathlib import Path

from pydantic import SecretStr

from local_server.backend_config import BackendConfig
from local_server.commands.cluster_extra import require_cluster
from local_server.commands.options import DATABASE_URL, REDIS_URL, CommandError
from local_server.store.database import DatabaseError
from local_server.store.opening import StoreAddress


def choose_store(data: Path, database_url: str | None) -> StoreAddress:
    """Find where the data lies: in the database that was named, or else in the data folder.

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


def choose_backing(data: Path, database_url: str | None, redis_url: str | None) -> BackendConfig:
    """Find what stands behind a service: what several share has to be complete.

    Raises:
        CommandError: When something is missing, or cannot be read.
    """
    backing = BackendConfig(choose_store(data, database_url), _secret(redis_url, REDIS_URL))
    has_database = not isinstance(backing.store, Path)
    if has_database and backing.redis_url is None:
        raise CommandError(
            "Services on one database also have to agree on limits and turns: "
            "give --redis-url redis://… too."
        )
    if backing.redis_url is not None and not has_database:
        raise CommandError(
            "--redis-url is for services that share a database: "
            "give --database-url postgresql+asyncpg://… too."
        )
    return backing


def _secret(given: str | None, variable: str) -> SecretStr | None:
    """Take an address as it was given, or from the file that `…_FILE` in the environment names."""
    if given:
        return SecretStr(given)
    path = os.environ.get(f"{variable}_FILE")
    if not path:
        return None
    try:
        return SecretStr(Path(path).read_text(encoding="utf-8").strip())
    except (OSError, UnicodeDecodeError):
        raise CommandError(f"The file that {variable}_FILE names cannot be read.") from None
