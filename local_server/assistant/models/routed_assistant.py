"""Which assistant answers for an agent: the built-in demo, or models."""

from collections.abc import AsyncGenerator
from typing import Final

from local_server.assistant.agents import Agent
from local_server.assistant.models.model_assistant import ModelAssistant
from local_server.assistant.models.upstreams import Upstreams
from local_server.assistant.reply import Assistant, Piece, ReplyRequest

OFFLINE: Final = "offline"


class RoutedAssistant:
    """Sends each agent to its models; without any, the built-in demo answers.

    One for the life of the service.
    """

    def __init__(
        self, demo: Assistant, models: ModelAssistant, upstreams: Upstreams, *, chooses: bool
    ) -> None:
        """Make one; the models also choose agents if `chooses`, else the demo does."""
        self._demo = demo
        self._models = models
        self._upstreams = upstreams
        self._chooser: Assistant = models if chooses else demo

    async def choose_agent(self, message: str, agents: tuple[Agent, ...]) -> Agent:
        """Choose who answers a message for which nobody was named.

        Raises:
            StreamFailureError: When no choice can be made.
        """
        return await self._chooser.choose_agent(message, agents)

    def reply(self, request: ReplyRequest) -> AsyncGenerator[Piece]:
        """Write the reply piece by piece.

        Raises:
            StreamFailureError: When the reply cannot go on.
        """
        agent = request.agent
        is_demo = agent.model == OFFLINE or not self._upstreams.has_model_for(agent)
        assistant: Assistant = self._demo if is_demo else self._models
        return assistant.reply(request)

    async def aclose(self) -> None:
        """Let go of what both hold."""
        await self._upstreams.aclose()
        await self._demo.aclose()
