"""Models behind OpenAI's chat completions, and behind the servers that speak alike."""

import json
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from local_server.assistant.models.answer import Answer as ModelAnswer
from local_server.assistant.models.failures import UpstreamError
from local_server.assistant.models.openai_model import read_openai
from local_server.assistant.models.providers import ProviderAccess
from local_server.assistant.models.stream_reader import EventReader
from tests.support.event_streams import first_of, text_of
from tests.support.fake_http import Answer
from tests.support.fake_models import (
    KEY,
    FakeOpenAi,
    Json,
    at,
    call_part,
    delta,
    end,
    models_of,
    pieces_of,
    request,
    roles,
)
from tests.support.own_service import READ_FILE, own_service

pytestmark = pytest.mark.anyio


@pytest.fixture
async def openai() -> AsyncIterator[FakeOpenAi]:
    async with FakeOpenAi() as server:
        yield server


async def test_model_answers_over_tool_calls_and_sees_the_whole_conversation(
    tmp_path: Path, openai: FakeOpenAi
) -> None:
    access = at("openai", f"{openai.base_url}/v1")
    async with (
        models_of("openai:small", access=access) as assistant,
        own_service(tmp_path, assistant=assistant) as service,
    ):
        chat = await service.create()
        openai.says("It is ", "blue.\u2028", "é")
        first = await service.chat(chat, "Which colour?", agent_name="assistant")
        openai.calls(("read_file", '{"path": "a"}'), ("read_file", '{"path": "b"}'), text="Let me.")
        openai.says("Both read.")
        events = await service.chat(chat, "Read", agent_name="assistant", client_tools=[READ_FILE])
        for result in ("the a", "the b"):
            call = first_of(events, "tool_use")
            events = await service.give_result(chat, call["id"], result)
    assert text_of(first) == "It is blue.\u2028é"
    assert "Both read." in text_of(events)
    offered = openai.asked[1]["tools"][0]["function"]
    assert (offered["name"], offered["parameters"]) == ("read_file", READ_FILE["input_schema"])
    messages = openai.asked[2]["messages"]
    assert roles(messages) == ["system", "user", "assistant", "user", "assistant", "tool", "tool"]
    assert messages[0]["content"].startswith("You are the general assistant")
    assert messages[4]["content"] == "Let me."
    assert [json.loads(c["function"]["arguments"]) for c in messages[4]["tool_calls"]] == [
        {"path": "a"},
        {"path": "b"},
    ]
    assert [message["content"] for message in messages[5:]] == ["the a", "the b"]
    assert openai.requests[0].header("Authorization") == f"Bearer {KEY}"


