"""Models of Google, through the whole service."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.event_streams import first_of, text_of
from tests.support.fake_models import KEY, FakeGoogle, at, load_libraries, models_of, roles
from tests.support.own_service import READ_FILE, own_service

pytestmark = pytest.mark.anyio


@pytest.fixture
async def google() -> AsyncIterator[FakeGoogle]:
    load_libraries("google")
    async with FakeGoogle() as server:
        yield server


def _parts(*parts: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": list(parts)}, "index": 0}
    return {"candidates": [candidate | ({"finishReason": finish} if finish else {})]}


async def test_model_answers_over_tool_calls_and_fails_in_words(
    tmp_path: Path, google: FakeGoogle
) -> None:
    calls = [{"functionCall": {"name": "read_file", "args": {"path": p}}} for p in ("a", "b")]
    google.streams(
        _parts({"text": "Hm.", "thought": True}),
        _parts({"text": "Let "}, {"text": "me."}),
        _parts(*calls, finish="STOP"),
        {"usageMetadata": {"candidatesTokenCount": 3}},
    )
    google.streams(_parts({"text": "Both read."}, finish="STOP"))
    google.streams({"promptFeedback": {"blockReason": "SAFETY"}})
    google.sends(b'{"error": {"code": 400, "message": "API key not valid", "status": "X"}}', 400)
    async with (
        models_of("google:gemini-2.5-flash", access=at("google", google.base_url)) as assistant,
        own_service(tmp_path, assistant=assistant) as service,
    ):
        chat = await service.create()
        events = await service.chat(chat, "Go", agent_name="assistant", client_tools=[READ_FILE])
        assert text_of(events) == "Let me."
        for result in ("the a", "the b"):
            call = first_of(events, "tool_use")
            events = await service.give_result(chat, call["id"], result)
        blocked = await service.chat(chat, "Go", agent_name="assistant")
        refused = await service.chat(chat, "Go", agent_name="assistant")
    assert "Both read." in text_of(events)
    assert "filter" in blocked[-1]["message"]
    assert "does not accept the key" in refused[-1]["message"]
    first, second, *_ = google.asked
    offered = first["tools"][0]["functionDeclarations"][0]
    assert offered["parameters_json_schema"]["properties"] == {"path": {"type": "string"}}
    assert roles(second["contents"]) == ["user", "model", "user"]
    results = [part["functionResponse"]["response"] for part in second["contents"][2]["parts"]]
    assert results == [{"return_value": "the a"}, {"return_value": "the b"}]
    assert google.requests[0].header("X-Goog-Api-Key") == KEY
