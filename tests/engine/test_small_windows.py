"""Models that take little text at once: whoever says something gets an answer."""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

import pytest

from local_server.assistant.models.token_rates import RATES_FILE
from local_tools.registry import ToolRegistry
from tests.support.engine import Engine, TinyModels, running_engine
from tests.support.engine_proxy import changing
from tests.support.event_streams import text_of, types_of
from tests.support.fake_models import models_of, pieces_of, request
from tests.support.own_service import OwnService, own_service
from tests.support.tiny_model import PLAIN_TEMPLATE

pytestmark = pytest.mark.anyio

_TOOLS: Final[list[dict[str, Any]]] = [
    {
        "name": one.name,
        "description": one.description,
        "input_schema": json.loads(json.dumps(one.input_schema, default=dict)),
    }
    for one in ToolRegistry.built_in().definitions()
]
_HERE: Final = {"agent_name": "assistant", "client_tools": _TOOLS}
_JOKE: Final = "Hi! Tell me a joke"
_LONG: Final = request("Tell me", *["Xq7z Kv0J 4W9y " * 12] * 60)


@pytest.fixture(scope="module", params=[4096, 1024])
def engine(request: pytest.FixtureRequest, tiny_models: TinyModels) -> Iterator[Engine]:
    model = tiny_models.file("plain", PLAIN_TEMPLATE)
    with running_engine(model, window=request.param) as running:
        yield running


@asynccontextmanager
async def _answering(tmp_path: Path, engine: Engine) -> AsyncIterator[OwnService]:
    async with (
        models_of(engine.model, window=None) as assistant,
        own_service(tmp_path, assistant=assistant) as service,
    ):
        yield service


async def test_words_of_a_person_are_answered_and_what_is_left_out_is_reported_once(
    tmp_path: Path, engine: Engine
) -> None:
    async with _answering(tmp_path, engine) as service:
        chat = await service.create()
        first = await service.chat(chat, _JOKE, **_HERE)
        second = await service.chat(chat, "Another one", **_HERE)
    for events in (first, second):
        assert types_of(events)[-1] == "message_stop", events[-1]
    notice, _, answer = text_of(first).partition("\n\n")
    assert notice.startswith("*This model has too little room for skills")
    assert answer
    assert "too little room" not in text_of(second)


async def test_long_chat_goes_on_in_a_small_window(tmp_path: Path, engine: Engine) -> None:
    async with _answering(tmp_path, engine) as service:
        chat = await service.create()
        for number in range(6):
            message = f"This is part {number}: " + "some more of what people like to know. " * 15
            events = await service.chat(chat, message, **_HERE)
            assert types_of(events)[-1] == "message_stop", events[-1]


async def test_only_a_message_that_exceeds_the_window_by_itself_is_too_long(
    tmp_path: Path, engine: Engine
) -> None:
    async with _answering(tmp_path, engine) as service:
        events = await service.chat(await service.create(), "word " * 6000, **_HERE)
    assert events[-1]["type"] == "error"
    assert events[-1]["message"].startswith("This message is too long for tiny.")


async def test_how_a_model_counts_is_learnt_once_and_known_after_a_restart(
    tmp_path: Path, engine: Engine
) -> None:
    refused = []
    async with changing(engine, dict) as proxy:
        for folder in ("same", "same", "another"):
            place = tmp_path / folder
            place.mkdir(exist_ok=True)
            async with models_of(proxy.model, window=None, folder=place) as assistant:
                for _ in range(2):
                    before = len(proxy.statuses)
                    await pieces_of(assistant, _LONG)
                    refused.append(proxy.statuses[before:].count(HTTPStatus.BAD_REQUEST))
    # The tiny model needs a token for each letter, which nobody knows before.
    assert refused == [1, 0, 0, 0, 1, 0]


@pytest.mark.parametrize("content", ["", "[1", '{"a": [0, -1], "b": 5}', "[" * 100_000])
async def test_damaged_memory_of_how_models_count_is_none(
    tmp_path: Path, engine: Engine, content: str
) -> None:
    (tmp_path / RATES_FILE).write_text(content)
    async with models_of(engine.model, window=None, folder=tmp_path) as assistant:
        assert await pieces_of(assistant, _LONG)
    assert engine.model in json.loads((tmp_path / RATES_FILE).read_text())
