"""From a chip to a provider: the very bytes that were shown leave, in each provider's dialect.

Stand-ins of the providers keep what they are sent. The libraries that write it are the real ones.
"""

import base64
import binascii
import hashlib
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import pytest
from pydantic import SecretStr

from app.chat.items import CallState
from local_server.assistant.models.model_assistant import ModelAssistant
from local_server.assistant.models.providers import Endpoint, ModelId
from local_server.assistant.models.upstreams import FallbackChain
from tests.support.attached_files import pdf
from tests.support.chat_fixtures import chat_kit
from tests.support.event_streams import first_of
from tests.support.fake_http import Received
from tests.support.fake_models import KEY as PROVIDER_KEY
from tests.support.fake_models import (
    FakeAnthropic,
    FakeGoogle,
    FakeOpenAi,
    FakeProvider,
    FakeResponses,
    Json,
    at,
    models_of,
)
from tests.support.images import attachment, png
from tests.support.own_service import KEY, READ_FILE, own_service

pytestmark = pytest.mark.anyio

_WORDS: Final = "It is red."
_READ: Final = {"name": "offer.pdf", "pages": "1", "draw": True}
# No word of ours or of a key is as long.
_BASE64: Final = re.compile(rb"[A-Za-z0-9+/_-]{80,}={0,2}")
_IMAGE_STARTS: Final = (b"\x89PNG", b"\xff\xd8\xff")


def _openrouter() -> FakeProvider:
    server = FakeOpenAi()
    server.calls(("read_attachment", '{"name": "offer.pdf", "pages": "1", "draw": true}'))
    server.says(_WORDS)
    return server


def _google() -> FakeProvider:
    server = FakeGoogle()
    for part in ({"functionCall": {"name": "read_attachment", "args": _READ}}, {"text": _WORDS}):
        content = {"role": "model", "parts": [part]}
        server.streams({"candidates": [{"content": content, "index": 0, "finishReason": "STOP"}]})
    return server


def _openai() -> FakeProvider:
    server = FakeResponses()
    answer: Json = {"id": "r", "object": "response", "created_at": 1, "model": "m", "output": []}
    answer |= {"parallel_tool_calls": True, "tool_choice": "auto", "tools": []}
    call: Json = {"id": "f", "type": "function_call", "call_id": "c", "name": "read_attachment"}
    call |= {"arguments": '{"name": "offer.pdf", "pages": "1", "draw": true}'}
    said: Json = {"id": "m", "type": "message", "role": "assistant", "content": []}
    text: Json = {"type": "response.output_text.delta", "delta": _WORDS, "item_id": "m"}
    text |= {"output_index": 0, "content_index": 0, "logprobs": []}
    for item, parts in ((call, ()), (said, (text,))):
        events: Sequence[Json] = (
            {"type": "response.created", "response": answer | {"status": "in_progress"}},
            {"type": "response.output_item.added", "output_index": 0, "item": item},
            *parts,
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": answer | {"status": "completed"}},
        )
        server.streams(*(event | {"sequence_number": n} for n, event in enumerate(events)))
    return server


def _anthropic() -> FakeProvider:
    server = FakeAnthropic()
    message = {"id": "m", "type": "message", "role": "assistant", "content": [], "model": "claude"}
    usage = {"input_tokens": 1, "output_tokens": 1}
    call = {"type": "tool_use", "id": "toolu_0", "name": "read_attachment", "input": _READ}
    words = ({"type": "text_delta", "text": _WORDS},)
    for block, deltas, reason in (
        (call, (), "tool_use"),
        ({"type": "text", "text": ""}, words, "end_turn"),
    ):
        server.streams(
            {"type": "message_start", "message": message | {"usage": usage}},
            {"type": "content_block_start", "index": 0, "content_block": block},
            *({"type": "content_block_delta", "index": 0, "delta": part} for part in deltas),
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": usage},
            {"type": "message_stop"},
        )
    return server


@asynccontextmanager
async def _asking(model: str, address: str) -> AsyncIterator[ModelAssistant]:
    # Its libraries take seconds, which each process of the tests would spend on collecting.
    from local_server.assistant.models.pydantic_ai_model import PydanticAiModel  # noqa: PLC0415

    async def rest(_seconds: float) -> None:
        pass

    endpoint = Endpoint(address, SecretStr(PROVIDER_KEY), is_official=True)
    hosted = PydanticAiModel(ModelId.read(model), endpoint, 32_000)
    try:
        yield ModelAssistant(lambda _agent, _model: FallbackChain((hosted,), rest))
    finally:
        await hosted.aclose()


