"""The rows of one chat in reading order, and how stream events change them. Pure: no I/O.

`Reply` collects the events of a growing reply into pieces, whatever their order, `reply_items`
makes one row of each piece, and `Transcript` holds the rows and tells of every change of them.
"""

import time
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType

from app.api.events import (
    AgentStart,
    Event,
    MessageStart,
    MessageStop,
    PieceKind,
    StreamError,
    TextDelta,
    ThinkingDelta,
    ToolUse,
    UnknownEvent,
    Usage,
)
from app.chat.items import (
    CallState,
    Change,
    Handover,
    Inserted,
    Item,
    Removed,
    Replaced,
    ReplyPart,
    Thought,
    ToolCall,
    UserMessage,
    call_in_reply,
    changes_between,
)
from app.common.observable import Subscribers
from app.store.records import ReplyPiece


@dataclass(frozen=True, slots=True)
class _Agent:
    name: str
    display_name: str


class Reply:
    """The pieces of one reply over all its streams. Made for a turn, ends with it.

    Nothing about the order of events is taken for granted: text before `message_start` is kept,
    a second start begins another message of the same reply, an end without a start is nothing.
    """

    def __init__(self, pieces: Iterable[ReplyPiece] = ()) -> None:
        self._pieces = list(pieces)
        self._message_id = self._pieces[-1].message_id if self._pieces else ""
        self._agent = _last_agent(self._pieces)
        self._ignored = 0
        self._thought_since = 0.0

    @property
    def pieces(self) -> tuple[ReplyPiece, ...]:
        """The pieces so far, in order."""
        return tuple(self._pieces)

    @property
    def ignored_count(self) -> int:
        """How many events meant nothing here."""
        return self._ignored

    def __len__(self) -> int:
        return len(self._pieces)

    def __getitem__(self, position: int) -> ReplyPiece:
        return self._pieces[position]

    @property
    def thought_since(self) -> float:
        """When the last thought began, in seconds of the clock that `apply` is told."""
        return self._thought_since

    @property
    def expected(self) -> ReplyPiece:
        """The piece that would come next if the model began to think now."""
        agent = self._agent
        return ReplyPiece(
            PieceKind.THOUGHT,
            agent_name=agent.name if agent else None,
            agent_display_name=agent.display_name if agent else None,
        )

    def apply(self, event: Event, now: float = 0.0, waits_since: float | None = None) -> int | None:
        """Add an event; return the position of the piece that is new or changed, if any.

        `now` are the seconds of a clock that never goes back, `waits_since` those when the request
        was made to which nothing has come yet.
        """
        count = len(self._pieces)
        position = self._add(event, now, now if waits_since is None else waits_since)
        if position == count and count and self._pieces[count - 1].kind is PieceKind.THOUGHT:
            # What follows ends the thought.
            self._time_thought(count - 1, now)
        return position

    def _add(self, event: Event, now: float, since: float) -> int | None:
        match event:
            case TextDelta(text) if text:
                return self._add_text(PieceKind.TEXT, text)
            case ThinkingDelta(text) if text:
                return self._add_thought(text, now, since)
            case ToolUse(id=call_id, name=name):
                return self._add_call(call_id, name)
            case MessageStart():
                return self._begin_message(event)
            case AgentStart(name, display_name):
                return self._hand_over(_Agent(name, display_name))
            case UnknownEvent():
                self._ignored += 1
            case StreamError() | MessageStop() | _:
                # The turn decides what an end means; it changes nothing that was said.
                pass
        return None

    def label_call(self, call_id: str, title: str, target: str) -> int | None:
        """Set what a call's row shows, as far as it is known now; return its position."""
        for position, piece in enumerate(self._pieces):
            if piece.kind is PieceKind.CALL and piece.call_id == call_id:
                self._pieces[position] = replace(
                    piece, title=title or piece.title, target=target or piece.target
                )
                return position
        return None

    def _begin_message(self, event: MessageStart) -> int | None:
        self._message_id = event.message_id
        # Text that came before its start belongs to the message that starts now.
        self._pieces = [
            piece if piece.message_id else replace(piece, message_id=event.message_id)
            for piece in self._pieces
        ]
        if event.agent_name is None:
            return None
        return self._hand_over(
            _Agent(event.agent_name, event.agent_display_name or event.agent_name)
        )

    def _hand_over(self, agent: _Agent) -> int | None:
        before, self._agent = self._agent, agent
        # No hand-over: the first agent begins, or a further stream names the same one again.
        if before is None or before.name == agent.name:
            return None
        return self._append(
            ReplyPiece(
                PieceKind.HANDOVER,
                text=before.display_name,
                message_id=self._message_id,
                agent_name=agent.name,
                agent_display_name=agent.display_name,
            )
        )

    def _add_thought(self, text: str, now: float, since: float) -> int:
        count = len(self._pieces)
        position = self._add_text(PieceKind.THOUGHT, text)
        if position == count:
            self._thought_since = since
        self._time_thought(position, now)
        return position

    def _time_thought(self, position: int, now: float) -> None:
        seconds = max(0.0, now - self._thought_since)
        self._pieces[position] = replace(self._pieces[position], seconds=seconds)

    def _add_text(self, kind: PieceKind, text: str) -> int:
        agent = self._agent
        piece = ReplyPiece(
            kind,
            text=text,
            message_id=self._message_id,
            agent_name=agent.name if agent else None,
            agent_display_name=agent.display_name if agent else None,
        )
        if not self._pieces or not _continues(self._pieces[-1], piece):
            return self._append(piece)
        self._pieces[-1] = replace(piece, text=self._pieces[-1].text + text)
        return len(self._pieces) - 1

    def _add_call(self, call_id: str, name: str) -> int | None:
        # One id, one row: the ledger has refused a second call with it as well.
        if any(piece.call_id == call_id for piece in self._pieces if piece.call_id):
            self._ignored += 1
            return None
        piece = ReplyPiece(PieceKind.CALL, text=name, message_id=self._message_id, call_id=call_id)
        return self._append(piece)

    def _append(self, piece: ReplyPiece) -> int:
        self._pieces.append(piece)
        return len(self._pieces) - 1


