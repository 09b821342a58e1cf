"""What is typed and not sent, kept for each chat, and which rows say that there is something."""

from dataclasses import replace

from app.chat.conversation_rows import ConversationRows
from app.store.store import ProfileStore


class KeptDrafts:
    """Keeps drafts, and marks the rows of their chats. Made by `Conversations`.

    Attributes:
        ids: the chats that have one, as far as is known; an empty id is the new chat.
    """

    def __init__(self, store: ProfileStore, rows: ConversationRows) -> None:
        self._store = store
        self._rows = rows
        self.ids: frozenset[str] = frozenset()

    async def load(self) -> None:
        """Find out which chats have a draft.

        Raises:
            StoreError: it cannot be read.
        """
        self.ids = await self._store.marks.drafted()

    async def keep(self, conversation_id: str, text: str) -> None:
        """Keep what is typed; an empty text forgets it.

        Raises:
            StoreError: it could not be kept.
        """
        await self._store.conversations.keep_draft(conversation_id, text)
        before, one = self.ids, frozenset((conversation_id,))
        self.ids = before | one if text else before - one
        if row := self._rows.get(conversation_id):
            self._rows.put(replace(row, has_draft=bool(text)))
