"""The table of project keys, which holds hashes, never keys."""

import secrets
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, Row, bindparam, insert, select, update

from local_server.settings import Clock
from local_server.store.database import SqlDatabase
from local_server.store.records import KeyRecord, Owner
from local_server.store.tables import api_keys

# Built once, since it is used with each request.
_FIND: Final = select(api_keys).where(
    api_keys.c.hash == bindparam("this_hash"), api_keys.c.revoked_at.is_(None)
)


class Keys:
    """All keys, of all projects. Lives as long as the store."""

    def __init__(self, database: SqlDatabase, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def add(self, owner: Owner, digest: str, hint: str, plan: str, per_minute: int) -> str:
        """Remember a key by its hash, and tell the id to revoke it by."""
        key_id = f"key_{secrets.token_hex(4)}"
        values = {
            "id": key_id,
            "hash": digest,
            "hint": hint,
            "project": owner.project,
            "mode": owner.mode,
            "plan": plan,
            "per_minute": per_minute,
            "created_at": self._clock(),
        }
        await self._database.write(lambda connection: _insert(connection, values))
        return key_id

    async def find(self, digest: str) -> KeyRecord | None:
        """Find the key with a hash, unless it was revoked."""
        return await self._database.read(lambda connection: _find(connection, digest))

    async def list(self) -> tuple[KeyRecord, ...]:
        """List all keys, oldest first, the revoked ones too."""
        return await self._database.read(_list)

    async def revoke(self, key_id: str) -> bool:
        """Make a key invalid for ever; False when no valid key has this id."""
        now = self._clock()
        return await self._database.write(lambda connection: _revoke(connection, key_id, now))


def _insert(connection: Connection, values: dict[str, object]) -> None:
    connection.execute(insert(api_keys).values(values))


def _find(connection: Connection, digest: str) -> KeyRecord | None:
    row = connection.execute(_FIND, {"this_hash": digest}).one_or_none()
    return None if row is None else _record(row)


def _list(connection: Connection) -> tuple[KeyRecord, ...]:
    query = select(api_keys).order_by(api_keys.c.created_at, api_keys.c.id)
    return tuple(_record(row) for row in connection.execute(query))


def _revoke(connection: Connection, key_id: str, now: datetime) -> bool:
    valid = (api_keys.c.id == key_id, api_keys.c.revoked_at.is_(None))
    query = update(api_keys).where(*valid).values(revoked_at=now)
    return connection.execute(query).rowcount > 0


def _record(row: Row[Any]) -> KeyRecord:
    owner = Owner(row.project, row.mode)
    limits = (row.plan, row.per_minute)
    return KeyRecord(row.id, row.hash, row.hint, owner, *limits, row.created_at, row.revoked_at)