def _continues(before: ReplyPiece, piece: ReplyPiece) -> bool:
    return (
        before.kind is piece.kind
        and before.message_id == piece.message_id
        and before.agent_name == piece.agent_name
    )


def _last_agent(pieces: Iterable[ReplyPiece]) -> _Agent | None:
    agent = None
    for piece in pieces:
        if piece.agent_name is not None:
            agent = _Agent(piece.agent_name, piece.agent_display_name or piece.agent_name)
    return agent


def piece_key(turn_id: str, position: int) -> str:
    """Return the key of the row of a piece."""
    return f"{turn_id}:{position}"


def foreign_key(message_id: str) -> str:
    """Return the key of the row of a message that belongs to no turn of this computer."""
    return f"m:{message_id}"


def reply_item(
    turn_id: str,
    position: int,
    pieces: Sequence[ReplyPiece],
    calls: Mapping[str, ToolCall],
    created_at: datetime | None,
    *,
    is_streaming: bool = False,
    since: float | None = None,
    is_over: bool = True,
    model: str = "",
    usage: Usage | None = None,
) -> Item:
    """Return the row of the piece at `position`.

    `since` is when it began, if it is a thought; nothing comes behind a reply that `is_over`.
    `model` is the name of the model that answered, or was to, `usage` what the reply used.
    """
    piece, key = pieces[position], piece_key(turn_id, position)
    match piece.kind:
        case PieceKind.TEXT:
            ends_with_call = pieces[-1].kind is PieceKind.CALL
            ends_reply = is_over and not ends_with_call and position == _last_text(pieces)
            return ReplyPart(
                key=key,
                text=piece.text,
                agent_name=piece.agent_name,
                agent_display_name=piece.agent_display_name,
                shows_agent=_begins(position, pieces),
                is_streaming=is_streaming,
                created_at=created_at,
                ends_reply=ends_reply,
                model=model if ends_reply else "",
                usage=usage if ends_reply else None,
            )
        case PieceKind.THOUGHT:
            return Thought(
                key=key,
                text=piece.text,
                seconds=piece.seconds,
                agent_name=piece.agent_name,
                agent_display_name=piece.agent_display_name,
                shows_agent=_begins(position, pieces),
                since=since if is_streaming else None,
            )
        case PieceKind.HANDOVER:
            return Handover(key, piece.text or None, piece.agent_display_name or "")
        case PieceKind.CALL:
            row = call_in_reply(key, piece, calls.get(piece.call_id))
            last = _last_text(pieces) if is_over and position == len(pieces) - 1 else None
            if last is None:
                return row
            said = pieces[: last + 1]
            text = reply_item(turn_id, last, said, calls, created_at, model=model, usage=usage)
            return replace(row, closes=text if isinstance(text, ReplyPart) else None)


