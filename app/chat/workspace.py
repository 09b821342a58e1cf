"""One profile at work: the connection, and the chats that are had over it."""

from dataclasses import dataclass

from app.api.client import ApiClient
from app.chat.conversations import Conversations
from app.chat.sessions import Sessions
from app.store.store import ProfileStore


@dataclass(frozen=True, slots=True)
class Workspace:
    """What the window shows of one profile.

    Made when a profile is connected, ended by `aclose` when another one is, or the program ends.
    """

    client: ApiClient
    store: ProfileStore
    conversations: Conversations
    sessions: Sessions

    async def draft(self, conversation_id: str) -> str:
        """Returns what was typed and not sent; an empty id is the chat that is not yet one."""
        return await self.store.conversations.draft(conversation_id)

    async def keep_draft(self, conversation_id: str, text: str) -> None:
        """Keeps what is typed; an empty text forgets it.

        Raises:
            StoreError: it could not be kept.
        """
        await self.store.conversations.keep_draft(conversation_id, text)

    async def aclose(self) -> None:
        """Ends the turns that run, keeping what arrived, then the connection."""
        self.conversations.close()
        await self.sessions.aclose()
        await self.client.aclose()
