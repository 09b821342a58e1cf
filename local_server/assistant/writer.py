"""Store the text of replies while they grow.

`ReplyWriter` writes one reply. `Autosave` saves all growing replies in one transaction, so that a
thousand cost little more than one.
"""

import asyncio
import logging
import re
import secrets
from collections.abc import Awaitable, Callable, Mapping
from typing import Final, Protocol

from local_server.errors import StreamFailureError
from local_server.store.database import StoreUnavailableError
from local_server.store.records import Message, Notice, Omission, ToolCall
from local_server.store.replies import ConversationGoneError, Draft, Replies

# Together with the time that saving takes, text stays unsaved for half a second at most.
_EVERY_S: Final = 0.4

log = logging.getLogger(__name__)

_SAVE_EVERY_BYTES: Final = 2048
_PARAGRAPH: Final = "\n\n"
_HALVES: Final = re.compile("[\ud800-\udfff]")


class GrowingReply(Protocol):
    """A reply that is being written."""

    def draft(self) -> Draft:
        """Return all that is written so far."""

    def on_unsaved(self, reason: Exception) -> None:
        """React to a failure to save what was written."""


class Autosave:
    """Saves replies that have grown, in rounds: every so often, and at once when one must.

    One for the life of the application. Every round ends before the next begins, so that an
    older text never overwrites a newer one.
    """

    def __init__(self, replies: Replies) -> None:
        self._replies = replies
        self._grown: set[GrowingReply] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._round: asyncio.Task[frozenset[str]] | None = None

    def schedule(self, reply: GrowingReply) -> None:
        """Save a reply with the next round."""
        self._grown.add(reply)
        self._plan_round()

    async def save(self, reply: GrowingReply) -> None:
        """Save a reply as soon as possible; it has heard of a failure when this returns."""
        self._grown.add(reply)
        await self._wait_for_round()
        if reply in self._grown:
            self._begin_round()
        await self._wait_for_round()

    def cancel(self, reply: GrowingReply) -> None:
        """Stop saving a reply; a round under way may still save it."""
        self._grown.discard(reply)

    async def cancel_and_wait(self, reply: GrowingReply) -> None:
        """Stop saving a reply; wait for a round under way."""
        self.cancel(reply)
        await self._wait_for_round()

    async def aclose(self) -> None:
        """Wait for the end of a round that is under way."""
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
        self, done: asyncio.Task[frozenset[str]], drafts: Mapping[GrowingReply, Draft]
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


