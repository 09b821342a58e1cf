"""Lets real models answer."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from local_server.assistant.agents import Agent
from local_server.assistant.models.answer import Answer, Upstream
from local_server.assistant.models.failures import UpstreamError
from local_server.assistant.models.prompt import ModelTurn, Prompt, UserTurn
from local_server.assistant.reply import Piece, ReplyRequest, Text
from local_server.assistant.supervisor import choose_agent
from local_server.errors import StreamFailureError


class ModelAssistant:
    """Answers with a model. One for the life of the service."""

    def __init__(self, upstream: Upstream) -> None:
        self._upstream = upstream

    async def choose_agent(self, message: str, agents: tuple[Agent, ...]) -> Agent:
        """Choose by the words that the message shares with names and descriptions."""
        return choose_agent(message, agents)

    async def reply(self, request: ReplyRequest) -> AsyncGenerator[Piece]:
        """Write the reply piece by piece.

        Raises:
            StreamFailureError: When the reply cannot go on, with words for the user.
        """
        turns = tuple(
            UserTurn(message.content) if message.role == "user" else ModelTurn(message.content)
            for message in request.history
        )
        prompt = Prompt(request.agent.instruction, turns)
        try:
            async with aclosing(self._upstream.ask(prompt, Answer())) as texts:
                async for text in texts:
                    if text:
                        yield Text(text)
        except UpstreamError as exc:
            raise StreamFailureError(exc.sentence(self._upstream.label)) from exc

    async def aclose(self) -> None:
        """Let go of connections."""
        await self._upstream.aclose()