def reply_items(
    turn_id: str,
    pieces: Sequence[ReplyPiece],
    calls: Mapping[str, ToolCall],
    created_at: datetime | None,
    *,
    model: str = "",
    usage: Usage | None = None,
) -> list[Item]:
    """Return the rows of a whole reply that is not streaming."""
    call = calls.get(pieces[-1].call_id) if pieces else None
    # A call that is not decided yet, after a restart as well: the reply goes on behind it.
    is_over = call is None or call.state not in (CallState.WAITING, CallState.RUNNING)
    return [
        reply_item(turn_id, n, pieces, calls, created_at, is_over=is_over, model=model, usage=usage)
        for n in range(len(pieces))
    ]


def _last_text(pieces: Sequence[ReplyPiece]) -> int | None:
    return next((n for n in reversed(range(len(pieces))) if pieces[n].kind is PieceKind.TEXT), None)


def _begins(position: int, pieces: Sequence[ReplyPiece]) -> bool:
    """Return whether badge and name belong here: at what is said first, and after a hand-over."""
    for before in reversed(pieces[:position]):
        if before.kind is PieceKind.HANDOVER:
            return True
        if before.kind in (PieceKind.TEXT, PieceKind.THOUGHT):
            return before.agent_name != pieces[position].agent_name
    return True


