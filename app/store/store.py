"""What this computer remembers, one file for all profiles."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from app.store.archive import ArchiveTable
from app.store.conversations import ConversationTable
from app.store.database import BUSY_TIMEOUT_S, Database
from app.store.deletions import DeletionTable
from app.store.marks import MarkTable
from app.store.messages import MessageTable
from app.store.rules import RuleTable
from app.store.search import Search
from app.store.turns import TurnTable
from local_tools.recovery.files import PutAside


@dataclass(frozen=True, slots=True)
class ProfileStore:
    """Everything that is kept for one profile; no row of another one is in reach."""

    profile: str
    conversations: ConversationTable
    messages: MessageTable
    turns: TurnTable
    marks: MarkTable
    rules: RuleTable
    deletions: DeletionTable


class Store:
    """Keeps accepted messages, replies, titles and drafts; it decides nothing.

    Everything runs on one thread of its own; what was written is on the disk when the call
    returns. Made once for the program; `open` comes first, whoever made it calls `close`.

    Attributes:
        search: finds chats by what is kept of them.
        archive: takes chats that came from elsewhere.
    """

    def __init__(
        self,
        path: Path,
        now: Callable[[], datetime] | None = None,
        *,
        busy_timeout_s: float = BUSY_TIMEOUT_S,
    ) -> None:
        self._now = now or _utc_now
        self._database = Database(path, self._now, busy_timeout_s)
        self.search = Search(self._database)
        self.archive = ArchiveTable(self._database)

    async def open(self) -> PutAside | None:
        """Open the file, making it when there is none, and anew when it is damaged.

        Returns:
            The damaged file that was put aside, to be mentioned; None when all was well.

        Raises:
            NewerError: a newer version of the program wrote it.
            StoreError: it cannot be opened or written.
        """
        return await self._database.open()

    async def close(self) -> None:
        """Finish what was asked, then let go of the file."""
        await self._database.close()

    def profile(self, name: str) -> ProfileStore:
        """The part of one profile."""
        given = (self._database, name, self._now)
        return ProfileStore(
            name,
            ConversationTable(*given),
            MessageTable(*given),
            TurnTable(*given),
            MarkTable(*given),
            RuleTable(*given),
            DeletionTable(*given),
        )


def _utc_now() -> datetime:
    return datetime.now(UTC)