def _hashes_in(request: Received) -> set[str]:
    """Return the hashes of all images in a request, whatever they stand in."""
    found = set()
    for text in _BASE64.findall(request.body):
        try:
            data = base64.b64decode(text.translate(bytes.maketrans(b"-_", b"+/")), validate=True)
        except binascii.Error:
            continue
        if data.startswith(_IMAGE_STARTS):
            found.add(hashlib.sha256(data).hexdigest())
    return found


@pytest.mark.parametrize(
    ("model", "server", "path"),
    [
        ("openai:gpt-5.4", _openai(), "/v1"),
        ("google:gemini-2.5-flash", _google(), ""),
        ("openrouter:maker/small", _openrouter(), "/v1"),
        ("anthropic:claude-test", _anthropic(), ""),
    ],
    ids=["openai", "google", "openrouter", "anthropic"],
)
async def test_bytes_that_leave_are_those_of_the_chip_and_of_the_drawn_page(
    tmp_path: Path, model: str, server: FakeProvider, path: str
) -> None:
    async with (
        server,
        _asking(model, server.base_url + path) as assistant,
        own_service(tmp_path / "service", assistant=assistant) as service,
        chat_kit(tmp_path, address=(service.base_url, KEY)) as kit,
    ):
        await kit.dependencies.client.list_agents()
        chat = await kit.open(await service.create())
        place = chat.session.conversation_id
        image = await kit.attachments.add_content(place, "a.png", png(60, 40))
        offer = await kit.attachments.add_content(place, "offer.pdf", pdf("The fee is 180"))
        await chat.session.send("Look", "assistant", attachments=(image, offer))
        await chat.is_idle()

        assert chat.text == _WORDS
        (row,) = chat.tool_rows
        assert row.state is CallState.DONE
        (page,) = row.images
        first, second = (one for one in server.requests if server.is_question(one))
    assert _hashes_in(first) == {image.sha256}
    assert _hashes_in(second) == {image.sha256, page.sha256}


async def test_anthropic_is_shown_images_in_messages_and_results(tmp_path: Path) -> None:
    start = {"id": "m", "type": "message", "role": "assistant", "content": [], "model": "claude"}
    begun = {
        "type": "message_start",
        "message": {**start, "usage": {"input_tokens": 1, "output_tokens": 1}},
    }
    call = {"type": "tool_use", "id": "toolu_0", "name": "read_file", "input": {"path": "a"}}
    stop = {"type": "message_stop"}

    def ending(reason: str) -> Json:
        delta = {"stop_reason": reason}
        return {"type": "message_delta", "delta": delta, "usage": {"output_tokens": 3}}

    def block(content: Json, *deltas: Json) -> list[Json]:
        parts = [{"type": "content_block_delta", "index": 0, "delta": part} for part in deltas]
        opened = {"type": "content_block_start", "index": 0, "content_block": content}
        return [opened, *parts, {"type": "content_block_stop", "index": 0}]

    said = block({"type": "text", "text": ""}, {"type": "text_delta", "text": "A square."})
    async with FakeAnthropic() as server:
        server.streams(begun, *block(call), ending("tool_use"), stop)
        server.streams(begun, *said, ending("end_turn"), stop)
        access = at("anthropic", server.base_url)
        async with (
            models_of("anthropic:claude-test", access=access) as assistant,
            own_service(tmp_path, assistant=assistant) as service,
        ):
            chat = await service.create()
            events = await service.chat(
                chat,
                "Look",
                agent_name="assistant",
                client_tools=[READ_FILE],
                attachments=[attachment()],
            )
            asked = first_of(events, "tool_use")
            answer = await service.post_result(
                chat, asked["id"], "Done. [image: a.png]", attachments=[attachment()]
            )
            assert answer.status_code == 200
        messages = server.asked[1]["messages"]
    source = {
        "type": "base64",
        "media_type": "image/png",
        "data": base64.b64encode(png()).decode(),
    }
    shown = [part for part in messages[0]["content"] if part["type"] == "image"]
    assert [part["source"] for part in shown] == [source]
    result = messages[2]["content"][0]
    assert result["type"] == "tool_result"
    inside = [part for part in result["content"] if part["type"] == "image"]
    assert [part["source"] for part in inside] == [source]
