"""What tools returned stays known to the model in later turns, as it was sent."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.support.event_streams import first_of, text_of, types_of
from tests.support.fake_models import FakeOpenAi, Json, models_of
from tests.support.own_service import READ_FILE, OwnService, own_service

pytestmark = pytest.mark.anyio

_TOOLS: dict[str, Any] = {"agent_name": "assistant", "client_tools": [READ_FILE]}


@asynccontextmanager
async def _chatting(
    tmp_path: Path, window: int = 32_000
) -> AsyncIterator[tuple[OwnService, FakeOpenAi, str]]:
    async with (
        FakeOpenAi() as openai,
        models_of(f"openai:small@{openai.base_url}/v1", window=window) as assistant,
        own_service(tmp_path, assistant=assistant) as service,
    ):
        yield service, openai, await service.create()


async def _read(
    service: OwnService, openai: FakeOpenAi, chat: str, message: str, result: str
) -> None:
    """Ask something for which the model reads a file."""
    openai.calls(("read_file", json.dumps({"path": message})), text="One moment.")
    openai.says(f"Read {message}.")
    events = await service.chat(chat, message, **_TOOLS)
    ended = await service.give_result(chat, first_of(events, "tool_use")["id"], result)
    assert types_of(ended)[-1] == "message_stop", ended[-1]


async def _say(service: OwnService, openai: FakeOpenAi, chat: str, **fields: Any) -> Json:
    """Say something that needs no tool, and return what the model was asked."""
    openai.says("Yes.")
    events = await service.chat(chat, "And now?", **({"agent_name": "assistant"} | fields))
    assert types_of(events)[-1] == "message_stop", events[-1]
    return openai.asked[-1]


def _results(asked: Json) -> list[str]:
    return [row["content"] for row in asked["messages"] if row["role"] == "tool"]


async def test_later_turn_has_the_call_its_result_and_the_words_around_them(
    tmp_path: Path,
) -> None:
    async with _chatting(tmp_path) as (service, openai, chat):
        await _read(service, openai, chat, "a.txt", "forty-two")
        asked = await _say(service, openai, chat, **_TOOLS)

    _, question, call, result, answer, now = asked["messages"]
    assert question == {"role": "user", "content": "a.txt"}
    assert (call["role"], call["content"]) == ("assistant", "One moment.")
    (made,) = call["tool_calls"]
    assert made["function"]["name"] == "read_file"
    assert json.loads(made["function"]["arguments"]) == {"path": "a.txt"}
    assert result == {"role": "tool", "tool_call_id": made["id"], "content": "forty-two"}
    assert answer == {"role": "assistant", "content": "Read a.txt."}
    assert now == {"role": "user", "content": "And now?"}


async def test_continuation_of_a_later_turn_has_it_too(tmp_path: Path) -> None:
    async with _chatting(tmp_path) as (service, openai, chat):
        await _read(service, openai, chat, "a.txt", "forty-two")
        await _read(service, openai, chat, "b.txt", "forty-three")

    assert _results(openai.asked[-1]) == ["forty-two", "forty-three"]


async def test_newest_four_replies_keep_whole_results_and_older_ones_their_beginning(
    tmp_path: Path,
) -> None:
    async with _chatting(tmp_path) as (service, openai, chat):
        for number in range(6):
            await _read(service, openai, chat, f"{number}.txt", f"{number} " + "long " * 200)
        asked = await _say(service, openai, chat, **_TOOLS)

    results = _results(asked)
    assert [result[0] for result in results] == list("012345")
    for result in results[:2]:
        kept, _, rest = result.partition("\n")
        assert len(kept) == 400
        assert "cut here" in rest
    assert all(len(result) == 2 + 5 * 200 for result in results[2:])


async def test_call_that_nobody_answered_is_told_as_such(tmp_path: Path) -> None:
    async with _chatting(tmp_path) as (service, openai, chat):
        openai.calls(("read_file", '{"path": "a"}'))
        await service.chat(chat, "Read it", **_TOOLS)
        asked = await _say(service, openai, chat, **_TOOLS)

    assert _results(asked) == ["The user did not answer this call."]


async def test_results_are_sent_as_text_if_no_tool_is_declared(tmp_path: Path) -> None:
    """Providers refuse calls in a question that declares no tools."""
    for name in ("agents", "skills"):
        (tmp_path / "bare" / name).mkdir(parents=True)
    agent = "---\nname: assistant\ndescription: Helps.\n---\nHelp."
    (tmp_path / "bare" / "agents" / "assistant.md").write_text(agent, encoding="utf-8")
    async with (
        FakeOpenAi() as openai,
        models_of(f"openai:small@{openai.base_url}/v1") as assistant,
        own_service(tmp_path, assistant=assistant, resources=tmp_path / "bare") as service,
    ):
        chat = await service.create()
        await _read(service, openai, chat, "a.txt", "forty-two")
        asked = await _say(service, openai, chat)

    assert "tools" not in asked
    assert [row["role"] for row in asked["messages"]] == [
        "system",
        "user",
        "assistant",
        "user",
        "assistant",
        "user",
    ]
    assert "read_file" in asked["messages"][3]["content"]
    assert "forty-two" in asked["messages"][3]["content"]


async def test_results_go_before_anything_a_person_said_and_the_chat_says_so(
    tmp_path: Path,
) -> None:
    async with _chatting(tmp_path, window=9000) as (service, openai, chat):
        for number in range(4):
            await _read(service, openai, chat, f"{number}.txt", "much " * 1600)
        openai.says("Yes.")
        events = await service.chat(chat, "And now?", **_TOOLS)

    asked = openai.asked[-1]
    said = [row["content"] for row in asked["messages"] if row["role"] == "user"]
    assert said == ["0.txt", "1.txt", "2.txt", "3.txt", "And now?"]
    assert 0 < len("".join(_results(asked))) < 4 * 5 * 1600
    assert "*This model has too little room" not in text_of(events)
