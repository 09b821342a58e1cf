"""One stream of a reply: from `message_start` to `message_stop`, stored on its way."""

import secrets
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass

from local_server.assistant.agents import Agent
from local_server.assistant.claims import Claim
from local_server.assistant.reply import Assistant, ReplyRequest, Text, ToolRequest
from local_server.assistant.writer import ReplyWriter
from local_server.errors import StreamFailureError
from local_server.schemas import (
    AgentEnd,
    AgentStart,
    ContentBlockDelta,
    MessageStart,
    MessageStop,
    StreamEvent,
    TextDelta,
    ToolUse,
)
from local_server.store.records import ToolCall


@dataclass(frozen=True)
class Opening:
    """How a stream begins.

    Attributes:
        announced: The agent known before the reply begins; None when the supervisor chose.
    """

    conversation_id: str
    message_id: str
    announced: Agent | None

    def event(self) -> MessageStart:
        """Make the first event."""
        agent = self.announced
        return MessageStart(
            message_id=self.message_id,
            conversation_id=self.conversation_id,
            agent_name=agent.name if agent else None,
            agent_display_name=agent.display_name if agent else None,
        )


class Turn:
    """Writes a reply, or the next part of one after a tool call.

    Made for one request; whoever streams it closes it, which frees the conversation.
    """

    def __init__(
        self,
        opening: Opening,
        assistant: Assistant,
        request: ReplyRequest,
        writer: ReplyWriter,
        claim: Claim,
    ) -> None:
        self._opening = opening
        self._assistant = assistant
        self._request = request
        self._writer = writer
        self._claim = claim

    async def events(self) -> AsyncGenerator[StreamEvent]:
        """Make the events of the stream; what was written is kept wherever they end.

        Raises:
            StreamFailureError: When the reply cannot go on.
        """
        agent = self._request.agent
        yield self._opening.event()
        yield AgentStart(agent_name=agent.name, agent_display_name=agent.display_name)
        async with aclosing(self._written()) as events:
            async for event in events:
                yield event
        yield AgentEnd(agent_name=agent.name)
        yield MessageStop()

    async def aclose(self) -> None:
        """Free the conversation for the next turn."""
        await self._claim.release()

    async def _written(self) -> AsyncGenerator[ContentBlockDelta | ToolUse]:
        try:
            async with aclosing(self._passed_on()) as events:
                async for event in events:
                    yield event
        finally:
            await self._writer.keep()

    async def _passed_on(self) -> AsyncGenerator[ContentBlockDelta | ToolUse]:
        """What the assistant writes, up to its end or to the first tool that it asks for."""
        async with aclosing(self._assistant.reply(self._request)) as pieces:
            async for piece in pieces:
                if isinstance(piece, ToolRequest):
                    yield await self._suspend(piece)
                    return
                if not isinstance(piece, Text):
                    continue
                text = self._writer.add(piece.text)
                yield ContentBlockDelta(delta=TextDelta(text=text))
                await self._writer.save_if_due()
        await self._writer.finish()

    async def _suspend(self, wanted: ToolRequest) -> ToolUse:
        if wanted.name not in {tool.name for tool in self._request.tools}:
            raise StreamFailureError("The assistant asked for a tool that is not offered.")
        call = ToolCall(
            id=f"call_{secrets.token_hex(16)}",
            conversation_id=self._opening.conversation_id,
            message_id=self._opening.message_id,
            name=wanted.name,
            input=wanted.input,
            tools=self._request.tools,
            agent_name=self._request.agent.name,
            offset=self._writer.length,
            state="pending",
            result=None,
            is_finished=False,
        )
        await self._writer.suspend(call)
        return ToolUse(id=call.id, name=call.name, input=call.input)


@dataclass(frozen=True)
class Replay:
    """Tells once more what a tool result led to; nothing is written or stored.

    Made for one request; whoever streams it closes it, which frees the conversation.
    """

    opening: Opening
    agent: Agent
    text: str
    next_call: ToolCall | None
    claim: Claim

    async def events(self) -> AsyncGenerator[StreamEvent]:
        """Make the events of the stream."""
        yield self.opening.event()
        yield AgentStart(agent_name=self.agent.name, agent_display_name=self.agent.display_name)
        if self.text:
            yield ContentBlockDelta(delta=TextDelta(text=self.text))
        if self.next_call is not None:
            call = self.next_call
            yield ToolUse(id=call.id, name=call.name, input=call.input)
        yield AgentEnd(agent_name=self.agent.name)
        yield MessageStop()

    async def aclose(self) -> None:
        """Free the conversation for the next turn."""
        await self.claim.release()