class ReplyWriter:
    """Writes one reply, from the beginning or from where a draft ends.

    A crash loses at most half a second or two kilobytes of it. Made for a turn, which keeps a
    last time what was written, wherever it ends.
    """

    def __init__(
        self,
        replies: Replies,
        autosave: Autosave,
        draft: Draft,
        continued_call_id: str | None,
        on_unsaved: Callable[[Exception], None],
    ) -> None:
        """Begin.

        Args:
            replies: Where the reply is stored.
            autosave: Stores it as it grows.
            draft: What there is of it already, perhaps nothing.
            continued_call_id: The tool call whose result it goes on from.
            on_unsaved: Called when the reply cannot be stored as it grows.
        """
        self._replies = replies
        self._autosave = autosave
        self._draft = draft
        self._continued_call_id = continued_call_id
        self._on_unsaved = on_unsaved
        self._parts = [draft.content] if draft.content else []
        self._notices = draft.notices
        self._needs_break = False
        self._unsaved_bytes = 0
        self._failure: Exception | None = None
        self.begin_paragraph()

    @property
    def length(self) -> int:
        """How many characters the reply has so far."""
        return len(self._content())

    def so_far(self) -> Message | None:
        """Return the reply as the conversation's last message; None as long as it is empty."""
        content = self._content()
        if not content and self._continued_call_id is None:
            return None
        draft = self._draft
        return Message(draft.message_id, "assistant", content, draft.created_at, self._notices)

    def begin_paragraph(self) -> None:
        """Begin a new paragraph with what comes next."""
        content = self._content()
        self._needs_break = bool(content) and not content.endswith("\n")

    def add(self, text: str) -> str:
        """Append a fragment, and tell what was appended.

        A paragraph's break may come first, and halves of characters, which can be neither sent
        nor stored, are replaced by U+FFFD.
        """
        if not text.isascii():
            text = _HALVES.sub("\ufffd", text)
        if self._needs_break:
            self._needs_break = False
            text = _PARAGRAPH + text
        self._parts.append(text)
        if not self._unsaved_bytes and self._failure is None:
            self._autosave.schedule(self)
        self._unsaved_bytes += len(text) if text.isascii() else len(text.encode())
        return text

    def add_notice(self, text: str, omissions: tuple[Omission, ...]) -> str:
        """Append what the service says of its model, and return what was appended."""
        appended = self.add(text)
        self._notices += (Notice(self.length - len(text), len(text), omissions),)
        return appended

    @property
    def is_due(self) -> bool:
        """Whether so much is unsaved that it has to be saved before more is written."""
        return self._unsaved_bytes >= _SAVE_EVERY_BYTES

    async def save(self) -> None:
        """Store the reply as far as it was written.

        Raises:
            StreamFailureError: As `finish` does.
        """
        self._check()
        await self._autosave.save(self)
        self._check()

    def draft(self) -> Draft:
        """Return all that is written so far, to be stored."""
        self._unsaved_bytes = 0
        draft = self._draft
        return Draft(
            draft.conversation_id,
            draft.message_id,
            self._content(),
            draft.created_at,
            self._notices,
        )

    def on_unsaved(self, reason: Exception) -> None:
        """Give up: what cannot be stored must not be sent either."""
        failure = _failure_of(reason)
        self.give_up(failure)
        self._on_unsaved(failure)

    def give_up(self, failure: Exception) -> None:
        """Store nothing more, whatever is asked, and say why."""
        self._failure = self._failure or failure
        self._autosave.cancel(self)

    async def save_rest(self) -> None:
        """Store what an interrupted reply came to, if there is anywhere to store it."""
        await self._autosave.cancel_and_wait(self)
        if self._unsaved_bytes and self._failure is None:
            try:
                await self._replies.save(self.draft())
            except ConversationGoneError:
                return
            except StoreUnavailableError as exc:
                log.warning("the end of an interrupted reply is not saved: %s", exc)

    async def finish(self) -> None:
        """Store the whole reply.

        Raises:
            StreamFailureError: When the conversation was deleted meanwhile, or when nothing can
                be stored.
        """
        await self._autosave.cancel_and_wait(self)
        self._check()
        if self._content() or self._continued_call_id is not None:
            await self._stored(self._replies.save(self.draft(), self._continued_call_id))

    async def suspend(self, calls: tuple[ToolCall, ...]) -> None:
        """Store the reply as far as the tool calls that it now waits for.

        Raises:
            StreamFailureError: When the conversation was deleted meanwhile, or when nothing can
                be stored.
        """
        await self._autosave.cancel_and_wait(self)
        self._check()
        await self._stored(self._replies.ask(self.draft(), calls, self._continued_call_id))

    def _content(self) -> str:
        if len(self._parts) > 1:
            self._parts = ["".join(self._parts)]
        return self._parts[0] if self._parts else ""

    async def _stored(self, saving: Awaitable[None]) -> None:
        try:
            await saving
        except (ConversationGoneError, StoreUnavailableError) as exc:
            failure = _failure_of(exc)
            self.give_up(failure)
            raise failure from exc

    def _check(self) -> None:
        if self._failure is not None:
            raise self._failure


def _failure_of(reason: Exception) -> Exception:
    if isinstance(reason, ConversationGoneError):
        return StreamFailureError("This conversation was deleted.")
    if isinstance(reason, StoreUnavailableError):
        reference = secrets.token_hex(4)
        log.warning("a reply cannot be saved, reference %s: %s", reference, reason)
        return StreamFailureError(
            f"The reply ends here, since it cannot be saved (reference {reference}). {reason}"
        )
    return reason
