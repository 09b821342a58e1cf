"""The extensions `usage` and `thinking`: what a stream used, and what the model thinks."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from pydantic import SecretStr

from local_server.assistant.assistants import ModelSelection
from local_server.assistant.models.context_windows import listed_cost_usd
from local_server.assistant.models.providers import Endpoint, ModelId, ProviderAccess
from local_server.assistant.models.upstreams import Limits
from local_server.assistant.reply import (
    AnswerUsage,
    RequestedToolCall,
    ThoughtText,
    TokenUsage,
)
from local_server.model_catalog import ModelCatalog
from tests.support.event_streams import Event, first_of, text_of, thoughts_of, types_of
from tests.support.fake_http import Answer
from tests.support.fake_models import FakeOpenAi, Json, delta, end, models_of
from tests.support.fake_ollama import FakeOllama
from tests.support.own_service import READ_FILE, OwnService, own_service, read_until
from tests.support.scripted_assistant import Pause, ScriptedAssistant

pytestmark = pytest.mark.anyio

_ALL: Final = "usage, thinking"
_USED: Final = {
    "prompt_tokens": 90,
    "completion_tokens": 30,
    "prompt_tokens_details": {"cached_tokens": 40},
}


def _counted(**used: Any) -> Json:
    return {"choices": [], "usage": {**_USED, **used}}


@asynccontextmanager
async def _asking(
    tmp_path: Path,
    *models: str,
    accept: str = _ALL,
    limits: Limits | None = None,
    window: int | None = 32_000,
    has_choice: bool = False,
) -> AsyncIterator[OwnService]:
    async with (
        models_of(*models, limits=limits, window=window) as assistant,
        own_service(
            tmp_path, assistant=assistant, accept=accept, models=_any() if has_choice else None
        ) as service,
    ):
        yield service


def _any() -> ModelCatalog:
    return ModelCatalog(ModelSelection("offline"), ProviderAccess({}, {}))


async def _ask(service: OwnService, **fields: Any) -> list[Event]:
    return await service.chat(await service.create(), "Hi", agent_name="assistant", **fields)


async def test_both_are_announced(tmp_path: Path) -> None:
    async with own_service(tmp_path) as service:
        answer = await service.client.get("/v1/agents")
    assert answer.headers["Parley-Extensions"].startswith("usage, thinking")


@pytest.mark.parametrize(("owner", "cost"), [("vllm", 0.0), ("openai", None)])
async def test_usage_comes_once_as_the_last_event_before_the_end(
    tmp_path: Path, openai: FakeOpenAi, owner: str, cost: float | None
) -> None:
    """What a server runs itself costs nothing; what a gateway asks for nobody knows."""
    openai.pages["/v1/models"] = {"data": [{"id": "small", "owned_by": owner}]}
    openai.streams(delta("Hello."), end("stop"), _counted(), done=True)
    async with _asking(tmp_path, _small(openai)) as service:
        events = await _ask(service)

    assert types_of(events)[-3:] == ["agent_end", "usage", "message_stop"]
    assert events[-2] == {
        "type": "usage",
        "input_tokens": 90,
        "output_tokens": 30,
        "cached_tokens": 40,
        "context_tokens": 120,
        "context_window": 32_000,
        "cost_usd": cost,
    }


async def test_usage_names_the_model_that_answered_where_models_can_be_chosen(
    tmp_path: Path, openai: FakeOpenAi
) -> None:
    async with FakeOpenAi() as server:
        away = _small(server)
    openai.streams(delta("Hello."), end("stop"), _counted(), done=True)
    async with _asking(tmp_path, away, _small(openai), has_choice=True) as service:
        usage = first_of(await _ask(service), "usage")
    assert (usage["model"], usage["is_window_assumed"]) == (_small(openai), False)


@pytest.mark.parametrize("told", [None, 9000])
async def test_window_that_nobody_told_is_said_to_be_assumed(
    tmp_path: Path, openai: FakeOpenAi, told: int | None
) -> None:
    row = {"id": "small"} if told is None else {"id": "small", "max_model_len": told}
    openai.pages["/v1/models"] = {"data": [row, {"id": "other"}]}
    openai.streams(delta("Hello."), end("stop"), _counted(), done=True)
    async with _asking(tmp_path, _small(openai), window=None, has_choice=True) as service:
        usage = first_of(await _ask(service), "usage")
    window = (usage["context_window"], usage["is_window_assumed"])
    assert window == ((8192, True) if told is None else (told, False))


async def test_usage_is_of_each_stream_alone(tmp_path: Path, openai: FakeOpenAi) -> None:
    call = {"index": 0, "id": "c", "function": {"name": "read_file", "arguments": "{}"}}
    openai.streams(
        delta(None, tool_calls=[call]), end("tool_calls"), _counted(prompt_tokens=50), done=True
    )
    openai.streams(delta("Read."), end("stop"), _counted(prompt_tokens=70), done=True)
    async with _asking(tmp_path, _small(openai)) as service:
        chat = await service.create()
        asked = await service.chat(chat, "Go", agent_name="assistant", client_tools=[READ_FILE])
        ended = await service.give_result(chat, first_of(asked, "tool_use")["id"], "x")

    assert types_of(asked)[-4:] == ["tool_use", "agent_end", "usage", "message_stop"]
    assert [first_of(events, "usage")["input_tokens"] for events in (asked, ended)] == [50, 70]


async def test_answers_of_one_stream_are_added_and_the_last_one_fills_the_window(
    tmp_path: Path,
) -> None:
    script = ScriptedAssistant(
        (
            AnswerUsage(TokenUsage(100, 10, cached=5), 8000, 0.25),
            "Hello.",
            AnswerUsage(TokenUsage(200, 20, cached=6), 4000, 0.5),
        )
    )
    async with own_service(tmp_path, assistant=script, accept=_ALL) as service:
        usage = first_of(await _ask(service), "usage")

    assert (usage["input_tokens"], usage["output_tokens"], usage["cached_tokens"]) == (300, 30, 11)
    assert (usage["context_tokens"], usage["context_window"]) == (220, 4000)
    assert usage["cost_usd"] == 0.75


async def test_sum_with_an_unknown_part_is_unknown(tmp_path: Path) -> None:
    script = ScriptedAssistant(
        (AnswerUsage(TokenUsage(100, 10), 8000, 0.25), "Hello.", AnswerUsage(None, 8000, None))
    )
    async with own_service(tmp_path, assistant=script, accept=_ALL) as service:
        usage = first_of(await _ask(service), "usage")

    assert [usage[name] for name in ("input_tokens", "context_tokens", "cost_usd")] == [None] * 3
    assert usage["context_window"] == 8000


async def test_server_that_counts_nothing_is_told_as_unknown(
    tmp_path: Path, openai: FakeOpenAi
) -> None:
    openai.says("Hello.")
    async with _asking(tmp_path, _small(openai)) as service:
        usage = first_of(await _ask(service), "usage")
    assert usage["input_tokens"] is usage["cost_usd"] is None


async def test_counts_that_are_none_are_unknown(tmp_path: Path, openai: FakeOpenAi) -> None:
    strange = {"prompt_tokens": "many", "completion_tokens": -3}
    openai.streams(delta("Hello."), end("stop"), {"choices": [], "usage": strange}, done=True)
    async with _asking(tmp_path, _small(openai)) as service:
        events = await _ask(service)
    assert text_of(events) == "Hello."
    assert first_of(events, "usage")["output_tokens"] is None


async def test_choice_of_the_agent_is_counted_too(tmp_path: Path, openai: FakeOpenAi) -> None:
    openai.streams(delta("files"), end("stop"), _counted(prompt_tokens=7), done=True)
    openai.streams(delta("Hello."), end("stop"), _counted(prompt_tokens=50), done=True)
    async with _asking(tmp_path, _small(openai)) as service:
        events = await service.chat(await service.create(), "Hm")
    assert first_of(events, "usage")["input_tokens"] == 57


async def test_failed_stream_tells_what_it_used_before_the_error(
    tmp_path: Path, openai: FakeOpenAi
) -> None:
    openai.streams(delta("Half"), end("length"), _counted(), done=True)
    async with _asking(tmp_path, _small(openai)) as service:
        events = await _ask(service)
    assert types_of(events)[-3:] == ["agent_end", "usage", "error"]
    assert events[-2]["output_tokens"] == 30


async def test_stream_that_breaks_off_tells_that_nobody_knows_what_it_used(
    tmp_path: Path, openai: FakeOpenAi
) -> None:
    openai.streams(delta("Half"))
    async with _asking(tmp_path, _small(openai)) as service:
        events = await _ask(service)
    assert types_of(events)[-3:] == ["agent_end", "usage", "error"]
    assert (events[-2]["input_tokens"], events[-2]["context_window"]) == (None, 32_000)


async def test_reply_without_a_model_has_no_usage(tmp_path: Path, openai: FakeOpenAi) -> None:
    openai.sends(b"{}", 401)
    async with _asking(tmp_path, _small(openai)) as service:
        refused = await _ask(service)
    async with own_service(tmp_path / "demo", accept=_ALL) as service:
        demo = await _ask(service)
    assert types_of(refused)[-2:] == ["agent_end", "error"]
    assert types_of(demo)[-2:] == ["agent_end", "message_stop"]


async def test_price_is_the_providers_own_and_of_nobody_else() -> None:
    official = Endpoint("https://api.anthropic.com", SecretStr("k"), is_official=True)
    claude = ModelId.read("anthropic:claude-sonnet-4-5")
    plain = await listed_cost_usd(claude, official, TokenUsage(100_000, 1000))
    cached = await listed_cost_usd(claude, official, TokenUsage(100_000, 1000, cached=90_000))
    written = await listed_cost_usd(claude, official, TokenUsage(100_000, 1000, cache_write=90_000))
    assert plain is not None
    assert cached is not None
    assert written is not None
    assert 0 < cached < plain < written

    unknown = ModelId.read("anthropic:claude-of-nobody")
    assert await listed_cost_usd(unknown, official, TokenUsage(1, 1)) is None
    impossible = TokenUsage(1, 1, cached=100)
    assert await listed_cost_usd(claude, official, impossible) is None
    gateway = Endpoint("http://127.0.0.1:4000", None, is_official=False)
    assert await listed_cost_usd(claude, gateway, TokenUsage(1, 1)) is None
    elsewhere = ModelId.read("openai:gpt-5@https://models.example/v1")
    there = Endpoint("https://models.example/v1", None, is_official=False)
    assert await listed_cost_usd(elsewhere, there, TokenUsage(1, 1)) is None


_HELLO: Final = (delta("Hello."), end("stop"))


@pytest.mark.parametrize(
    "events",
    [
        (delta("<think>Hm, "), delta("so.</think>\n\n"), *_HELLO),
        (delta(" <thi"), delta("nk>\nHm,"), delta(" so.\n</th"), delta("ink>"), *_HELLO),
        (delta(None, reasoning_content="Hm, "), delta("", reasoning_content="so."), *_HELLO),
        (delta(None, reasoning="Hm, so."), *_HELLO),
        (delta(None, reasoning="Hm, so.", reasoning_content="Hm, so."), *_HELLO),
        (
            delta([{"type": "thinking", "thinking": [{"type": "text", "text": "Hm, so."}]}]),
            delta([{"type": "text", "text": "Hello."}]),
            end("stop"),
        ),
    ],
)
async def test_thoughts_come_beside_the_text_in_every_dialect(
    tmp_path: Path, openai: FakeOpenAi, events: tuple[Json, ...]
) -> None:
    openai.streams(*events, done=True)
    async with _asking(tmp_path, _small(openai)) as service:
        told = await _ask(service)
        stored = await service.messages(told[0]["conversation_id"])
    assert (thoughts_of(told), text_of(told)) == ("Hm, so.", "Hello.")
    assert types_of(told)[2:4] == ["thinking_delta", "content_block_delta"]
    assert stored[-1]["content"] == "Hello."


async def test_thoughts_of_ollama_come_and_its_counts(tmp_path: Path) -> None:
    thought = {"message": {"role": "assistant", "content": "", "thinking": "Hm."}, "done": False}
    said = {"message": {"role": "assistant", "content": "Hello."}, "done": False}
    done = {
        "message": {"role": "assistant", "content": ""},
        "done": True,
        "prompt_eval_count": 12,
        "eval_count": 5,
    }
    async with FakeOllama(small=["completion"]) as ollama:
        ollama.says([thought, said, done])
        async with _asking(tmp_path, f"ollama:small@{ollama.base_url}") as service:
            events = await _ask(service)
    assert (thoughts_of(events), text_of(events)) == ("Hm.", "Hello.")
    usage = first_of(events, "usage")
    assert (usage["input_tokens"], usage["output_tokens"], usage["cost_usd"]) == (12, 5, 0.0)


async def test_thoughts_come_while_the_model_thinks(tmp_path: Path, openai: FakeOpenAi) -> None:
    think = openai.written(delta(None, reasoning_content="Hm."))
    answer = Answer(events=(think, openai.written(*_HELLO, done=True)), pause_after=1)
    openai.answers(answer)
    async with _asking(tmp_path, _small(openai)) as service:
        body = {
            "conversation_id": await service.create(),
            "message": "Hi",
            "agent_name": "assistant",
        }
        async with service.client.stream("POST", "/v1/chat/stream", json=body) as response:
            lines = response.aiter_lines()
            before = await read_until(lines, '"Hm."')
            answer.go_on.set()
            after = [line async for line in lines]
    assert not any("content_block_delta" in line for line in before)
    assert any("Hello." in line for line in after)


async def test_thought_that_breaks_off_is_followed_by_the_next_models(
    tmp_path: Path, openai: FakeOpenAi
) -> None:
    openai.streams(delta(None, reasoning_content="First."))
    openai.streams(delta(None, reasoning_content="Second."), *_HELLO, done=True)
    async with _asking(tmp_path, _small(openai), _small(openai, "next")) as service:
        events = await _ask(service)
    assert (thoughts_of(events), text_of(events)) == ("First.Second.", "Hello.")
    assert types_of(events)[-1] == "message_stop"


@pytest.mark.parametrize("thought", [7, ["x"], {"text": "x"}, True])
async def test_thought_that_is_no_text_is_passed_over(
    tmp_path: Path, openai: FakeOpenAi, thought: object
) -> None:
    openai.streams(delta(None, reasoning_content=thought), *_HELLO, done=True)
    async with _asking(tmp_path, _small(openai)) as service:
        events = await _ask(service)
    assert (thoughts_of(events), text_of(events)) == ("", "Hello.")


async def test_stream_of_thinking_alone_is_no_answer(tmp_path: Path, openai: FakeOpenAi) -> None:
    openai.streams(delta(None, reasoning_content="Hm."), end("stop"), _counted(), done=True)
    async with _asking(tmp_path, _small(openai)) as service:
        events = await _ask(service)
    assert thoughts_of(events) == "Hm."
    assert types_of(events)[-2:] == ["usage", "error"]
    assert events[-1]["message"].startswith("small thought, but gave no answer.")


async def test_endless_thinking_ends_at_the_limit(tmp_path: Path, openai: FakeOpenAi) -> None:
    thought = delta(None, reasoning_content="word " * 200)
    openai.streams(*[thought] * 50, *_HELLO, done=True)
    limits = Limits(output_tokens=1000)
    async with _asking(tmp_path, _small(openai), limits=limits) as service:
        events = await _ask(service)
    assert events[-1]["message"] == "The reply is longer than the limit of 1,000 tokens."
    assert text_of(events) == ""


async def test_halves_of_characters_and_line_ends_in_thoughts_are_sent_safely(
    tmp_path: Path,
) -> None:
    script = ScriptedAssistant((ThoughtText("a\u2028b\u0085\n\0"), "Hello."))
    async with own_service(tmp_path, assistant=script, accept=_ALL) as service:
        events = await _ask(service)
    assert thoughts_of(events) == "a\u2028b\u0085\n\0"


_SCRIPT: Final = (
    ThoughtText("Hm."),
    "Hello.",
    ThoughtText("And now?"),
    AnswerUsage(TokenUsage(1, 2), 8000, 0.5),
    RequestedToolCall("read_file", {"path": "a", "more": [None, {"deep": None}]}),
)
_AS_BEFORE: Final = """\
event: message_start
data: {"type":"message_start","message_id":"ID","conversation_id":"ID",\
"agent_name":"assistant","agent_display_name":"Assistant"}

