"""Hosted providers as LiteLLM's proxy speaks for them, before the real engine.

The service asks through the providers' own libraries, and what answers is written by others on
both sides. The proxy takes long to start, so all of it runs with `--long` only.
"""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import benchmark_peer
import httpx
import pytest
from pydantic import SecretStr

from local_server.assistant.assistants import ModelSelection, choose_assistants
from local_server.assistant.models.model_assistant import ModelAssistant
from local_server.assistant.models.providers import Endpoint, ModelId, Provider, ProviderAccess
from local_server.assistant.models.upstreams import FallbackChain
from local_server.assistant.reply import AnswerUsage, RequestedToolCall
from local_server.discovery import DiscoveryReport
from local_server.errors import StreamFailureError
from local_server.model_catalog import ModelCatalog
from local_server.store.records import ReplySettings, StoredTool, ToolCall
from tests.benchmarks.service.cores import divide
from tests.benchmarks.service.parties import Party, peer, peer_model
from tests.support.engine import TinyModels, running_engine
from tests.support.event_streams import text_of, thoughts_of, types_of
from tests.support.fake_models import pieces_of, request, said
from tests.support.own_service import own_service, read_until
from tests.support.service import address_of, listening_socket
from tests.support.tiny_model import PLAIN_TEMPLATE, THINKING_TEMPLATE, TOOLS_TEMPLATE

pytestmark = [pytest.mark.anyio, pytest.mark.long, pytest.mark.timeout(900)]

_ALL: Final[tuple[Provider, ...]] = ("openai", "anthropic", "google", "openrouter")
# The windows that these models are told; the engine of the one has less.
_WINDOW: Final = 16_384
_LESS: Final = 1024
# What the proxy does not pass on as what it is.
_SAID_WITH_500: Final = {("openai", "limited"), ("google", "locked")}
_ROUNDS: Final = 3
_GO: Final = ({"role": "user", "content": "Go"},)
_TRIES: Final = 60
_KEY: Final = "key-of-the-engine"
_SCHEMA: Final = {
    "type": "object",
    "properties": {"path": {"type": "string"}},
    "required": ["path"],
}
_READ: Final = StoredTool("read_file", "Reads a file.", _SCHEMA)


@dataclass(frozen=True)
class _Gateway:
    """The proxy that runs, and where its models are lost in the middle of a reply.

    Attributes:
        doomed_port: The port of the engine behind the model `doomed`, which a test starts.
    """

    party: Party
    doomed_port: int

    def count(self, *messages: dict[str, str]) -> dict[str, int]:
        """Ask the proxy itself, whole and steadily, and return what it counts."""
        body = {"model": "plain", "messages": messages, "temperature": 0}
        with httpx.Client(trust_env=False, timeout=60) as client:
            answer = client.post(
                f"http://127.0.0.1:{self.party.port}/v1/chat/completions",
                json=body,
                headers={"Authorization": f"Bearer {self.party.key}"},
            )
        used: dict[str, int] = answer.json()["usage"]
        return used

    @asynccontextmanager
    async def asking(self, provider: Provider, name: str) -> AsyncIterator[ModelAssistant]:
        """Make the assistant that asks a model of the proxy in a provider's dialect."""
        path = "/v1" if provider in {"openai", "openrouter"} else ""
        address = f"http://127.0.0.1:{self.party.port}{path}"
        # OpenRouter's names have two parts, and Google's stand in a path.
        model_id = ModelId(provider, f"of/{name}" if provider == "openrouter" else name)
        endpoint = Endpoint(address, SecretStr(self.party.key), is_official=True)
        # Its libraries take seconds, which each process of the tests would spend on collecting.
        from local_server.assistant.models.pydantic_ai_model import PydanticAiModel  # noqa: PLC0415

        model = PydanticAiModel(model_id, endpoint, _WINDOW)
        try:
            yield ModelAssistant(lambda _agent, _model: FallbackChain((model,), _no_rest))
        finally:
            await model.aclose()


async def _no_rest(seconds: float) -> None:
    del seconds


