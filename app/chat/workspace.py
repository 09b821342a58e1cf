"""One profile at work: the connection, and the chats that are had over it."""

from dataclasses import dataclass

from app.api.service import Service
from app.chat.call_book import CallBook
from app.chat.call_facts import CallFacts, facts_of
from app.chat.conversations import Conversations
from app.chat.permissions import Permissions
from app.chat.sessions import Sessions
from app.error_text import Reason
from app.store.errors import StoreError
from app.store.store import ProfileStore
from local_tools.ledger import Ledger, LedgerError


@dataclass(frozen=True, slots=True)
class Workspace:
    """What the window shows of one profile.

    `is_archive` says that its chats came from elsewhere: they are read, and not continued; such
    a profile has no `permissions` for tools, and no `book` of what they did. Made when a profile
    is connected, ended by `aclose` when another one is, or the program ends.
    """

    client: Service
    store: ProfileStore
    conversations: Conversations
    sessions: Sessions
    ledger: Ledger
    is_archive: bool = False
    permissions: Permissions | None = None
    book: CallBook | None = None

    async def calls(self, conversation_id: str) -> dict[str, CallFacts]:
        """Returns how the tool calls of a chat stand, by their ids.

        Raises:
            StoreError: the record cannot be read.
        """
        try:
            records = await self.ledger.calls(self.store.profile, conversation_id)
        except LedgerError as exc:
            raise StoreError(Reason.STORE_UNWRITABLE) from exc
        return {record.key.call_id: facts_of(record) for record in records}

    async def draft(self, conversation_id: str) -> str:
        """Returns what was typed and not sent; an empty id is the chat that is not yet one."""
        return await self.store.conversations.draft(conversation_id)

    async def keep_draft(self, conversation_id: str, text: str) -> None:
        """Keeps what is typed; an empty text forgets it.

        Raises:
            StoreError: it could not be kept.
        """
        await self.conversations.drafts.keep(conversation_id, text)

    async def aclose(self) -> None:
        """Ends the turns that run, keeping what arrived, then the connection."""
        self.conversations.close()
        await self.sessions.aclose()
        await self.client.aclose()
