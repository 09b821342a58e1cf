"""Everything the service keeps, opened and closed as one."""

from dataclasses import dataclass
from pathlib import Path

from local_server.clock import Clock
from local_server.store.conversations import Conversations
from local_server.store.database import Database
from local_server.store.keys import Keys
from local_server.store.replies import Replies


@dataclass(frozen=True)
class Store:
    """The store of one run. Whoever opens it closes it."""

    database: Database
    conversations: Conversations
    replies: Replies
    keys: Keys

    @classmethod
    async def open(cls, folder: Path, clock: Clock) -> "Store":
        """Open the store in a data folder.

        Raises:
            StoreError: When the folder or the database in it cannot be used.
        """
        database = await Database.open(folder)
        parts = (Conversations(database, clock), Replies(database, clock), Keys(database, clock))
        return cls(database, *parts)

    async def aclose(self) -> None:
        """Let operations under way end, then close."""
        await self.database.aclose()
