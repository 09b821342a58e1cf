"""A whole transcript from what is kept: the service's messages, our turns, and their calls."""

from collections.abc import Mapping, Sequence

from app.chat.call_facts import CallFacts
from app.chat.items import Item, ReplyPart, SendState, UserMessage
from app.chat.notices import is_waiting, turn_notices, user_message
from app.chat.reconcile import USER, Match, merge_reply
from app.chat.reply_items import foreign_key, piece_key, reply_items
from app.store.rows import KeptMessage, KeptTurn


def build_items(
    messages: Sequence[KeptMessage],
    turns: Sequence[KeptTurn],
    matches: Mapping[str, Match],
    calls: Mapping[str, CallFacts],
) -> list[Item]:
    """Every row, oldest first.

    A turn of ours that the service has stands where the service has it, with what only we know:
    who answered, tool calls, hand-overs, notices. One that it does not have stands behind the
    turn before it, and what was not sent yet behind everything.
    """
    by_message = {match.user.message_id: turn_id for turn_id, match in matches.items()}
    by_id = {turn.turn_id: turn for turn in turns}
    # One that is to be sent again may have arrived by its first try.
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
    turns: Sequence[KeptTurn], matches: Mapping[str, Match]
) -> dict[str, list[KeptTurn]]:
    """The turns that the service does not have, by the last one before them that it has.

    Those before any that it has stand under an empty id.
    """
    followers: dict[str, list[KeptTurn]] = {}
    last = ""
    for turn in turns:
        if turn.turn_id in matches:
            last = turn.turn_id
        else:
            followers.setdefault(last, []).append(turn)
    return followers


def keys_of(message_id: str, turns: Sequence[KeptTurn]) -> tuple[str, ...]:
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


def _matched(turn: KeptTurn, match: Match, calls: Mapping[str, CallFacts]) -> list[Item]:
    pieces = merge_reply(turn.pieces, match.reply)
    created_at = match.reply[0].created_at if match.reply else turn.created_at
    return [
        user_message(turn),
        *reply_items(turn.turn_id, pieces, calls, created_at),
        *turn_notices(turn),
    ]


def _unmatched(turns: Sequence[KeptTurn], calls: Mapping[str, CallFacts]) -> list[Item]:
    items: list[Item] = []
    for turn in turns:
        items.append(user_message(turn))
        items += reply_items(turn.turn_id, turn.pieces, calls, turn.created_at)
        items += turn_notices(turn)
    return items


def _foreign(message: KeptMessage) -> Item:
    """A message that was not sent from here, or before this computer kept any."""
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
    )
