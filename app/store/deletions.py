"""Which conversations are being deleted: written down first, until nothing is left of them."""

from app.store.tables import Table


class DeletionTable(Table):
    """The deletions of one profile that have begun and not ended."""

    async def all(self) -> dict[str, bool]:
        """The conversations whose deletion has not ended, and whether it is in doubt."""
        sql = "SELECT conversation_id, is_in_doubt FROM deletions WHERE profile = ?"
        return await self._database.read(
            lambda c: {str(row[0]): bool(row[1]) for row in c.execute(sql, (self._profile,))}
        )

    async def add(self, conversation_id: str) -> None:
        """Write down that a conversation is to be deleted; on the disk when this returns.

        Raises:
            StoreError: it could not be written down.
        """
        sql = "INSERT OR REPLACE INTO deletions (profile, conversation_id) VALUES (?, ?)"
        await self._database.change(sql, (self._profile, conversation_id))

    async def doubt(self, conversation_id: str) -> None:
        """A deletion failed, and nobody knows whether the service has carried it out.

        Raises:
            StoreError: it could not be written down.
        """
        sql = "UPDATE deletions SET is_in_doubt = 1 WHERE profile = ? AND conversation_id = ?"
        await self._database.change(sql, (self._profile, conversation_id))

    async def remove(self, conversation_id: str) -> None:
        """A deletion has ended: nothing is left to do, or it was refused.

        Raises:
            StoreError: it could not be written down.
        """
        sql = "DELETE FROM deletions WHERE profile = ? AND conversation_id = ?"
        await self._database.change(sql, (self._profile, conversation_id))
