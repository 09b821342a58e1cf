"""Store each project's keys, permit (what the operator allows it) and usage for each day.

The table of keys holds hashes, never keys.
"""

import asyncio
import json
import secrets
from contextlib import suppress
from datetime import date, datetime
from typing import Any, Final

from sqlalchemy import (
    BindParameter,
    Connection,
    Row,
    and_,
    bindparam,
    delete,
    func,
    insert,
    select,
    text,
    update,
)

from local_server.settings import Clock
from local_server.store.database import SqlDatabase, StoreUnavailableError
from local_server.store.records import KeyRecord, Owner, Permit, Reservation, Spent
from local_server.store.tables import api_keys, permits, reservations, spending

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
_FIND_SPENT: Final = select(spending.c.tokens, spending.c.micro_usd).where(_ON_DAY)
# Locked, where several services share the database: none reads a sum that another is changing.
_LOCK_PERMIT: Final = _FIND_PERMIT.with_for_update()
_FIND_HELD: Final = select(
    func.count(),
    func.coalesce(func.sum(reservations.c.tokens), 0),
    func.coalesce(func.sum(reservations.c.micro_usd), 0),
).where(reservations.c.project == _THIS_PROJECT)
_DROP_OLD: Final = delete(reservations).where(
    reservations.c.project == _THIS_PROJECT, reservations.c.until < bindparam("now")
)
_ADD_HELD: Final = (
    update(reservations)
    .where(reservations.c.id == bindparam("this_id"))
    .values(
        tokens=reservations.c.tokens + bindparam("more_tokens"),
        micro_usd=reservations.c.micro_usd + bindparam("more_micro_usd"),
    )
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

    async def reserve(
        self, project: str, now: datetime, until: datetime, wanted: Spent
    ) -> Reservation:
        """Reserve what a reply may use, in one transaction with the check of the ceilings.

        What is used must be less than a ceiling. Beside other replies there must be room for this
        one whole; one that is alone is let through, so that the rest of a day can be used.
        """
        id_ = secrets.token_hex(16)
        try:
            return await self._database.write(
                lambda connection: _reserve(connection, project, now, until, wanted, id_=id_)
            )
        except asyncio.CancelledError:
            # It may be committed all the same, and nobody else knows its id.
            with suppress(StoreUnavailableError):
                await self.settle(id_, project, now.date(), Spent())
            raise

    async def reserve_more(self, reservation_id: str, more: Spent) -> None:
        """Add to a reservation, whether there is room for it or not."""
        values = {
            "this_id": reservation_id,
            "more_tokens": more.tokens,
            "more_micro_usd": more.micro_usd,
        }
        await self._database.write(lambda connection: connection.execute(_ADD_HELD, values))

    async def settle(self, reservation_id: str, project: str, day: date, used: Spent) -> None:
        """Count what was used on a day, in place of what was reserved."""
        values = {"project": project, "day": day.toordinal()}
        values |= {"tokens": used.tokens, "micro_usd": used.micro_usd}
        query = delete(reservations).where(reservations.c.id == reservation_id)

        def write(connection: Connection) -> None:
            connection.execute(query)
            if used != Spent():
                connection.execute(_COUNT, values)

        await self._database.write(write)

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


def _reserve(
    connection: Connection,
    project: str,
    now: datetime,
    until: datetime,
    wanted: Spent,
    *,
    id_: str,
) -> Reservation:
    named = {"this_project": project}
    row = connection.execute(_LOCK_PERMIT, named).one_or_none()
    permit = None if row is None else _permit(row)
    if permit is None or not permit.has_ceiling:
        return Reservation(permit)
    connection.execute(_DROP_OLD, named | {"now": now})
    today = named | {"this_day": now.date().toordinal()}
    # In this order: a reply that ends in between is counted twice here, and never not at all.
    count, tokens, micro_usd = map(int, connection.execute(_FIND_HELD, named).one())
    spent = connection.execute(_FIND_SPENT, today).one_or_none() or (0, 0)
    used = Spent(*spent)
    if permit.is_reached_by(used):
        return Reservation(permit, refused="spent")
    if count and permit.is_passed_by(used + Spent(tokens, micro_usd) + wanted):
        return Reservation(permit, refused="reserved")
    values = {"id": id_, "project": project, "until": until}
    values |= {"tokens": wanted.tokens, "micro_usd": wanted.micro_usd}
    connection.execute(insert(reservations).values(values))
    return Reservation(permit, id_)


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
