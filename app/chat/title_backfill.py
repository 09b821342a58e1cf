"""Names for chats that were never opened here: made from what the service has of them."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from app.api.protocol import ChatApi
from app.api.rate_limit import RateLimiter
from app.chat.conversation_rows import ConversationRow, ConversationRows
from app.chat.items import title_from
from app.chat.reconcile import USER
from app.chat.sessions import Sessions
from app.common.errors import UserFacingError
from app.store.conversations import ConversationTable

log = logging.getLogger(__name__)

# A name is worth a small part of the requests that a minute has, and no long answer.
_PER_MINUTE: Final = 15
_MOST_MESSAGES: Final = 200


class TitleBackfill:
    """Names rows that have no title, one after the other; each is asked for once.

    Made by `Conversations`, lives as long.
    """

    def __init__(
        self, client: ChatApi, table: ConversationTable, rows: ConversationRows, sessions: Sessions
    ) -> None:
        self._client = client
        self._table = table
        self._rows = rows
        self._sessions = sessions
        self._budget = RateLimiter(_PER_MINUTE)
        self._asked: set[str] = set()
        self._lock = asyncio.Lock()

    async def name(self, conversation_ids: Sequence[str]) -> None:
        """Name those of these chats that have no title, as far as that is cheap.

        Raises:
            StoreError: a name could not be kept.
        """
        async with self._lock:
            for conversation_id in conversation_ids:
                if self._may_ask(conversation_id):
                    await self._name(conversation_id)

    def _may_ask(self, conversation_id: str) -> bool:
        row = self._untitled(conversation_id)
        if row is None or conversation_id in self._asked:
            return False
        return 0 < row.message_count <= _MOST_MESSAGES and self._budget.acquire() == 0

    async def _name(self, conversation_id: str) -> None:
        title = await self._title_of(conversation_id)
        # Deleted meanwhile: nothing of it may be kept any more.
        if not title or self._untitled(conversation_id) is None:
            return
        await self._table.set_title(conversation_id, title, keeps_other=True)
        name = (await self._table.get(conversation_id)).title
        if row := self._untitled(conversation_id):
            self._rows.put(replace(row, title=name))
            self._sessions.show_title(conversation_id, name)

    async def _title_of(self, conversation_id: str) -> str:
        self._asked.add(conversation_id)
        try:
            detail = await self._client.get_conversation(conversation_id)
        except UserFacingError as error:
            # Whatever it was: it is said when somebody asks for something himself.
            log.debug("No name for a chat: %s", error.reason)
            self._asked.discard(conversation_id)
            return ""
        words = (message.content for message in detail.messages if message.role == USER)
        return title_from(next(words, ""))

    def _untitled(self, conversation_id: str) -> ConversationRow | None:
        row = self._rows.get(conversation_id)
        return row if row is not None and not row.title else None
