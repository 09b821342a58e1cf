"""The models of a run, made when they are first wanted."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass

from local_server.addresses import is_loopback
from local_server.assistant.agents import Agent
from local_server.assistant.models.access import Access
from local_server.assistant.models.answer import Upstream
from local_server.assistant.models.chain import Chain, Rest
from local_server.assistant.models.late import LateUpstream
from local_server.assistant.models.model_id import ModelId, UnknownModelError

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

    def __init__(self, plan: ModelPlan, access: Access, rest: Rest = asyncio.sleep) -> None:
        """Make it; `rest` waits before a model is asked again.

        Raises:
            UnknownModelError: When a model of the plan cannot be reached.
        """
        self._window = plan.window
        self._access = access
        self._rest = rest
        self._made: dict[ModelId, LateUpstream] = {}
        self._chain = tuple(self._upstream(model_id) for model_id in plan.models)

    def warm_up(self) -> None:
        """Begin to load what the first answer needs, without waiting for the end."""
        for upstream in self._chain[:1]:
            upstream.warm_up()

    def chain_of(self, agent: Agent | None) -> Chain:
        """Find the models for an agent: its own first, then the run's; for None the run's.

        Raises:
            UnknownModelError: When there is none at all.
        """
        own = self._own_of(agent)
        following = [upstream for upstream in self._chain if upstream is not own]
        upstreams: Sequence[Upstream] = following if own is None else [own, *following]
        if not upstreams:
            raise UnknownModelError("No model was chosen.")
        return Chain(tuple(upstreams), self._rest)

    def has_model_for(self, agent: Agent) -> bool:
        """Tell whether a model can answer for an agent."""
        return bool(self._chain) or self._own_of(agent) is not None

    async def aclose(self) -> None:
        """Let go of connections."""
        for upstream in self._made.values():
            await upstream.aclose()

    def _own_of(self, agent: Agent | None) -> LateUpstream | None:
        """Find the model that an agent names, if that can be used."""
        if agent is None or agent.model is None:
            return None
        try:
            return self._upstream(_model_of_agent(agent.model))
        except UnknownModelError as exc:
            log.info("the agent %s gets the usual model: %s", agent.name, exc)
            return None

    def _upstream(self, model_id: ModelId) -> LateUpstream:
        made = self._made.get(model_id)
        if made is None:
            made = self._made[model_id] = self._make(model_id)
        return made

    def _make(self, model_id: ModelId) -> LateUpstream:
        door = self._access.door(model_id)
        window = self._window

        def make() -> Upstream:
            if model_id.provider == "ollama":
                from local_server.assistant.models.ollama_upstream import (  # noqa: PLC0415 - heavy
                    OllamaUpstream,
                )

                return OllamaUpstream(model_id, door, window)
            from local_server.assistant.models.sdk_upstream import (  # noqa: PLC0415 - heavy
                SdkUpstream,
            )

            return SdkUpstream(model_id, door, window)

        return LateUpstream(model_id.display_name, make)


def _model_of_agent(text: str) -> ModelId:
    """Read the model of an agent, whose file may come from a stranger.

    It may choose among providers, and servers on this computer, but not send conversations to an
    address of its own.
    """
    model_id = ModelId.read(text)
    if model_id.address is not None and not is_loopback(model_id.address):
        raise UnknownModelError(f"{model_id.address} is not on this computer.")
    return model_id
