"""Streams of the real engine: stopped, broken, killed, many at once."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import pytest
from pydantic import SecretStr

from local_server.assistant.models.answer import ContextWindow
from local_server.assistant.models.context_windows import find_window
from local_server.assistant.models.providers import Endpoint, ModelId
from tests.support.engine import Engine, TinyModels, running_engine
from tests.support.engine_proxy import Change, EngineProxy, Json, changing, unchanged
from tests.support.event_streams import text_of, types_of
from tests.support.fake_models import models_of
from tests.support.own_service import READ_FILE, OwnService, own_service, read_until
from tests.support.tiny_model import PLAIN_TEMPLATE

pytestmark = pytest.mark.anyio

_LIMIT_S: Final = 20
_TRIES: Final = 30
_WINDOW: Final = 16_384
_REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"


@pytest.fixture(scope="module")
def engine(tiny_models: TinyModels) -> Iterator[Engine]:
    with running_engine(tiny_models.file("plain", PLAIN_TEMPLATE), window=_WINDOW) as running:
        yield running


@asynccontextmanager
async def _answering(tmp_path: Path, model: str) -> AsyncIterator[OwnService]:
    async with (
        models_of(model, window=None) as assistant,
        own_service(tmp_path, assistant=assistant) as service,
    ):
        yield service


@asynccontextmanager
async def _through_proxy(
    tmp_path: Path, engine: Engine, change: Change
) -> AsyncIterator[tuple[OwnService, EngineProxy]]:
    async with (
        changing(engine, change) as proxy,
        _answering(tmp_path, proxy.model) as service,
    ):
        yield service, proxy


def _endless(body: Json) -> Json:
    return body | {"ignore_eos": True}


async def _question(service: OwnService) -> Json:
    return {
        "conversation_id": await service.create(),
        "message": "Go on and on",
        "agent_name": "assistant",
    }


async def test_stop_leaves_the_engine_idle(tmp_path: Path, engine: Engine) -> None:
    async with _through_proxy(tmp_path, engine, _endless) as (service, proxy):
        body = await _question(service)
        async with service.client.stream("POST", "/v1/chat/stream", json=body) as response:
            await read_until(response.aiter_lines(), "text_delta")
        async with asyncio.timeout(_LIMIT_S):
            await proxy.was_left.wait()
        await _until_idle(engine)
        proxy.change = unchanged
        events = await service.chat(body["conversation_id"], "Well", agent_name="assistant")
        [_, stopped, *_] = await service.messages(body["conversation_id"])
    assert types_of(events)[-1] == "message_stop", events[-1]
    assert stopped["role"] == "assistant"
    assert stopped["content"]


async def _until_idle(engine: Engine) -> None:
    ends_at = time.monotonic() + _LIMIT_S
    while any(slot["is_processing"] for slot in await asyncio.to_thread(engine.slots)):
        assert time.monotonic() < ends_at, "the engine goes on"


async def test_bytes_that_are_no_text_come_as_replacements(tmp_path: Path, engine: Engine) -> None:
    # The tokens of bytes begin after three others; these begin characters that never end. Some
    # come in most replies, and surely in one of many; where nothing else came, nothing is left.
    change = {"logit_bias": [[3 + byte, 9.0] for byte in (0xC3, 0xFF)]}
    chat, text, tries = "", "", 0
    async with _through_proxy(tmp_path, engine, lambda body: body | change) as (service, _):
        while _REPLACEMENT not in text:
            tries += 1
            assert tries <= _TRIES, "no reply had such bytes"
            chat = await service.create()
            events = await service.chat(chat, "Hello", agent_name="assistant")
            text = text_of(events)
            assert types_of(events)[-1] == "message_stop" or not text, events[-1]
        kept = await service.messages(chat)
    assert [one["content"] for one in kept if one["role"] == "assistant"] == [text]


async def test_answer_that_is_no_stream_is_read_whole(tmp_path: Path, engine: Engine) -> None:
    async with _through_proxy(tmp_path, engine, lambda body: body | {"stream": False}) as (
        service,
        proxy,
    ):
        events = await service.chat(await service.create(), "Hello", agent_name="assistant")
    assert types_of(events)[-1] == "message_stop", events[-1]
    assert text_of(events)
    assert proxy.asked[0]["stream"] is True


async def test_model_whose_template_knows_no_tools_answers_beside_them(
    tmp_path: Path, engine: Engine
) -> None:
    async with _answering(tmp_path, engine.model) as service:
        chat = await service.create()
        events = await service.chat(chat, "Go", agent_name="assistant", client_tools=[READ_FILE])
    assert types_of(events)[-1] == "message_stop", events[-1]
    assert text_of(events)


async def test_refusal_that_counts_tokens_is_asked_again_once(
    tmp_path: Path, tiny_models: TinyModels
) -> None:
    model = tiny_models.file("plain", PLAIN_TEMPLATE)
    # Each letter is a token to this model, and a quarter of one to us.
    before = ["z" * 3000, "y" * 3000, "x" * 3000]
    with running_engine(model, window=4096) as small:
        async with _through_proxy(tmp_path, small, unchanged) as (service, proxy):
            chat = await service.create()
            replies = [
                await service.chat(chat, message, agent_name="assistant") for message in before
            ]
    assert [types_of(events)[-1] for events in replies] == ["message_stop"] * 3, replies[-1][-1]
    assert proxy.statuses.count(400) >= 1
    assert len(proxy.statuses) == 3 + proxy.statuses.count(400)
    assert "x" * 3000 in proxy.asked[-1]["messages"][-1]["content"]


@pytest.mark.parametrize("key", ["", "key-of-the-engine"])
async def test_engine_tells_its_window_under_any_name(tiny_models: TinyModels, key: str) -> None:
    model = tiny_models.file("plain", PLAIN_TEMPLATE)
    with running_engine(model, window=2048, key=key) as running:
        endpoint = Endpoint(
            f"{running.base_url}/v1", SecretStr(key) if key else None, is_official=False
        )
        assert await find_window(ModelId("openai", "any"), endpoint) == ContextWindow(2048)


async def test_killed_engine_breaks_one_reply_off_and_answers_when_it_is_back(
    tmp_path: Path, tiny_models: TinyModels
) -> None:
    model = tiny_models.file("plain", PLAIN_TEMPLATE)
    with running_engine(model, window=_WINDOW) as first:
        async with _through_proxy(tmp_path, first, _endless) as (service, proxy):
            body = await _question(service)
            async with service.client.stream("POST", "/v1/chat/stream", json=body) as response:
                lines = response.aiter_lines()
                seen = list(await read_until(lines, "text_delta"))
                first.process.kill()
                seen += [line async for line in lines]
            lost = await service.chat(body["conversation_id"], "Again", agent_name="assistant")
            with running_engine(model, window=_WINDOW, port=first.port):
                proxy.change = unchanged
                events = await service.chat(
                    body["conversation_id"], "And now?", agent_name="assistant"
                )
    assert any("stopped in the middle of its answer" in line for line in seen)
    assert lost[-1]["type"] == "error"
    assert types_of(events)[-1] == "message_stop", events[-1]


async def test_eight_chats_at_once_are_all_answered_on_two_slots(
    tmp_path: Path, engine: Engine
) -> None:
    async with _answering(tmp_path, engine.model) as service:
        chats = [await service.create() for _ in range(8)]
        replies = await asyncio.gather(
            *(service.chat(chat, f"This is chat {n}.") for n, chat in enumerate(chats))
        )
    for events in replies:
        assert types_of(events)[-1] == "message_stop", events[-1]
        assert text_of(events)
