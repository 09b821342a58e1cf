"""Make the assistants of a run from the models that the user selected.

`Assistants` are the one that answers live keys and the one that answers test keys.
`choose_assistants` makes them from a `ModelSelection`. A `RoutedAssistant` sends each agent to its
models, or to the built-in demo. A `ChangingAssistant` can get other models, keys and instructions
while the service runs.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, replace
from typing import Final

from local_server.assistant.agents import Agent
from local_server.assistant.demo import DemoAssistant
from local_server.assistant.models.model_assistant import ModelAssistant
from local_server.assistant.models.providers import (
    OFFLINE,
    ModelId,
    ProviderAccess,
    UnknownModelError,
)
from local_server.assistant.models.token_rates import TokenRates
from local_server.assistant.models.upstreams import ModelPlan, Upstreams
from local_server.assistant.reply import (
    AgentChoice,
    Assistant,
    ModelChoices,
    Piece,
    ReplyRequest,
    SuggestedTitle,
)
from local_server.engine.keeper import EngineKeeper
from local_server.store.records import Owner


class RoutedAssistant:
    """Sends each agent to its models; without any, the built-in demo answers.

    One for the life of the service.
    """

    def __init__(
        self,
        demo: Assistant,
        models: ModelAssistant,
        upstreams: Upstreams,
        *,
        chooses: bool,
        is_offline: bool = False,
    ) -> None:
        """Make one; the models also choose agents if `chooses`, else the demo does.

        With `is_offline` models answer only in chats that chose one, whatever agents name.
        """
        self._is_offline = is_offline
        self._demo = demo
        self._models = models
        self._upstreams = upstreams
        self._chooser: Assistant = models if chooses else demo

    async def choose_agent(
        self, message: str, agents: tuple[Agent, ...], model: str | None = None
    ) -> AgentChoice:
        """Choose who answers a message for which nobody was named.

        Raises:
            StreamFailureError: When no choice can be made.
        """
        chooser = self._chooser
        if model is not None:
            has_words = model == OFFLINE or ModelId.read(model).provider == "file"
            chooser = self._demo if has_words else self._models
        return await chooser.choose_agent(message, agents, model)

    async def suggest_title(
        self, message: str, agent: Agent, model: str | None = None
    ) -> SuggestedTitle | None:
        """Suggest a title for a conversation; None where the demo answers.

        Raises:
            StreamFailureError: When the model cannot be asked.
        """
        return await self._answering(agent, model).suggest_title(message, agent, model)

    def reply(self, request: ReplyRequest) -> AsyncGenerator[Piece]:
        """Write the reply piece by piece.

        Raises:
            StreamFailureError: When the reply cannot go on.
        """
        return self._answering(request.agent, request.model).reply(request)

    async def aclose(self) -> None:
        """Close the models and the demo."""
        await self._upstreams.aclose()
        await self._demo.aclose()

    def _answering(self, agent: Agent, chosen: str | None) -> Assistant:
        """Find who answers as an agent, with the model that was chosen for the chat if any."""
        is_for_demo = (
            self._is_offline or agent.model == OFFLINE or not self._upstreams.has_model_for(agent)
        )
        is_demo = chosen == OFFLINE or (chosen is None and is_for_demo)
        return self._demo if is_demo else self._models


@dataclass(frozen=True)
class Assistants:
    """The assistants of one run. Whoever made them closes them.

    Attributes:
        live: Answers live keys.
        test: Answers test keys, always the same way and at no cost (our choice).
        models: What everybody can choose for a chat, in child mode; None elsewhere.
    """

    live: Assistant
    test: Assistant
    models: ModelChoices | None = None

    def of(self, owner: Owner) -> Assistant:
        """Find the assistant that answers this owner."""
        return self.test if owner.mode == "test" else self.live

    async def aclose(self) -> None:
        """Close both assistants, once no reply is under way any more."""
        await self.live.aclose()
        await self.test.aclose()


@dataclass(frozen=True)
class ModelSelection:
    """What the user chose.

    Attributes:
        model: `offline`, a model's id, or None: then only agents that name a model have one.
        fallbacks: The ids of the models that stand in for it, in order.
        window: How many tokens the models take; None leaves it to each.
    """

    model: str | None = None
    fallbacks: tuple[str, ...] = ()
    window: int | None = None


@dataclass(frozen=True)
class ChosenAssistants:
    """The assistants of a run.

    Attributes:
        warm_up: Begins to load what the first answer needs; to be called in the loop.
    """

    assistants: Assistants
    warm_up: Callable[[], None]


def choose_assistants(
    choice: ModelSelection,
    access: ProviderAccess,
    pace_s: float,
    engine: EngineKeeper | None = None,
    *,
    may_chats_choose: bool = False,
    rates: TokenRates | None = None,
) -> ChosenAssistants:
    """Find the assistants of a run, of which models answer live keys.

    `offline` by name means that nothing leaves this program: no agent's model changes that, only a
    person who chooses one for a chat, where that is possible.
    `engine` runs model files; whoever made it closes it, after the assistants. `rates` remember how
    models count tokens.

    Raises:
        UnknownModelError: When a model that was chosen cannot be used.
    """
    built_in = DemoAssistant(pace_s)
    plan = ModelPlan(selected_models(choice), choice.window)
    if choice.model == OFFLINE and not may_chats_choose:
        return ChosenAssistants(Assistants(built_in, built_in), _nothing)
    upstreams = Upstreams(plan, access, engine=engine, rates=rates)
    models = ModelAssistant(upstreams.chain_of)
    # A model on this computer would take longer to choose than is worth waiting for.
    chooses = bool(plan.models) and plan.models[0].provider != "file"
    is_offline = choice.model == OFFLINE
    live = RoutedAssistant(built_in, models, upstreams, chooses=chooses, is_offline=is_offline)
    warm_up = _nothing if is_offline else upstreams.warm_up
    return ChosenAssistants(Assistants(live, built_in), warm_up)


def selected_models(choice: ModelSelection) -> tuple[ModelId, ...]:
    """Return the model that was chosen for a run, then those that stand in for it.

    Raises:
        UnknownModelError: When one of them is none.
    """
    has_model = choice.model not in {None, OFFLINE}
    if choice.fallbacks and not has_model:
        raise UnknownModelError("A fallback model needs a model that it stands in for: --model.")
    if OFFLINE in choice.fallbacks:
        raise UnknownModelError("The demo cannot stand in for a model.")
    first = (choice.model,) if choice.model is not None and has_model else ()
    return tuple(dict.fromkeys(ModelId.read(text) for text in (*first, *choice.fallbacks)))


def _nothing() -> None:
    """Load nothing: the built-in assistant is there already."""


log = logging.getLogger(__name__)


class _Generation:
    """An assistant with the user's instructions, and the number of replies that still use it.

    `is_past` means that it was replaced; it is closed when its last reply has ended.
    """

    def __init__(self, assistant: Assistant, instructions: str) -> None:
        self.assistant: Final = assistant
        self.instructions: Final = instructions.strip()
        self.uses = 0
        self.is_past = False


class ChangingAssistant:
    """Answers with the current assistant. One for the life of a service that can be changed."""

    def __init__(self, assistant: Assistant, instructions: str = "") -> None:
        """Make one; the user's `instructions` go before those of each agent."""
        self._now = _Generation(assistant, instructions)
        self._past: set[_Generation] = set()
        self._closing: set[asyncio.Task[None]] = set()

    def change(self, assistant: Assistant, instructions: str = "") -> None:
        """Change the assistant from now on; no reply that is under way is cut off."""
        before, self._now = self._now, _Generation(assistant, instructions)
        before.is_past = True
        self._past.add(before)
        self._close_unused(before)

    async def choose_agent(
        self, message: str, agents: tuple[Agent, ...], model: str | None = None
    ) -> AgentChoice:
        """Choose who answers a message for which nobody was named.

        Raises:
            StreamFailureError: When no choice can be made.
        """
        with self._using() as assistant:
            return await assistant.choose_agent(message, agents, model)

    async def suggest_title(
        self, message: str, agent: Agent, model: str | None = None
    ) -> SuggestedTitle | None:
        """Suggest a title for a conversation.

        Raises:
            StreamFailureError: When the model cannot be asked.
        """
        with self._using() as assistant:
            return await assistant.suggest_title(message, agent, model)

    async def reply(self, request: ReplyRequest) -> AsyncGenerator[Piece]:
        """Write the reply piece by piece.

        Raises:
            StreamFailureError: When the reply cannot go on.
        """
        agent = request.agent
        if own := self._now.instructions:
            told = "\n\n".join(filter(None, (own, agent.instruction)))
            request = replace(request, agent=replace(agent, instruction=told))
        with self._using() as assistant:
            async with aclosing(assistant.reply(request)) as pieces:
                async for piece in pieces:
                    yield piece

    async def aclose(self) -> None:
        """Close the assistant of now, and those before it."""
        if self._closing:
            await asyncio.wait(self._closing)
        for generation in (*self._past, self._now):
            await generation.assistant.aclose()

    @contextmanager
    def _using(self) -> Iterator[Assistant]:
        generation = self._now
        generation.uses += 1
        try:
            yield generation.assistant
        finally:
            generation.uses -= 1
            self._close_unused(generation)

    def _close_unused(self, generation: _Generation) -> None:
        if generation.is_past and not generation.uses and generation in self._past:
            self._past.discard(generation)
            task = asyncio.get_running_loop().create_task(
                generation.assistant.aclose(), name="close models of before"
            )
            self._closing.add(task)
            task.add_done_callback(self._on_closed)

    def _on_closed(self, task: asyncio.Task[None]) -> None:
        self._closing.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.error("the previous models did not close", exc_info=error)