@pytest.fixture(scope="module")
def gateway(
    tiny_models: TinyModels, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[_Gateway]:
    program = benchmark_peer.make_ready()
    if program is None:
        pytest.skip("LiteLLM's proxy cannot be installed here")
    plain = tiny_models.file("plain", PLAIN_TEMPLATE)
    with listening_socket() as bound:
        doomed_port = int(address_of(bound).rpartition(":")[2])
    with (
        running_engine(plain, window=_WINDOW) as speaking,
        running_engine(tiny_models.file("tools", TOOLS_TEMPLATE)) as calling,
        running_engine(plain, window=_LESS) as small,
        running_engine(tiny_models.file("thinking", THINKING_TEMPLATE)) as thinking,
        running_engine(plain, key=_KEY) as locked,
    ):
        models = _named_twice(
            _model("plain", f"{speaking.base_url}/v1"),
            _model("caller", f"{calling.base_url}/v1", extra_body={"tool_choice": "required"}),
            _model(
                "thinker",
                f"{thinking.base_url}/v1",
                extra_body={"chat_template_kwargs": {"enable_thinking": True}},
            ),
            _model("less", f"{small.base_url}/v1"),
            _model("locked", f"{locked.base_url}/v1"),
            _model("limited", speaking.base_url, mock_response="litellm.RateLimitError"),
            _model("broken", speaking.base_url, mock_response="litellm.InternalServerError"),
            _model("doomed", f"http://127.0.0.1:{doomed_port}/v1", extra_body={"ignore_eos": True}),
        )
        with peer(divide(), tmp_path_factory.mktemp("gateway"), program, models) as party:
            yield _Gateway(party, doomed_port)


def _model(name: str, base_url: str, **params: Any) -> dict[str, Any]:
    # The proxy is to speak OpenAI's responses, not the engine.
    return peer_model(name, base_url, use_chat_completions_api=True, **params)


def _named_twice(*models: dict[str, Any]) -> list[dict[str, Any]]:
    return [*models, *(model | {"model_name": f"of/{model['model_name']}"} for model in models)]


@pytest.mark.parametrize("provider", _ALL)
async def test_every_message_of_a_hundred_gets_a_whole_reply(
    tmp_path: Path, gateway: _Gateway, provider: Provider
) -> None:
    async with (
        gateway.asking(provider, "plain") as assistant,
        own_service(tmp_path, assistant=assistant) as service,
    ):
        for _ in range(10):
            chat = await service.create()
            for number in range(10):
                events = await service.chat(
                    chat, f"Tell me about number {number}.", agent_name="assistant"
                )
                assert types_of(events)[-2:] == ["agent_end", "message_stop"], events[-1]
                assert text_of(events)


@pytest.mark.parametrize("provider", _ALL)
async def test_calls_leave_and_their_results_go_back(gateway: _Gateway, provider: Provider) -> None:
    calls: tuple[ToolCall, ...] = ()
    round_ = 0
    async with gateway.asking(provider, "caller") as assistant:
        # Of Google's requests the proxy leaves out what forces a call, and some rounds have none.
        for _ in range(_TRIES):
            pieces = await pieces_of(
                assistant, request(history=said("Go", "…"), tools=(_READ,), calls=calls)
            )
            wanted = [piece for piece in pieces if isinstance(piece, RequestedToolCall)]
            assert {wish.name for wish in wanted} <= {"read_file"}
            calls += tuple(_answered(wish, round_, place) for place, wish in enumerate(wanted))
            round_ += bool(wanted)
            if round_ == _ROUNDS:
                break
    assert round_ == _ROUNDS


def _answered(wish: RequestedToolCall, round_: int, place: int) -> ToolCall:
    return ToolCall(
        id=f"call_{round_}_{place}",
        conversation_id="c",
        message_id="m",
        name=wish.name,
        input=wish.input,
        tools=(_READ,),
        agent_name="helper",
        offset=0,
        state="answered",
        result=f"file {place}",
        is_finished=True,
        round=round_,
    )


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("limited", "rate limit"),
        ("broken", "overloaded"),
        ("locked", "does not accept the key"),
        ("nobody", "Invalid model name"),
        ("less", "too long for"),
    ],
)
@pytest.mark.parametrize("provider", _ALL)
async def test_refusal_is_explained(
    gateway: _Gateway, provider: Provider, name: str, words: str
) -> None:
    if (provider, name) in _SAID_WITH_500:
        words = "overloaded"
    async with gateway.asking(provider, name) as assistant:
        with pytest.raises(StreamFailureError) as failure:
            await pieces_of(assistant, request("word " * 3000))
    assert words in str(failure.value)


@pytest.mark.parametrize("provider", _ALL)
async def test_stream_whose_engine_dies_is_no_whole_reply(
    tmp_path: Path, tiny_models: TinyModels, gateway: _Gateway, provider: Provider
) -> None:
    # In Google's dialect the proxy does not pass on that the answer is to have no end.
    model = tiny_models.file("endless", PLAIN_TEMPLATE, ends=False)
    async with (
        gateway.asking(provider, "doomed") as assistant,
        own_service(tmp_path, assistant=assistant) as service,
    ):
        body = {
            "conversation_id": await service.create(),
            "message": "Go on and on",
            "agent_name": "assistant",
        }
        with running_engine(model, window=_WINDOW, port=gateway.doomed_port) as engine:
            async with service.client.stream("POST", "/v1/chat/stream", json=body) as response:
                lines = response.aiter_lines()
                await read_until(lines, "text_delta")
                engine.process.kill()
                rest = [line async for line in lines]
    assert any('"error"' in line for line in rest), rest[-3:]


