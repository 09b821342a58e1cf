"""Models of Anthropic, through the whole service."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.event_streams import first_of, text_of
from tests.support.fake_models import KEY, FakeAnthropic, at, load_libraries, models_of, roles
from tests.support.own_service import READ_FILE, own_service

pytestmark = pytest.mark.anyio

_NEW = {"id": "msg", "type": "message", "role": "assistant", "content": [], "model": "claude"}
_START = {"type": "message_start", "message": {**_NEW, "usage": {"input_tokens": 1}}}
_STOP = {"type": "message_stop"}


@pytest.fixture
async def anthropic() -> AsyncIterator[FakeAnthropic]:
    load_libraries("anthropic")
    async with FakeAnthropic() as server:
        yield server


def _block(index: int, block: dict[str, Any], *deltas: dict[str, Any]) -> list[dict[str, Any]]:
    start = {"type": "content_block_start", "index": index, "content_block": block}
    parts = [{"type": "content_block_delta", "index": index, "delta": part} for part in deltas]
    return [start, {"type": "ping"}, *parts, {"type": "content_block_stop", "index": index}]


def _words(index: int, *texts: str) -> list[dict[str, Any]]:
    deltas = ({"type": "text_delta", "text": text} for text in texts)
    return _block(index, {"type": "text", "text": ""}, *deltas)


def _call(index: int, *parts: str) -> list[dict[str, Any]]:
    block = {"type": "tool_use", "id": f"toolu_{index}", "name": "read_file", "input": {}}
    deltas = ({"type": "input_json_delta", "partial_json": part} for part in parts)
    return _block(index, block, *deltas)


def _end(reason: str) -> dict[str, Any]:
    return {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {}}


async def test_model_answers_over_tool_calls_and_fails_in_words(
    tmp_path: Path, anthropic: FakeAnthropic
) -> None:
    thought = _block(
        0, {"type": "thinking", "thinking": ""}, {"type": "thinking_delta", "thinking": "Hm."}
    )
    calls = [*_call(2, "", '{"pa', 'th": "a"}'), *_call(3, '{"path": "b"}')]
    anthropic.streams(_START, *thought, *_words(1, "Let ", "me."), *calls, _end("tool_use"), _STOP)
    anthropic.streams(_START, *_words(0, "Both read."), _end("end_turn"), _STOP)
    anthropic.streams(_START, *_words(0, "Half"), {"type": "error", "error": {
        "type": "overloaded_error", "message": "Overloaded"}})  # fmt: skip
    anthropic.streams(_START, *_words(0, "No"), _end("refusal"), _STOP)
    async with (
        models_of("anthropic:claude-test", access=at("anthropic", anthropic.base_url)) as assistant,
        own_service(tmp_path, assistant=assistant) as service,
    ):
        chat = await service.create()
        events = await service.chat(chat, "Go", agent_name="assistant", client_tools=[READ_FILE])
        assert text_of(events) == "Let me."
        for result in ("the a", "the b"):
            call = first_of(events, "tool_use")
            events = await service.give_result(chat, call["id"], result)
        overloaded = await service.chat(chat, "Go", agent_name="assistant")
        refused = await service.chat(chat, "Go", agent_name="assistant")
    assert "Both read." in text_of(events)
    assert text_of(overloaded) == "Half"
    assert "overloaded" in overloaded[-1]["message"]
    assert "filter" in refused[-1]["message"]
    first, second, *_ = anthropic.asked
    assert first["max_tokens"] > 0
    assert first["tools"][0]["input_schema"]["properties"] == {"path": {"type": "string"}}
    assert roles(second["messages"]) == ["user", "assistant", "user"]
    said = second["messages"][1]["content"]
    assert [part.get("input") for part in said] == [None, {"path": "a"}, {"path": "b"}]
    results = second["messages"][2]["content"]
    assert [part["type"] for part in results] == ["tool_result", "tool_result"]
    assert KEY.encode() in anthropic.requests[0].raw.partition(b"\r\n\r\n")[0]
