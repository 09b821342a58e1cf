"""Events become rows, purely: in any order, and with changes that a model can follow."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.api.events import (
    AgentEnd,
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
    target_in,
)
from app.chat.transcript import Reply, Transcript, reply_items
from app.store.records import ReplyPiece
from local_tools.registry import ToolRegistry
from tests.support.chat_fixtures import mirror_change

TURN = "0" * 32


def message(key: str = TURN, state: SendState = SendState.SENT) -> UserMessage:
    return UserMessage(key, "Hi", state, None)


class Follower:
    """Mirrors a transcript, and remembers the changes since it was last asked."""

    def __init__(self, transcript: Transcript) -> None:
        self.rows: list[Item] = list(transcript.items)
        self._changes: list[Change] = []
        self._transcript = transcript
        transcript.subscribe(self._on_change)

    def changes(self) -> list[Change]:
        """Return what has changed since the last call."""
        changes, self._changes = self._changes, []
        return changes

    def _on_change(self, change: Change) -> None:
        self._changes.append(change)
        mirror_change(self.rows, change, self._transcript.items)


def live(*events: Event) -> Transcript:
    transcript = Transcript()
    transcript.put(message())
    transcript.begin(TURN, None)
    for event in events:
        transcript.apply(event)
    return transcript


def test_text_and_thoughts_are_of_the_agent_that_began() -> None:
    transcript = live(
        MessageStart("m1", "c1"),
        AgentStart("writer", "Writer"),
        ThinkingDelta("Hm"),
        TextDelta("Hi"),
    )

    assert [(piece.agent_name, piece.agent_display_name) for piece in transcript.pieces] == [
        ("writer", "Writer"),
        ("writer", "Writer"),
    ]


def test_a_call_that_comes_twice_is_one_that_is_passed_over() -> None:
    reply = Reply()
    for event in (ToolUse("a", "read_file", {}), ToolUse("a", "write_file", {})):
        reply.apply(event)

    assert ([piece.text for piece in reply.pieces], reply.ignored_count) == (["read_file"], 1)


def test_text_grows_in_place_and_only_the_last_part_streams() -> None:
    transcript = live(MessageStart("m1", "c1"), TextDelta("Hel"))
    follower = Follower(transcript)

    transcript.apply(TextDelta("lo"))
    assert follower.changes() == [Replaced(1)]
    transcript.apply(ToolUse("a", "read_file"))

    assert follower.changes() == [Replaced(1), Inserted(2, 1)]
    part, row = transcript.items[1:]
    assert isinstance(part, ReplyPart)
    assert isinstance(row, ToolCall)
    assert (part.text, part.is_streaming) == ("Hello", False)
    transcript.apply(TextDelta("Then"))
    last = transcript.items[3]
    assert isinstance(last, ReplyPart)
    assert last.is_streaming
    assert not last.shows_agent
    follower.changes()
    transcript.settle()
    assert follower.changes() == [Replaced(3)]
    transcript.apply(TextDelta("never"))
    assert follower.changes() == []


def test_waiting_messages_stay_below_the_live_reply() -> None:
    transcript = live()
    transcript.put(message("1" * 32, SendState.QUEUED))

    transcript.apply(TextDelta("Hello"))

    assert [item.key for item in transcript.items] == [TURN, f"{TURN}:0", "1" * 32]


def test_a_call_shows_how_it_stands() -> None:
    transcript = live(ToolUse("a", "read_file"))
    follower = Follower(transcript)

    call = ToolCall("a", "read_file", title="Read file", target="/a", state=CallState.DONE)
    transcript.show_call(call)
    assert follower.changes() == [Replaced(1)]
    transcript.show_call(call)
    transcript.show_call(replace(call, call_id="unknown"))
    assert follower.changes() == []

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
    follower = Follower(transcript)
    keys = [str(number) * 32 for number in range(5)]
    transcript.replace_all([message(key) for key in keys[:4]])
    assert follower.changes() == [Reset()]

    transcript.replace_all([message(key) for key in keys[:4]])
    assert follower.changes() == []
    transcript.replace_all([message(key) for key in (*keys[:2], keys[4], keys[3])])
    assert follower.changes() == [Removed(2, 1), Inserted(2, 1)]
    other = [replace(message(key), text="other") for key in (keys[1], keys[4])]
    transcript.replace_all([message(keys[0]), *other, message(keys[3])])
    assert follower.changes() == [Replaced(1), Replaced(2)]
    transcript.remove(keys[4])
    assert follower.changes() == [Removed(2, 1)]
    transcript.remove(keys[4])
    assert follower.changes() == []
    assert follower.rows == list(transcript.items)


def test_unsubscribed_observer_gets_no_further_change() -> None:
    transcript = Transcript()
    changes: list[Change] = []
    unsubscribe = transcript.subscribe(changes.append)
    assert transcript.is_followed

    unsubscribe()
    transcript.put(message())

    assert changes == []
    assert not transcript.is_followed


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
@settings(max_examples=50)
@given(st.lists(events, max_size=30))
def test_events_in_any_order_lose_no_text_and_can_be_followed(given_events: list[Event]) -> None:
    transcript = Transcript()
    transcript.put(message())
    transcript.put(message("1" * 32, SendState.QUEUED))
    mirror = Follower(transcript).rows
    transcript.begin(TURN, None)

    for event in given_events:
        transcript.apply(event)
    transcript.settle()

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


@pytest.mark.parametrize(
    ("tool", "input_text", "target"),
    [
        ("read_file", '{"path":"a.md"}', "a.md"),
        ("run_command", '{"argv":["ls","-l"]}', "ls -l"),
        ("run_shell", '{"command":"ls | sort"}', "ls | sort"),
        ("fetch_page", '{"address":"https://example.org/"}', "https://example.org/"),
        ("calculate", '{"expression":"1 + 1"}', "1 + 1"),
        ("read_file", '{"path":"a.', ""),
        ("gone", '{"path":"a.md"}', ""),
    ],
)
def test_input_tells_what_a_call_is_about(tool: str, input_text: str, target: str) -> None:
    call = ToolCall("c", tool, input_text=input_text)
    assert target_in(call, ToolRegistry.built_in()) == target


def test_row_of_a_call_that_was_cut_off_says_what_it_was_about() -> None:
    pieces = [ReplyPiece(PieceKind.CALL, "run_command", call_id="c")]
    cut = ToolCall(
        "c", "run_command", state=CallState.INTERRUPTED, input_text='{"argv": ["sleep", "60"]}'
    )
    cut = replace(cut, target=target_in(cut, ToolRegistry.built_in()))
    (row,) = reply_items("t", pieces, {"c": cut}, None)
    assert isinstance(row, ToolCall)
    assert row.target == "sleep 60"
    # Nobody has looked at it yet.
    (row,) = reply_items("t", pieces, {"c": replace(cut, state=CallState.WAITING)}, None)
    assert isinstance(row, ToolCall)
    assert row.target == ""
