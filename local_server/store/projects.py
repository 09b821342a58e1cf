"""Store each project's keys, permit (what the operator allows it) and usage for each day.

The table of keys holds hashes, never keys.
"""

import json
import secrets
from datetime import date, datetime
from typing import Any, Final

from sqlalchemy import (
    BindParameter,
    Connection,
    Row,
    and_,
    bindparam,
    delete,
    insert,
    select,
    text,
    update,
)

from local_server.settings import Clock
from local_server.store.database import SqlDatabase
from local_server.store.records import KeyRecord, Owner, Permit, Spent
from local_server.store.tables import api_keys, permits, spending

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
        """Store a key by its hash; return the id to revoke it by."""
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
        """Return the key with this hash; None if there is none or it was revoked."""
        return await self._database.read(lambda connection: _find(connection, digest))

    async def list(self) -> tuple[KeyRecord, ...]:
        """List all keys, oldest first, the revoked ones too."""
        return await self._database.read(_list)

    async def revoke(self, key_id: str) -> bool:
        """Revoke a key permanently; False if no valid key has this id."""
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


_COUNT: Final = text(
    "INSERT INTO spending (project, day, tokens, micro_usd) "
    "VALUES (:project, :day, :tokens, :micro_usd) "
    "ON CONFLICT (project, day) DO UPDATE SET "
    "tokens = spending.tokens + :tokens, micro_usd = spending.micro_usd + :micro_usd"
)
# Built once, since they are used with each message.
_THIS_PROJECT: Final[BindParameter[str]] = bindparam("this_project")
_FIND_PERMIT: Final = select(permits).where(permits.c.project == _THIS_PROJECT)
_ON_DAY: Final = and_(spending.c.project == _THIS_PROJECT, spending.c.day == bindparam("this_day"))
_FIND_WITH_SPENT: Final = (
    select(permits, spending.c.tokens, spending.c.micro_usd)
    .select_from(permits.outerjoin(spending, _ON_DAY))
    .where(permits.c.project == _THIS_PROJECT)
)
_PERMIT_COLUMNS: Final = tuple(column for column in permits.c if column is not permits.c.project)


class Permits:
    """The permits of all projects. Lives as long as the store."""

    def __init__(self, database: SqlDatabase) -> None:
        self._database = database

    async def get(self, project: str) -> Permit | None:
        """Return a project's permit; None if it has none."""
        named = {"this_project": project}
        row = await self._database.read(
            lambda connection: connection.execute(_FIND_PERMIT, named).one_or_none()
        )
        return None if row is None else _permit(row)

    async def get_with_spent(self, project: str, day: date) -> tuple[Permit, Spent] | None:
        """Return a project's permit and its usage on a day (UTC); None if it has no permit."""
        named = {"this_project": project, "this_day": day.toordinal()}
        row = await self._database.read(
            lambda connection: connection.execute(_FIND_WITH_SPENT, named).one_or_none()
        )
        return None if row is None else (_permit(row), Spent(row.tokens or 0, row.micro_usd or 0))

    async def list(self) -> dict[str, Permit]:
        """List the permits by project."""
        query = select(permits).order_by(permits.c.project)
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return {row.project: _permit(row) for row in rows}

    async def put(self, project: str, permit: Permit) -> None:
        """Set a project's permit, replacing an earlier one."""
        await self._database.write(lambda connection: _put(connection, project, permit))

    async def remove(self, project: str) -> bool:
        """Delete a project's permit; False if it had none."""
        query = delete(permits).where(permits.c.project == project)
        return await self._database.write(lambda connection: connection.execute(query).rowcount > 0)

    async def spent(self, project: str, day: date) -> Spent:
        """Return a project's usage on a day (UTC)."""
        here = (spending.c.project == project, spending.c.day == day.toordinal())
        query = select(spending.c.tokens, spending.c.micro_usd).where(*here)
        row = await self._database.read(lambda connection: connection.execute(query).one_or_none())
        return Spent() if row is None else Spent(row.tokens, row.micro_usd)

    async def count(self, project: str, day: date, tokens: int, micro_usd: int) -> None:
        """Add to a project's usage on a day (UTC)."""
        values = {"project": project, "day": day.toordinal()}
        used = values | {"tokens": tokens, "micro_usd": micro_usd}
        await self._database.write(lambda connection: connection.execute(_COUNT, used))


def _put(connection: Connection, project: str, permit: Permit) -> None:
    connection.execute(delete(permits).where(permits.c.project == project))
    row = {
        "project": project,
        "models": json.dumps(permit.models),
        "has_settings": permit.has_settings,
        "has_titles": permit.has_titles,
        "max_output_tokens": permit.max_output_tokens,
        "tokens_per_day": permit.tokens_per_day,
        "micro_usd_per_day": permit.micro_usd_per_day,
    }
    connection.execute(insert(permits).values(row))


def _permit(row: Row[Any]) -> Permit:
    values = {column.name: getattr(row, column.name) for column in _PERMIT_COLUMNS}
    return Permit(**values | {"models": tuple(json.loads(row.models))})