async def test_server_that_was_not_given_the_key_never_sees_it(
    tmp_path: Path, openai: FakeOpenAi, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What the provider's library would look for by itself.
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_ORG_ID", "org-secret")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    access = ProviderAccess.of_environment({"OPENAI_API_KEY": KEY})
    model = f"openai:small@{openai.base_url}/v1"
    openai.says("Hello.")
    async with (
        models_of(model, access=access, window=None) as assistant,
        own_service(tmp_path, assistant=assistant) as service,
    ):
        events = await service.chat(await service.create(), "Hi", agent_name="assistant")
    assert text_of(events) == "Hello."
    for asked in openai.requests:
        assert KEY.encode() not in asked.raw
        assert b"org-secret" not in asked.raw


@pytest.mark.security(59)
async def test_redirect_of_a_model_server_is_not_followed(
    tmp_path: Path, openai: FakeOpenAi
) -> None:
    async with FakeOpenAi() as other:
        openai.sends(b"", 307, Location=f"{other.base_url}/v1/chat/completions")
        access = at("openai", f"{openai.base_url}/v1")
        async with (
            models_of("openai:small", access=access) as assistant,
            own_service(tmp_path, assistant=assistant) as service,
        ):
            events = await service.chat(await service.create(), "Hi", agent_name="assistant")
        assert other.requests == []
    assert "another address" in events[-1]["message"]


def _calls(*events: Any) -> list[tuple[str, str]]:
    answer = ModelAnswer()
    for event in events:
        read_openai(event, answer)
    return [(call.name, call.arguments) for call in answer.calls]


def test_calls_are_put_together_however_servers_send_them() -> None:
    letters = [call_part(0, None, None, letter) for letter in '{"a": 1}']
    one = [("f", '{"a": 1}')]
    assert _calls(call_part(0, "c", "f", ""), *letters) == one
    assert _calls(call_part(0, "c", "f", {"a": 1})) == one
    assert _calls(call_part(None, None, "f", '{"a": 1}')) == one
    # Id and name again with each part.
    assert _calls(*(call_part(0, "c", "f", letter) for letter in '{"a": 1}')) == one
    two = [("f", "{}"), ("g", "{}")]
    assert _calls(call_part(0, "c", "f", "{}"), call_part(1, "d", "g", "{}")) == two
    # Every call has the number 0, or none.
    assert _calls(call_part(0, "c", "f", "{}"), call_part(0, "d", "g", "{}")) == two
    assert _calls(call_part(None, None, "f", "{}"), call_part(None, None, "g", "{}")) == two
    assert _calls(call_part(0, "c", "f", None)) == [("f", "")]


_WORDS = [delta("Hello "), delta("you."), end("stop")]
_WHOLE = {
    "object": "chat.completion",
    "choices": [{"message": {"role": "assistant", "content": "Hello you."}}],
}
_USAGE = {"choices": [], "usage": {"completion_tokens": 3}}


@pytest.mark.parametrize(
    "body",
    [
        FakeOpenAi().written(*_WORDS, done=True),
        FakeOpenAi().written(*_WORDS, _USAGE, done=True),
        FakeOpenAi().written({"choices": []}, *_WORDS, done=True),
        # Without the end mark, without a line end at the end, with other line ends.
        FakeOpenAi().written(*_WORDS),
        FakeOpenAi().written(*_WORDS).rstrip(),
        FakeOpenAi().written(*_WORDS, done=True).replace(b"\n", b"\r\n"),
        b": processing\n\n" + FakeOpenAi().written(*_WORDS, done=True),
        FakeOpenAi().written(*_WORDS, done=True).replace(b"data: ", b"data:"),
        # Without a reason for the end.
        FakeOpenAi().written(*_WORDS[:2], done=True),
        FakeOpenAi().written(*_WORDS[:2], end("eos"), done=True),
        FakeOpenAi().written(delta("Hello ", reasoning_content=None), *_WORDS[1:], done=True),
        # Thoughts are not shown.
        FakeOpenAi().written(delta(None, reasoning_content="Hm."), *_WORDS, done=True),
        FakeOpenAi().written(delta("<think>Hm, "), delta("so.</think>\n\n"), *_WORDS, done=True),
        FakeOpenAi().written(delta([{"type": "text", "text": "Hello "}]), *_WORDS[1:], done=True),
        # Whole, from a server or a gateway that does not stream.
        json.dumps(_WHOLE).encode(),
        b"\n" + json.dumps(_WHOLE, indent=2).encode() + b"\n",
    ],
)
def test_every_dialect_is_read_however_its_bytes_are_split(body: bytes) -> None:
    for size in (1, 2, 3, 7, len(body)):
        answer = ModelAnswer()
        reader = EventReader(read_openai, answer)
        parts = [body[place : place + size] for place in range(0, len(body), size)]
        text = "".join(map(reader.feed, parts)) + reader.finish()
        assert text == "Hello you."


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (FakeOpenAi().written(delta("Half")), "broken_off"),
        (b"", "broken_off"),
        (b"<html>no</html>\n", "no_stream"),
        (b"hello", "no_stream"),
        (b'{"status": "ok"}', "no_stream"),
        (b'{"choices": [', "unreadable"),
        (b": wait\n\n", "broken_off"),
        (b'{"error": {"message": "The model is overloaded"}}', "overloaded"),
        (FakeOpenAi().written({"error": {"code": "rate_limit_exceeded"}}), "rate_limited"),
        (FakeOpenAi().written(end("error")), "overloaded"),
        (b"data: {\n", "unreadable"),
        (b"data: []\n", "unreadable"),
        (b'data: {"choices": 5}\n', "unreadable"),
        (b'data: {"choices": [{"delta": {"tool_calls": [5]}}]}\n', "unreadable"),
        (b"data: " + b"[" * 100_000 + b"\n", "unreadable"),
        (b"x" * (9 * 1024 * 1024), "unreadable"),
    ],
)
def test_incomplete_answer_of_a_provider_is_an_error(body: bytes, kind: str) -> None:
    with pytest.raises(UpstreamError) as failure:
        _read(body)
    assert failure.value.kind == kind


def _read(body: bytes) -> str:
    reader = EventReader(read_openai, ModelAnswer())
    return reader.feed(body) + reader.finish()


