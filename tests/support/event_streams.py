"""Reads event streams as strictly as the bundled service promises to write them."""

import json
import re
from collections.abc import Sequence
from typing import Any, Final

Event = dict[str, Any]

_FRAME: Final = re.compile(rb"event: ([a-z_]+)\ndata: ([^\r\n]+)\n\n|: ping\n\n")
_LETTERS: Final = {
    "message_start": "M",
    "agent_start": "A",
    "agent_end": "Z",
    "content_block_delta": "d",
    "tool_use": "t",
    "message_stop": "S",
    "error": "E",
    "thinking_delta": "h",
    "usage": "U",
    "title": "T",
}
# The first agent, and three hand-overs.
_AGENTS_AT_MOST: Final = 4
# The events of an agent are between its start and end; exactly one final event closes the stream.
_GRAMMAR: Final = re.compile(r"T?M(?:A[dht]*Z|[dht])*U?T?[SE]")


def read_events(body: bytes) -> list[Event]:
    """Take a whole stream apart; any byte that is not in its place is a failure."""
    events = []
    position = 0
    while position < len(body):
        frame = _FRAME.match(body, position)
        assert frame is not None, f"not a frame: {body[position : position + 80]!r}"
        position = frame.end()
        if frame[1] is not None:
            event = json.loads(frame[2])
            assert event["type"] == frame[1].decode()
            events.append(event)
    return events


def read_whole_stream(body: bytes) -> list[Event]:
    """Take a stream apart that came to its end, and check the order of its events."""
    events = read_events(body)
    sentence = "".join(_LETTERS[event["type"]] for event in events)
    assert _GRAMMAR.fullmatch(sentence), f"not in the grammar: {sentence}"
    assert sentence.count("t") <= 1, f"more than one tool call: {sentence}"
    assert sentence.count("T") <= 1, f"more than one title: {sentence}"
    assert not {*"dh"} & {*sentence.partition("t")[2]}, f"text after a tool call: {sentence}"
    assert sentence.count("A") <= _AGENTS_AT_MOST, f"too many agents: {sentence}"
    _check_agents(events)
    return events


def agents_of(events: Sequence[Event]) -> list[str]:
    """List the agents that began, in order."""
    return [event["agent_name"] for event in events if event["type"] == "agent_start"]


def _check_agents(events: Sequence[Event]) -> None:
    """Check that the agent that ends is the one that began, and the announced one begins."""
    ended = [event["agent_name"] for event in events if event["type"] == "agent_end"]
    assert ended == agents_of(events)
    announced = first_of(events, "message_start").get("agent_name")
    assert announced is None or agents_of(events)[:1] == [announced]


def text_of(events: Sequence[Event]) -> str:
    """Join the text of a stream."""
    deltas = (event for event in events if event["type"] == "content_block_delta")
    return "".join(event["delta"]["text"] for event in deltas)


def thoughts_of(events: Sequence[Event]) -> str:
    """Join what the model thought in a stream."""
    return "".join(event["text"] for event in events if event["type"] == "thinking_delta")


def types_of(events: Sequence[Event]) -> list[str]:
    """List the types of events, with runs of text, and of thoughts, as one."""
    types: list[str] = []
    for event in events:
        is_part = event["type"] in {"content_block_delta", "thinking_delta"}
        if not is_part or types[-1:] != [event["type"]]:
            types.append(event["type"])
    return types


def first_of(events: Sequence[Event], type_: str) -> Event:
    """Find the first event of a type."""
    return next(event for event in events if event["type"] == type_)
