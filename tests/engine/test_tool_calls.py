"""Tool calls of the real engine: its grammar makes even random weights write them."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.engine import Engine, TinyModels, running_engine
from tests.support.engine_proxy import Change, EngineProxy, Json, changing
from tests.support.event_streams import Event, first_of, text_of, types_of
from tests.support.fake_models import models_of
from tests.support.own_service import READ_FILE, OwnService, own_service
from tests.support.tiny_model import END_TOKEN, TOOLS_TEMPLATE

pytestmark = pytest.mark.anyio

_PATH: Final = {"path": {"type": "string"}}
_TOOL: Final = {
    **READ_FILE,
    "input_schema": {"type": "object", "properties": _PATH, "required": ["path"]},
}

# Random weights may write until there is no room: an early end is made more likely.
_WORDS: Final = {"tool_choice": "none", "seed": 5, "logit_bias": {str(END_TOKEN): 3.0}}


@pytest.fixture(scope="module")
def engine(tiny_models: TinyModels) -> Iterator[Engine]:
    with running_engine(tiny_models.file("tools", TOOLS_TEMPLATE)) as running:
        yield running


@asynccontextmanager
async def _answering(
    tmp_path: Path, engine: Engine, change: Change
) -> AsyncIterator[tuple[OwnService, EngineProxy]]:
    async with (
        changing(engine, change) as proxy,
        models_of(proxy.model, window=None) as assistant,
        own_service(tmp_path, assistant=assistant) as service,
    ):
        yield service, proxy


def _calls_first(**fields: Any) -> Change:
    """Return a model that calls the client's tool, and speaks once it has the result."""

    def change(body: Json) -> Json:
        if body["messages"][-1]["role"] == "tool":
            return body | _WORDS
        tools = [tool for tool in body["tools"] if tool["function"]["name"] == "read_file"]
        return body | {"tools": tools, "tool_choice": "required", "seed": 5} | fields

    return change


async def _ask(service: OwnService, chat: str) -> list[Event]:
    return await service.chat(chat, "Go", agent_name="assistant", client_tools=[_TOOL])


@pytest.mark.parametrize("stream", [True, False])
async def test_call_in_parts_is_one_call_and_its_result_goes_back(
    tmp_path: Path, engine: Engine, stream: bool
) -> None:
    change = _calls_first(stream=stream, parallel_tool_calls=False)
    async with _answering(tmp_path, engine, change) as (service, proxy):
        chat = await service.create()
        events = await _ask(service, chat)
        call = first_of(events, "tool_use")
        ended = await service.give_result(chat, call["id"], "the text of the file")
    assert call["name"] == "read_file"
    assert isinstance(call["input"]["path"], str)
    assert types_of(ended)[-1] == "message_stop", ended[-1]
    said, result = proxy.asked[1]["messages"][-2:]
    assert [one["function"]["name"] for one in said["tool_calls"]] == ["read_file"]
    assert (result["role"], result["content"]) == ("tool", "the text of the file")
    assert proxy.statuses == [200, 200]


async def test_calls_side_by_side_follow_each_other_in_one_reply(
    tmp_path: Path, engine: Engine
) -> None:
    sooner = {str(END_TOKEN): 1.0}
    change = _calls_first(parallel_tool_calls=True, logit_bias=sooner)
    async with _answering(tmp_path, engine, change) as (service, proxy):
        chat = await service.create()
        events = await _ask(service, chat)
        count = 0
        while "tool_use" in types_of(events):
            count += 1
            call = first_of(events, "tool_use")
            events = await service.give_result(chat, call["id"], f"file {count}")
    assert count > 1
    assert types_of(events)[-1] == "message_stop", events[-1]
    results = [one["content"] for one in proxy.asked[1]["messages"] if one["role"] == "tool"]
    assert results == [f"file {number + 1}" for number in range(count)]


async def test_call_that_was_cut_short_is_asked_for_again(tmp_path: Path, engine: Engine) -> None:
    cut = _calls_first(stop=["path"])

    def change(body: Json) -> Json:
        is_first = body["messages"][-1]["role"] == "user"
        return cut(body) if is_first else body | _WORDS

    async with _answering(tmp_path, engine, change) as (service, proxy):
        events = await _ask(service, await service.create())
    assert types_of(events)[-1] == "message_stop", events[-1]
    assert text_of(events)
    assert "cannot be read" in proxy.asked[1]["messages"][-1]["content"]
