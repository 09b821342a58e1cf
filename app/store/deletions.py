"""Which conversations are being deleted: written down first, until nothing is left of them."""

from app.store.tables import Table


class DeletionTable(Table):
    """The deletions of one profile that have begun and not ended."""

    async def all(self) -> tuple[str, ...]:
        """The conversations whose deletion has not ended."""
        sql = "SELECT conversation_id FROM deletions WHERE profile = ? ORDER BY conversation_id"
        return await self._database.read(
            lambda c: tuple(str(row[0]) for row in c.execute(sql, (self._profile,)))
        )

    async def add(self, conversation_id: str) -> None:
        """Write down that a conversation is to be deleted; on the disk when this returns.

        Raises:
            StoreError: it could not be written down.
        """
        sql = "INSERT INTO deletions VALUES (?, ?) ON CONFLICT DO NOTHING"
        await self._database.change(sql, (self._profile, conversation_id))

    async def remove(self, conversation_id: str) -> None:
        """A deletion has ended: nothing is left to do, or it was refused.

        Raises:
            StoreError: it could not be written down.
        """
        sql = "DELETE FROM deletions WHERE profile = ? AND conversation_id = ?"
        await self._database.change(sql, (self._profile, conversation_id))