def test_calls_of_a_whole_answer_are_read() -> None:
    function = {"name": "read_file", "arguments": '{"path": "a"}'}
    message = {"content": None, "tool_calls": [{"id": "c", "function": function}]}
    answer = ModelAnswer()
    reader = EventReader(read_openai, answer)
    whole = {"choices": [{"message": message, "finish_reason": "tool_calls"}]}
    assert reader.feed(json.dumps(whole).encode()) + reader.finish() == ""
    assert [(call.name, call.arguments) for call in answer.calls] == [
        ("read_file", '{"path": "a"}')
    ]


def test_text_that_could_not_be_stored_is_repaired() -> None:
    events: list[Json | str] = [
        r'{"choices": [{"delta": {"content": "a\u0000\ud83db"}}]}',
        end("stop"),
    ]
    reader = EventReader(read_openai, ModelAnswer())
    assert reader.feed(FakeOpenAi().written(*events)) == "a\N{REPLACEMENT CHARACTER}b"
    split: list[Json | str] = [r'{"choices": [{"delta": {"content": "\ud83d"}}]}', *_WORDS]
    EventReader(read_openai, ModelAnswer()).feed(FakeOpenAi().written(*split)).encode()


async def test_text_arrives_while_the_model_still_writes(
    tmp_path: Path, openai: FakeOpenAi
) -> None:
    events = tuple(openai.written(event) for event in (delta("One "), delta("two."), end("stop")))
    answer = Answer(events=events, pause_after=1)
    openai.answers(answer)
    model = f"openai:small@{openai.base_url}/v1"
    async with (
        models_of(model) as assistant,
        own_service(tmp_path, assistant=assistant) as service,
    ):
        body = {
            "conversation_id": await service.create(),
            "message": "Hi",
            "agent_name": "assistant",
        }
        async with service.client.stream("POST", "/v1/chat/stream", json=body) as response:
            lines = response.aiter_lines()
            seen = [line async for line in _until(lines, "One ")]
            answer.go_on.set()
            seen += [line async for line in lines]
    assert any("two." in line for line in seen)


async def _until(lines: AsyncIterator[str], part: str) -> AsyncIterator[str]:
    async for line in lines:
        yield line
        if part in line:
            return


async def test_client_that_leaves_ends_the_question_to_the_model(
    tmp_path: Path, openai: FakeOpenAi
) -> None:
    openai.answers(Answer(events=(openai.written(delta("One ")),), hang_after=1))
    model = f"openai:small@{openai.base_url}/v1"
    async with (
        models_of(model) as assistant,
        own_service(tmp_path, assistant=assistant) as service,
    ):
        chat = await service.create()
        body = {"conversation_id": chat, "message": "Hi", "agent_name": "assistant"}
        async with service.client.stream("POST", "/v1/chat/stream", json=body) as response:
            assert [line async for line in _until(response.aiter_lines(), "One ")]
        await openai.hung_up()


_ROOT = Path(__file__).resolve().parents[2]
_ASK = """
import asyncio, sys
from tests.support.fake_models import FakeOpenAi, models_of, pieces_of, request

async def ask():
    async with FakeOpenAi() as server:
        server.says("Hello.")
        async with models_of(f"openai:x@{server.base_url}/v1", window=None) as assistant:
            await pieces_of(assistant, request())

asyncio.run(ask())
heavy = {"openai", "anthropic", "google", "pydantic_ai", "genai_prices"}
sys.exit(", ".join(heavy & {name.partition(".")[0] for name in sys.modules}) or 0)
"""


def test_answer_of_such_a_server_needs_no_library_of_a_provider() -> None:
    command = (sys.executable, "-W", "ignore", "-c", _ASK)
    done = subprocess.run(
        command, cwd=_ROOT, check=False, timeout=60, capture_output=True, encoding="utf-8"
    )
    assert (done.returncode, done.stderr) == (0, "")


_USED = {
    "prompt_tokens": 9,
    "completion_tokens": 3,
    "prompt_tokens_details": {"cached_tokens": 4},
}


async def test_usage_is_asked_for_where_the_server_knows_the_field(
    openai: FakeOpenAi, caplog: pytest.LogCaptureFixture
) -> None:
    for provider, is_asked in (("openai", True), ("mistral", False)):
        openai.streams(delta("Hello."), end("stop"), {"choices": [], "usage": _USED}, done=True)
        with caplog.at_level("INFO"):
            async with models_of(f"{provider}:small@{openai.base_url}/v1") as assistant:
                await pieces_of(assistant, request())
        assert ("stream_options" in openai.asked[-1]) is is_asked
        assert "TokenUsage(input=9, output=3, cached=4, cache_write=0)" in caplog.text
        caplog.clear()
