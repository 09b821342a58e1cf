"""`ChangingAssistant` lets other models, keys and instructions count from one moment to the next.

What is under way goes on with the models that it began with: they close when their last reply ends.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, contextmanager
from dataclasses import replace
from typing import Final

from local_server.assistant.agents import Agent
from local_server.assistant.reply import (
    AgentChoice,
    Assistant,
    Piece,
    ReplyRequest,
    SuggestedTitle,
)

log = logging.getLogger(__name__)


class _Generation:
    """One assistant, what the user tells every agent, and how many replies are being written."""

    def __init__(self, assistant: Assistant, instructions: str) -> None:
        self.assistant: Final = assistant
        self.instructions: Final = instructions.strip()
        self.uses = 0
        self.is_past = False


class ChangingAssistant:
    """Answers with the assistant of now. One for the life of a service that can be changed."""

    def __init__(self, assistant: Assistant, instructions: str = "") -> None:
        """Make one; the user's `instructions` go before those of each agent."""
        self._now = _Generation(assistant, instructions)
        self._past: set[_Generation] = set()
        self._closing: set[asyncio.Task[None]] = set()

    def change(self, assistant: Assistant, instructions: str = "") -> None:
        """Let another assistant answer from now on; no reply that is under way is cut off."""
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
            log.error("models of before did not close", exc_info=error)