event: agent_start
data: {"type":"agent_start","agent_name":"assistant","agent_display_name":"Assistant"}

event: content_block_delta
data: {"type":"content_block_delta","delta":{"type":"text_delta","text":"Hello."}}

event: tool_use
data: {"type":"tool_use","id":"ID","name":"read_file",\
"input":{"path":"a","more":[null,{"deep":null}]}}

event: agent_end
data: {"type":"agent_end","agent_name":"assistant"}

event: message_stop
data: {"type":"message_stop"}

"""


@pytest.mark.parametrize("accept", ["", "titles", "Usage", "usage;thinking", ",,", "x" * 4000])
@pytest.mark.parametrize("has_all", [False, True], ids=["hosted", "all-on"])
async def test_client_without_extensions_gets_exactly_the_specified_stream(
    tmp_path: Path, accept: str, has_all: bool
) -> None:
    script = ScriptedAssistant(_SCRIPT)
    script.titles = [("A title",)]
    models = ModelCatalog(ModelSelection("offline"), ProviderAccess({}, {})) if has_all else None
    async with own_service(tmp_path, assistant=script, models=models, accept=accept) as service:
        body = {
            "conversation_id": await service.create(),
            "message": "Go",
            "agent_name": "assistant",
            "client_tools": [READ_FILE],
        }
        answer = await service.client.post("/v1/chat/stream", json=body)
    written = re.sub(r'"(msg|conv|call)_[0-9a-f]{32}"', '"ID"', answer.text)
    assert written == _AS_BEFORE


async def _everything_as_written(service: OwnService) -> list[str]:
    """Use each operation once and some of them wrongly; return status, kind and exact body."""
    client, body = service.client, {"message": "Go", "agent_name": "assistant"}
    chat = await service.create()
    answers = [
        await client.post("/v1/conversations"),
        await client.post("/v1/chat/stream", json=body),
        await client.post(
            "/v1/chat/stream", json={**body, "conversation_id": chat, "client_tools": [READ_FILE]}
        ),
    ]
    [call] = re.findall(r"call_[0-9a-f]{32}", answers[-1].text)
    result = {"conversation_id": chat, "tool_call_id": call, "result": "The words."}
    answers += [
        await client.post("/v1/tool-result", json=result),
        await client.post("/v1/tool-result", json={**result, "result": 7}),
        await client.get("/v1/agents"),
        await client.get("/v1/skills"),
        await client.get("/v1/conversations"),
        await client.get(f"/v1/conversations/{chat}"),
        await client.delete(f"/v1/conversations/{chat}"),
        await client.get(f"/v1/conversations/{chat}"),
    ]
    return [
        f"{answer.status_code} {answer.headers.get('Content-Type')} "
        + re.sub(r"\b(conv|msg|call|req)_[0-9a-f]{32}|T[0-9:.]+Z", "ID", answer.text)
        for answer in answers
    ]


async def test_every_operation_answers_alike_with_all_extensions_on_and_no_header(
    tmp_path: Path,
) -> None:
    written = []
    catalog = ModelCatalog(ModelSelection("offline"), ProviderAccess({}, {}))
    for name, models in (("hosted", None), ("all-on", catalog)):
        script = ScriptedAssistant(_SCRIPT, ("Read.", _SCRIPT[3]))
        script.titles = [("A title",)]
        async with own_service(tmp_path / name, assistant=script, models=models) as service:
            agents = await service.client.get("/v1/agents")
            is_on = "models" in agents.headers["Parley-Extensions"]
            written.append(await _everything_as_written(service))
        assert is_on is (models is not None)
    assert [answer[:3] for answer in written[0]] == [
        "201", "400", "200", "200", "400", "200", "200", "200", "200", "204", "404",
    ]  # fmt: skip
    assert written[0] == written[1]


@pytest.mark.parametrize(
    ("accept", "kinds"),
    [
        ("usage", {"usage"}),
        ("thinking", {"thinking_delta"}),
        ("thinking,usage", {"thinking_delta", "usage"}),
        ("usage ,nothing,  thinking", {"thinking_delta", "usage"}),
    ],
)
async def test_only_what_is_asked_for_comes(tmp_path: Path, accept: str, kinds: set[str]) -> None:
    async with own_service(
        tmp_path, assistant=ScriptedAssistant(_SCRIPT), accept=accept
    ) as service:
        events = await _ask(service, client_tools=[READ_FILE])
    assert {*types_of(events)} & {"thinking_delta", "usage", "title"} == kinds


async def test_thoughts_are_not_kept(tmp_path: Path) -> None:
    script = ScriptedAssistant((ThoughtText("A secret."), "Hello."))
    async with own_service(tmp_path, assistant=script, accept=_ALL) as service:
        await _ask(service)
        pages = [file.read_bytes() for file in (tmp_path / "data").rglob("*") if file.is_file()]
    assert not any(b"A secret." in page for page in pages)


async def test_client_that_leaves_while_the_model_thinks_frees_the_conversation(
    tmp_path: Path,
) -> None:
    pause = Pause()
    script = ScriptedAssistant((ThoughtText("Hm."), pause, "Hello."), ("Again.",))
    async with own_service(tmp_path, assistant=script, accept=_ALL) as service:
        chat = await service.create()
        body = {"conversation_id": chat, "message": "Hi", "agent_name": "assistant"}
        async with service.client.stream("POST", "/v1/chat/stream", json=body) as response:
            await read_until(response.aiter_lines(), "Hm.")
        events = await service.chat(chat, "Hi again", agent_name="assistant")
    assert text_of(events) == "Again."


def _small(server: FakeOpenAi, name: str = "small") -> str:
    return f"openai:{name}@{server.base_url}/v1"


@pytest.fixture
async def openai() -> AsyncIterator[FakeOpenAi]:
    async with FakeOpenAi() as server:
        yield server
