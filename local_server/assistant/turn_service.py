"""Open turns: check the request, store the message, and only then begin the reply.

`TurnService` has the rules. A reply that is stored already is answered by a `ReplayedTurn`, without
asking an assistant.
"""

import json
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final

from local_server.assistant.agents import Agent, choose_agent
from local_server.assistant.allowances import Allowances, ProjectAllowance, read_changes
from local_server.assistant.assistants import Assistants
from local_server.assistant.attachments import read_attachments
from local_server.assistant.catalog import Catalog, Catalogs
from local_server.assistant.skills import count_tokens
from local_server.assistant.titles import PendingTitle, Titles
from local_server.assistant.turn import (
    HAND_OVERS,
    Interruption,
    Opening,
    TurnInput,
    TurnStream,
    agent_end,
    agent_start,
    question_tokens,
    tool_use,
)
from local_server.assistant.writer import Autosave, ReplyWriter
from local_server.coordination import ConversationLock, ConversationLocks
from local_server.errors import (
    ConversationNotFoundError,
    NoAgentError,
    ToolCallNotFoundError,
    ToolResultConflictError,
    UnknownAgentError,
)
from local_server.schemas import ChatRequest, ToolResultRequest
from local_server.settings import Clock
from local_server.sse import EventBuffer
from local_server.store.opening import ServiceStore
from local_server.store.records import (
    ChoiceChanges,
    Conversation,
    Message,
    NewImage,
    Owner,
    StoredTool,
    ToolCall,
)
from local_server.store.replies import Draft

_CLOSING_GRACE_S: Final = 0.7


@dataclass(frozen=True)
class ReplayedTurn:
    """Streams a stored reply again; no assistant is asked and nothing is stored.

    It is the answer to a tool result that was sent before, or after which the next call of the same
    round is due. Made for one request; whoever streams it closes it, which frees the
    conversation.

    Attributes:
        agent: Whose call the result answered.
        next_agent: Who asked for the next call, if that is another one.
    """

    opening: Opening
    agent: Agent
    text: str
    next_call: ToolCall | None
    next_agent: Agent | None
    lock: ConversationLock

    async def write(self, out: EventBuffer) -> None:
        """Write the events of the stream."""
        agent = self.agent
        await out.event(self.opening.event())
        await out.event(agent_start(agent))
        if self.text:
            await out.text(self.text)
        if self.next_agent is not None and self.next_agent.name != agent.name:
            await out.event(agent_end(agent))
            agent = self.next_agent
            await out.event(agent_start(agent))
        if self.next_call is not None:
            await out.event(tool_use(self.next_call))
        await out.event(agent_end(agent))

    async def aclose(self) -> None:
        """Free the conversation for the next turn."""
        await self.lock.release()


