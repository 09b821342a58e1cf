"""A week of one chat: what tools returned stays known as long as there is room for it.

With `--long` it prints what each question held.
"""

import sys
from collections.abc import Iterator
from http import HTTPStatus
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest

from tests.support.engine import Engine, TinyModels, running_engine
from tests.support.engine_proxy import Json, changing
from tests.support.event_streams import first_of, text_of, types_of
from tests.support.fake_models import models_of
from tests.support.own_service import READ_FILE, own_service
from tests.support.tiny_model import END_TOKEN, TOOLS_TEMPLATE

pytestmark = pytest.mark.anyio

_PATH: Final = {"path": {"type": "string"}}
_TOOL: Final = {
    **READ_FILE,
    "input_schema": {"type": "object", "properties": _PATH, "required": ["path"]},
}
# Nobody ever asks for it.
_SPARE: Final = {
    "name": "paint_picture",
    "description": "Draws what its argument describes. " * 8,
    "input_schema": {"type": "object", "properties": {"scene": {"type": "string"}}},
}
# Longer results were not cut.
_CUT_CHARS: Final = 500
_REMARK: Final = "As I said, the garden, the house and the way over the water matter to me. "


@pytest.fixture
def engine(tiny_models: TinyModels, window: int) -> Iterator[Engine]:
    with running_engine(tiny_models.file("tools", TOOLS_TEMPLATE), window=window) as running:
        yield running


def _calls_when_asked_to(body: Json) -> Json:
    """Call the client's tool where the message asks for it and it is offered, else speak."""
    # Random weights may write until there is no room: the end of an answer is made more likely.
    body |= {"seed": 5, "logit_bias": {str(END_TOKEN): 3.0}}
    last = body["messages"][-1]
    if last["role"] != "user" or "read" not in last["content"] or "tools" not in body:
        return body | {"tool_choice": "none"}
    tools = [tool for tool in body["tools"] if tool["function"]["name"] == "read_file"]
    given = {"tool_choice": "required", "parallel_tool_calls": False}
    return body | {"tools": tools} | given


def _said(asked: Json) -> list[str]:
    """Return the messages of the person that the model was asked with."""
    texts = [row["content"] for row in asked["messages"] if row["role"] == "user"]
    return [part for text in texts for part in text.split("\n\n")]


@pytest.mark.parametrize(
    ("window", "turns", "calls"),
    [
        (8192, 9, 6),
        pytest.param(8192, 60, 40, marks=(pytest.mark.long, pytest.mark.timeout(1200))),
    ],
)
async def test_many_turns_with_results_never_grow_too_long_and_lose_results_first(
    tmp_path: Path, engine: Engine, turns: int, calls: int
) -> None:
    tools = [_TOOL, _SPARE]
    async with (
        changing(engine, _calls_when_asked_to) as proxy,
        models_of(proxy.model, window=None) as assistant,
        own_service(tmp_path, assistant=assistant) as service,
    ):
        chat = await service.create()
        texts: list[str] = []
        messages: list[str] = []
        answered = 0
        for number in range(turns):
            reads = number % 3 != 2 and number < calls * 3 // 2
            message = f"{number}: {'read it, ' if reads else ''}{_REMARK}".strip()
            messages.append(message)
            events = await service.chat(chat, message, agent_name="assistant", client_tools=tools)
            if "tool_use" in types_of(events):
                result = f"result {number}. " + "Some more of what the file says. " * 60
                answered += 1
                events = await service.give_result(chat, first_of(events, "tool_use")["id"], result)
            assert types_of(events)[-1] == "message_stop", events[-1]
            texts.append(text_of(events))

    # The engine may count more tokens than were estimated; then it is asked once more.
    assert answered >= calls * 0.9
    assert (400, 400) not in pairwise(proxy.statuses)
    for number, asked in enumerate(proxy.asked):
        known = [message for message in messages if message in _said(asked)]
        results = [row for row in asked["messages"] if row["role"] == "tool"]
        newest = next(number for number, one in enumerate(messages) if one == known[-1])
        # Whoever is told of a result has not forgotten a word of the person.
        letters = sum(len(row["content"] or "") for row in asked["messages"])
        whole = sum(len(row["content"]) > _CUT_CHARS for row in results)
        held = (len(known), newest + 1, len(results), whole, len(asked.get("tools", ())), letters)
        said = "{} of {} messages, {} results ({} whole), {} tools, {} letters".format(*held)
        again = " (refused)" if proxy.statuses[number] != HTTPStatus.OK else ""
        sys.stdout.write(f"{number}: {said}{again}\n")
        earlier = [row for row in results if f"result {newest}." not in row["content"]]
        assert not earlier or known == messages[: newest + 1]
        # Nor is there anything left that is only offered.
        offered = {tool["function"]["name"] for tool in asked.get("tools", ())}
        assert known == messages[: newest + 1] or offered <= {"read_file"}
    last = _said(proxy.asked[-1])
    assert messages[-1] in last
    told = " ".join(texts)
    assert turns < 60 or "what tools returned earlier" in told
    assert turns < 60 or "the beginning of this chat" in told
    assert turns < 60 or "tools" in told
