"""What operators allow their projects, and what each project used on each day."""

import json
from datetime import date
from typing import Any, Final

from sqlalchemy import Connection, Row, delete, insert, select, text

from local_server.store.database import SqlDatabase
from local_server.store.records import Permit, Spent
from local_server.store.tables import permits, spending

_COUNT: Final = text(
    "INSERT INTO spending (project, day, tokens, micro_usd) "
    "VALUES (:project, :day, :tokens, :micro_usd) "
    "ON CONFLICT (project, day) DO UPDATE SET "
    "tokens = spending.tokens + :tokens, micro_usd = spending.micro_usd + :micro_usd"
)


class Permits:
    """The permits of all projects. Lives as long as the store."""

    def __init__(self, database: SqlDatabase) -> None:
        self._database = database

    async def get(self, project: str) -> Permit | None:
        """Find what a project is allowed; None where that is nothing."""
        query = select(permits).where(permits.c.project == project)
        row = await self._database.read(lambda connection: connection.execute(query).one_or_none())
        return None if row is None else _permit(row)

    async def list(self) -> dict[str, Permit]:
        """List the permits by project."""
        query = select(permits).order_by(permits.c.project)
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return {row.project: _permit(row) for row in rows}

    async def put(self, project: str, permit: Permit) -> None:
        """Allow a project this, in place of what it was allowed before."""
        await self._database.write(lambda connection: _put(connection, project, permit))

    async def remove(self, project: str) -> bool:
        """Allow a project nothing any more; False when it was allowed nothing."""
        query = delete(permits).where(permits.c.project == project)
        return await self._database.write(lambda connection: connection.execute(query).rowcount > 0)

    async def spent(self, project: str, day: date) -> Spent:
        """Read what a project used on a day (UTC)."""
        here = (spending.c.project == project, spending.c.day == day.toordinal())
        query = select(spending.c.tokens, spending.c.micro_usd).where(*here)
        row = await self._database.read(lambda connection: connection.execute(query).one_or_none())
        return Spent() if row is None else Spent(row.tokens, row.micro_usd)

    async def count(self, project: str, day: date, tokens: int, micro_usd: int) -> None:
        """Add to what a project used on a day."""
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
    values = row._asdict()
    del values["project"]
    return Permit(**values | {"models": tuple(json.loads(row.models))})
