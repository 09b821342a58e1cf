"""Merge what this computer stores of a chat with what the service has.

`ChatSync` restores the chat and settles its turns. `build_items` makes the whole transcript from
the service's messages, our turns, and their calls.
"""

import asyncio
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType

from app.api.errors import NotFound
from app.api.events import PieceKind
from app.api.models import ConversationDetail
from app.chat.dependencies import ChatDependencies
from app.chat.items import (
    Item,
    ReplyPart,
    SendState,
    ToolCall,
    UserMessage,
    tool_calls,
    with_images,
    words_for_title,
)
from app.chat.journal import Journal
from app.chat.notices import CUT_SHORT, RESUMABLE, is_waiting, turn_notices, user_message
from app.chat.reconcile import USER, MatchedTurn, match_turns, merge_reply
from app.chat.transcript import Transcript, foreign_key, piece_key, reply_items
from app.chat.turn import TurnOutcome, failed
from app.chat.versions import ChatVersions
from app.common.error_messages import ErrorCode
from app.common.errors import UserFacingError
from app.store.errors import StoreError
from app.store.records import ReplyPiece, StoredFailure, StoredMessage, StoredTurn, TurnState
from local_tools.ledger.steps import CallRecord, Decision, LedgerError, Step, StepDetails


def build_items(
    messages: Sequence[StoredMessage],
    turns: Sequence[StoredTurn],
    matches: Mapping[str, MatchedTurn],
    calls: Mapping[str, ToolCall],
) -> list[Item]:
    """Make every row, oldest first.

    A turn of ours that the service has stands where the service has it, with what only we know:
    who answered, tool calls, hand-overs, notices. One that it does not have stands behind the
    turn before it, and what was not sent yet behind everything.
    """
    by_message = {match.user.message_id: turn_id for turn_id, match in matches.items()}
    by_id = {turn.turn_id: turn for turn in turns}
    # A message that is queued to be sent again may have arrived at the first try.
    waiting = [turn for turn in turns if is_waiting(turn) and turn.turn_id not in matches]
    followers = followers_of([turn for turn in turns if turn not in waiting], matches)
    items: list[Item] = []
    skipped: set[str] = set()
    for message in messages:
        turn_id = by_message.get(message.message_id)
        if turn_id is not None:
            match = matches[turn_id]
            items += _matched(by_id[turn_id], match, calls)
            items += _unmatched(followers.get(turn_id, ()), calls)
            skipped |= {reply.message_id for reply in match.reply}
        elif message.message_id not in skipped:
            items.append(_foreign(message))
    items += _unmatched(followers.get("", ()), calls)
    return items + [user_message(turn, can_move=len(waiting) > 1) for turn in waiting]


def followers_of(
    turns: Sequence[StoredTurn], matches: Mapping[str, MatchedTurn]
) -> dict[str, list[StoredTurn]]:
    """Return the turns that the service does not have, by the last one before them that it has.

    Those before any that it has stand under an empty id.
    """
    followers: dict[str, list[StoredTurn]] = {}
    last = ""
    for turn in turns:
        if turn.turn_id in matches:
            last = turn.turn_id
        else:
            followers.setdefault(last, []).append(turn)
    return followers


def keys_of(message_id: str, turns: Sequence[StoredTurn]) -> tuple[str, ...]:
    """Return the keys of the rows that show this message, or this turn, whoever sent it.

    A reply has a row for each of its pieces.
    """
    for turn in turns:
        is_turn = message_id == turn.turn_id
        pieces = tuple(
            piece_key(turn.turn_id, number)
            for number, piece in enumerate(turn.pieces)
            if is_turn or piece.message_id == message_id
        )
        if is_turn or message_id == turn.user_message_id:
            return (turn.turn_id, *pieces)
        if pieces:
            return pieces
    return (foreign_key(message_id),)


def _matched(turn: StoredTurn, match: MatchedTurn, calls: Mapping[str, ToolCall]) -> list[Item]:
    pieces = merge_reply(turn.pieces, match.reply)
    created_at = match.reply[0].created_at if match.reply else turn.created_at
    return [
        user_message(turn),
        *reply_items(turn.turn_id, pieces, calls, created_at, model=turn.model, usage=turn.usage),
        *turn_notices(turn),
    ]


def _unmatched(turns: Sequence[StoredTurn], calls: Mapping[str, ToolCall]) -> list[Item]:
    items: list[Item] = []
    for turn in turns:
        items.append(user_message(turn))
        given = (turn.turn_id, turn.pieces, calls, turn.created_at)
        items += reply_items(*given, model=turn.model, usage=turn.usage)
        items += turn_notices(turn)
    return items


