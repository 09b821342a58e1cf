"""The gate and the reading of events: however the bytes are cut, the events are the same."""

from collections.abc import Iterable

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
    read_event,
)
from app.api.sse import SseFramer, StreamLimits, StreamTooLarge
from app.api.transport import decode_events
from tests.support.recorded_streams import STREAMS

_SMALL = StreamLimits(event_bytes=1000, stream_bytes=5000)


def events_of(chunks: Iterable[bytes]) -> list[Event]:
    gate = SseFramer(StreamLimits())
    batches = [gate.feed(chunk) for chunk in chunks]
    return [read_event(*event) for batch in batches for event in decode_events(batch)]


def test_there_are_twenty_five_recorded_streams() -> None:
    assert len(STREAMS) == 25


@pytest.mark.security(71)
@pytest.mark.parametrize("name", STREAMS)
def test_a_stream_cut_in_two_at_any_byte_gives_the_same_events(name: str) -> None:
    stream = STREAMS[name]
    whole = events_of([stream])
    assert whole
    for at in range(len(stream) + 1):
        assert events_of([stream[:at], stream[at:]]) == whole, at


@pytest.mark.parametrize("name", STREAMS)
def test_a_stream_that_drips_byte_by_byte_gives_the_same_events(name: str) -> None:
    stream = STREAMS[name]
    assert events_of(stream[at : at + 1] for at in range(len(stream))) == events_of([stream])


@given(name=st.sampled_from(sorted(STREAMS)), sizes=st.lists(st.integers(1, 7), min_size=1))
def test_a_stream_in_small_uneven_pieces_gives_the_same_events(name: str, sizes: list[int]) -> None:
    stream, at = STREAMS[name], 0
    chunks: list[bytes] = []
    while at < len(stream):
        size = sizes[len(chunks) % len(sizes)]
        chunks.append(stream[at : at + size])
        at += size
    assert events_of(chunks) == events_of([stream])


@given(st.lists(st.binary(max_size=60), max_size=20))
def test_no_bytes_at_all_can_upset_the_gate(chunks: list[bytes]) -> None:
    assert events_of(chunks) == events_of([b"".join(chunks)])


@given(st.text(max_size=40), st.text(max_size=80))
def test_reader_survives_any_event_name_and_data(name: str, data: str) -> None:
    read_event(name, data)


def test_event_is_emitted_as_soon_as_its_blank_line_arrives() -> None:
    for end in (b"\n\n", b"\r\r", b"\r\n\r\n"):
        gate = SseFramer(StreamLimits())
        assert list(decode_events(gate.feed(b'event: message_stop\rdata: {"a":1}' + end)))


@pytest.mark.spec("6-framing")
def test_the_last_event_without_a_blank_line_is_no_event() -> None:
    stream = STREAMS["plain"]
    assert MessageStop() in events_of([stream])
    assert MessageStop() not in events_of([stream[:-1]])


@pytest.mark.parametrize("name", ["plain", "crlf", "cr", "byte_order_mark", "mixed_line_ends"])
def test_every_line_end_and_a_byte_order_mark_read_the_same(name: str) -> None:
    events = events_of([STREAMS[name]])
    assert events[:2] == [MessageStart("m1", "c1"), TextDelta("Hello")]
    assert events[-1] == MessageStop()


def test_line_separators_inside_text_end_no_line() -> None:
    assert TextDelta("a\u2028b\u2029c\u0085d\x0be\x0cf") in events_of([STREAMS["line_separators"]])


def test_broken_text_is_kept_with_marks() -> None:
    assert TextDelta("a\ufffdb") in events_of([STREAMS["lone_surrogate"]])
    assert TextDelta("😀") in events_of([STREAMS["surrogate_pair"]])
    assert TextDelta("He\ufffdl\ufffdlo\ufffd") in events_of([STREAMS["broken_utf8"]])


@pytest.mark.security(9)
@pytest.mark.parametrize("name", ["duplicate_keys", "not_a_number"])
def test_a_tool_call_that_can_be_read_in_two_ways_is_not_read(name: str) -> None:
    events = events_of([STREAMS[name]])
    assert UnknownEvent("tool_use") in events
    assert not any(isinstance(event, ToolUse) for event in events)


