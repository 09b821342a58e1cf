"""Undo what tools changed after a message that is edited or asked again.

Only changes in the undo records are undone: a file that was changed since stays, and so do changes
by commands or tool servers.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from app.chat.items import Item, ToolCall
from app.common.error_messages import ErrorCode
from app.store.errors import StoreError
from local_tools.ledger.ledger import Ledger
from local_tools.ledger.steps import CallKey, LedgerError
from local_tools.undo.undo import RewindResult, UndoStore


@dataclass(frozen=True, slots=True)
class Rewind:
    """Undoes the tool calls after a message of a profile's chats. Made with its workspace.

    `on_undone` is called after files were restored.

    Every method raises `StoreError` where the record of the calls cannot be read.
    """

    profile: str
    ledger: Ledger
    undo_store: UndoStore
    on_undone: Callable[[], Awaitable[None]]

    async def look(
        self, items: Sequence[Item], key: str, conversation_ids: Sequence[str]
    ) -> tuple[str, ...]:
        """Return the paths that `put_back` would restore now.

        Args:
            items: The rows of the chat.
            key: The row of the message.
            conversation_ids: Where the calls were made: the chat, and what it was copied from.
        """
        calls = await self._calls_behind(items, key, conversation_ids)
        return await asyncio.to_thread(self.undo_store.restorable, calls) if calls else ()

    async def put_back(
        self, items: Sequence[Item], key: str, conversation_ids: Sequence[str]
    ) -> RewindResult:
        """Undo the calls after a message, newest first; arguments as for `look`."""
        calls = await self._calls_behind(items, key, conversation_ids)
        rewound = await asyncio.to_thread(self.undo_store.rewind, calls)
        await self.on_undone()
        return rewound

    async def _calls_behind(
        self, items: Sequence[Item], key: str, conversation_ids: Sequence[str]
    ) -> list[CallKey]:
        """Return the calls behind a row, newest first."""
        at = next((row for row, item in enumerate(items) if item.key == key), len(items))
        wanted = [item.call_id for item in items[at:] if isinstance(item, ToolCall)]
        if not wanted:
            return []
        made: dict[str, CallKey] = {}
        try:
            # The nearest conversation comes last: its call replaces one with the same id.
            for conversation_id in reversed(conversation_ids):
                records = await self.ledger.calls(self.profile, conversation_id)
                made |= {record.key.call_id: record.key for record in records}
        except LedgerError as exc:
            raise StoreError(ErrorCode.STORE_UNWRITABLE) from exc
        return [made[call_id] for call_id in reversed(wanted) if call_id in made]
