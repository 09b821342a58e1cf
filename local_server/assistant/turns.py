"""Opens turns: checks what is asked, stores it, and only then lets the reply begin."""

import secrets
from dataclasses import dataclass, replace
from typing import Final

from local_server.assistant.agents import Agent
from local_server.assistant.assistants import Assistants
from local_server.assistant.catalog import Catalog, Catalogs
from local_server.assistant.claims import Claim, Claims
from local_server.assistant.reply import ReplyRequest
from local_server.assistant.supervisor import choose_agent
from local_server.assistant.turn import Opening, Replay, Turn
from local_server.assistant.writer import ReplyWriter
from local_server.clock import Clock
from local_server.errors import (
    ConversationNotFoundError,
    ToolCallNotFoundError,
    ToolResultConflictError,
    UnknownAgentError,
)
from local_server.schemas import ChatRequest, ToolResultRequest
from local_server.store.records import Conversation, Message, Owner, Tool, ToolCall
from local_server.store.replies import Draft
from local_server.store.store import Store

_CLOSING_GRACE_S: Final = 0.7


@dataclass(frozen=True)
class Turns:
    """The rules of specification 4.4 and 4.5. One for the life of the application."""

    store: Store
    assistants: Assistants
    catalogs: Catalogs
    claims: Claims
    clock: Clock

    async def chat(self, owner: Owner, request: ChatRequest) -> Turn:
        """Accept a message; it is stored when this returns.

        Raises:
            UnknownAgentError: When the named agent may not answer.
            ConversationNotFoundError: When the owner has no such conversation.
            ConversationBusyError: When a turn is under way there.
        """
        catalog = await self.catalogs.of(owner.project)
        announced = _announced_agent(catalog, request.agent_name)
        claim = await self.claims.take(owner, request.conversation_id)
        try:
            return await self._open_reply(owner, request, catalog, announced, claim)
        except BaseException:
            await claim.release()
            raise

    async def tool_result(self, owner: Owner, request: ToolResultRequest) -> Turn | Replay:
        """Accept the outcome of a tool call; it is stored when this returns.

        The same outcome again leads to the same continuation again, stored once (our choice).

        Raises:
            ConversationNotFoundError: When the owner has no such conversation.
            ToolCallNotFoundError: When the call is not one of the conversation's.
            ToolResultConflictError: When the call has another outcome already.
            ConversationBusyError: When a turn is under way there.
        """
        claim = await self.claims.take(owner, request.conversation_id)
        try:
            return await self._open_continuation(owner, request, claim)
        except BaseException:
            await claim.release()
            raise

    async def aclose(self) -> None:
        """Let turns that were stopped store what they have."""
        await self.claims.wait_until_free(_CLOSING_GRACE_S)

    async def _open_reply(
        self,
        owner: Owner,
        request: ChatRequest,
        catalog: Catalog,
        announced: Agent | None,
        claim: Claim,
    ) -> Turn:
        message = Message(_message_id(), "user", request.message, self.clock())
        if not await self.store.replies.accept(owner, request.conversation_id, message):
            raise ConversationNotFoundError
        conversation = await self._read(owner, request.conversation_id)
        asked = ReplyRequest(
            message=request.message,
            history=conversation.messages,
            agent=announced or choose_agent(request.message, catalog.enabled_agents()),
            skills=catalog.skills,
            tools=_tools(request),
        )
        draft = Draft(conversation.id, _message_id(), "", self.clock())
        opening = Opening(conversation.id, draft.message_id, announced)
        writer = ReplyWriter(self.store.replies, draft, None)
        return Turn(opening, self.assistants.of(owner), asked, writer, claim)

    async def _open_continuation(
        self, owner: Owner, request: ToolResultRequest, claim: Claim
    ) -> Turn | Replay:
        catalog = await self.catalogs.of(owner.project)
        conversation = await self._read(owner, request.conversation_id)
        call = await self._answered(conversation.id, request)
        reply = next(found for found in conversation.messages if found.id == call.message_id)
        question = _question(conversation, reply)
        agent = catalog.agent(call.agent_name) or choose_agent(question, catalog.enabled_agents())
        opening = Opening(conversation.id, reply.id, agent)
        calls = await self.store.replies.calls(reply.id)
        place = [found.id for found in calls].index(call.id)
        if call.is_finished or reply != conversation.messages[-1]:
            following = next(iter(calls[place + 1 :]), None)
            text = reply.content[call.offset : following.offset if following else None]
            return Replay(opening, agent, text, following, claim)
        so_far = replace(reply, content=reply.content[: call.offset])
        asked = ReplyRequest(
            message=question,
            history=(*conversation.messages[:-1], so_far),
            agent=agent,
            skills=catalog.skills,
            tools=call.tools,
            calls=calls[: place + 1],
        )
        draft = Draft(conversation.id, reply.id, so_far.content, reply.created_at)
        writer = ReplyWriter(self.store.replies, draft, call.id)
        return Turn(opening, self.assistants.of(owner), asked, writer, claim)

    async def _read(self, owner: Owner, conversation_id: str) -> Conversation:
        conversation = await self.store.conversations.get(owner, conversation_id)
        if conversation is None:
            raise ConversationNotFoundError
        return conversation

    async def _answered(self, conversation_id: str, request: ToolResultRequest) -> ToolCall:
        call = await self.store.replies.answer(
            conversation_id, request.tool_call_id, request.result
        )
        if call is None or call.state == "queued":
            raise ToolCallNotFoundError
        if call.state == "closed":
            raise ToolResultConflictError(
                "A new message came before the result, so this tool call counts as not answered."
            )
        if call.result != request.result:
            raise ToolResultConflictError("This tool call already has another result.")
        return call


def _announced_agent(catalog: Catalog, name: str | None) -> Agent | None:
    if name is None:
        return catalog.default_agent()
    agent = catalog.agent(name)
    if agent is None:
        raise UnknownAgentError(name)
    return agent


def _message_id() -> str:
    return f"msg_{secrets.token_hex(16)}"


def _tools(request: ChatRequest) -> tuple[Tool, ...]:
    return tuple(
        Tool(tool.name, tool.description, tool.input_schema.model_dump())
        for tool in request.client_tools or []
    )


def _question(conversation: Conversation, reply: Message) -> str:
    before = conversation.messages[: conversation.messages.index(reply)]
    asked = [message.content for message in before if message.role == "user"]
    return asked[-1] if asked else ""
