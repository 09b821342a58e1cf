"""Settings of a chat, thinking and usage with the real engine."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import pytest

from local_server.assistant.assistants import ModelSelection
from local_server.assistant.models.providers import ProviderAccess
from local_server.model_catalog import ModelCatalog
from tests.support.engine import Engine, TinyModels, running_engine
from tests.support.engine_proxy import EngineProxy, changing, unchanged
from tests.support.event_streams import Event, first_of, text_of, thoughts_of, types_of
from tests.support.fake_models import models_of
from tests.support.own_service import OwnService, own_service
from tests.support.tiny_model import PLAIN_TEMPLATE, THINKING_TEMPLATE

pytestmark = pytest.mark.anyio

_WINDOW: Final = 16_384


@pytest.fixture(scope="module")
def engine(tiny_models: TinyModels) -> Iterator[Engine]:
    model = tiny_models.file("thinking", THINKING_TEMPLATE)
    with running_engine(model, window=_WINDOW) as running:
        yield running


@asynccontextmanager
async def _answering(
    tmp_path: Path, engine: Engine
) -> AsyncIterator[tuple[OwnService, EngineProxy]]:
    async with (
        changing(engine, unchanged) as proxy,
        models_of(proxy.model, window=None) as assistant,
        own_service(
            tmp_path,
            assistant=assistant,
            models=ModelCatalog(ModelSelection("offline"), ProviderAccess({}, {})),
            accept="usage, thinking",
        ) as service,
    ):
        yield service, proxy


async def _ask(service: OwnService, settings: dict[str, object]) -> list[Event]:
    chat = await service.create()
    return await service.chat(chat, "Hi", agent_name="assistant", settings=settings)


async def test_thinking_is_switched_off_and_on(tmp_path: Path, engine: Engine) -> None:
    async with _answering(tmp_path, engine) as (service, _):
        steady = {"temperature": 0}
        off, short, long = [
            await _ask(service, steady | {"thinking": length})
            for length in ("off", "short", "long")
        ]
    assert text_of(off)
    assert not thoughts_of(off)
    # A model that says random words never comes to the end of a thought.
    for events in (short, long):
        assert thoughts_of(events)
        assert types_of(events)[-2:] == ["usage", "error"]
        assert "*This model" not in text_of(events)


async def test_temperature_of_zero_says_the_same_each_time(tmp_path: Path, engine: Engine) -> None:
    async with _answering(tmp_path, engine) as (service, _):
        steady = {"temperature": 0, "thinking": "off"}
        texts = {text_of(await _ask(service, steady)) for _ in range(3)}
    assert len(texts) == 1


async def test_answer_is_no_longer_than_was_chosen(tmp_path: Path, tiny_models: TinyModels) -> None:
    endless = tiny_models.file("endless", PLAIN_TEMPLATE, ends=False)
    with running_engine(endless) as engine:
        async with _answering(tmp_path, engine) as (service, _):
            events = await _ask(service, {"max_output_tokens": 3})
    assert first_of(events, "usage")["output_tokens"] == 3
    assert "at most 3 tokens" in events[-1]["message"]


async def test_usage_is_what_the_engine_counts(tmp_path: Path, engine: Engine) -> None:
    async with _answering(tmp_path, engine) as (service, proxy):
        events = await _ask(service, {"temperature": 0, "thinking": "off"})
    usage = first_of(events, "usage")
    [asked] = proxy.asked
    counted = engine.ask(**asked | {"stream": False, "stream_options": None}).json()["usage"]
    assert usage["input_tokens"] == counted["prompt_tokens"]
    assert usage["output_tokens"] == counted["completion_tokens"]
    assert usage["context_tokens"] == counted["total_tokens"]
    assert (usage["context_window"], usage["cost_usd"]) == (_WINDOW, 0.0)