@dataclass(frozen=True)
class TurnService:
    """The rules of specification 4.4 and 4.5. One for the life of the application."""

    store: ServiceStore
    assistants: Assistants
    catalogs: Catalogs
    locks: ConversationLocks
    clock: Clock
    autosave: Autosave
    titles: Titles
    allowances: Allowances

    async def chat(self, owner: Owner, request: ChatRequest) -> TurnStream:
        """Accept a message; it is stored when this returns.

        Raises:
            UnknownAgentError: When the named agent may not answer, or when nobody may.
            InvalidRequestError: When what it chooses for the chat is out of range, or what goes
                with it is no image.
            ImagesFullError: When the project has no room for its images.
            ModelNotListedError: When the chosen model is not one of those that are listed.
            ConversationNotFoundError: When the owner has no such conversation.
            ConversationBusyError: When a turn is under way there.
            CeilingReachedError: When the project used up what it may use in a day.
        """
        catalog = await self.catalogs.of(owner.project)
        route = _route(catalog, request.agent_name)
        async with self._admitted(owner, _asked_tokens(request)) as allowance:
            changes = await read_changes(request, allowance)
            images = read_attachments(request.attachments)
            async with self._locked(owner, request.conversation_id) as lock:
                return await self._open_reply(
                    owner,
                    request,
                    catalog,
                    route,
                    allowance=allowance,
                    changes=changes,
                    images=images,
                    lock=lock,
                )

    async def tool_result(
        self, owner: Owner, request: ToolResultRequest
    ) -> TurnStream | ReplayedTurn:
        """Accept the outcome of a tool call; it is stored when this returns.

        The same outcome again leads to the same continuation again, stored once (our choice).

        Raises:
            UnknownAgentError: When nobody may answer any more; the outcome is stored.
            ConversationNotFoundError: When the owner has no such conversation.
            ToolCallNotFoundError: When the call is not one of the conversation's.
            ToolResultConflictError: When the call has another outcome already.
            InvalidRequestError: When what goes with it is no image.
            ImagesFullError: When the project has no room for its images.
            ConversationBusyError: When a turn is under way there.
            CeilingReachedError: When the project used up what it may use in a day.
        """
        async with self._admitted(owner, count_tokens(request.result)) as allowance:
            catalog = await self.catalogs.of(owner.project)
            images = read_attachments(request.attachments)
            async with self._locked(owner, request.conversation_id) as lock:
                turn = await self._open_continuation(
                    owner, request, catalog, allowance, images, lock=lock
                )
                if isinstance(turn, ReplayedTurn):
                    await self.allowances.release(owner, allowance)
                return turn

    async def aclose(self) -> None:
        """Wait until turns that were stopped have stored what they have."""
        await self.locks.wait_until_free(_CLOSING_GRACE_S)
        await self.titles.aclose()
        await self.autosave.aclose()

    @asynccontextmanager
    async def _admitted(self, owner: Owner, asked: int) -> AsyncIterator[ProjectAllowance]:
        """Admit a request; release its reservation if it leads to no turn."""
        allowance = await self.allowances.admit(owner, asked)
        try:
            yield allowance
        except BaseException:
            await self.allowances.release(owner, allowance)
            raise

    @asynccontextmanager
    async def _locked(self, owner: Owner, conversation_id: str) -> AsyncIterator[ConversationLock]:
        """Lock a conversation; release the lock if the request leads to no turn."""
        lock = await self.locks.acquire(owner, conversation_id)
        try:
            yield lock
        except BaseException:
            await lock.release()
            raise

    async def _open_reply(
        self,
        owner: Owner,
        request: ChatRequest,
        catalog: Catalog,
        route: "_Route",
        *,
        allowance: ProjectAllowance,
        changes: ChoiceChanges,
        images: tuple[NewImage, ...],
        lock: ConversationLock,
    ) -> TurnStream:
        message = Message(_message_id(), "user", request.message, self.clock())
        conversation = await self.store.replies.accept(
            owner, request.conversation_id, message, changes, images
        )
        if conversation is None:
            raise ConversationNotFoundError
        turn_input = TurnInput(
            message=request.message,
            before=conversation.messages,
            agents=catalog.agents,
            skills=catalog.skills,
            tools=_tools(request),
            past_calls=conversation.calls,
            images=conversation.images,
            choices=await allowance.limit(conversation.choices),
            hand_overs_left=route.hand_overs,
        )
        draft = Draft(conversation.id, _message_id(), "", self.clock())
        return await self._turn(
            owner, conversation, turn_input, draft, route.announced, allowance=allowance, lock=lock
        )

    async def _open_continuation(
        self,
        owner: Owner,
        request: ToolResultRequest,
        catalog: Catalog,
        allowance: ProjectAllowance,
        images: tuple[NewImage, ...],
        *,
        lock: ConversationLock,
    ) -> TurnStream | ReplayedTurn:
        conversation = await self._read_conversation(owner, request.conversation_id)
        call = await self._answered(conversation.id, request, images)
        reply = next(found for found in conversation.messages if found.id == call.message_id)
        before = conversation.messages[: conversation.messages.index(reply)]
        question = _question(before)
        agent = _agent_of(call, catalog, question)
        if call.is_finished or reply != conversation.messages[-1]:
            return await self._replay(call, reply, agent, catalog, lock)
        queued = await self.store.replies.next_call(call)
        if queued is not None:
            opening = Opening(conversation.id, reply.id, agent)
            return ReplayedTurn(opening, agent, "", queued, None, lock)
        calls = await self.store.replies.calls(reply.id)
        past_calls = await self.store.replies.past_calls(conversation.id, before)
        turn_input = TurnInput(
            message=question,
            before=before,
            agents=catalog.agents,
            skills=catalog.skills,
            tools=call.tools,
            past_calls=past_calls,
            images=await self.store.replies.images(conversation.id),
            choices=await allowance.limit(conversation.choices),
            calls=calls[: _index_of(call, calls) + 1],
            used_skills=call.used_skills,
            hand_overs_left=call.hand_overs_left,
        )
        draft = _draft_up_to(call, reply)
        return await self._turn(
            owner,
            conversation,
            turn_input,
            draft,
            agent,
            allowance=allowance,
            lock=lock,
            continued_call_id=call.id,
        )

    async def _replay(
        self,
        call: ToolCall,
        reply: Message,
        agent: Agent,
        catalog: Catalog,
        lock: ConversationLock,
    ) -> ReplayedTurn:
        calls = await self.store.replies.calls(reply.id)
        following = next(iter(calls[_index_of(call, calls) + 1 :]), None)
        opening = Opening(call.conversation_id, reply.id, agent)
        text = reply.content[call.offset : following.offset if following else None]
        if following is None or following.state == "closed":
            # Do not ask for a tool again: the client has closed the call.
            return ReplayedTurn(opening, agent, text, None, None, lock)
        return ReplayedTurn(
            opening, agent, text, following, catalog.agent(following.agent_name), lock
        )

    async def _turn(
        self,
        owner: Owner,
        conversation: Conversation,
        turn_input: TurnInput,
        draft: Draft,
        announced: Agent | None,
        *,
        allowance: ProjectAllowance,
        lock: ConversationLock,
        continued_call_id: str | None = None,
    ) -> TurnStream:
        if allowance.reserved is not None and turn_input.agents:
            asked = turn_input.for_agent(announced or turn_input.agents[0], None)
            answered = turn_input.choices.settings.max_output_tokens
            await self.allowances.reserve(allowance, question_tokens(asked), answered)
        interruption = Interruption()
        writer = ReplyWriter(
            self.store.replies, self.autosave, draft, continued_call_id, interruption.interrupt
        )
        opening = Opening(draft.conversation_id, draft.message_id, announced)
        assistant = self.assistants.of(owner)
        title: PendingTitle | None = None
        if allowance.has_titles:
            title = self.titles.of(conversation, turn_input.before, assistant)
        model = turn_input.choices.model
        return TurnStream(
            opening,
            assistant,
            turn_input,
            writer,
            lock=lock,
            interruption=interruption,
            title=title,
            models=allowance.models,
            on_used=partial(self.allowances.count, owner, allowance, model),
        )

    async def _read_conversation(self, owner: Owner, conversation_id: str) -> Conversation:
        conversation = await self.store.conversations.get(owner, conversation_id)
        if conversation is None:
            raise ConversationNotFoundError
        return conversation

    async def _answered(
        self, conversation_id: str, request: ToolResultRequest, images: tuple[NewImage, ...]
    ) -> ToolCall:
        call = await self.store.replies.answer(
            conversation_id, request.tool_call_id, request.result, images
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


@dataclass(frozen=True)
class _Route:
    """The agent that answers a message: a given one, or one that the supervisor will choose."""

    announced: Agent | None
    hand_overs: int


def _route(catalog: Catalog, name: str | None) -> _Route:
    agents = catalog.agents
    if name is not None:
        agent = catalog.agent(name)
        if agent is None:
            raise UnknownAgentError(name)
        return _Route(agent, 0)
    if not agents:
        raise NoAgentError(are_choices_known=catalog.are_choices_known)
    if len(agents) == 1:
        return _Route(agents[0], 0)
    default = catalog.default_agent()
    return _Route(default, 0 if default else HAND_OVERS)


def _agent_of(call: ToolCall, catalog: Catalog, question: str) -> Agent:
    """Find the agent that asked, or whoever fits if that may not answer any more."""
    agents = catalog.agents
    if not agents:
        raise NoAgentError(are_choices_known=catalog.are_choices_known)
    return catalog.agent(call.agent_name) or choose_agent(question, agents)


def _index_of(call: ToolCall, calls: tuple[ToolCall, ...]) -> int:
    return [found.id for found in calls].index(call.id)


def _draft_up_to(call: ToolCall, reply: Message) -> Draft:
    """Return the part of a reply that came before one of its tool calls."""
    notices = tuple(notice for notice in reply.notices if notice.offset < call.offset)
    content = reply.content[: call.offset]
    return Draft(call.conversation_id, reply.id, content, reply.created_at, notices)


def _message_id() -> str:
    return f"msg_{secrets.token_hex(16)}"


def _tools(request: ChatRequest) -> tuple[StoredTool, ...]:
    return tuple(
        StoredTool(tool.name, tool.description, tool.input_schema.model_dump())
        for tool in request.client_tools or []
    )


def _asked_tokens(request: ChatRequest) -> int:
    tools = (f"{tool.description}{json.dumps(tool.input_schema)}" for tool in _tools(request))
    return sum(map(count_tokens, (request.message, *tools)))


def _question(before: tuple[Message, ...]) -> str:
    asked = [message.content for message in before if message.role == "user"]
    return asked[-1] if asked else ""
