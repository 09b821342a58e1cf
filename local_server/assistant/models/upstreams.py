"""The models of a run, made when they are first wanted.

`Upstreams` makes the models that a `ModelPlan` names and keeps them. `LazyModel` stands for one
that takes long to make, until it is first asked.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from local_server.assistant.agents import Agent
from local_server.assistant.models.answer import Answer, Texts, Upstream
from local_server.assistant.models.fallback import FallbackChain, Rest
from local_server.assistant.models.prompt_builder import Prompt
from local_server.assistant.models.providers import (
    Endpoint,
    ModelId,
    ProviderAccess,
    UnknownModelError,
    is_hosted,
)
from local_server.loopback import is_loopback


class LazyModel:
    """Stands for a model that takes long to make, by its libraries or certificates.

    One for the life of the service.
    """

    def __init__(self, label: str, make: Callable[[], Upstream]) -> None:
        """Make one; `make` is called in a thread, at most once."""
        self._label = label
        self._make = make
        self._making: asyncio.Task[Upstream] | None = None

    @property
    def label(self) -> str:
        """What the user knows the model by."""
        return self._label

    def warm_up(self) -> None:
        """Begin to load, without waiting for the end."""
        if self._making is None:
            self._making = asyncio.create_task(asyncio.to_thread(self._make))

    async def window(self) -> int:
        """How many tokens question and answer may have together."""
        return await (await self._made()).window()

    async def ask(self, prompt: Prompt, answer: Answer) -> Texts:
        """Ask once, and wait until the answer begins.

        Raises:
            UpstreamError: When the model cannot answer.
        """
        return await (await self._made()).ask(prompt, answer)

    async def aclose(self) -> None:
        """Let go of connections."""
        if self._making is None:
            return
        await asyncio.wait([self._making])
        if self._making.exception() is None:
            await self._making.result().aclose()

    async def _made(self) -> Upstream:
        self.warm_up()
        if self._making is None:
            raise RuntimeError("warming up starts the making")
        # Who asked first may leave; the others still want it.
        return await asyncio.shield(self._making)


log = logging.getLogger(__name__)


@dataclass(frozen=True)
class ModelPlan:
    """Which models a run uses.

    Attributes:
        models: The one that answers and those that stand in for it, in order; empty where only
            agents that name a model have one.
        window: How many tokens they take; None leaves it to each.
    """

    models: tuple[ModelId, ...]
    window: int | None = None


class Upstreams:
    """Makes models and keeps them. One for the life of the service."""

    def __init__(self, plan: ModelPlan, access: ProviderAccess, rest: Rest = asyncio.sleep) -> None:
        """Make it; `rest` waits before a model is asked again.

        Raises:
            UnknownModelError: When a model of the plan cannot be reached.
        """
        self._window = plan.window
        self._access = access
        self._rest = rest
        self._made: dict[ModelId, LazyModel] = {}
        self._chain = tuple(self._upstream(model_id) for model_id in plan.models)

    def warm_up(self) -> None:
        """Begin to load what the first answer needs, without waiting for the end."""
        for upstream in self._chain[:1]:
            upstream.warm_up()

    def chain_of(self, agent: Agent | None) -> FallbackChain:
        """Find the models for an agent: its own first, then the run's; for None the run's.

        Raises:
            UnknownModelError: When there is none at all.
        """
        own = self._own_of(agent)
        following = [upstream for upstream in self._chain if upstream is not own]
        upstreams: Sequence[Upstream] = following if own is None else [own, *following]
        if not upstreams:
            raise UnknownModelError("No model was chosen.")
        return FallbackChain(tuple(upstreams), self._rest)

    def has_model_for(self, agent: Agent) -> bool:
        """Tell whether a model can answer for an agent."""
        return bool(self._chain) or self._own_of(agent) is not None

    async def aclose(self) -> None:
        """Let go of connections."""
        for upstream in self._made.values():
            await upstream.aclose()

    def _own_of(self, agent: Agent | None) -> LazyModel | None:
        """Find the model that an agent names, if that can be used."""
        if agent is None or agent.model is None:
            return None
        try:
            return self._upstream(_model_of_agent(agent.model))
        except UnknownModelError as exc:
            log.info("the agent %s gets the usual model: %s", agent.name, exc)
            return None

    def _upstream(self, model_id: ModelId) -> LazyModel:
        made = self._made.get(model_id)
        if made is None:
            made = self._made[model_id] = self._make(model_id)
        return made

    def _make(self, model_id: ModelId) -> LazyModel:
        endpoint = self._access.endpoint(model_id)
        return LazyModel(
            model_id.display_name, lambda: _make_model(model_id, endpoint, self._window)
        )


def _make_model(model_id: ModelId, endpoint: Endpoint, window: int | None) -> Upstream:
    if is_hosted(model_id, endpoint):
        from local_server.assistant.models.hosted_model import (  # noqa: PLC0415 - heavy
            HostedModel,
        )

        return HostedModel(model_id, endpoint, window)
    if model_id.provider == "ollama":
        from local_server.assistant.models.ollama_model import (  # noqa: PLC0415 - heavy
            OllamaModel,
        )

        return OllamaModel(model_id, endpoint, window)
    from local_server.assistant.models.openai_model import OpenAiModel  # noqa: PLC0415 - heavy

    return OpenAiModel(model_id, endpoint, window)


def _model_of_agent(text: str) -> ModelId:
    """Read the model of an agent, whose file may come from a stranger.

    It may choose among providers, and servers on this computer, but not send conversations to an
    address of its own.
    """
    model_id = ModelId.read(text)
    if model_id.address is not None and not is_loopback(model_id.address):
        raise UnknownModelError(f"{model_id.address} is not on this computer.")
    return model_id
