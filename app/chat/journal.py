"""The turns of one chat: each step is written to the store, then shown in the transcript."""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import reduce

from app.api.events import Usage
from app.chat.notices import is_held, is_waiting, notice_keys, turn_notices, user_message
from app.chat.transcript import Transcript
from app.common.error_messages import ErrorCode
from app.store.errors import StoreError
from app.store.records import (
    NewAttachment,
    ReplyPiece,
    StoredAttachment,
    StoredFailure,
    StoredTurn,
    TurnState,
)
from app.store.store import ProfileStore

log = logging.getLogger(__name__)

_HELD = StoredFailure(ErrorCode.MESSAGE_HELD)
_UNKNOWN = StoredFailure(ErrorCode.MESSAGE_UNCONFIRMED)
_CLOSED = StoredFailure(ErrorCode.REPLY_CLOSED)


class Journal:
    """What this computer knows of one chat's turns; the only way to change it.

    What cannot be written while a reply runs is logged, not raised: the reply goes on, and the
    next write that works brings everything. Made by a session, lives as long.
    """

    def __init__(self, store: ProfileStore, conversation_id: str, transcript: Transcript) -> None:
        self._store = store
        self._conversation_id = conversation_id
        self._transcript = transcript
        self._turns: dict[str, StoredTurn] = {}

    @property
    def turns(self) -> Sequence[StoredTurn]:
        """All turns, oldest first; those that are held stand last, behind what is sent later."""
        return tuple(self._turns.values())

    def get(self, turn_id: str) -> StoredTurn | None:
        """Return the turn with this id, if there is one."""
        return self._turns.get(turn_id)

    def newest_sent(self) -> StoredTurn | None:
        """Return the newest turn that was sent, or is being sent."""
        turns = reversed(self._turns.values())
        return next((turn for turn in turns if turn.state is not TurnState.QUEUED), None)

    @property
    def usage(self) -> Usage | None:
        """What the replies used together; None while nothing of that was told."""
        told = [turn.usage for turn in self._turns.values() if turn.usage is not None]
        return reduce(Usage.followed_by, told) if told else None

    @property
    def is_kept(self) -> bool:
        """Whether the disk has all that is known here."""
        return all(turn.is_kept for turn in self._turns.values())

    async def restore(self) -> None:
        """Read what was kept; what was at work when the program ended was cut short."""
        kept = await self._store.turns.of_conversation(self._conversation_id)
        # Stable: what was sent keeps its order, and what waits stands behind it.
        turns = sorted(map(_after_restart, kept), key=is_waiting)
        self._turns = {turn.turn_id: turn for turn in turns}
        for before in kept:
            after = self._turns[before.turn_id]
            if after.state is not before.state:
                await self._note(after)

    async def accept(
        self,
        text: str,
        agent_name: str | None,
        attachments: Sequence[StoredAttachment] = (),
        words_length: int | None = None,
        *,
        fork_id: str = "",
    ) -> StoredTurn:
        """Write down a message of the user; when this returns, it is on the disk.

        Args:
            text: All that is sent.
            agent_name: Who shall answer; None lets the service choose.
            attachments: What goes with it, from the draft.
            words_length: How much of the text the person wrote; None for all.
            fork_id: The version that begins with this message; empty if none does.

        Raises:
            StoreError: it could not be kept.
        """
        turn = await self._store.turns.add(
            self._conversation_id, text, agent_name, attachments, words_length, fork_id=fork_id
        )
        self._turns[turn.turn_id] = turn
        self._show_waiting()
        await self._put_held_last()
        # The disk has just taken something, so it may take what failed before.
        await self.catch_up()
        return turn

    async def begin(self, turn_id: str, declared: Mapping[str, str], model: str) -> StoredTurn:
        """Write down that a message is about to be sent, and what is known and declared by now.

        `model` is the name of the one that is to answer.

        Of one that was sent before, what was known then counts: that try may still arrive.

        Raises:
            StoreError: it could not be written, so the message must not be sent.
        """
        known_upto = self._turns[turn_id].known_upto
        if known_upto is None:
            known_upto = await self._store.messages.high_water(self._conversation_id)
        await self._store.turns.begin(turn_id, known_upto, declared, model)
        turn = replace(self._turns[turn_id], known_upto=known_upto, declared=declared, model=model)
        return self._show(replace(turn, state=TurnState.SENDING, failure=None))

    async def add_usage(self, turn_id: str, usage: Usage, model: str = "") -> None:
        """Add what one more stream of a reply used.

        `model` is the name of the one that answered; empty where nobody told it.
        """
        turn = self._turns[turn_id]
        total = turn.usage.followed_by(usage) if turn.usage is not None else usage
        name = model or turn.model
        await self._keep(
            replace(turn, usage=total, model=name),
            lambda: self._store.turns.set_usage(turn_id, total, name),
        )

    async def keep_call_images(
        self, turn_id: str, call_id: str, images: Sequence[NewAttachment]
    ) -> tuple[StoredAttachment, ...]:
        """Keep what a tool call of a reply returned; none removes what is kept of it.

        Raises:
            StoreError: it could not be kept.
        """
        table = self._store.attachments
        kept = await table.add_of_call(self._conversation_id, turn_id, call_id, images)
        turn = self._turns[turn_id]
        others = (image for image in turn.call_images if image.call_id != call_id)
        self._turns[turn_id] = replace(turn, call_images=(*others, *kept))
        return kept

    async def advance(
        self, turn_id: str, state: TurnState, failure: StoredFailure | None = None
    ) -> StoredTurn:
        """Write down how far a turn has come, then show it."""
        await self._note(replace(self._turns[turn_id], state=state, failure=failure))
        return self._show(self._turns[turn_id])

    async def adopt(
        self, turn_id: str, user_message_id: str | None, pieces: tuple[ReplyPiece, ...]
    ) -> None:
        """Adopt what the service has of a turn: the message's id, and the whole reply."""
        before = self._turns[turn_id]
        turn = replace(before, user_message_id=user_message_id, pieces=pieces)
        if turn != before:
            await self._keep(turn)

    async def requeue(self, turn_id: str) -> None:
        """Move a message that was not delivered behind all but those that are held; to be sent.

        Raises:
            StoreError: it could not be written; the message stays where it is.
        """
        await self._store.turns.requeue(turn_id)
        turn = self._turns.pop(turn_id)
        self._turns[turn_id] = replace(turn, state=TurnState.QUEUED, failure=None, declared={})
        self._hide(turn_id)
        self._show(self._turns[turn_id])
        await self._put_held_last()

    async def withdraw(self, turn_id: str) -> None:
        """Delete a message that was not sent.

        Raises:
            StoreError: it could not be written; the message stays.
        """
        await self._store.turns.remove(turn_id)
        # After the disk: where that fails the message stays in sight, to be withdrawn again.
        del self._turns[turn_id]
        self._hide(turn_id)
        self._show_waiting()

    async def move(self, turn_id: str, by: int, at_work: str) -> bool:
        """Move a message that waits before (`by` -1) or behind (1) the one beside it.

        Returns False where none waits beside it; the one `at_work` does not wait any more.

        Raises:
            StoreError: it could not be written; the order stays.
        """
        waiting = [turn.turn_id for turn in self._turns.values() if is_waiting(turn)]
        waiting = [waiting_id for waiting_id in waiting if waiting_id != at_work]
        at = waiting.index(turn_id) if turn_id in waiting else -1
        if at < 0 or not 0 <= at + by < len(waiting):
            return False
        first, second = sorted((at, at + by))
        await self._swap(waiting[first], waiting[second])
        return True

    def hold(self, turn_id: str) -> None:
        """Mark a message that waits as held until a person sends it."""
        self._show(replace(self._turns[turn_id], state=TurnState.QUEUED, failure=_HELD))

    async def keep_pieces(self, turn_id: str, changed: Mapping[int, ReplyPiece]) -> None:
        """Write the pieces of a reply that changed, at their positions."""
        turn = self._turns[turn_id]
        if changed:
            pieces = dict(enumerate(turn.pieces)) | dict(changed)
            kept = tuple(pieces[position] for position in sorted(pieces))
            turn = replace(turn, pieces=kept)
        # Nothing is new and nothing is owed: the disk is left alone.
        elif turn.is_kept:
            return
        await self._keep(turn, lambda: self._store.turns.keep_pieces(turn_id, changed))

    async def catch_up(self) -> None:
        """Write what could not be written before."""
        for turn_id in tuple(self._turns):
            turn = self._turns.get(turn_id)
            if turn is not None and not turn.is_kept and not await self._keep(turn):
                return

    async def _swap(self, first: str, second: str) -> None:
        await self._store.turns.swap(first, second)
        places = dict(zip((first, second), (second, first), strict=True))
        turns = [self._turns[places.get(turn_id, turn_id)] for turn_id in self._turns]
        self._turns = {turn.turn_id: turn for turn in turns}
        self._transcript.remove(first)
        moved = user_message(self._turns[first], can_move=True)
        self._transcript.put(moved, after=second)

    async def _put_held_last(self) -> None:
        """Move what is held to the composer: it is never in the past of what is sent before it."""
        turns = list(self._turns.values())
        ordered = sorted(turns, key=is_held)
        if ordered == turns:
            return
        self._turns = {turn.turn_id: turn for turn in ordered}
        held = [turn.turn_id for turn in ordered if is_held(turn)]
        for turn_id in held:
            self._transcript.remove(turn_id)
        self._show_waiting()
        try:
            for turn_id in held:
                await self._store.turns.requeue(turn_id)
        except StoreError as exc:
            log.warning("Cannot save the order of queued messages: %s", exc.reason)

    def _show_waiting(self) -> None:
        """Show the messages that wait: what can be done with one depends on the others."""
        waiting = [turn for turn in self._turns.values() if is_waiting(turn)]
        for turn in waiting:
            self._transcript.put(user_message(turn, can_move=len(waiting) > 1))

    async def _note(self, turn: StoredTurn) -> None:
        """Adopt how far a turn has come, and write it."""
        step = (turn.turn_id, turn.state, turn.failure)
        if await self._keep(turn, lambda: self._store.turns.advance(*step)):
            await self.catch_up()

    async def _keep(
        self, turn: StoredTurn, write_change: Callable[[], Awaitable[None]] | None = None
    ) -> bool:
        """Adopt a turn as it is now, then write it; return whether that worked.

        Writing the change alone is enough unless something was not written before, or nobody
        waited for the end of that.
        """
        was_kept = self._turns[turn.turn_id].is_kept
        # Not kept until the write has ended: whoever is cancelled meanwhile leaves it to be caught
        # up.
        turn = self._turns[turn.turn_id] = replace(turn, is_kept=False)
        try:
            await (write_change() if write_change and was_kept else self._store.turns.replace(turn))
        except StoreError as exc:
            log.warning("Cannot save a turn that is %s: %s", turn.state.value, exc.reason)
            return False
        # Another change may have come while this one was written; then that one is not kept yet.
        if self._turns.get(turn.turn_id) is turn:
            self._turns[turn.turn_id] = replace(turn, is_kept=True)
            # While the turn runs, `Turn` updates its rows.
            if not (was_kept or turn.state.is_under_way):
                self._show(self._turns[turn.turn_id])
        return True

    def _show(self, turn: StoredTurn) -> StoredTurn:
        self._turns[turn.turn_id] = turn
        if not is_waiting(turn):
            self._transcript.put(user_message(turn))
        self._show_waiting()
        notices = {notice.key: notice for notice in turn_notices(turn)}
        for key in notice_keys(turn.turn_id):
            if key in notices:
                self._transcript.put(notices[key], after=turn.turn_id)
            else:
                self._transcript.remove(key)
        return turn

    def _hide(self, turn_id: str) -> None:
        for key in (*notice_keys(turn_id), turn_id):
            self._transcript.remove(key)


def _after_restart(turn: StoredTurn) -> StoredTurn:
    if turn.state is TurnState.QUEUED:
        return replace(turn, failure=_HELD)
    if not turn.state.is_under_way:
        return turn
    if turn.pieces:
        return replace(turn, state=TurnState.FAILED, failure=_CLOSED)
    return replace(turn, state=TurnState.UNCONFIRMED, failure=_UNKNOWN)
