"""The table of permission rules, and how often each was used."""

import sqlite3
from datetime import datetime
from typing import Final, TypeAlias

from app.store.database import StoreTable, read_time, storable, time_text
from app.store.records import StoredRule

_SELECT: Final = (
    "SELECT rule_id, conversation_id, body, calls_left, use_count, last_used_at, ended"
    " FROM rules WHERE profile = ? ORDER BY row"
)
_ADD: Final = (
    "INSERT INTO rules"
    " (profile, rule_id, conversation_id, body, calls_left, use_count, last_used_at)"
    " VALUES (?, ?, ?, ?, ?, ?, ?)"
)
_USE: Final = (
    "UPDATE rules SET use_count = use_count + 1, calls_left = calls_left - 1, last_used_at = ?"
    " WHERE profile = ? AND rule_id = ? AND ended IS NULL"
    " AND (calls_left IS NULL OR calls_left > 0)"
)

_Row: TypeAlias = "tuple[str, str, str, int | None, int, str | None, str | None]"


class RuleTable(StoreTable):
    """The rules of one profile, oldest first. What a rule says is never changed here."""

    async def all(self) -> tuple[StoredRule, ...]:
        """Return every rule, also those that have ended."""
        return await self._database.read(
            lambda c: tuple(_kept(row) for row in c.execute(_SELECT, (self._profile,)))
        )

    async def add(self, rule: StoredRule) -> None:
        """Store a new rule; on the disk when this returns."""
        parameters = (self._profile, rule.rule_id, rule.conversation_id, storable(rule.body))
        so_far = (rule.calls_left, rule.use_count, time_text(rule.last_used_at))
        await self._database.change(_ADD, (*parameters, *so_far))

    async def use(self, rule_id: str, at: datetime) -> bool:
        """Count one use of a rule; False when it holds no longer, and then nothing is counted."""
        parameters = (time_text(at), self._profile, rule_id)

        def work(connection: sqlite3.Connection) -> bool:
            return connection.execute(_USE, parameters).rowcount == 1

        return await self._database.write(work)

    async def end(self, rule_id: str, ended: str) -> None:
        """Note why a rule holds no longer; it stays to be seen. What was noted first stands."""
        sql = "UPDATE rules SET ended = ? WHERE profile = ? AND rule_id = ? AND ended IS NULL"
        parameters = (storable(ended), self._profile, rule_id)
        await self._database.change(sql, parameters)

    async def remove(self, rule_id: str) -> None:
        """Delete a rule; one that is gone stays gone."""
        sql = "DELETE FROM rules WHERE profile = ? AND rule_id = ?"
        await self._database.change(sql, (self._profile, rule_id))


def _kept(row: _Row) -> StoredRule:
    rule_id, conversation_id, body, calls_left, use_count, last_used_at, ended = row
    return StoredRule(
        rule_id,
        conversation_id,
        body,
        calls_left,
        use_count,
        read_time(last_used_at),
        ended or "",
    )
