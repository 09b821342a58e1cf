"""Models of providers with libraries of their own, through the whole service.

What a gateway says of them stands in `tests/engine/test_gateway.py`; here is what no gateway does
on demand: thoughts with signatures, refusals, failures in the middle of a stream.
"""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from pydantic import SecretStr

from local_server.assistant.models.answer import Upstream
from local_server.assistant.models.model_assistant import ModelAssistant
from local_server.assistant.models.providers import Endpoint, ModelId
from local_server.assistant.models.upstreams import FallbackChain, Sleep
from local_server.assistant.reply import AnswerUsage, Text, ThoughtText, TokenUsage
from local_server.assistant.skills import Skill
from local_server.store.records import ReplySettings, StoredTool, ThinkingLength
from tests.support.event_streams import first_of, text_of, types_of
from tests.support.fake_http import Answer
from tests.support.fake_models import (
    KEY,
    FakeAnthropic,
    FakeGoogle,
    FakeOpenAi,
    FakeProvider,
    FakeResponses,
    Json,
    call_part,
    delta,
    end,
    models_of,
    pieces_of,
    request,
    roles,
    words_of,
)
from tests.support.own_service import READ_FILE, own_service

pytestmark = pytest.mark.anyio

_NEW = {"id": "msg", "type": "message", "role": "assistant", "content": [], "model": "claude"}
_START = {
    "type": "message_start",
    "message": {**_NEW, "usage": {"input_tokens": 1, "output_tokens": 1}},
}
_STOP = {"type": "message_stop"}


def _model(model: str, address: str, key: str | None = KEY) -> Upstream:
    # Its libraries take seconds, which each process of the tests would spend on collecting.
    from local_server.assistant.models.pydantic_ai_model import PydanticAiModel  # noqa: PLC0415

    secret = None if key is None else SecretStr(key)
    return PydanticAiModel(ModelId.read(model), Endpoint(address, secret, is_official=True), 32_000)


async def _no_rest(seconds: float) -> None:
    del seconds


@asynccontextmanager
async def _asking(*models: Upstream, rest: Sleep = _no_rest) -> AsyncIterator[ModelAssistant]:
    try:
        yield ModelAssistant(lambda _agent, _model: FallbackChain(models, rest))
    finally:
        for model in models:
            await model.aclose()


async def _read_two(tmp_path: Path, model: Upstream) -> None:
    """Ask for a reply that reads two files."""
    async with (
        _asking(model) as assistant,
        own_service(tmp_path, assistant=assistant) as service,
    ):
        chat = await service.create()
        events = await service.chat(chat, "Go", agent_name="assistant", client_tools=[READ_FILE])
        assert text_of(events) == "Let me."
        for result in ("the a", "the b"):
            call = first_of(events, "tool_use")
            events = await service.give_result(chat, call["id"], result)
    assert "Both read." in text_of(events)


def _block(index: int, block: Json, *deltas: Json) -> Iterator[Json]:
    yield {"type": "content_block_start", "index": index, "content_block": block}
    for part in deltas:
        yield {"type": "content_block_delta", "index": index, "delta": part}
    yield {"type": "content_block_stop", "index": index}


def _words(index: int, *texts: str) -> Iterator[Json]:
    deltas = ({"type": "text_delta", "text": text} for text in texts)
    return _block(index, {"type": "text", "text": ""}, *deltas)


def _call(index: int, name: str, *parts: str) -> Iterator[Json]:
    block = {"type": "tool_use", "id": f"toolu_{index}", "name": name, "input": {}}
    deltas = ({"type": "input_json_delta", "partial_json": part} for part in parts)
    return _block(index, block, *deltas)


def _thought(index: int) -> Iterator[Json]:
    block = {"type": "thinking", "thinking": "", "signature": ""}
    told = {"type": "thinking_delta", "thinking": "Hm."}
    return _block(index, block, told, {"type": "signature_delta", "signature": "signed"})


