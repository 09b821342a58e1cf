"""Everything the service keeps, opened and closed as one."""

from dataclasses import dataclass

from local_server.clock import Clock
from local_server.store.conversations import ConversationStore
from local_server.store.database import SqlDatabase
from local_server.store.keys import Keys
from local_server.store.opening import StoreAddress, open_database
from local_server.store.replies import Replies


@dataclass(frozen=True)
class ServiceStore:
    """The store of one run. Whoever opens it closes it."""

    database: SqlDatabase
    conversations: ConversationStore
    replies: Replies
    keys: Keys

    @classmethod
    async def open(cls, where: StoreAddress, clock: Clock) -> "ServiceStore":
        """Open the store in a data folder or in a PostgreSQL database, and bring it up to date.

        Raises:
            StoreError: When it cannot be used, or was written by a newer version.
        """
        database = await open_database(where)
        parts = (
            ConversationStore(database, clock),
            Replies(database, clock),
            Keys(database, clock),
        )
        return cls(database, *parts)

    async def aclose(self) -> None:
        """Let operations under way end, then close."""
        await self.database.aclose()
