"""Stand-ins for the providers of models: each answers in its provider's own shape."""

import json
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from itertools import cycle
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from local_server.assistant.agents import Agent
from local_server.assistant.models.model_assistant import ModelAssistant
from local_server.assistant.models.providers import ModelId, Provider, ProviderAccess
from local_server.assistant.models.token_rates import TokenRates
from local_server.assistant.models.upstreams import Limits, ModelPlan, Upstreams
from local_server.assistant.reply import (
    AgentChoice,
    AnswerUsage,
    Assistant,
    LeftOutNotice,
    Piece,
    ReplyRequest,
    SuggestedTitle,
    Text,
)
from local_server.store.records import Message, Role
from tests.support.fake_http import Answer, FakeHttp, Received

Json = dict[str, Any]

KEY = "sk-test-0123456789abcdef"


class FakeProvider(FakeHttp):
    """Answers each question with what it was told to, in order; an async context manager."""

    # Where questions come in; everything else is not found.
    ask_path = ""

    def __init__(self) -> None:
        super().__init__()
        self.pages: dict[str, Json] = {}
        self.refused: dict[str, int] = {}
        self._answers: list[Answer] = []
        self._always: Answer | None = None

    @property
    def asked(self) -> list[Json]:
        """The questions so far."""
        return [request.json for request in self.requests if self.is_question(request)]

    def streams(self, *events: Json | str, done: bool = False) -> None:
        """Answer the next question with these events, whole, in one piece."""
        self.sends(self.written(*events, done=done))

    def sends(self, body: bytes, status: int = 200, **headers: str) -> None:
        """Answer the next question with exactly this."""
        kind = "text/event-stream" if status == 200 else "application/json"
        self._answers.append(Answer(status, body, {"Content-Type": kind, **headers}))

    def always_sends(self, body: bytes, status: int, **headers: str) -> None:
        """Answer every question with exactly this."""
        kind = "text/event-stream" if status == 200 else "application/json"
        self._always = Answer(status, body, {"Content-Type": kind, **headers})

    def answers(self, answer: Answer) -> None:
        """Answer the next question as this says."""
        self._answers.append(answer)

    def written(self, *events: Json | str, done: bool = False) -> bytes:
        """Write events as a stream."""
        lines = [
            f"data: {event if isinstance(event, str) else json.dumps(event)}" for event in events
        ]
        return "".join(f"{line}\n\n" for line in [*lines, *(["data: [DONE]"] * done)]).encode()

    def is_question(self, request: Received) -> bool:
        return self.ask_path in request.path

    def choose(self, request: Received) -> Answer:
        if self.is_question(request):
            return self._always or self._answers.pop(0)
        if request.path in self.refused:
            return Answer(self.refused[request.path], b"{}")
        page = self.pages.get(request.path)
        return Answer(404, b"{}") if page is None else Answer(200, json.dumps(page).encode())

    def check(self) -> None:
        assert not self._answers, "not every answer was asked for"


class FakeOpenAi(FakeProvider):
    """Speaks like OpenAI's chat completions.

    Args:
        title: The answer to each question for a conversation's title, beside the other answers;
            without it such a question is one like others.
    """

    ask_path = "/chat/completions"

    def __init__(self, title: str = "") -> None:
        super().__init__()
        self._title = title

    def is_question(self, request: Received) -> bool:
        return super().is_question(request) and not self._asks_for_title(request)

    def choose(self, request: Received) -> Answer:
        if not self._asks_for_title(request):
            return super().choose(request)
        told = self.written(delta(self._title), end("stop"), done=True)
        return Answer(200, told, {"Content-Type": "text/event-stream"})

    def _asks_for_title(self, request: Received) -> bool:
        return bool(self._title) and b"Write a title for a conversation" in request.body

    def says(self, *texts: str, finish: str = "stop") -> None:
        """Answer the next question in these words."""
        self.streams(*map(delta, texts), end(finish), done=True)

    def calls(self, *calls: tuple[str, str], text: str = "") -> None:
        """Answer the next question with these calls, each a name and its arguments."""
        parts = [call_part(n, f"c{n}", name, given) for n, (name, given) in enumerate(calls)]
        said = [delta(text)] if text else []
        self.streams(*said, *parts, end("tool_calls"), done=True)


class FakeAnthropic(FakeProvider):
    """Speaks like Anthropic's messages."""

    ask_path = "/v1/messages"

    def written(self, *events: Json | str, done: bool = False) -> bytes:
        """Write events as a stream, each with its name, which Anthropic's library wants."""
        del done
        parts = [
            f"event: {event['type']}\n".encode() + FakeProvider.written(self, event)
            for event in events
            if isinstance(event, dict)
        ]
        return b"".join(parts)


