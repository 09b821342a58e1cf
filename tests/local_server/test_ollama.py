"""Models of Ollama: what they are told, and what becomes of their answers."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from local_server.assistant.models.ollama_model import window_of
from local_server.assistant.models.providers import ProviderAccess, ollama_address
from tests.support.event_streams import first_of, text_of, types_of
from tests.support.fake_models import models_of, roles
from tests.support.fake_ollama import FakeOllama, tool_call, words
from tests.support.own_service import READ_FILE, OwnService, own_service

pytestmark = pytest.mark.anyio


@pytest.fixture
async def ollama() -> AsyncIterator[FakeOllama]:
    async with FakeOllama() as server:
        yield server


@asynccontextmanager
async def _answering(tmp_path: Path, ollama: FakeOllama) -> AsyncIterator[OwnService]:
    access = ProviderAccess({}, {"ollama": ollama.base_url})
    async with (
        models_of("ollama:small:1b", access=access, window=None) as assistant,
        own_service(tmp_path, assistant=assistant) as service,
    ):
        yield service


async def _ask(service: OwnService, **fields: Any) -> list[dict[str, Any]]:
    chat = await service.create()
    return await service.chat(chat, "Go", agent_name="assistant", **fields)


async def test_model_answers_over_tool_calls_and_sees_the_whole_conversation(
    tmp_path: Path, ollama: FakeOllama
) -> None:
    async with _answering(tmp_path, ollama) as service:
        chat = await service.create()
        ollama.says(words("It is ", "blue.\u2028", "é"))
        ollama.says(tool_call("read_file", {"path": "a"}, "First a."))
        ollama.says(words("Read."))
        first = await service.chat(chat, "Which colour?", agent_name="assistant")
        events = await service.chat(chat, "Go", agent_name="assistant", client_tools=[READ_FILE])
        call = first_of(events, "tool_use")
        events = await service.give_result(chat, call["id"], "the a")
        assert text_of(first) == "It is blue.\u2028é"
        assert text_of(events).strip() == "Read."
        offered = ollama.asked[1]["tools"][0]["function"]
        assert (offered["name"], offered["parameters"]) == ("read_file", READ_FILE["input_schema"])
        messages = ollama.asked[2]["messages"]
        assert roles(messages) == ["system", "user", "assistant", "user", "assistant", "tool"]
        assert messages[4]["tool_calls"] == [
            {"function": {"name": "read_file", "arguments": {"path": "a"}}}
        ]
        assert (messages[4]["content"], messages[5]["content"]) == ("First a.", "the a")


@pytest.mark.spec("7.3-stream-error")
@pytest.mark.parametrize(
    ("status", "body", "sentence"),
    [
        (404, b'{"error":"no"}', "does not know small:1b"),
        (400, b'{"error":"bad"}', "small:1b refused the request. It says: bad"),
        (200, b'{"message":{"content":"Half"}}\n', "stopped in the middle of its answer."),
        (200, b"half a li\n", "sent an answer that cannot be read"),
        (200, b"[]\n", "sent an answer that cannot be read"),
        (200, b'{"message":{"tool_calls":[{}]}}\n', "sent an answer that cannot be read"),
        (200, b'{"error":"model is broken"}\n', "It says: model is broken"),
        (200, b'{"done":true,"message":{"content":""}}\n', "empty answer"),
        (200, b'{"done":true,"done_reason":"length"}\n', "cut off"),
    ],
)
async def test_errors_of_ollama_end_the_stream_with_a_sentence(
    tmp_path: Path, ollama: FakeOllama, status: int, body: bytes, sentence: str
) -> None:
    async with _answering(tmp_path, ollama) as service:
        ollama.answers(body, status)
        events = await _ask(service)
        assert events[-1]["type"] == "error"
        assert sentence in events[-1]["message"]


async def test_model_that_takes_no_tools_is_asked_without(
    tmp_path: Path, ollama: FakeOllama
) -> None:
    async with _answering(tmp_path, ollama) as service:
        ollama.answers(b'{"error":"small:1b does not support tools"}', 400)
        ollama.says(words("Hello."))
        events = await _ask(service, client_tools=[READ_FILE])
        told = "*This model takes no tools, so it answers without them.*"
        assert text_of(events) == f"{told}\n\nHello."
        assert "tools" not in ollama.asked[1]
        # That is remembered, so that no further reply begins with a refusal.
        ollama.says(words("Hello again."))
        events = await _ask(service, client_tools=[READ_FILE])
        assert text_of(events) == f"{told}\n\nHello again."
        assert "tools" not in ollama.asked[2]


async def test_notice_is_shown_once_and_only_the_words_of_the_service_are_kept_from_the_model(
    tmp_path: Path, ollama: FakeOllama
) -> None:
    notice = "*This model takes no tools, so it answers without them.*"
    async with _answering(tmp_path, ollama) as service:
        chat = await service.create()
        ollama.answers(b'{"error":"small:1b does not support tools"}', 400)
        told = []
        for words_of_model in ("Hello.", notice, "I said so."):
            ollama.says(words(words_of_model))
            asked = {"agent_name": "assistant", "client_tools": [READ_FILE]}
            told.append(text_of(await service.chat(chat, "Go", **asked)))
    assert told == [f"{notice}\n\nHello.", notice, "I said so."]
    said = [row["content"] for row in ollama.asked[-1]["messages"] if row["role"] == "assistant"]
    assert said == ["Hello.", notice]


async def test_ollama_that_is_not_there_is_told_in_the_stream(tmp_path: Path) -> None:
    access = ProviderAccess({}, {"ollama": "http://127.0.0.1:1"})
    async with (
        models_of("ollama:small:1b", access=access) as assistant,
        own_service(tmp_path, assistant=assistant) as service,
    ):
        events = await _ask(service)
    assert "small:1b cannot be reached" in events[-1]["message"]


async def test_supervisor_is_a_choice_that_fits_a_schema(
    tmp_path: Path, ollama: FakeOllama
) -> None:
    async with _answering(tmp_path, ollama) as service:
        ollama.says(words('{"name": "files"}'))
        ollama.says(words("Hello."))
        events = await service.chat(await service.create(), "Anything")
        assert first_of(events, "agent_start")["agent_name"] == "files"
        choice = ollama.asked[0]
        assert "files" in choice["format"]["properties"]["name"]["enum"]
        assert choice["options"]["temperature"] == 0


async def test_ollama_model_without_tools_is_not_asked_who_answers(tmp_path: Path) -> None:
    async with FakeOllama(**{"small:1b": ["completion"]}) as ollama:
        ollama.says(words("Hello."))
        async with _answering(tmp_path, ollama) as service:
            events = await service.chat(await service.create(), "Anything")
    assert text_of(events).endswith("Hello.")
    assert len(ollama.asked) == 1


@pytest.mark.parametrize(
    ("shown", "window"),
    [
        ({"model_info": {"llama.context_length": 8192}}, 8192),
        ({"model_info": {"llama.context_length": 131_072}}, 16_384),
        ({"parameters": "stop x\nnum_ctx 32768\n", "model_info": {}}, 32_768),
        ({}, None),
        ({"model_info": 5, "parameters": 7}, None),
    ],
)
def test_window_is_what_the_model_says_of_itself(shown: dict[str, Any], window: int | None) -> None:
    assert window_of(shown) == window


async def test_window_is_set_with_each_question(tmp_path: Path, ollama: FakeOllama) -> None:
    async with _answering(tmp_path, ollama) as service:
        ollama.shown = {"model_info": {"llama.context_length": 6000}}
        ollama.says(words("Hello."))
        await _ask(service)
        assert ollama.asked[0]["options"]["num_ctx"] == 6000


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "http://127.0.0.1:11434"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("0.0.0.0:9000", "http://127.0.0.1:9000"),
        (":9000", "http://127.0.0.1:9000"),
        ("http://box:80/", "http://box:80"),
        ("https://box", "https://box:443"),
        ("[::1]:5", "http://[::1]:5"),
        ("box:none", "http://box:11434"),
    ],
)
def test_ollama_host_is_read_as_ollama_reads_it(host: str, address: str) -> None:
    assert ollama_address(host) == address


async def test_tool_that_was_not_declared_is_never_emitted(
    tmp_path: Path, ollama: FakeOllama
) -> None:
    async with _answering(tmp_path, ollama) as service:
        ollama.says(tool_call("rm", {"path": "/"}))
        ollama.says(words("Sorry."))
        events = await _ask(service, client_tools=[READ_FILE])
        assert "tool_use" not in types_of(events)
        assert "there is no such tool" in ollama.asked[1]["messages"][-1]["content"]
