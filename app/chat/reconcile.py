"""Match the service's messages with our turns, by ids and content, never by times.

The interface has no idempotency key, so a message that may have been delivered is looked for among
the messages that were not known before it was sent.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from app.api.events import PieceKind
from app.store.records import ReplyPiece, StoredMessage, StoredTurn

USER = "user"
ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True)
class MatchedTurn:
    """Where a turn stands among the service's messages: its message, and the reply to it."""

    user: StoredMessage
    reply: tuple[StoredMessage, ...]


def match_turns(
    messages: Sequence[StoredMessage],
    turns: Sequence[StoredTurn],
    known_ids: Mapping[str, Collection[str]],
) -> dict[str, MatchedTurn]:
    """Find each turn's message; turns that are not on the service are left out.

    Args:
        messages: What the service has, oldest first.
        turns: Ours, oldest first.
        known_ids: The ids known before sending, for turns of which nothing else is known.
    """
    found: dict[str, int] = {}
    taken: set[int] = set()
    places = {message.message_id: at for at, message in enumerate(messages)}
    # What is certain comes first, so that a guess never takes its place.
    for turn in turns:
        at = _place_by_id(messages, places, turn)
        if at is not None and at not in taken:
            found[turn.turn_id] = at
            taken.add(at)
    for turn in turns:
        if turn.turn_id not in found and turn.known_upto is not None:
            at = _place_by_content(messages, turn, known_ids.get(turn.turn_id, ()), taken)
            if at is not None:
                found[turn.turn_id] = at
                taken.add(at)
    return {
        turn_id: MatchedTurn(messages[at], _replies(messages, at)) for turn_id, at in found.items()
    }


def merge_reply(
    pieces: Sequence[ReplyPiece], reply: Sequence[StoredMessage]
) -> tuple[ReplyPiece, ...]:
    """Return the pieces with what the service has beyond them."""
    merged = tuple(pieces)
    for message in reply:
        merged = _merge_message(merged, message)
    return merged


def _place_by_id(
    messages: Sequence[StoredMessage], places: Mapping[str, int], turn: StoredTurn
) -> int | None:
    if turn.user_message_id is not None and turn.user_message_id in places:
        return places[turn.user_message_id]
    reply_at = min((places[id_] for id_ in turn.reply_ids if id_ in places), default=0)
    # The text may differ, but a reply always follows the message that it answers.
    return next((at for at in range(reply_at - 1, -1, -1) if messages[at].role == USER), None)


def _place_by_content(
    messages: Sequence[StoredMessage],
    turn: StoredTurn,
    known: Collection[str],
    taken: Collection[int],
) -> int | None:
    for at, message in enumerate(messages):
        if at not in taken and message.message_id not in known and _is_ours(message, turn):
            return at
    return None


def _is_ours(message: StoredMessage, turn: StoredTurn) -> bool:
    return message.role == USER and message.text.strip() == turn.text.strip()


def _replies(messages: Sequence[StoredMessage], at: int) -> tuple[StoredMessage, ...]:
    replies = []
    for message in messages[at + 1 :]:
        if message.role == USER:
            break
        replies.append(message)
    return tuple(replies)


def _merge_message(
    pieces: tuple[ReplyPiece, ...], message: StoredMessage
) -> tuple[ReplyPiece, ...]:
    own = [n for n, p in enumerate(pieces) if _is_text_of(p, message.message_id)]
    text = "".join(pieces[n].text for n in own)
    if text.strip().startswith(message.text.strip()):
        # The service has the same or less than arrived here: what arrived stays.
        return pieces
    rest = message.text.removeprefix(text)
    if own and len(rest) == len(message.text):
        # The service has another text: it replaces ours, in one piece where ours began.
        changed = replace(pieces[own[0]], text=message.text)
        kept = [p for n, p in enumerate(pieces) if n not in own[1:]]
        return tuple(changed if p is pieces[own[0]] else p for p in kept)
    if own and own[-1] == len(pieces) - 1:
        return (*pieces[:-1], replace(pieces[-1], text=pieces[-1].text + rest))
    return (*pieces, _text_piece(rest, message.message_id, pieces))


def _is_text_of(piece: ReplyPiece, message_id: str) -> bool:
    return piece.kind is PieceKind.TEXT and piece.message_id == message_id


def _text_piece(text: str, message_id: str, before: Sequence[ReplyPiece]) -> ReplyPiece:
    named = next((p for p in reversed(before) if p.agent_name is not None), None)
    return ReplyPiece(
        PieceKind.TEXT,
        text=text,
        message_id=message_id,
        agent_name=named.agent_name if named else None,
        agent_display_name=named.agent_display_name if named else None,
    )