class FakeResponses(FakeProvider):
    """Speaks like OpenAI's responses."""

    ask_path = "/responses"


class FakeGoogle(FakeProvider):
    """Speaks like Google's `streamGenerateContent`."""

    ask_path = ":streamGenerateContent"


def delta(text: Any, **fields: Any) -> Json:
    """Return a chunk of OpenAI's with text."""
    return _chunk({"index": 0, "delta": {"content": text, **fields}, "finish_reason": None})


def end(reason: str) -> Json:
    """Return the chunk of OpenAI's that ends an answer."""
    return _chunk({"index": 0, "delta": {}, "finish_reason": reason})


def call_part(index: int | None, id_: str | None, name: str | None, given: Any) -> Json:
    """Return a chunk of OpenAI's with a part of a tool call."""
    function = {"name": name, "arguments": given}
    call = {"index": index, "id": id_, "type": "function", "function": function}
    return delta(None, tool_calls=[call])


@asynccontextmanager
async def models_of(
    *models: str,
    access: ProviderAccess | None = None,
    limits: Limits | None = None,
    rests: list[float] | None = None,
    window: int | None = 32_000,
    folder: Path | None = None,
) -> AsyncIterator[ModelAssistant]:
    """Make the assistant that asks these models; what it would rest between tries is noted.

    How they count tokens is remembered in the folder.
    """

    async def rest(seconds: float) -> None:
        if rests is not None:
            rests.append(seconds)

    plan = ModelPlan(tuple(map(ModelId.read, models)), window)
    upstreams = Upstreams(plan, access or ProviderAccess({}, {}), rest, rates=TokenRates(folder))
    try:
        yield ModelAssistant(upstreams.chain_of, limits)
    finally:
        await upstreams.aclose()


class OneOff:
    """An assistant that keeps no connection from one question to the next."""

    def __init__(self, *models: str, limits: Limits | None = None) -> None:
        self._models = models
        self._limits = limits

    async def choose_agent(
        self, message: str, agents: tuple[Agent, ...], model: str | None = None
    ) -> AgentChoice:
        async with models_of(*self._models, limits=self._limits) as assistant:
            return await assistant.choose_agent(message, agents, model)

    async def suggest_title(
        self, message: str, agent: Agent, model: str | None = None
    ) -> SuggestedTitle | None:
        async with models_of(*self._models, limits=self._limits) as assistant:
            return await assistant.suggest_title(message, agent, model)

    async def reply(self, request: ReplyRequest) -> AsyncGenerator[Piece]:
        async with (
            models_of(*self._models, limits=self._limits) as assistant,
            aclosing(assistant.reply(request)) as pieces,
        ):
            async for piece in pieces:
                yield piece

    async def aclose(self) -> None:
        """Hold nothing, and so let go of nothing."""


def at(provider: Provider, address: str) -> ProviderAccess:
    """Return the access of somebody who has a key for the provider at this address."""
    return ProviderAccess({provider: SecretStr(KEY)}, {provider: address})


def _chunk(*choices: Json) -> Json:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "small",
        "choices": choices,
    }


def roles(messages: Sequence[Json]) -> list[str]:
    """Return the roles of messages, in order."""
    return [message["role"] for message in messages]


def agent(name: str = "helper", model: str | None = None) -> Agent:
    """Return an agent that may use everything."""
    return Agent(
        name=name,
        display_name=name.title(),
        description=f"Does what {name} does.",
        instruction=f"You are {name}.",
        model=model,
        tools=None,
        skills=None,
        is_default=False,
        is_enabled=True,
    )


def said(*texts: str) -> tuple[Message, ...]:
    """Messages of the user and the assistant in turns, the user first."""
    now = datetime(2025, 1, 2, tzinfo=UTC)
    speakers: Iterable[Role] = cycle(("user", "assistant"))
    return tuple(
        Message(f"msg_{place}", role, text, now)
        for place, (role, text) in enumerate(zip(speakers, texts, strict=False))
    )


def request(message: str = "Go", *before: str, **fields: Any) -> ReplyRequest:
    """Return a request for a reply to a message, after others."""
    plain = ReplyRequest(
        message=message,
        history=said(*before, message),
        agent=agent(),
        skills=(),
        tools=(),
    )
    return replace(plain, **fields)


async def pieces_of(assistant: Assistant, asked: ReplyRequest) -> list[Piece]:
    """Read a reply to its end, without what its answers used."""
    async with aclosing(assistant.reply(asked)) as pieces:
        return [piece async for piece in pieces if not isinstance(piece, AnswerUsage)]


def words_of(pieces: Sequence[Piece]) -> str:
    """Join the text of a reply."""
    return "".join(piece.text for piece in pieces if isinstance(piece, Text | LeftOutNotice))
