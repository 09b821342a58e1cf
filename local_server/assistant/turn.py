"""Writes one stream of a reply: from `message_start` to its last agent's end, stored on its way.

`TurnStream` writes it; `Opening`, `agent_start`, `agent_end` and `tool_use` make the events that
frame what an assistant says.
"""

import json
import logging
import secrets
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Final

from local_server.assistant.agents import Agent, choose_agent
from local_server.assistant.conversation_locks import ConversationLock, Interruption
from local_server.assistant.reply import (
    Assistant,
    HandOver,
    ReplyRequest,
    RequestedToolCall,
    SkillUsed,
    Text,
)
from local_server.assistant.turn_input import TurnInput
from local_server.assistant.writer import ReplyWriter
from local_server.errors import StreamFailureError
from local_server.schemas import AgentEnd, AgentStart, MessageStart, ToolUse
from local_server.sse import EventBuffer
from local_server.store.records import CallState, ToolCall


@dataclass(frozen=True)
class Opening:
    """How a stream begins.

    Attributes:
        announced: The agent known before the reply begins; None when the supervisor chooses.
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


def agent_start(agent: Agent) -> AgentStart:
    """Make the event with which an agent begins."""
    return AgentStart(agent_name=agent.name, agent_display_name=agent.display_name)


def agent_end(agent: Agent) -> AgentEnd:
    """Make the event with which an agent ends."""
    return AgentEnd(agent_name=agent.name)


def tool_use(call: ToolCall) -> ToolUse:
    """Make the event that asks for a tool."""
    return ToolUse(id=call.id, name=call.name, input=call.input)


log = logging.getLogger(__name__)

_CALLS_AT_ONCE: Final = 32

Wish = HandOver | list[RequestedToolCall]


class TurnStream:
    """Writes a reply, or the next part of one after tool calls.

    Made for one request; whoever streams it closes it, which frees the conversation.
    """

    def __init__(
        self,
        opening: Opening,
        assistant: Assistant,
        inquiry: TurnInput,
        writer: ReplyWriter,
        *,
        claim: ConversationLock,
        interruption: Interruption,
    ) -> None:
        """Make one that ends, with the reason, when it is interrupted."""
        self._opening = opening
        self._assistant = assistant
        self._inquiry = inquiry
        self._writer = writer
        self._claim = claim
        self._interruption = interruption
        claim.lost.add_done_callback(lambda _lost: self._on_claim_lost())

    async def write(self, out: EventBuffer) -> None:
        """Write the events of the stream; what was written is kept wherever they end.

        Raises:
            StreamFailureError: When the reply cannot go on.
        """
        try:
            async with self._interruption:
                await out.event(self._opening.event())
                agent: Agent | None = self._opening.announced or await self._choose()
                while agent is not None:
                    await out.event(agent_start(agent))
                    following = await self._speak(agent, out)
                    await out.event(agent_end(agent))
                    agent = following
        finally:
            await self._writer.keep()

    async def aclose(self) -> None:
        """Free the conversation for the next turn."""
        await self._claim.release()

    async def _choose(self) -> Agent:
        """Let the supervisor choose; where it cannot, words decide."""
        inquiry = self._inquiry
        try:
            chosen = await self._assistant.choose_agent(inquiry.message, inquiry.agents)
        except StreamFailureError:
            # Its words are for the user, and may quote what the user wrote.
            log.info("the supervisor made no choice, so words decide")
        else:
            if chosen in inquiry.agents:
                return chosen
            log.info("the supervisor chose an agent that is not there, so words decide")
        return choose_agent(inquiry.message, inquiry.agents)

    async def _speak(self, agent: Agent, out: EventBuffer) -> Agent | None:
        """Let an agent speak, and find the one that is to go on after it.

        One that may not hand over as it wishes is asked once more, with no colleagues to name.
        """
        request = self._inquiry.for_agent(agent, self._writer.so_far())
        wish = await self._hear(request, out)
        if isinstance(wish, HandOver):
            named = [other for other in request.colleagues if other.name == wish.agent_name]
            if named:
                return self._hand_over(named[0])
            log.info("%s cannot hand over as it wishes, and goes on by itself", agent.name)
            self._writer.begin_paragraph()
            alone = self._inquiry.alone().for_agent(agent, self._writer.so_far())
            wish = await self._hear(alone, out)
        if isinstance(wish, list) and wish:
            await self._suspend(wish, request, out)
        else:
            await self._writer.finish()
        return None

    async def _hear(self, request: ReplyRequest, out: EventBuffer) -> Wish:
        """Pass on what is said, and return what is wished for at its end."""
        wanted: list[RequestedToolCall] = []
        async with aclosing(self._assistant.reply(request)) as pieces:
            async for piece in pieces:
                if isinstance(piece, Text) and not wanted:
                    await self._pass_on(piece.text, out)
                elif isinstance(piece, RequestedToolCall):
                    wanted.append(piece)
                elif isinstance(piece, SkillUsed):
                    self._inquiry = self._inquiry.with_skill(piece.name)
                elif isinstance(piece, HandOver) and not wanted:
                    return piece
        return wanted

    async def _pass_on(self, text: str, out: EventBuffer) -> None:
        if text:
            await out.text(self._writer.add(text))
            if self._writer.is_due:
                await self._writer.save()

    def _hand_over(self, colleague: Agent) -> Agent:
        self._inquiry = self._inquiry.handed_over()
        self._writer.begin_paragraph()
        return colleague

    async def _suspend(
        self, wanted: list[RequestedToolCall], request: ReplyRequest, out: EventBuffer
    ) -> None:
        offered = {tool.name for tool in request.tools}
        allowed = [wish for wish in wanted if wish.name in offered]
        if not allowed:
            raise StreamFailureError("The assistant asked for a tool that is not offered.")
        if len(allowed) > _CALLS_AT_ONCE:
            raise StreamFailureError("The assistant asked for too many tools at once.")
        if not all(_can_be_sent(wish) for wish in allowed):
            raise StreamFailureError("The assistant asked for a tool in an unreadable way.")
        first, *others = allowed
        calls = (
            replace(self._call(first, request.agent, "pending"), origin=first.origin),
            *(self._call(wish, request.agent, "queued") for wish in others),
        )
        await self._writer.suspend(calls)
        await out.event(tool_use(calls[0]))

    def _call(self, wanted: RequestedToolCall, agent: Agent, state: CallState) -> ToolCall:
        inquiry = self._inquiry
        return ToolCall(
            id=f"call_{secrets.token_hex(16)}",
            conversation_id=self._opening.conversation_id,
            message_id=self._opening.message_id,
            name=wanted.name,
            input=wanted.input,
            tools=inquiry.tools,
            agent_name=agent.name,
            offset=self._writer.length,
            state=state,
            result=None,
            is_finished=False,
            round=inquiry.next_round,
            used_skills=inquiry.used_skills,
            hand_overs_left=inquiry.hand_overs_left,
        )

    def _on_claim_lost(self) -> None:
        failure = StreamFailureError("Another part of the service took this conversation over.")
        self._writer.give_up(failure)
        self._interruption.interrupt(failure)


def _can_be_sent(wanted: RequestedToolCall) -> bool:
    """Tell whether the input is JSON: no NaN, no halves of characters, no endless nesting."""
    try:
        json.dumps(wanted.input, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, TypeError, RecursionError):
        return False
    return True
