"""From the pieces of a reply to the rows that show them: one row a piece."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from app.chat.call_facts import CallFacts, target_in
from app.chat.items import CallState, Handover, Item, ReplyPart, ToolRow
from app.store.rows import PieceKind, ReplyPiece
from local_tools.locations import NO_FOLDER_WORDS

_NOTHING_KNOWN = CallFacts()


def piece_key(turn_id: str, position: int) -> str:
    """The key of the row of a piece."""
    return f"{turn_id}:{position}"


def foreign_key(message_id: str) -> str:
    """The key of the row of a message that belongs to no turn of this computer."""
    return f"m:{message_id}"


def reply_item(
    turn_id: str,
    position: int,
    pieces: Sequence[ReplyPiece],
    calls: Mapping[str, CallFacts],
    created_at: datetime | None,
    *,
    is_streaming: bool = False,
) -> Item:
    """The row of the piece at `position`."""
    piece, key = pieces[position], piece_key(turn_id, position)
    match piece.kind:
        case PieceKind.TEXT:
            return ReplyPart(
                key=key,
                text=piece.text,
                agent_name=piece.agent_name,
                agent_display_name=piece.agent_display_name,
                shows_agent=_begins(position, pieces),
                is_streaming=is_streaming,
                created_at=created_at,
            )
        case PieceKind.HANDOVER:
            return Handover(key, piece.text or None, piece.agent_display_name or "")
        case PieceKind.CALL:
            return _tool_row(key, piece, calls.get(piece.call_id, _NOTHING_KNOWN))


def reply_items(
    turn_id: str,
    pieces: Sequence[ReplyPiece],
    calls: Mapping[str, CallFacts],
    created_at: datetime | None,
) -> list[Item]:
    """The rows of a whole reply that is not streaming."""
    return [reply_item(turn_id, n, pieces, calls, created_at) for n in range(len(pieces))]


def _begins(position: int, pieces: Sequence[ReplyPiece]) -> bool:
    """Whether badge and name belong here: at the first text, and where another agent goes on."""
    for before in reversed(pieces[:position]):
        if before.kind is PieceKind.HANDOVER:
            return True
        if before.kind is PieceKind.TEXT:
            return before.agent_name != pieces[position].agent_name
    return True


def _tool_row(key: str, piece: ReplyPiece, facts: CallFacts) -> ToolRow:
    return ToolRow(
        key=key,
        tool_name=piece.text,
        title=facts.title or piece.title or piece.text,
        target=facts.target or piece.target or _target_after(facts),
        state=facts.state,
        input_text=facts.input_text,
        output_text=facts.output_text,
        duration_ms=facts.duration_ms,
        decided_by=facts.decided_by,
        needs_folder=facts.state is CallState.REFUSED and NO_FOLDER_WORDS in facts.output_text,
        release=facts.release,
        masked=facts.masked,
    )


def _target_after(facts: CallFacts) -> str:
    """What a call was about that was cut off before its row was kept."""
    return target_in(facts.input_text) if facts.state is not CallState.WAITING else ""