class Transcript:
    """Holds the items of one chat, and tells whoever follows of each change when it has happened.

    At most one reply is live: its rows stand right behind the message it answers, so that
    messages that wait stay below it. Keys: a message has its turn's id (or the service's id, when
    it was not sent from here), its reply's rows and its notice begin with that id. Made by a
    session, lives as long. `now` are the seconds of a clock that never goes back.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._items: list[Item] = []
        self._live: _LiveReply | None = None
        self._has_folder = False
        self._undone: Container[str] = frozenset()
        self._versions: dict[str, tuple[int, int]] = {}
        self._observers: Subscribers[[Change]] = Subscribers()

    @property
    def items(self) -> Sequence[Item]:
        """The rows, oldest first."""
        return self._items

    @property
    def pieces(self) -> tuple[ReplyPiece, ...]:
        """The pieces of the live reply."""
        return self._live.reply.pieces if self._live else ()

    @property
    def is_followed(self) -> bool:
        """Whether anybody follows the rows."""
        return bool(self._observers)

    def subscribe(self, on_change: Callable[[Change], None]) -> Callable[[], None]:
        """Follow the rows, each change after it has happened; call the result to stop."""
        return self._observers.subscribe(on_change)

    def find(self, key: str) -> Item | None:
        """Return the item with this key."""
        row = self._row_of(key)
        return self._items[row] if row is not None else None

    def question_of(self, key: str) -> UserMessage | None:
        """Return the message with this key, or the one that the reply with this key answers."""
        row = self._row_of(key)
        above = self._items[: row + 1] if row is not None else ()
        return next((item for item in reversed(above) if isinstance(item, UserMessage)), None)

    def replace_all(self, items: Sequence[Item]) -> None:
        """Show other items; what both have in common at the beginning and end stays."""
        before, self._items = self._items, list(map(self._dressed, items))
        for change in changes_between(before, self._items):
            self._observers.notify(change)

    def show_folder(self, *, has_folder: bool) -> None:
        """Update the calls that failed without a folder: the chat has one now, or not."""
        self._has_folder = has_folder
        for row, item in enumerate(tuple(self._items)):
            self._replace(row, item)

    def show_undone(self, call_ids: Container[str]) -> None:
        """Mark calls, by their ids, as undone."""
        self._undone = call_ids
        for row, item in enumerate(tuple(self._items)):
            self._replace(row, item)

    def show_versions(self, versions: Mapping[str, tuple[int, int]]) -> None:
        """Show at messages, by their keys, which version of how many begins there."""
        changed = self._versions.keys() | versions.keys()
        self._versions = dict(versions)
        for row, item in enumerate(tuple(self._items) if changed else ()):
            if item.key in changed:
                self._replace(row, item)

    def put(self, item: Item, *, after: str | None = None) -> None:
        """Show `item` where its key stands, else behind all rows of `after`, else last."""
        row = self._row_of(item.key)
        if row is not None:
            self._replace(row, item)
        else:
            row = self._row_behind(after) if after is not None else len(self._items)
            self._insert(row, item)

    def remove(self, key: str) -> None:
        """Remove the item with this key, if there is one."""
        row = self._row_of(key)
        if row is not None:
            del self._items[row]
            self._observers.notify(Removed(row, 1))

    def begin(
        self,
        turn_id: str,
        created_at: datetime | None,
        pieces: Sequence[ReplyPiece] = (),
        calls: Mapping[str, ToolCall] = MappingProxyType({}),
        *,
        model: str = "",
        usage: Usage | None = None,
    ) -> None:
        """Make the reply to this turn's message the live one; `pieces` are shown already.

        `model` is the name of the model that is to answer, `usage` what the reply used so far.
        """
        self._live = _LiveReply(
            turn_id, created_at, Reply(pieces), dict(calls), model=model, usage=usage
        )

    def name_model(self, name: str) -> None:
        """Name the model that answered the live reply; nothing changes without a name."""
        if self._live is not None and name:
            self._live.model = name

    def apply(self, event: Event) -> None:
        """Show what an event adds to the live reply."""
        live = self._live
        if live is None:
            return
        if isinstance(event, Usage):
            live.usage = live.usage.followed_by(event) if live.usage is not None else event
        before = len(live.reply)
        # One count of seconds runs from the question to the end of the thought.
        position = live.reply.apply(event, self._now(), live.waits_since)
        is_handover = position is not None and live.reply[position].kind is PieceKind.HANDOVER
        if position is not None and not is_handover:
            self._end_waiting(live, keeps_row=position == before)
        if position is not None:
            if position >= before > 0:
                self._show_piece(live, before - 1)
            self._show_piece(live, position)
        self._show_waiting(live)

    def await_reply(self, *, is_choosing: bool) -> None:
        """Show that the live reply is waited for, until something of it comes.

        While `is_choosing`, the service has yet to choose who answers.
        """
        live = self._live
        if live is not None:
            live.waits_since, live.is_choosing = self._now(), is_choosing
            self._show_waiting(live)

    def end_waiting(self) -> None:
        """Show no longer that the live reply is waited for."""
        if self._live is not None:
            self._end_waiting(self._live)

    def show_call(self, call: ToolCall) -> None:
        """Show how a call of the live reply stands."""
        live = self._live
        if live is None:
            return
        live.calls[call.call_id] = call
        position = live.reply.label_call(call.call_id, call.title, call.target)
        if position is not None:
            self._show_piece(live, position)

    def settle(self) -> None:
        """End the live reply: nothing of it streams any more."""
        self.end_waiting()
        live, self._live = self._live, None
        if live is not None and live.reply:
            live.is_open = False
            self._show_piece(live, len(live.reply) - 1)
            if (last := _last_text(live.reply.pieces)) is not None:
                self._show_piece(live, last)

    def _show_piece(self, live: "_LiveReply", position: int) -> None:
        self._show_at(live, position, live.item(position))

    def _show_waiting(self, live: "_LiveReply") -> None:
        if live.waits_since is not None:
            # The first piece replaces this row, so that nothing moves.
            self._show_at(live, len(live.reply), live.waiting_item(live.waits_since))

    def _end_waiting(self, live: "_LiveReply", *, keeps_row: bool = False) -> None:
        if live.waits_since is not None and not keeps_row:
            self.remove(piece_key(live.turn_id, len(live.reply)))
        live.waits_since = None

    def _show_at(self, live: "_LiveReply", position: int, item: Item) -> None:
        row = self._row_of(item.key)
        if row is not None:
            self._replace(row, item)
        else:
            self._insert(self._row_behind_message(live.turn_id) + position, item)

    def _dressed(self, item: Item) -> Item:
        if isinstance(item, ToolCall):
            has_folder, is_undone = self._has_folder, item.call_id in self._undone
            return replace(
                item, has_folder_now=item.needs_folder and has_folder, is_undone=is_undone
            )
        if isinstance(item, UserMessage):
            version, count = self._versions.get(item.key, (0, 0))
            if (item.version, item.version_count) != (version, count):
                return replace(item, version=version, version_count=count)
        return item

    def _replace(self, row: int, item: Item) -> None:
        item = self._dressed(item)
        if self._items[row] != item:
            self._items[row] = item
            self._observers.notify(Replaced(row))

    def _insert(self, row: int, item: Item) -> None:
        self._items.insert(row, self._dressed(item))
        self._observers.notify(Inserted(row, 1))

    def _row_of(self, key: str) -> int | None:
        # What changes is nearly always near the end.
        for row in range(len(self._items) - 1, -1, -1):
            if self._items[row].key == key:
                return row
        return None

    def _row_behind_message(self, turn_id: str) -> int:
        row = self._row_of(turn_id)
        return len(self._items) if row is None else row + 1

    def _row_behind(self, turn_id: str) -> int:
        for row in range(len(self._items) - 1, -1, -1):
            if self._items[row].key.startswith(turn_id):
                return row + 1
        return len(self._items)


class _LiveReply:
    def __init__(
        self,
        turn_id: str,
        created_at: datetime | None,
        reply: Reply,
        calls: dict[str, ToolCall],
        *,
        model: str,
        usage: Usage | None,
    ) -> None:
        self.model = model
        self.usage = usage
        self.turn_id = turn_id
        self.created_at = created_at
        self.reply = reply
        self.calls = calls
        self.is_open = True
        self.waits_since: float | None = None
        self.is_choosing = False

    def waiting_item(self, since: float) -> Item:
        """Return the row that stands where the next piece will be."""
        expected = self.reply.expected
        is_choosing = self.is_choosing and expected.agent_name is None
        return Thought(
            key=piece_key(self.turn_id, len(self.reply)),
            text="",
            seconds=None,
            agent_name=expected.agent_name,
            agent_display_name=expected.agent_display_name,
            shows_agent=_begins(len(self.reply), (*self.reply.pieces, expected)),
            since=since,
            is_choosing=is_choosing,
        )

    def item(self, position: int) -> Item:
        is_last = position == len(self.reply) - 1
        grows = self.reply[position].kind in (PieceKind.TEXT, PieceKind.THOUGHT)
        return reply_item(
            self.turn_id,
            position,
            self.reply.pieces,
            self.calls,
            self.created_at,
            is_streaming=self.is_open and is_last and grows,
            since=self.reply.thought_since,
            is_over=not self.is_open,
            model=self.model,
            usage=self.usage,
        )
