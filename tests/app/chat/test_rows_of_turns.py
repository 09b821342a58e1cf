"""Which rows show what the service has and what is kept here, told by the kept values alone."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from app.api.events import PieceKind, Usage
from app.chat.items import CallState, ReplyPart, ToolCall, UserMessage, given_title
from app.chat.sync import build_items, keys_of
from app.chat.transcript import reply_items
from app.store.records import ReplyPiece, StoredTurn, TurnState

_NOW = datetime(2026, 3, 4, tzinfo=UTC)


def _turn(turn_id: str, state: TurnState, *pieces: ReplyPiece) -> StoredTurn:
    return StoredTurn(turn_id, "c1", 1, f"Text of {turn_id}", None, state, _NOW, pieces=pieces)


def test_messages_that_wait_can_be_moved_where_there_are_several() -> None:
    one, other = _turn("t1", TurnState.QUEUED), _turn("t2", TurnState.QUEUED)

    def can_move(*turns: StoredTurn) -> list[bool]:
        items = build_items((), turns, {}, {})
        return [item.can_move for item in items if isinstance(item, UserMessage)]

    assert can_move(one) == [False]
    assert can_move(one, other) == [True, True]


def test_turn_has_the_rows_of_its_message_and_of_every_piece_of_its_reply() -> None:
    pieces = (
        ReplyPiece(PieceKind.TEXT, "Hi", "m1"),
        ReplyPiece(PieceKind.CALL, "read_file", "m1", call_id="a"),
        ReplyPiece(PieceKind.TEXT, "Bye", "m2"),
    )
    turns = [_turn("t0", TurnState.DONE), _turn("t1", TurnState.DONE, *pieces)]

    assert keys_of("t1", turns) == ("t1", "t1:0", "t1:1", "t1:2")
    assert keys_of("m2", turns) == ("t1:2",)


def test_given_name_is_one_line_without_a_space_at_its_end() -> None:
    assert given_title(" My \n chat ") == "My chat"
    assert given_title("a" * 199 + " b") == "a" * 199


def test_usage_of_a_reply_is_on_its_last_text_part() -> None:
    pieces = (
        ReplyPiece(PieceKind.TEXT, "One", "m1"),
        ReplyPiece(PieceKind.CALL, "read_file", "m1", call_id="a"),
        ReplyPiece(PieceKind.TEXT, "Two", "m1"),
    )
    used = Usage(output_tokens=7)

    items = reply_items("t1", pieces, {}, None, usage=used)

    assert [item.usage for item in items if isinstance(item, ReplyPart)] == [None, used]


@pytest.mark.parametrize("state", CallState)
def test_reply_ends_with_its_last_call_only_where_that_is_decided(state: CallState) -> None:
    pieces = (
        ReplyPiece(PieceKind.TEXT, "One", "m1"),
        ReplyPiece(PieceKind.CALL, "read_file", "m1", call_id="a"),
    )
    call = ToolCall("a", "read_file", state=state)

    text, row = reply_items("t1", pieces, {"a": call}, None, model="Small")

    assert isinstance(text, ReplyPart)
    assert isinstance(row, ToolCall)
    is_over = state not in (CallState.WAITING, CallState.RUNNING)
    assert (text.ends_reply, text.model) == (False, "")
    assert row.closes == (replace(text, ends_reply=True, model="Small") if is_over else None)
