"""Saves the replies that are being written, all in one: a thousand cost little more than one."""

import asyncio
from collections.abc import Mapping
from typing import Final, Protocol

from local_server.store.replies import ConversationGoneError, Draft, Replies

# With the time that saving takes, no word stays unsaved for more than half a second.
_EVERY_S: Final = 0.4


class Growing(Protocol):
    """A reply that is being written."""

    def draft(self) -> Draft:
        """Give all that is written so far."""

    def on_unsaved(self, reason: Exception) -> None:
        """Hear that what was written could not be saved."""


class Autosave:
    """Saves replies that have grown, in rounds: every so often, and at once when one must.

    One for the life of the application. Every round ends before the next begins, so that an
    older text never overwrites a newer one.
    """

    def __init__(self, replies: Replies) -> None:
        self._replies = replies
        self._grown: set[Growing] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._round: asyncio.Task[frozenset[str]] | None = None

    def has_grown(self, reply: Growing) -> None:
        """Save a reply with the next round."""
        self._grown.add(reply)
        self._plan_round()

    async def save(self, reply: Growing) -> None:
        """Save a reply as soon as possible; it has heard of a failure when this returns."""
        self._grown.add(reply)
        await self._wait_for_round()
        if reply in self._grown:
            self._begin_round()
        await self._wait_for_round()

    def forget(self, reply: Growing) -> None:
        """Save a reply no more, but for a round that is under way."""
        self._grown.discard(reply)

    async def leave_out(self, reply: Growing) -> None:
        """Save a reply no more; when this returns, nothing is being saved of it."""
        self.forget(reply)
        await self._wait_for_round()

    async def aclose(self) -> None:
        """Let a round that is under way end."""
        if self._timer is not None:
            self._timer.cancel()
        await self._wait_for_round()

    def _plan_round(self) -> None:
        if self._timer is None and self._round is None:
            self._timer = asyncio.get_running_loop().call_later(_EVERY_S, self._begin_round)

    def _begin_round(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        replies = tuple(self._grown)
        self._grown.clear()
        if replies:
            drafts = {reply: reply.draft() for reply in replies}
            saving = self._replies.save_all(tuple(drafts.values()))
            self._round = asyncio.create_task(saving, name="autosave")
            self._round.add_done_callback(lambda done: self._on_round_ended(done, drafts))

    def _on_round_ended(
        self, done: asyncio.Task[frozenset[str]], drafts: Mapping[Growing, Draft]
    ) -> None:
        self._round = None
        if done.cancelled():
            return
        failure = done.exception()
        for reply, draft in drafts.items():
            if isinstance(failure, Exception):
                reply.on_unsaved(failure)
            elif draft.conversation_id in done.result():
                reply.on_unsaved(ConversationGoneError())
        if self._grown:
            self._plan_round()

    async def _wait_for_round(self) -> None:
        if self._round is not None:
            await asyncio.wait({self._round})