@pytest.mark.spec(
    "6-message-start",
    "6-delta",
    "6-tool-use",
    "6-agent-start",
    "6-agent-end",
    "6-message-stop",
    "6-error",
    "7.3-stream-error",
)
@pytest.mark.parametrize(
    ("name", "data", "event"),
    [
        (
            "message_start",
            '{"type":"message_start","message_id":"m","conversation_id":"c","agent_name":"a",'
            '"agent_display_name":"A","later":1}',
            MessageStart("m", "c", "a", "A"),
        ),
        (
            "message_start",
            '{"type":"message_start","message_id":"m","conversation_id":"c","agent_name":7}',
            MessageStart("m", "c"),
        ),
        (
            "content_block_delta",
            '{"type":"content_block_delta","delta":{"type":"text_delta","text":"x"}}',
            TextDelta("x"),
        ),
        (
            "tool_use",
            '{"type":"tool_use","id":"t","name":"n","input":{"a":[1,null]}}',
            ToolUse("t", "n", {"a": [1, None]}),
        ),
        (
            "agent_start",
            '{"type":"agent_start","agent_name":"a","agent_display_name":"A"}',
            AgentStart("a", "A"),
        ),
        ("agent_start", '{"type":"agent_start","agent_name":"a"}', AgentStart("a", "a")),
        ("agent_end", '{"type":"agent_end","agent_name":"a"}', AgentEnd("a")),
        ("message_stop", '{"type":"message_stop"}', MessageStop()),
        ("error", '{"type":"error","message":"Oh"}', StreamError("Oh")),
    ],
)
def test_each_event_of_the_interface_is_read(name: str, data: str, event: Event) -> None:
    assert read_event(name, data) == event


@pytest.mark.security(67)
@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("execute", '{"type":"execute","code":"import os"}'),
        ("message_stop", ""),
        ("message_stop", "{}"),
        ("message_stop", "[]"),
        ("message_stop", '{"type":"message_start"}'),
        ("tool_use", '{"type":"tool_use","id":"t","name":"n","input":"text"}'),
        ("tool_use", '{"type":"tool_use","id":7,"name":"n","input":{}}'),
        ("content_block_delta", '{"type":"content_block_delta","delta":{"type":"other"}}'),
        (
            "tool_use",
            '{"type":"tool_use","id":"t","name":"n","input":' + '{"a":' * 70 + "1" + "}" * 71,
        ),
        ("error", '{"type":"error","x":' + "[" * 100_000),
        ("error", '{"type":"error","message":"a","n":' + "9" * 5000 + "}"),
    ],
)
def test_malformed_event_becomes_an_unknown_event(name: str, data: str) -> None:
    assert read_event(name, data) == UnknownEvent(name)


def taken_until_refused(piece: bytes, most: int) -> int:
    """How many bytes of endlessly repeated pieces the small gate takes."""
    gate = SseFramer(_SMALL)
    for count in range(most // len(piece)):
        try:
            gate.feed(piece)
        except StreamTooLarge:
            return count * len(piece)
    raise AssertionError(f"all {most} bytes were taken")


@pytest.mark.security(71)
@pytest.mark.parametrize("piece", [b"x", b": ping\n", b"data: x\n"])
def test_an_event_that_never_ends_is_stopped_at_its_limit(piece: bytes) -> None:
    assert 900 <= taken_until_refused(piece, 2000) <= 1100


@pytest.mark.security(71)
def test_a_stream_that_never_ends_is_stopped_at_its_limit() -> None:
    assert 4500 <= taken_until_refused(b"data: x\n\n", 10_000) <= 5500


@pytest.mark.security(71)
def test_an_event_too_large_is_stopped_even_when_it_comes_at_once() -> None:
    with pytest.raises(StreamTooLarge):
        SseFramer(StreamLimits()).feed(b"data: " + b"x" * 5 * 1024 * 1024 + b"\n\n")
