"""A reply as it grows: events in, pieces out, whatever their order."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from app.api.events import (
    AgentStart,
    Event,
    MessageStart,
    MessageStop,
    StreamError,
    TextDelta,
    ToolUse,
    UnknownEvent,
)
from app.store.rows import PieceKind, ReplyPiece


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

    def apply(self, event: Event) -> int | None:
        """Take an event; return the position of the piece that is new or changed, if any."""
        match event:
            case TextDelta(text) if text:
                return self._add_text(text)
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
        """Say what a call's row shows, as far as it is known now; return its position."""
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

    def _add_text(self, text: str) -> int:
        agent = self._agent
        piece = ReplyPiece(
            PieceKind.TEXT,
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
        before.kind is PieceKind.TEXT
        and before.message_id == piece.message_id
        and before.agent_name == piece.agent_name
    )


def _last_agent(pieces: Iterable[ReplyPiece]) -> _Agent | None:
    agent = None
    for piece in pieces:
        if piece.agent_name is not None:
            agent = _Agent(piece.agent_name, piece.agent_display_name or piece.agent_name)
    return agent
