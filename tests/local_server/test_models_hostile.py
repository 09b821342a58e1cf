"""Model servers that mean no good: what they send is bounded, repaired or refused in words."""

import gzip
import json
from collections import deque
from collections.abc import AsyncIterator
from itertools import repeat
from typing import Any

import pytest

from local_server.assistant.models.answer import Answer as ModelAnswer
from local_server.assistant.models.answer import WantedCall
from local_server.assistant.models.context_windows import find_window
from local_server.assistant.models.failures import UpstreamError
from local_server.assistant.models.ollama_model import read_ollama
from local_server.assistant.models.openai_model import read_openai
from local_server.assistant.models.providers import Endpoint, ModelId, ProviderAccess
from local_server.assistant.models.stream_reader import EventReader, ReadEvent
from local_server.errors import StreamFailureError
from tests.support.clocks import within_own_time
from tests.support.fake_http import Answer
from tests.support.fake_models import call_part, delta, models_of, pieces_of, request
from tests.support.fake_ollama import FakeOllama, tool_call, words

pytestmark = pytest.mark.anyio

_CALLS = 200_000
_HALF = json.loads(r'"\ud800\u0000"')


@pytest.fixture
async def ollama() -> AsyncIterator[FakeOllama]:
    async with FakeOllama() as server:
        yield server


def _openai(calls: list[dict[str, Any]]) -> bytes:
    return b"data: " + json.dumps(delta(None, tool_calls=calls)).encode()


def _call(**fields: Any) -> dict[str, Any]:
    return {"function": {"name": "a", "arguments": {}, **fields}}


@pytest.mark.parametrize(
    ("read", "event"),
    [
        (read_openai, delta(None, tool_calls=[_call()] * _CALLS)),
        (read_ollama, {"message": {"tool_calls": [_call()] * _CALLS}}),
    ],
)
async def test_crowd_of_calls_is_refused_as_it_comes(
    read: ReadEvent, event: dict[str, Any]
) -> None:
    answer = ModelAnswer()
    with pytest.raises(UpstreamError) as failure:
        read(event, answer)
    assert failure.value.detail == "it asks for too many tools at once"
    assert answer.call_count < 1000


async def test_calls_are_refused_as_they_grow_too_long() -> None:
    answer = ModelAnswer()
    reader = EventReader(read_openai, answer)
    line = f"data: {json.dumps(call_part(0, 'c', 'read_file', 'x' * 100_000))}\n".encode()
    with pytest.raises(UpstreamError) as failure:
        deque(map(reader.feed, repeat(line, 1000)), maxlen=0)
    assert failure.value.detail == "its tool calls are too long"


@pytest.mark.security(71)
@within_own_time(2.0)
def test_long_line_in_fragments_of_one_byte_holds_nobody_up() -> None:
    reader = EventReader(read_openai, ModelAnswer())
    reader.feed(b"data: " + b"x" * 3_000_000)
    deque(map(reader.feed, repeat(b"x", 40_000)), maxlen=0)
    with pytest.raises(UpstreamError):
        reader.feed(b"\n")


@pytest.mark.parametrize(
    "calls",
    [
        [{"index": [], "function": {"name": "a"}}],
        [{"index": 0, "function": {"name": ["a"]}}],
        [{"index": 0, "id": 7, "function": {"name": "a"}}],
        [{"index": 0, "id": {"a": 1}, "function": {"name": "a"}}],
        [7],
        7,
    ],
)
async def test_call_that_is_not_written_in_texts_cannot_be_read(calls: Any) -> None:
    with pytest.raises(UpstreamError) as failure:
        EventReader(read_openai, ModelAnswer()).feed(_openai(calls) + b"\n")
    assert failure.value.kind == "unreadable"


async def test_calls_hold_only_what_can_be_stored_and_sent() -> None:
    answer = ModelAnswer()
    answer.add_call(0, f"c{_HALF}", f"a{_HALF}", f'{{"path": "{_HALF}"}}')
    repaired = "\N{REPLACEMENT CHARACTER}"
    assert answer.calls == (
        WantedCall(f"c{repaired}", f"a{repaired}", f'{{"path": "{repaired}"}}'),
    )


async def test_model_is_told_that_its_malformed_call_was_not_sent(ollama: FakeOllama) -> None:
    lines = tool_call(f"nobody{_HALF}", {"a": _HALF})
    ollama.answers(b"\n".join(json.dumps(line).encode() for line in lines))
    ollama.says(words("Sorry."))
    access = ProviderAccess({}, {"ollama": ollama.base_url})
    async with models_of("ollama:small", access=access) as assistant:
        await pieces_of(assistant, request(tools=()))
    assert "there is no such tool" in ollama.asked[1]["messages"][-1]["content"]


async def test_line_without_end_is_refused_with_a_reason(ollama: FakeOllama) -> None:
    ollama.answers(b"x" * 5 * 1024 * 1024)
    access = ProviderAccess({}, {"ollama": ollama.base_url})
    async with models_of("ollama:small", access=access) as assistant:
        with pytest.raises(StreamFailureError, match="a line is too long"):
            await pieces_of(assistant, request())


@pytest.mark.parametrize(
    "shown",
    [
        {"parameters": "num_ctx " + "9" * 5000},
        {"model_info": {"a.context_length": int("9" * 300)}},
        {"model_info": {"a.context_length": -1}},
        {"model_info": {"a.context_length": True}},
        {"model_info": []},
    ],
)
async def test_absurd_context_window_is_ignored(ollama: FakeOllama, shown: dict[str, Any]) -> None:
    ollama.shown = shown
    ollama.says(words("Hello."))
    access = ProviderAccess({}, {"ollama": ollama.base_url})
    async with models_of("ollama:small", access=access, window=None) as assistant:
        await pieces_of(assistant, request())
    assert ollama.asked[0]["options"]["num_ctx"] == 4096


class _Packing(FakeOllama):
    """Sends a list of models that is packed, though nobody asked for that."""

    def choose(self, request: Any) -> Answer:
        assert request.header("Accept-Encoding") == "identity"
        listed = {"data": [{"id": "small", "max_model_len": 5000}], "more": "x" * 1_000_000}
        return Answer(200, gzip.compress(json.dumps(listed).encode()), {"Content-Encoding": "gzip"})


async def test_unpacking_an_answer_of_a_model_server_is_limited() -> None:
    async with _Packing() as server:
        endpoint = Endpoint(server.base_url, None, is_official=False)
        assert await find_window(ModelId("openai", "small"), endpoint) is None
