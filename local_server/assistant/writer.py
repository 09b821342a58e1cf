"""The pen of a reply: collects its text and stores it as it grows."""

import asyncio
from collections.abc import Awaitable
from typing import Final

from local_server.errors import StreamFailureError
from local_server.store.records import ToolCall
from local_server.store.replies import ConversationGoneError, Draft, Replies

_SAVE_EVERY_S: Final = 0.5
_SAVE_EVERY_CHARS: Final = 2048
_PARAGRAPH: Final = "\n\n"


class ReplyWriter:
    """Writes one reply, from an empty page or on from what is there.

    A crash loses at most half a second or two thousand characters of it. Made by a turn, which
    saves a last time at its end.
    """

    def __init__(self, replies: Replies, draft: Draft, continued_call_id: str | None) -> None:
        self._replies = replies
        self._draft = draft
        self._continued_call_id = continued_call_id
        self._parts = [draft.content] if draft.content else []
        self._needs_break = bool(draft.content) and not draft.content.endswith("\n")
        self._unsaved_chars = 0
        self._saved_at = asyncio.get_running_loop().time()

    @property
    def length(self) -> int:
        """How many characters the reply has so far."""
        return sum(len(part) for part in self._parts)

    def add(self, text: str) -> str:
        """Append a fragment, and tell what was appended: a paragraph's break may come first."""
        if self._needs_break:
            self._needs_break = False
            text = _PARAGRAPH + text
        self._parts.append(text)
        self._unsaved_chars += len(text)
        return text

    async def save_if_due(self) -> None:
        """Store the reply if much was written, or if it is a while ago.

        Raises:
            StreamFailureError: When the conversation was deleted meanwhile.
        """
        is_old = asyncio.get_running_loop().time() - self._saved_at > _SAVE_EVERY_S
        if self._unsaved_chars > _SAVE_EVERY_CHARS or (is_old and self._unsaved_chars):
            await self._stored(self._replies.save(self._current()))

    async def keep(self) -> None:
        """Store what an interrupted reply came to, if there is anywhere to store it."""
        if self._unsaved_chars:
            try:
                await self._replies.save(self._current())
            except ConversationGoneError:
                return

    async def finish(self) -> None:
        """Store the whole reply.

        Raises:
            StreamFailureError: When the conversation was deleted meanwhile.
        """
        if self._unsaved_chars or self._continued_call_id is not None:
            await self._stored(self._replies.save(self._current(), self._continued_call_id))

    async def suspend(self, call: ToolCall) -> None:
        """Store the reply as far as the tool call that it now waits for.

        Raises:
            StreamFailureError: When the conversation was deleted meanwhile.
        """
        await self._stored(self._replies.ask(self._current(), (call,), self._continued_call_id))

    def _current(self) -> Draft:
        draft = self._draft
        self._parts = ["".join(self._parts)]
        return Draft(draft.conversation_id, draft.message_id, self._parts[0], draft.created_at)

    async def _stored(self, saving: Awaitable[None]) -> None:
        try:
            await saving
        except ConversationGoneError as exc:
            self._unsaved_chars = 0
            raise StreamFailureError("This conversation was deleted.") from exc
        self._unsaved_chars = 0
        self._saved_at = asyncio.get_running_loop().time()