def _foreign(message: StoredMessage) -> Item:
    """Make the row of a message that was not sent from here, or before this computer kept any."""
    key = foreign_key(message.message_id)
    if message.role == USER:
        return UserMessage(key, message.text, SendState.SENT, message.created_at)
    return ReplyPart(
        key=key,
        text=message.text,
        agent_name=None,
        agent_display_name=None,
        shows_agent=True,
        is_streaming=False,
        created_at=message.created_at,
        ends_reply=True,
    )


log = logging.getLogger(__name__)


class ChatSync:
    """Restores a chat from the store, then settles its turns by what the service tells.

    Nobody calls `refresh` while a turn is at work: the reply that streams is newer than any answer.
    Made by a session, lives as long.

    Attributes:
        is_missing: the service no longer has this conversation.
        is_deleted: it was deleted from here, so that nothing of it may be kept any more.
        message_count: how many messages there are, as far as is known here.
        updated_at: when something was last said; None when nobody knows.
    """

    def __init__(
        self,
        dependencies: ChatDependencies,
        conversation_id: str,
        journal: Journal,
        transcript: Transcript,
        versions: ChatVersions,
    ) -> None:
        self._versions = versions
        self._client = dependencies.client
        self._store = dependencies.store
        self._ledger = dependencies.ledger
        self._clock = dependencies.clock
        self._registry = dependencies.registry
        self._undo = dependencies.undo
        self._conversation_id = conversation_id
        self._journal = journal
        self._transcript = transcript
        self._messages: Sequence[StoredMessage] = ()
        self._records: Sequence[CallRecord] = ()
        self._is_record_read = False
        self._lock = asyncio.Lock()
        self._is_current = False
        self.is_missing = False
        self.is_deleted = False
        self.message_count = 0
        self.updated_at: datetime | None = None

    async def restore(self) -> None:
        """Show what is kept here, without asking anybody.

        Raises:
            StoreError: nothing can be read.
        """
        known = await self._store.conversations.get(self._conversation_id)
        self.message_count, self.updated_at = known.message_count, known.updated_at
        self._messages = await self._store.messages.of_conversation(self._conversation_id)
        await self._journal.restore()
        await self.read_calls()
        # After the calls are read, and before rows are built from both.
        await self._adopt_orphans()
        self._show(await self._match())

    async def refresh(self, causes: Mapping[str, StoredFailure] = MappingProxyType({})) -> None:
        """Ask the service, and settle every turn whose fate was unknown.

        Args:
            causes: What went wrong with a turn, to be said if its message did not arrive.

        Raises:
            UserFacingError: the service could not be asked; everything stays as it is.
        """
        async with self._lock:
            await self._bring_in(causes)

    async def make_current(self, turn: StoredTurn) -> None:
        """Make sure that the messages before a turn are known; it is about to begin.

        Without them nobody could tell later whether its message arrived. What may have left
        before is looked for anew, as it may have come late. Waits for a `refresh` that is under
        way.

        Raises:
            UserFacingError: the service has to be asked and could not be.
        """
        async with self._lock:
            if not self._is_current or self._may_have_left(turn):
                await self._bring_in({})

    def note_deleted(self) -> None:
        """Note that the conversation was deleted: an answer that is on its way is dropped."""
        self.is_deleted = self.is_missing = True

    def check_exists(self) -> None:
        """Make sure that the conversation was not deleted.

        Raises:
            UserFacingError: it was.
        """
        # Not `is_missing`: what the service lost can still be read here, and may come back.
        if self.is_deleted:
            raise UserFacingError(ErrorCode.CONVERSATION_GONE)

    async def add_messages(self, count: int, moment: datetime) -> None:
        """Add to the number of messages, and keep when the last one was said."""
        await self._touch(self.message_count + count, moment)

    @property
    def first_words(self) -> str:
        """The first thing that the user said, as far as is known here, without attached files."""
        turns = self._journal.turns
        first = next((m.text for m in self._messages if m.role == USER), "")
        return words_for_title(first or next((turn.text for turn in turns), ""), turns)

    def resumable(self, *, is_asked_for: bool = True) -> tuple[str, tuple[CallRecord, ...]] | None:
        """Return the newest turn and its calls that can go on, oldest first; None if settled.

        A result that may have arrived is posted again only when somebody asked for it.
        """
        turn = self._journal.newest_sent()
        if turn is None or not _may_go_on(turn):
            return None
        calls = self._open_calls(turn)
        if not calls or (not is_asked_for and any(c.step is Step.POSTED for c in calls)):
            return None
        return (turn.turn_id, calls)

    async def close_left_calls(self) -> None:
        """Close the calls that nobody has decided about, as another message is sent instead.

        Raises:
            LedgerError: it could not be recorded.
        """
        left = self.resumable()
        waiting = [r for r in left[1] if r.step is Step.ASKED] if left else []
        for record in waiting:
            await self._ledger.record(
                record.key, Step.DECIDED, StepDetails(decision=Decision.CLOSED)
            )
        if waiting:
            await self.read_calls()
            self._show(await self._match())

    async def read_calls(self) -> None:
        """Read again how the calls of this chat stand, and show which were undone."""
        try:
            own = await self._ledger.calls(self._store.profile, self._conversation_id)
            self._records = (*own, *await self._copied_calls())
            self._is_record_read = True
        except LedgerError:
            log.warning("Cannot read the record of tool calls")
        keys = [record.key for record in self._records]
        undone = await asyncio.to_thread(self._undo.undone, keys)
        self._transcript.show_undone({key.call_id for key in undone})

    async def _copied_calls(self) -> tuple[CallRecord, ...]:
        """Read the calls of the replies that were copied here, from where they were made."""
        sources = self._versions.sources(self._conversation_id)
        placed = {piece.call_id for turn in self._journal.turns for piece in turn.pieces}
        found: list[CallRecord] = []
        for source_id in sources:
            calls = await self._ledger.calls(self._store.profile, source_id)
            found += [call for call in calls if call.key.call_id in placed]
        return tuple(found)

    @property
    def message_ids(self) -> tuple[str, ...]:
        """The service's ids of the messages, oldest first, as it last told them."""
        return tuple(message.message_id for message in self._messages)

    def end_of(self, key: str) -> int | None:
        """Return the position of the message of the service that a row ends with.

        None where the service has no such message, as far as is known.
        """
        wanted = self._message_ids_of(key)
        ends = [
            at
            for at, message in enumerate(self._messages)
            if message.message_id in wanted or key == foreign_key(message.message_id)
        ]
        return ends[-1] if ends else None

    def _message_ids_of(self, key: str) -> set[str | None]:
        """Return the service's ids of the messages that a row of a turn stands for."""
        if (turn := self._journal.get(key)) is not None:
            # The message alone; the rows of its reply have its key, too.
            return {turn.user_message_id}
        found = (
            {turn.user_message_id, piece.message_id}
            for turn in self._journal.turns
            for number, piece in enumerate(turn.pieces)
            if piece_key(turn.turn_id, number) == key
        )
        return next(found, set())

    def keys_at(self, positions: Iterable[int]) -> dict[int, str]:
        """Return the keys of the rows of messages of the service, where they have one."""
        of_turns = {turn.user_message_id: turn.turn_id for turn in self._journal.turns}
        found: dict[int, str] = {}
        for position in positions:
            if position < len(self._messages):
                message_id = self._messages[position].message_id
                key = of_turns.get(message_id)
                found[position] = key or keys_of(message_id, self._journal.turns)[0]
        return found

    def _may_have_left(self, turn: StoredTurn) -> bool:
        """Return whether a message that is to be sent, or a result, was sent before."""
        if is_waiting(turn):
            return turn.known_upto is not None
        return any(call.step is Step.POSTED for call in self._open_calls(turn))

    async def _adopt_orphans(self) -> None:
        """Give a row to calls that were recorded just before the program was killed."""
        placed = {piece.call_id for turn in self._journal.turns for piece in turn.pieces}
        orphans = tuple(
            ReplyPiece(PieceKind.CALL, text=record.tool, call_id=record.key.call_id)
            for record in self._records
            if record.step is not Step.ACKNOWLEDGED and record.key.call_id not in placed
        )
        turn = self._journal.newest_sent()
        if orphans and turn is not None and _may_go_on(turn):
            pieces = turn.pieces + orphans
            await self._journal.adopt(turn.turn_id, turn.user_message_id, pieces)

    async def _bring_in(self, causes: Mapping[str, StoredFailure]) -> None:
        try:
            detail = await self._client.get_conversation(self._conversation_id)
        except NotFound as exc:
            self.is_missing = exc.reason == ErrorCode.CONVERSATION_GONE
            raise
        # It may have been deleted while the answer was on its way; nothing of it may be kept then.
        self.check_exists()
        self.is_missing = False
        await self._keep(detail)
        # Calls are read after the messages: one that ended in between is known to have ended.
        await self.read_calls()
        matches = await self._match()
        for turn in self._journal.turns:
            await self._settle(turn, matches.get(turn.turn_id), causes.get(turn.turn_id))
        self._show(matches)
        # Only at the end: what failed on the way is asked again before the next message is sent.
        self._is_current = True

    async def _touch(self, count: int, moment: datetime) -> None:
        self.message_count, self.updated_at = count, moment
        try:
            await self._store.conversations.touch(self._conversation_id, count, moment)
        except StoreError as exc:
            log.warning("Cannot save the number of messages: %s", exc.reason)

    async def _keep(self, detail: ConversationDetail) -> None:
        self._messages = _kept(detail)
        moment = detail.updated_at or self.updated_at or self._clock.wall()
        await self._touch(len(detail.messages), moment)
        try:
            await self._store.messages.keep(self._conversation_id, self._messages)
        except StoreError as exc:
            log.warning("Cannot save the messages of a chat: %s", exc.reason)

    async def _match(self) -> dict[str, MatchedTurn]:
        known = {}
        for turn in self._journal.turns:
            if turn.known_upto is not None and turn.user_message_id is None:
                known[turn.turn_id] = await self._store.messages.known_ids(
                    self._conversation_id, turn.known_upto
                )
        return match_turns(self._messages, self._journal.turns, known)

    async def _settle(
        self, turn: StoredTurn, match: MatchedTurn | None, cause: StoredFailure | None
    ) -> None:
        if match is not None:
            merged = merge_reply(turn.pieces, match.reply)
            await self._journal.adopt(turn.turn_id, match.user.message_id, merged)
            if is_waiting(turn):
                # An earlier try of a message that is to be sent again has arrived after all.
                turn = replace(turn, failure=StoredFailure(ErrorCode.MESSAGE_UNCONFIRMED))
        if turn.failure is None or turn.failure.reason not in CUT_SHORT:
            return
        if not self._is_record_read and any(p.kind is PieceKind.CALL for p in turn.pieces):
            # A call may wait for a person: nobody can say that the turn is over.
            return
        ending = self._ending(turn, turn.failure, match, cause)
        if (ending.state, ending.failure) != (turn.state, turn.failure):
            await self._journal.advance(turn.turn_id, ending.state, ending.failure)

    def _ending(
        self,
        turn: StoredTurn,
        failure: StoredFailure,
        match: MatchedTurn | None,
        cause: StoredFailure | None,
    ) -> TurnOutcome:
        """Return how a turn ended; of a reply that was cut, nobody can tell that it is whole."""
        was_stopped = cause is not None and cause.reason == ErrorCode.STOPPED_UNSENT
        if match is None:
            if turn.pieces:
                return TurnOutcome(turn.state, failure)
            state = TurnState.STOPPED if was_stopped else TurnState.FAILED
            return TurnOutcome(state, cause or StoredFailure(ErrorCode.MESSAGE_NOT_DELIVERED))
        if was_stopped:
            return TurnOutcome(TurnState.STOPPED, StoredFailure(ErrorCode.STOPPED))
        has_more = merge_reply(turn.pieces, match.reply) != turn.pieces
        open_calls = self._open_calls(turn)
        is_posted = any(call.step is Step.POSTED for call in open_calls)
        if open_calls and not (is_posted and has_more):
            return (
                failed(ErrorCode.RESULT_UNCONFIRMED)
                if is_posted
                else TurnOutcome(turn.state, failure)
            )
        if not (has_more or turn.pieces):
            return failed(ErrorCode.REPLY_MISSING)
        was_closed = failure.reason == ErrorCode.REPLY_CLOSED
        return TurnOutcome(
            TurnState.DONE, failure if was_closed else StoredFailure(ErrorCode.REPLY_ENDS_HERE)
        )

    def _open_calls(self, turn: StoredTurn) -> tuple[CallRecord, ...]:
        own = {piece.call_id for piece in turn.pieces if piece.kind is PieceKind.CALL}
        return tuple(
            record
            for record in self._records
            if record.key.call_id in own and record.step is not Step.ACKNOWLEDGED
        )

    def _show(self, matches: Mapping[str, MatchedTurn]) -> None:
        calls = with_images(tool_calls(self._records, self._registry), self._journal.turns)
        items = build_items(self._messages, self._journal.turns, matches, calls)
        self._transcript.replace_all(items)


def _may_go_on(turn: StoredTurn) -> bool:
    return turn.failure is not None and turn.failure.reason in RESUMABLE


def _kept(detail: ConversationDetail) -> tuple[StoredMessage, ...]:
    return tuple(
        StoredMessage(m.id, m.role.value, m.content, m.created_at) for m in detail.messages
    )
