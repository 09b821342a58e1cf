"""Events become rows, purely: in any order, and with changes that a model can follow."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.api.events import (
    AgentEnd,
    AgentStart,
    Event,
    MessageStart,
    MessageStop,
    StreamError,
    TextDelta,
    ToolUse,
    UnknownEvent,
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
    Reset,
    SendState,
    ToolCall,
    UserMessage,
)
from app.chat.transcript import Changes, Transcript, reply_items
from app.store.records import PieceKind, ReplyPiece

TURN = "0" * 32


def message(key: str = TURN, state: SendState = SendState.SENT) -> UserMessage:
    return UserMessage(key, "Hi", state, None)


def follow(mirror: list[Item], changes: Changes, items: Sequence[Item]) -> None:
    for change in changes:
        follow_one(mirror, change, items)


def follow_one(mirror: list[Item], change: Change, items: Sequence[Item]) -> None:
    match change:
        case Inserted(first, count):
            mirror[first:first] = items[first : first + count]
        case Replaced(row):
            mirror[row] = items[row]
        case Removed(first, count):
            del mirror[first : first + count]
        case Reset():
            mirror[:] = items


def live(*events: Event) -> Transcript:
    transcript = Transcript()
    transcript.put(message())
    transcript.begin(TURN, None)
    for event in events:
        transcript.apply(event)
    return transcript


def test_text_grows_in_place_and_only_the_last_part_streams() -> None:
    transcript = live(MessageStart("m1", "c1"), TextDelta("Hel"))

    assert transcript.apply(TextDelta("lo")) == (Replaced(1),)
    changes = transcript.apply(ToolUse("a", "read_file"))

    assert changes == (Replaced(1), Inserted(2, 1))
    part, row = transcript.items[1:]
    assert isinstance(part, ReplyPart)
    assert isinstance(row, ToolCall)
    assert (part.text, part.is_streaming) == ("Hello", False)
    transcript.apply(TextDelta("Then"))
    last = transcript.items[3]
    assert isinstance(last, ReplyPart)
    assert last.is_streaming
    assert not last.shows_agent
    assert transcript.settle() == (Replaced(3),)
    assert transcript.apply(TextDelta("never")) == ()


def test_what_waits_stays_below_the_reply() -> None:
    transcript = live()
    transcript.put(message("1" * 32, SendState.QUEUED))

    transcript.apply(TextDelta("Hello"))

    assert [item.key for item in transcript.items] == [TURN, f"{TURN}:0", "1" * 32]


def test_a_call_shows_how_it_stands() -> None:
    transcript = live(ToolUse("a", "read_file"))

    call = ToolCall("a", "read_file", title="Read file", target="/a", state=CallState.DONE)
    assert transcript.show_call(call) == (Replaced(1),)
    assert transcript.show_call(call) == ()
    assert transcript.show_call(replace(call, call_id="unknown")) == ()

    row = transcript.items[1]
    assert isinstance(row, ToolCall)
    assert (row.state, row.title, row.target) == (CallState.DONE, "Read file", "/a")
    assert (transcript.pieces[0].title, transcript.pieces[0].target) == ("Read file", "/a")


def test_the_same_agent_in_a_continuation_is_no_hand_over() -> None:
    transcript = live(
        MessageStart("m1", "c1", "writer", "Writer"),
        AgentStart("writer", "Writer"),
        TextDelta("One"),
        AgentEnd("writer"),
        MessageStart("m1", "c1", "writer", "Writer"),
        TextDelta(", two"),
    )

    assert [type(item) for item in transcript.items] == [UserMessage, ReplyPart]


def test_another_message_of_the_same_reply_is_a_part_of_its_own() -> None:
    transcript = live(
        MessageStart("m1", "c1"), TextDelta("One"), MessageStart("m2", "c1"), TextDelta("Two")
    )

    assert [piece.message_id for piece in transcript.pieces] == ["m1", "m2"]


def test_other_items_are_told_by_what_differs() -> None:
    transcript = Transcript()
    keys = [str(number) * 32 for number in range(5)]
    assert transcript.replace_all([message(key) for key in keys[:4]]) == (Reset(),)

    assert transcript.replace_all([message(key) for key in keys[:4]]) == ()
    assert transcript.replace_all([message(key) for key in (*keys[:2], keys[4], keys[3])]) == (
        Removed(2, 1),
        Inserted(2, 1),
    )
    assert transcript.remove(keys[4]) == (Removed(2, 1),)
    assert transcript.remove(keys[4]) == ()


names = st.sampled_from(["guide", "writer"])
events = st.one_of(
    st.builds(MessageStart, st.sampled_from(["m1", "m2"]), st.just("c1"), st.none() | names),
    st.builds(TextDelta, st.text(max_size=3)),
    st.builds(ToolUse, st.sampled_from("abc"), st.just("read_file")),
    st.builds(AgentStart, names, names),
    st.builds(AgentEnd, names),
    st.just(MessageStop()),
    st.builds(StreamError, st.text(max_size=3)),
    st.builds(UnknownEvent, st.text(max_size=3)),
)


@pytest.mark.security(67)
@given(st.lists(events, max_size=30))
def test_events_in_any_order_lose_no_text_and_can_be_followed(given_events: list[Event]) -> None:
    transcript = Transcript()
    transcript.put(message())
    transcript.put(message("1" * 32, SendState.QUEUED))
    mirror = list(transcript.items)
    transcript.begin(TURN, None)

    for event in given_events:
        follow(mirror, transcript.apply(event), transcript.items)
    follow(mirror, transcript.settle(), transcript.items)

    assert mirror == list(transcript.items)
    assert len({item.key for item in mirror}) == len(mirror)
    parts = [item for item in mirror if isinstance(item, ReplyPart)]
    told = [event.text for event in given_events if isinstance(event, TextDelta)]
    assert "".join(part.text for part in parts) == "".join(told)
    assert not any(part.is_streaming for part in parts)
    calls = {event.id for event in given_events if isinstance(event, ToolUse)}
    assert len([item for item in mirror if isinstance(item, ToolCall)]) == len(calls)
    for line in (item for item in mirror if isinstance(item, Handover)):
        assert line.to_display_name


def test_row_of_a_call_that_was_cut_off_says_what_it_was_about() -> None:
    pieces = [ReplyPiece(PieceKind.CALL, "run_command", call_id="c")]
    cut = ToolCall(
        "c", "run_command", state=CallState.INTERRUPTED, input_text='{"argv": ["sleep", "60"]}'
    )
    (row,) = reply_items("t", pieces, {"c": cut}, None)
    assert isinstance(row, ToolCall)
    assert row.target == "sleep 60"
    # Nobody has looked at it yet.
    (row,) = reply_items("t", pieces, {"c": replace(cut, state=CallState.WAITING)}, None)
    assert isinstance(row, ToolCall)
    assert row.target == ""