def _end(reason: str) -> Json:
    usage = {"output_tokens": 3}
    return {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": usage}


async def test_anthropic_answers_over_tool_calls_and_caches(tmp_path: Path) -> None:
    calls = [
        *_call(2, "read_file", "", '{"pa', 'th": "a"}'),
        *_call(3, "read_file", '{"path": "b"}'),
    ]
    async with FakeAnthropic() as server:
        server.streams(
            _START, *_thought(0), *_words(1, "Let ", "me."), *calls, _end("tool_use"), _STOP
        )
        server.streams(_START, *_words(0, "Both read."), _end("end_turn"), _STOP)
        await _read_two(tmp_path, _model("anthropic:claude-test", server.base_url))
    first, second = server.asked
    assert first["max_tokens"] > 0
    assert first["tools"][0]["input_schema"]["properties"] == {"path": {"type": "string"}}
    # What stays the same from one question to the next is paid for once.
    assert first["tools"][-1]["cache_control"]["type"] == "ephemeral"
    assert first["system"][-1]["cache_control"]["type"] == "ephemeral"
    assert roles(second["messages"]) == ["user", "assistant", "user"]
    thought, *said = second["messages"][1]["content"]
    assert (thought["thinking"], thought["signature"]) == ("Hm.", "signed")
    assert [part.get("input") for part in said] == [None, {"path": "a"}, {"path": "b"}]
    results = second["messages"][2]["content"]
    assert [part["type"] for part in results] == ["tool_result", "tool_result"]
    assert KEY.encode() in server.requests[0].raw.partition(b"\r\n\r\n")[0]


async def test_thoughts_go_back_signed_to_their_model_alone(tmp_path: Path) -> None:
    skill = Skill("letters", "Letters", "Writes.", "1.0", None, "Be kind.", tmp_path)
    use = _call(1, "use_skill", '{"name": "letters"}')
    async with FakeAnthropic() as server, FakeAnthropic() as other:
        server.streams(_START, *_thought(0), *use, _end("tool_use"), _STOP)
        server.sends(b"{}", 400)
        other.streams(_START, *_words(0, "Dear you."), _end("end_turn"), _STOP)
        first = _model("anthropic:claude-one", server.base_url)
        second = _model("anthropic:claude-two", other.base_url)
        async with _asking(first, second) as assistant:
            pieces = await pieces_of(assistant, request(skills=(skill,)))
    assert words_of(pieces) == "Dear you."
    thought, call = server.asked[1]["messages"][1]["content"]
    assert (thought["thinking"], thought["signature"]) == ("Hm.", "signed")
    assert call["name"] == "use_skill"
    [call] = other.asked[0]["messages"][1]["content"]
    assert call["name"] == "use_skill"


def _google(*parts: Json, finish: str | None = None) -> Json:
    candidate: Json = {"content": {"role": "model", "parts": list(parts)}, "index": 0}
    return {"candidates": [candidate | ({"finishReason": finish} if finish else {})]}


async def test_google_answers_over_tool_calls(tmp_path: Path) -> None:
    calls = [{"functionCall": {"name": "read_file", "args": {"path": p}}} for p in ("a", "b")]
    async with FakeGoogle() as server:
        server.streams(
            _google({"text": "Hm.", "thought": True}),
            _google({"text": "Let "}, {"text": "me."}),
            _google(*calls, finish="STOP"),
            {"usageMetadata": {"candidatesTokenCount": 3}},
        )
        server.streams(_google({"text": "Both read."}, finish="STOP"))
        await _read_two(tmp_path, _model("google:gemini-2.5-flash", server.base_url))
    first, second = server.asked
    offered = first["tools"][0]["functionDeclarations"][0]
    assert offered["parameters_json_schema"]["properties"] == {"path": {"type": "string"}}
    assert roles(second["contents"]) == ["user", "model", "user"]
    results = [part["functionResponse"]["response"] for part in second["contents"][2]["parts"]]
    assert results == [{"return_value": "the a"}, {"return_value": "the b"}]
    assert server.requests[0].header("X-Goog-Api-Key") == KEY


async def test_thoughts_and_what_was_used_are_told_of_anthropic_and_google() -> None:
    used = {"input_tokens": 5, "output_tokens": 1, "cache_read_input_tokens": 20}
    written = {**used, "cache_creation_input_tokens": 10}
    begun = {"type": "message_start", "message": {**_NEW, "usage": written}}
    async with FakeAnthropic() as anthropic, FakeGoogle() as google:
        anthropic.streams(begun, *_thought(0), *_words(1, "Hello."), _end("end_turn"), _STOP)
        google.streams(
            _google({"text": "Hm.", "thought": True}),
            _google({"text": "Hello."}, finish="STOP")
            | {"usageMetadata": {"promptTokenCount": 35, "candidatesTokenCount": 3}},
        )
        models = (
            _model("anthropic:claude-test", anthropic.base_url),
            _model("google:gemini-2.5-flash", google.base_url),
        )
        told = []
        for model in models:
            async with _asking(model) as assistant:
                told.append([piece async for piece in assistant.reply(request())])
    for pieces in told:
        thought, text, usage = pieces
        assert (thought, text) == (ThoughtText("Hm."), Text("Hello."))
        assert isinstance(usage, AnswerUsage)
        assert usage.tokens is not None
        assert (usage.tokens.input, usage.tokens.output) == (35, 3)
        assert usage.context_window == 32_000
    first = told[0][2]
    assert isinstance(first, AnswerUsage)
    assert first.tokens == TokenUsage(35, 3, cached=20, cache_write=10)
    assert first.model == "anthropic:claude-test"


@pytest.mark.parametrize(
    ("name", "thinking", "written"),
    [
        ("claude-test", "off", None),
        ("claude-test", "short", {"type": "enabled", "budget_tokens": 2048}),
        ("claude-test", "long", {"type": "enabled", "budget_tokens": 16384}),
        ("claude-sonnet-4-6", "long", {"type": "adaptive"}),
    ],
)
async def test_settings_are_written_as_anthropic_takes_them(
    name: str, thinking: ThinkingLength, written: Json | None
) -> None:
    async with FakeAnthropic() as server:
        server.streams(_START, *_words(0, "Hello."), _end("end_turn"), _STOP)
        async with _asking(_model(f"anthropic:{name}", server.base_url)) as assistant:
            await pieces_of(assistant, request(settings=ReplySettings(None, 20_000, thinking)))
    assert server.asked[0]["max_tokens"] == 20_000
    assert server.asked[0].get("thinking") == written


@pytest.mark.parametrize(
    ("thinking", "written"),
    [
        ("off", {"thinking_budget": 0}),
        ("short", {"include_thoughts": True, "thinking_budget": 2048}),
        ("long", {"include_thoughts": True, "thinking_budget": 24576}),
    ],
)
async def test_settings_are_written_as_google_takes_them(
    thinking: ThinkingLength, written: Json
) -> None:
    async with FakeGoogle() as server:
        server.streams(_google({"text": "Hello."}, finish="STOP"))
        async with _asking(_model("google:gemini-2.5-flash", server.base_url)) as assistant:
            await pieces_of(assistant, request(settings=ReplySettings(0.5, 300, thinking)))
    asked = server.asked[0]["generationConfig"]
    assert (asked["temperature"], asked["maxOutputTokens"]) == (0.5, 300)
    assert asked["thinkingConfig"] == written


_DONE = {"id": "resp", "object": "response", "created_at": 1, "model": "m", "output": [],
         "parallel_tool_calls": True, "tool_choice": "auto", "tools": []}  # fmt: skip


def _response(*events: Json, status: str = "completed", **fields: Any) -> list[Json]:
    begun: Json = {"type": "response.created", "response": {**_DONE, "status": "in_progress"}}
    whole = {"type": f"response.{status}", "response": {**_DONE, "status": status, **fields}}
    return [
        {**event, "sequence_number": number} for number, event in enumerate((begun, *events, whole))
    ]


def _message(*texts: str) -> list[Json]:
    at = {"item_id": "m", "output_index": 0, "content_index": 0, "logprobs": []}
    item = {"id": "m", "type": "message", "role": "assistant", "status": "in_progress"}
    return [
        {"type": "response.output_item.added", "output_index": 0, "item": {**item, "content": []}},
        *({"type": "response.output_text.delta", "delta": text, **at} for text in texts),
    ]


async def test_openai_answers_and_keeps_nothing() -> None:
    async with FakeResponses() as server:
        server.streams(*_response(*_message("Hello ", "you.")))
        async with _asking(_model("openai:gpt-5.4", f"{server.base_url}/v1")) as assistant:
            assert words_of(await pieces_of(assistant, request())) == "Hello you."
    [asked] = server.asked
    assert asked["store"] is False
    assert asked["include"] == ["reasoning.encrypted_content"]
    assert server.requests[0].header("Authorization") == f"Bearer {KEY}"


async def test_openrouter_answers_with_calls() -> None:
    async with FakeOpenAi() as server:
        server.streams(
            delta("Let me."), call_part(0, "c", "rm", "{}"), end("tool_calls"), done=True
        )
        server.says("There is no such tool.")
        async with _asking(_model("openrouter:a/b", f"{server.base_url}/v1")) as assistant:
            words = words_of(await pieces_of(assistant, request()))
    assert words == "Let me.\n\nThere is no such tool."
    assert roles(server.asked[1]["messages"]) == ["system", "user", "assistant", "tool"]


_THOUGHT_ALONE = "thought, but gave no answer"
_HALF = [_START, *list(_words(0, "Half"))[:-1]]
_OVERLOADED = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
_FAILURE = {"code": "server_error", "message": "Sorry"}
_BLOCKED = {"promptFeedback": {"blockReason": "SAFETY"}}
_BLOCKED_LATE = [_google({"text": "Half"}), _google(finish="SAFETY")]
_MODELS: dict[type[FakeProvider], str] = {
    FakeAnthropic: "anthropic:small",
    FakeGoogle: "google:small",
    FakeResponses: "openai:small",
    FakeOpenAi: "openrouter:a/small",
}


@pytest.mark.parametrize(
    ("kind", "events", "words"),
    [
        (FakeAnthropic, [*_HALF, _OVERLOADED], "overloaded"),
        (FakeAnthropic, _HALF, "stopped in the middle"),
        (FakeAnthropic, [_START, *_words(0, "No"), _end("refusal"), _STOP], "filter"),
        (FakeAnthropic, [_START, *_words(0, "Half"), _end("max_tokens"), _STOP], "cut off"),
        (FakeAnthropic, [_START, _end("end_turn"), _STOP], "empty answer"),
        (FakeAnthropic, [_START, *_thought(0), _end("end_turn"), _STOP], _THOUGHT_ALONE),
        (FakeGoogle, [_BLOCKED], "filter"),
        (FakeGoogle, _BLOCKED_LATE, "filter"),
        (FakeGoogle, [_google({"text": ""}, finish="STOP")], "empty answer"),
        (FakeGoogle, [_google({"text": "Hm.", "thought": True}, finish="STOP")], _THOUGHT_ALONE),
        (FakeGoogle, [_google({"text": "Half"})], "stopped in the middle"),
        # Google's library expects a number.
        (FakeGoogle, [_google({"text": "Half"}), {"error": {"code": "500"}}], "cannot be read"),
        (FakeGoogle, [_google({"text": "Half"}, finish="MAX_TOKENS")], "cut off"),
        (FakeResponses, _response(*_message("Half"))[:-1], "stopped in the middle"),
        (FakeResponses, _response(status="failed", error=_FAILURE), "overloaded"),
        (FakeResponses, _response(), "empty answer"),
        (
            FakeResponses,
            _response(
                *_message("Half"),
                status="incomplete",
                incomplete_details={"reason": "max_output_tokens"},
            ),
            "cut off",
        ),
        (FakeOpenAi, [delta("Half")], "stopped in the middle"),
        (FakeOpenAi, [end("content_filter")], "filter"),
    ],
)
async def test_stream_that_is_no_whole_answer_is_explained(
    tmp_path: Path, kind: type[FakeProvider], events: list[Json], words: str
) -> None:
    async with kind() as server:
        server.always_sends(server.written(*events), 200)
        path = "" if kind in {FakeAnthropic, FakeGoogle} else "/v1"
        async with (
            _asking(_model(_MODELS[kind], server.base_url + path)) as assistant,
            own_service(tmp_path, assistant=assistant) as service,
        ):
            told = await service.chat(await service.create(), "Go", agent_name="assistant")
    assert types_of(told)[-1] == "error"
    assert words in told[-1]["message"]


_HELLO: dict[type[FakeProvider], list[Json]] = {
    FakeAnthropic: [_START, *_words(0, "Hello."), _end("end_turn"), _STOP],
    FakeGoogle: [_google({"text": "Hello."}, finish="STOP")],
    FakeResponses: _response(*_message("Hello.")),
    FakeOpenAi: [delta("Hello."), end("stop")],
}


def _error(message: str, **fields: Any) -> Json:
    return {"type": "error", "error": {"message": message, **fields}}


_TOO_LONG = _error("prompt is too long: 9 tokens > 8 maximum", type="invalid_request_error")
_CODED = {"code": "context_length_exceeded", "type": "invalid_request_error"}


@pytest.mark.parametrize(
    ("kind", "status", "body", "words"),
    [
        (FakeAnthropic, 401, _error(f"invalid {KEY}", type="authentication_error"), "the key"),
        (FakeAnthropic, 404, _error("model: small", type="not_found_error"), "does not know small"),
        (FakeAnthropic, 400, _TOO_LONG, "too long for small"),
        (FakeAnthropic, 400, _error("Your credit balance is too low",
                                    type="invalid_request_error"), "no credit left"),
        (FakeAnthropic, 529, _OVERLOADED, "overloaded"),
        (FakeAnthropic, 429, _error("slow down", type="rate_limit_error"), "rate limit"),
        (FakeGoogle, 400, _error("API key not valid", code=400, status="X"), "the key"),
        (FakeGoogle, 429, _error("Slow", code=429, status="RESOURCE_EXHAUSTED"), "rate limit"),
        (FakeGoogle, 404, _error("no", code=404, status="NOT_FOUND"), "does not know small"),
        (FakeResponses, 401, _error("Incorrect API key"), "the key"),
        (FakeResponses, 429, _error("x", code="insufficient_quota"), "no credit left"),
        (FakeResponses, 400, _error("x", **_CODED), "too long for small"),
        (FakeResponses, 307, {}, "refused the request"),
        (FakeOpenAi, 402, _error("Insufficient credits", code=402), "no credit left"),
        (FakeOpenAi, 503, _error("busy", code=503), "overloaded"),
    ],
)  # fmt: skip
async def test_refusal_is_explained(
    tmp_path: Path, kind: type[FakeProvider], status: int, body: Json, words: str
) -> None:
    async with kind() as server:
        server.always_sends(json.dumps(body).encode(), status, Location="http://127.0.0.1:1/")
        path = "" if kind in {FakeAnthropic, FakeGoogle} else "/v1"
        async with (
            _asking(_model(_MODELS[kind], server.base_url + path)) as assistant,
            own_service(tmp_path, assistant=assistant) as service,
        ):
            told = await service.chat(await service.create(), "Go", agent_name="assistant")
    assert words in told[-1]["message"]
    assert KEY not in told[-1]["message"]


@pytest.mark.parametrize(
    ("kind", "status", "words"),
    [
        (FakeOpenAi, 404, "No endpoints found that support tool use."),
        (FakeGoogle, 400, "Function calling is not enabled for models/small"),
        (FakeAnthropic, 400, "tools: this model does not support tool use"),
        (FakeResponses, 400, "Tools are not supported with this model."),
    ],
)
async def test_model_without_tools_is_asked_without(
    kind: type[FakeProvider], status: int, words: str
) -> None:
    read = StoredTool("read_file", "Reads.", {"type": "object", "properties": {}})
    async with kind() as server:
        server.sends(json.dumps(_error(words, code=status)).encode(), status)
        server.streams(*_HELLO[kind])
        path = "" if kind in {FakeAnthropic, FakeGoogle} else "/v1"
        async with _asking(_model(_MODELS[kind], server.base_url + path)) as assistant:
            told = words_of(await pieces_of(assistant, request(tools=(read,))))
    assert told.endswith("answers without them.*\n\nHello.")
    assert "tools" not in server.asked[1]


@pytest.mark.parametrize(
    ("kind", "model", "words", "written"),
    [
        (FakeAnthropic, "anthropic:small", "thinking: this model has none", "'thinking'"),
        (FakeGoogle, "google:small", "Thinking is not supported for models/small.", "'HIGH'"),
        (FakeResponses, "openai:gpt-5.4", "Unsupported: 'reasoning.effort'", "'effort'"),
        (FakeOpenAi, "openrouter:a/small", "Reasoning cannot be turned on.", "'reasoning'"),
    ],
)
async def test_thinking_that_is_refused_is_left_out_and_the_reply_says_so(
    kind: type[FakeProvider], model: str, words: str, written: str
) -> None:
    async with kind() as server:
        server.sends(json.dumps(_error(words, code=400)).encode(), 400)
        server.streams(*_HELLO[kind])
        path = "" if kind in {FakeAnthropic, FakeGoogle} else "/v1"
        settings = ReplySettings(thinking="long")
        async with _asking(_model(model, server.base_url + path)) as assistant:
            told = words_of(await pieces_of(assistant, request(settings=settings)))
    assert "does not let anybody choose the length of thinking" in told
    assert told.endswith("Hello.")
    first, second = (str(asked) for asked in server.asked)
    assert written in first
    assert written not in second


async def test_refusal_that_says_when_to_ask_again_is_waited_for() -> None:
    rests: list[float] = []

    async def rest(seconds: float) -> None:
        rests.append(seconds)

    async with FakeAnthropic() as server:
        server.sends(b"{}", 429, **{"Retry-After": "7"})
        server.streams(_START, *_words(0, "Hello."), _end("end_turn"), _STOP)
        model = _model("anthropic:small", server.base_url)
        async with _asking(model, rest=rest) as assistant:
            assert words_of(await pieces_of(assistant, request())) == "Hello."
    assert rests == [7]


async def test_connection_that_had_served_and_is_dead_costs_no_answer() -> None:
    async with FakeAnthropic() as server:
        server.streams(_START, *_words(0, "One."), _end("end_turn"), _STOP)
        server.answers(Answer(events=(), cut_after=-1))
        server.streams(_START, *_words(0, "Two."), _end("end_turn"), _STOP)
        async with _asking(_model("anthropic:small", server.base_url)) as assistant:
            for words in ("One.", "Two."):
                assert words_of(await pieces_of(assistant, request())) == words
    assert server.connection_count == 2


async def test_client_that_leaves_ends_the_question(tmp_path: Path) -> None:
    async with FakeAnthropic() as server:
        server.answers(Answer(events=tuple(map(server.written, _HALF)), hang_after=len(_HALF)))
        async with (
            _asking(_model("anthropic:small", server.base_url)) as assistant,
            own_service(tmp_path, assistant=assistant) as service,
        ):
            body = {
                "conversation_id": await service.create(),
                "message": "Hi",
                "agent_name": "assistant",
            }
            async with service.client.stream("POST", "/v1/chat/stream", json=body) as response:
                async for line in response.aiter_lines():
                    if "Half" in line:
                        break
            await server.hung_up()


async def test_server_that_was_not_given_the_key_never_sees_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # What the provider's library would look for by itself.
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", KEY)
    async with FakeAnthropic() as server:
        server.streams(_START, *_words(0, "Hello."), _end("end_turn"), _STOP)
        async with models_of(f"anthropic:small@{server.base_url}") as assistant:
            assert words_of(await pieces_of(assistant, request())) == "Hello."
    for asked in server.requests:
        assert KEY.encode() not in asked.raw
        assert asked.header("X-Api-Key") is None


async def test_settings_are_written_as_openai_takes_them() -> None:
    async with FakeResponses() as server:
        server.streams(*_response(*_message("Hello.")))
        async with _asking(_model("openai:gpt-5", server.base_url)) as assistant:
            pieces = await pieces_of(assistant, request(settings=ReplySettings(0.5, 300, "long")))
    [asked] = server.asked
    assert asked["max_output_tokens"] == 300
    assert asked["reasoning"]["effort"] == "high"
    # Models that think take none, and the library would say so to nobody.
    assert "temperature" not in asked
    assert words_of(pieces).startswith("*This model does not let anybody choose the temperature")


_UNVERIFIED: Final = (
    "Your organization must be verified to generate reasoning summaries. Verify it and try again."
)


async def test_openai_tells_what_its_models_think_to_accounts_that_it_knows() -> None:
    part = {"item_id": "r", "output_index": 0, "summary_index": 0}
    item = {"id": "r", "type": "reasoning", "summary": []}
    thought = [
        {"type": "response.output_item.added", "output_index": 0, "item": item},
        {"type": "response.reasoning_summary_text.delta", "delta": "Hm.", **part},
    ]
    settings = ReplySettings(thinking="long")
    async with FakeResponses() as known, FakeResponses() as unknown:
        known.streams(*_response(*thought, *_message("Hello.")))
        unknown.sends(json.dumps({"error": {"message": _UNVERIFIED}}).encode(), 400)
        for _ in range(2):
            unknown.streams(*_response(*_message("Hello.")))
        async with _asking(_model("openai:gpt-5", known.base_url)) as assistant:
            told = await pieces_of(assistant, request(settings=settings))
        async with _asking(_model("openai:gpt-5", unknown.base_url)) as assistant:
            silent = [
                words_of(await pieces_of(assistant, request(settings=settings))) for _ in range(2)
            ]
    assert ThoughtText("Hm.") in told
    assert known.asked[0]["reasoning"] == {"effort": "high", "summary": "auto"}
    # The length of thinking stays what was chosen, and nobody is told of a refusal.
    assert silent == ["Hello.", "Hello."]
    assert [asked["reasoning"] for asked in unknown.asked[1:]] == [{"effort": "high"}] * 2


async def test_cost_is_the_one_that_openrouter_names() -> None:
    counted = {"prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 12, "cost": 0.0123}
    async with FakeOpenAi() as server:
        last = {**end("stop"), "usage": counted, "provider": "Anyone"}
        server.streams({**delta("Hello."), "provider": "Anyone"}, last, done=True)
        async with _asking(_model("openrouter:maker/model", server.base_url)) as assistant:
            pieces = [piece async for piece in assistant.reply(request())]
    used = AnswerUsage(TokenUsage(9, 3), 32_000, 0.0123, "openrouter:maker/model")
    assert pieces[-1] == used