# The proxy counts nothing in Google's dialect.
@pytest.mark.parametrize("provider", ["openai", "anthropic", "openrouter"])
async def test_usage_is_what_the_proxy_itself_counts(gateway: _Gateway, provider: Provider) -> None:
    steady = ReplySettings(temperature=0)
    async with gateway.asking(provider, "plain") as assistant:
        pieces = [piece async for piece in assistant.reply(request(settings=steady))]
    [used] = [piece.tokens for piece in pieces if isinstance(piece, AnswerUsage)]
    counted = gateway.count({"role": "system", "content": "You are helper."}, *_GO)
    assert used is not None
    assert (used.input, used.output) == (counted["prompt_tokens"], counted["completion_tokens"])
    assert used.cached <= used.input


# In Google's dialect the proxy leaves out what the engine's model thinks.
@pytest.mark.parametrize("provider", ["openai", "anthropic", "openrouter"])
async def test_thoughts_come_apart_from_the_text(
    tmp_path: Path, gateway: _Gateway, provider: Provider
) -> None:
    async with (
        gateway.asking(provider, "thinker") as assistant,
        own_service(tmp_path, assistant=assistant, accept="thinking, usage") as service,
    ):
        events = await service.chat(await service.create(), "Hi", agent_name="assistant")
    assert thoughts_of(events)
    # A model that says random words never comes to the end of a thought.
    assert types_of(events)[-3:] == ["agent_end", "usage", "error"]
    assert not text_of(events)


_ASKED_FOR: Final = "usage, thinking, title"
_STEADY: Final = {"settings": {"temperature": 0, "max_output_tokens": 24}}


@pytest.mark.parametrize("provider", ["openai", "anthropic", "google"])
async def test_every_extension_is_served_in_every_dialect(
    tmp_path: Path, gateway: _Gateway, provider: Provider
) -> None:
    """Models, settings, usage, thinking and titles, through a whole service."""
    path = "/v1" if provider == "openai" else ""
    access = ProviderAccess(
        {provider: SecretStr(gateway.party.key)},
        {provider: f"http://127.0.0.1:{gateway.party.port}{path}"},
    )
    plain, thinker = f"{provider}:plain", f"{provider}:thinker"
    selection = ModelSelection(plain)
    chosen = choose_assistants(selection, access, 0)
    models = ModelCatalog(selection, access, (thinker,), find=_nobody)
    assistant = chosen.assistants.live
    async with own_service(
        tmp_path, assistant=assistant, models=models, accept=_ASKED_FOR
    ) as service:
        announced = (await service.client.get("/v1/agents")).headers["Parley-Extensions"]
        assert {"models", "settings", "usage", "thinking", "title"} <= set(announced.split(", "))
        listed = (await service.client.get("/v1/models")).json()["data"]
        assert [row["id"] for row in listed if row["is_default"]] == [plain]
        assert thinker in {row["id"] for row in listed}
        # Of the three the proxy lists its models in two.
        assert provider == "google" or f"{provider}:caller" in {row["id"] for row in listed}

        chats = [await service.create() for _ in range(2)]
        steady = [
            await service.chat(chat, "Hi", agent_name="assistant", **_STEADY) for chat in chats
        ]
        first, second = (text_of(events).partition("*Answers in this chat")[0] for events in steady)
        assert first
        assert first == second
        [used] = [event for event in steady[0] if event["type"] == "usage"]
        # The proxy counts nothing in Google's dialect, and what is not known is null.
        is_counted = provider != "google"
        assert (used["output_tokens"] is not None) == is_counted
        assert not is_counted or 0 < used["output_tokens"] <= 24
        assert types_of(steady[0])[-1] == "message_stop"

        instructed = await service.create()
        longer = {"instructions": "Mention the garden. " * 40}
        events = await service.chat(instructed, "Hi", agent_name="assistant", **_STEADY, **longer)
        [more] = [event for event in events if event["type"] == "usage"]
        assert not is_counted or more["input_tokens"] > used["input_tokens"] + 40

        # A title that is not ready at the end of one reply comes with a later one.
        titled = list(steady[1])
        while "title" not in types_of(titled):
            titled += await service.chat(chats[1], "Go on", agent_name="assistant", **_STEADY)
        assert types_of(titled).count("title") == 1

        events = await service.chat(chats[0], "And now?", agent_name="assistant", model=thinker)
        # In Google's dialect the proxy leaves out what the engine's model thinks.
        assert bool(thoughts_of(events)) == (provider != "google")
    await chosen.assistants.aclose()


async def _nobody(_access: ProviderAccess) -> DiscoveryReport:
    return DiscoveryReport()
