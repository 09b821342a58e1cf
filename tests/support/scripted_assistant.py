"""An assistant that says what it was told to, and waits where a test wants to look."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace

from local_server.assistant.agents import Agent, choose_agent
from local_server.assistant.reply import AgentChoice, Piece, ReplyRequest, SuggestedTitle, Text


class Pause:
    """A place in a reply: the test sees that it was reached, and lets the reply go on."""

    def __init__(self) -> None:
        self.is_reached = asyncio.Event()
        self.is_over = asyncio.Event()

    async def wait(self) -> None:
        """Stop here until the test lets it go on."""
        self.is_reached.set()
        await self.is_over.wait()


Scripted = str | Piece | Pause | Exception


class ScriptedAssistant:
    """Gives one script for each reply, in order; being asked for more is a failure.

    Attributes:
        asked: The requests that were answered so far.
        asked_titles: The messages for which a title was asked so far.
        titles: What to suggest, for each time that a title is asked for.
    """

    def __init__(self, *scripts: tuple[Scripted, ...], choice: Sequence[Scripted] = ()) -> None:
        """Make one.

        Args:
            scripts: What to say, for each reply.
            choice: How the supervisor chooses, up to the name of its agent; by words when there
                is nothing.
        """
        self._scripts = list(scripts)
        self._choice = choice
        self.asked: list[ReplyRequest] = []
        self.asked_titles: list[str] = []
        self.titles: list[tuple[str | SuggestedTitle | Pause | Exception, ...]] = []

    async def choose_agent(
        self, message: str, agents: tuple[Agent, ...], model: str | None = None
    ) -> AgentChoice:
        """Choose as it was told; an agent that is not there is made up."""
        del model
        for step in self._choice:
            if isinstance(step, Exception):
                raise step
            if isinstance(step, Pause):
                await step.wait()
            else:
                named = [agent for agent in agents if agent.name == step]
                return AgentChoice(named[0] if named else replace(agents[0], name="nobody"))
        return AgentChoice(choose_agent(message, agents))

    async def suggest_title(
        self, message: str, agent: Agent, model: str | None = None
    ) -> SuggestedTitle | None:
        """Play the next script of titles; without one there is no title."""
        del agent, model
        self.asked_titles.append(message)
        for step in self.titles.pop(0) if self.titles else ():
            if isinstance(step, Exception):
                raise step
            if isinstance(step, Pause):
                await step.wait()
            else:
                return SuggestedTitle(step) if isinstance(step, str) else step
        return None

    async def aclose(self) -> None:
        """Hold nothing, and so let go of nothing."""

    async def reply(self, request: ReplyRequest) -> AsyncGenerator[Piece]:
        """Play the next script."""
        self.asked.append(request)
        assert self._scripts, "no further reply was scripted"
        for piece in self._scripts.pop(0):
            if isinstance(piece, Exception):
                raise piece
            if isinstance(piece, Pause):
                await piece.wait()
            else:
                yield Text(piece) if isinstance(piece, str) else piece
