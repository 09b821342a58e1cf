"""Write one stream of a reply, from `message_start` to the last `agent_end`, storing it meanwhile.

`TurnInput` is what a reply answers, and `TurnStream` writes it; `Opening`, `agent_start`,
`agent_end`, `tool_use` and `usage_event` make the events that frame what an assistant says.
`Interruption` ends a turn from outside and raises the reason in it, as when its lock is lost.
"""

import asyncio
import json
import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Final, Protocol, Self, TypeVar

from local_server.assistant.agents import Agent, choose_agent
from local_server.assistant.reply import (
    AnswerUsage,
    Assistant,
    HandOver,
    LeftOutNotice,
    ModelChoices,
    ReplyRequest,
    RequestedToolCall,
    SkillUsed,
    Text,
    ThoughtText,
    TokenUsage,
)
from local_server.assistant.skills import Skill, count_tokens
from local_server.assistant.titles import PendingTitle
from local_server.assistant.writer import ReplyWriter
from local_server.coordination import ConversationLock
from local_server.errors import StreamFailureError
from local_server.schemas import (
    AgentEnd,
    AgentStart,
    MessageStart,
    NamedUsageEvent,
    TitleEvent,
    ToolUse,
    UsageEvent,
)
from local_server.sse import EventBuffer
from local_server.store.records import (
    DEFAULT_CHOICES,
    CallState,
    ChatChoices,
    Message,
    MessageImage,
    PastCall,
    StoredTool,
    ToolCall,
)

HAND_OVERS: Final = 3

log = logging.getLogger(__name__)

_CALLS_AT_ONCE: Final = 32
_CHARS_A_TOKEN: Final = 4
_TOKENS_AN_IMAGE: Final = 1000
# Called with what the answers of a stream used, and an estimate of what uncounted ones used.
OnUsed = Callable[[Sequence[AnswerUsage], TokenUsage], Awaitable[None]]
NextStep = HandOver | list[RequestedToolCall]


@dataclass(frozen=True)
class TurnInput:
    """A message and all that a reply to it may draw on.

    Attributes:
        message: The user's latest message.
        before: The conversation up to and with that message.
        agents: Who may answer.
        skills: The project's skills.
        tools: What the client declared with that message.
        past_calls: The tool calls of the replies before that message, in order.
        images: The newest images of the conversation, in order.
        calls: The tool calls of the reply so far, all of them answered, in order.
        used_skills: The names of the skills that the reply has used so far.
        choices: What was chosen for the chat.
        hand_overs_left: How often the reply may still go to another agent.
    """

    message: str
    before: tuple[Message, ...]
    agents: tuple[Agent, ...]
    skills: tuple[Skill, ...]
    tools: tuple[StoredTool, ...]
    past_calls: tuple[PastCall, ...] = ()
    images: tuple[MessageImage, ...] = ()
    calls: tuple[ToolCall, ...] = ()
    used_skills: tuple[str, ...] = ()
    choices: ChatChoices = DEFAULT_CHOICES
    hand_overs_left: int = 0

    @property
    def next_round(self) -> int:
        """The number of the tool calls that are asked for next."""
        return self.calls[-1].round + 1 if self.calls else 0

    def for_agent(self, agent: Agent, so_far: Message | None) -> ReplyRequest:
        """Ask an agent, with what it may use and whom it may hand over to."""
        others = tuple(other for other in self.agents if other.name != agent.name)
        return ReplyRequest(
            message=self.message,
            history=self.before if so_far is None else (*self.before, so_far),
            agent=agent,
            skills=_allowed(self.skills, agent.skills),
            tools=_allowed(self.tools, agent.tools),
            past_calls=self.past_calls,
            images=self.images,
            calls=self.calls,
            used_skills=self.used_skills,
            colleagues=others if self.hand_overs_left else (),
            model=self.choices.model,
            settings=self.choices.settings,
            instructions=self.choices.instructions,
        )

    def with_skill(self, name: str) -> "TurnInput":
        """Remember that a skill was used."""
        if name in self.used_skills:
            return self
        return replace(self, used_skills=(*self.used_skills, name))

    def handed_over(self) -> "TurnInput":
        """Count a hand-over."""
        return replace(self, hand_overs_left=self.hand_overs_left - 1)

    def alone(self) -> "TurnInput":
        """Allow no more hand-overs."""
        return replace(self, hand_overs_left=0)


class _Named(Protocol):
    @property
    def name(self) -> str: ...


NamedThing = TypeVar("NamedThing", bound=_Named)


def _allowed(things: Sequence[NamedThing], names: Sequence[str] | None) -> tuple[NamedThing, ...]:
    return tuple(thing for thing in things if names is None or thing.name in names)


class Interruption:
    """A context manager whose task can be interrupted: the reason is raised where it awaits.

    Entered once, by the working task. A reason that was given before takes effect on entering;
    one after the end has no effect.
    """

    def __init__(self) -> None:
        self._reason: Exception | None = None
        self._timeout = asyncio.timeout(None)
        self._is_open = False

    @property
    def has_reason(self) -> bool:
        """Whether it was interrupted."""
        return self._reason is not None

    def interrupt(self, reason: Exception) -> None:
        """Interrupt the work; the first reason counts."""
        if self._reason is None:
            self._reason = reason
            self._strike()

    async def __aenter__(self) -> Self:
        await self._timeout.__aenter__()
        self._is_open = True
        self._strike()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._is_open = False
        try:
            await self._timeout.__aexit__(kind, error, traceback)
        except TimeoutError:
            if self._reason is None:
                raise
            raise self._reason from None

    def _strike(self) -> None:
        if self._is_open and self._reason is not None:
            self._timeout.reschedule(asyncio.get_running_loop().time())


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


def usage_event(answers: Sequence[AnswerUsage], models: ModelChoices | None) -> UsageEvent:
    """Make the event that says what the answers of a stream used, of which there is at least one.

    A sum in which something is not known is not known. Who may choose among `models` is told which
    one answered.
    """
    tokens = [answer.tokens for answer in answers]
    known = [used for used in tokens if used is not None]
    costs = [answer.cost_usd for answer in answers if answer.cost_usd is not None]
    has_all, has_costs = len(known) == len(answers), len(costs) == len(answers)
    last = answers[-1]
    usage = UsageEvent(
        input_tokens=sum(used.input for used in known) if has_all else None,
        output_tokens=sum(used.output for used in known) if has_all else None,
        cached_tokens=sum(used.cached for used in known) if has_all else None,
        context_tokens=last.tokens.input + last.tokens.output if last.tokens else None,
        context_window=last.context_window,
        cost_usd=sum(costs) if has_costs else None,
    )
    if models is None:
        return usage
    return NamedUsageEvent(
        **usage.model_dump(),
        model=None if last.model is None else models.listed_id(last.model),
        is_window_assumed=last.is_window_assumed,
    )


@dataclass
class _Asking:
    """What an agent is asked, and how much it has written since it was asked last."""

    request: ReplyRequest
    written_chars: int = 0

    def estimate(self) -> TokenUsage:
        """Estimate the tokens of a question and the answer so far."""
        request = self.request
        asked = count_tokens(request.agent.instruction) + question_tokens(request)
        return TokenUsage(asked, self.written_chars // _CHARS_A_TOKEN)


def question_tokens(asked: ReplyRequest) -> int:
    """Estimate the tokens of a question without the agent's instruction."""
    tools = (f"{tool.description}{json.dumps(tool.input_schema)}" for tool in asked.tools)
    calls: tuple[PastCall | ToolCall, ...] = (*asked.past_calls, *asked.calls)
    results = (f"{json.dumps(call.input)}{call.result or ''}" for call in calls)
    texts = (asked.instructions, *tools, *(message.content for message in asked.history), *results)
    return sum(map(count_tokens, texts)) + _TOKENS_AN_IMAGE * len(asked.images)


class TurnStream:
    """Writes a reply, or the next part of one after tool calls.

    Made for one request; whoever streams it closes it, which frees the conversation.
    """

    def __init__(
        self,
        opening: Opening,
        assistant: Assistant,
        turn_input: TurnInput,
        writer: ReplyWriter,
        *,
        lock: ConversationLock,
        interruption: Interruption,
        title: PendingTitle | None = None,
        models: ModelChoices | None = None,
        on_used: OnUsed | None = None,
    ) -> None:
        """Make one that ends, with the reason, when it is interrupted.

        A `title` is asked for beside the reply, and told if the client wants one. The client may
        choose among `models`. At its end, and wherever it is stopped, `on_used` is called with what
        it used.
        """
        self._opening = opening
        self._assistant = assistant
        self._turn_input = turn_input
        self._writer = writer
        self._lock = lock
        self._interruption = interruption
        self._title = title
        self._models = models
        self._on_used = on_used
        self._asking: _Asking | None = None
        self._uncounted = TokenUsage(0, 0)
        self._used: list[AnswerUsage] = []
        self._used_beside: list[AnswerUsage] = []
        lock.lost.add_done_callback(lambda _lost: self._on_lock_lost())

    async def write(self, out: EventBuffer) -> None:
        """Write the events of the stream; what was written is kept wherever they end.

        Raises:
            StreamFailureError: When the reply cannot go on.
        """
        try:
            async with self._interruption:
                if not out.accepts("title"):
                    self._title = None
                title = await self._take_title()
                if title is not None:
                    await out.event(title)
                await out.event(self._opening.event())
                agent: Agent | None = self._opening.announced or await self._choose()
                while agent is not None:
                    await out.event(agent_start(agent))
                    following = await self._run_agent(agent, out)
                    await out.event(agent_end(agent))
                    agent = following
                await self._tell_rest(out)
        except StreamFailureError:
            self._forget_unanswered()
            if out.agent_name is not None:
                await out.event(AgentEnd(agent_name=out.agent_name))
            await self._tell_rest(out)
            raise
        finally:
            await self._writer.save_rest()
            if self._asking is not None:
                self._add_uncounted(self._asking)
            await self._tell_used()

    def _forget_unanswered(self) -> None:
        """Do not count a question that no model answered, unless the turn was interrupted.

        A user who deletes the conversation during the reply has still read a part of it.
        """
        asking = self._asking
        if asking and not (asking.written_chars or self._interruption.has_reason):
            self._asking = None

    async def _tell_rest(self, out: EventBuffer) -> None:
        """Tell what comes after the last agent: what was used, and a title that is ready."""
        title = await self._take_title()
        if self._used:
            await out.event(usage_event((*self._used_beside, *self._used), self._models))
        if title is not None:
            await out.event(title)

    async def _take_title(self) -> TitleEvent | None:
        """Return the title if it is ready and was not told, and count what it took here."""
        suggested = await self._title.take() if self._title is not None else None
        if suggested is None:
            return None
        self._title = None
        self._used_beside += [] if suggested.used is None else [suggested.used]
        return TitleEvent(title=suggested.title)

    async def aclose(self) -> None:
        """Free the conversation for the next turn."""
        try:
            # Where the client left before the first event, nothing was used.
            await self._tell_used()
        finally:
            await self._lock.release()

    async def _tell_used(self) -> None:
        on_used, self._on_used = self._on_used, None
        if on_used is not None:
            await on_used((*self._used_beside, *self._used), self._uncounted)

    async def _choose(self) -> Agent:
        """Ask the supervisor to choose; where it cannot, words decide."""
        turn_input = self._turn_input
        try:
            chosen = await self._assistant.choose_agent(
                turn_input.message, turn_input.agents, turn_input.choices.model
            )
        except StreamFailureError:
            # Its words are for the user, and may quote what the user wrote.
            log.info("the supervisor made no choice; choosing by words")
        else:
            self._used += chosen.used
            if chosen.agent in turn_input.agents:
                return chosen.agent
            log.info("the supervisor chose an unknown agent; choosing by words")
        return choose_agent(turn_input.message, turn_input.agents)

    async def _run_agent(self, agent: Agent, out: EventBuffer) -> Agent | None:
        """Run an agent, and return the one that goes on after it; None at the end of the reply.

        One that hands over to nobody who is there is asked once more, with no colleagues to name.
        """
        request = self._turn_input.for_agent(agent, self._writer.so_far())
        step = await self._relay(request, out)
        if isinstance(step, HandOver):
            named = [other for other in request.colleagues if other.name == step.agent_name]
            if named:
                return self._hand_over(named[0])
            log.info("%s cannot hand over to the agent it named, and continues", agent.name)
            self._writer.begin_paragraph()
            alone = self._turn_input.alone().for_agent(agent, self._writer.so_far())
            step = await self._relay(alone, out)
        if isinstance(step, list) and step:
            await self._suspend(step, request, out)
        else:
            await self._writer.finish()
        return None

    async def _relay(self, request: ReplyRequest, out: EventBuffer) -> NextStep:
        """Pass on the text of a reply, and return what it asks for at its end."""
        self._asking = _Asking(request)
        step = await self._relay_pieces(self._asking, out)
        self._asking = None
        return step

    async def _relay_pieces(self, asking: "_Asking", out: EventBuffer) -> NextStep:
        request = asking.request
        requested: list[RequestedToolCall] = []
        async with aclosing(self._assistant.reply(request)) as pieces:
            async for piece in pieces:
                if self._title is not None and isinstance(piece, Text | RequestedToolCall):
                    self._title.begin(request.agent)
                if isinstance(piece, Text | LeftOutNotice) and not requested:
                    asking.written_chars += len(piece.text)
                    await self._pass_on(piece, out)
                elif isinstance(piece, RequestedToolCall):
                    requested.append(piece)
                elif isinstance(piece, ThoughtText):
                    asking.written_chars += len(piece.text)
                    await out.thought(piece.text)
                elif isinstance(piece, AnswerUsage):
                    self._note_used(piece, asking)
                elif isinstance(piece, SkillUsed):
                    self._turn_input = self._turn_input.with_skill(piece.name)
                elif isinstance(piece, HandOver) and not requested:
                    return piece
        return requested

    def _note_used(self, used: AnswerUsage, asking: "_Asking") -> None:
        self._used.append(used)
        if used.tokens is None:
            self._add_uncounted(asking)
        asking.written_chars = 0

    def _add_uncounted(self, asking: "_Asking") -> None:
        """Add the estimated usage of an answer that was stopped, or not counted by its provider."""
        known, more = self._uncounted, asking.estimate()
        self._uncounted = TokenUsage(known.input + more.input, known.output + more.output)

    async def _pass_on(self, piece: Text | LeftOutNotice, out: EventBuffer) -> None:
        if not piece.text:
            return
        if isinstance(piece, LeftOutNotice):
            await out.text(self._writer.add_notice(piece.text, piece.omissions))
        else:
            await out.text(self._writer.add(piece.text))
        if self._writer.is_due:
            await self._writer.save()

    def _hand_over(self, colleague: Agent) -> Agent:
        self._turn_input = self._turn_input.handed_over()
        self._writer.begin_paragraph()
        return colleague

    async def _suspend(
        self, requested: list[RequestedToolCall], request: ReplyRequest, out: EventBuffer
    ) -> None:
        offered = {tool.name for tool in request.tools}
        allowed = [call for call in requested if call.name in offered]
        if not allowed:
            raise StreamFailureError("The assistant asked for a tool that is not offered.")
        if len(allowed) > _CALLS_AT_ONCE:
            raise StreamFailureError("The assistant asked for too many tools at once.")
        if not all(_is_sendable(call) for call in allowed):
            raise StreamFailureError("The assistant made a tool call that could not be read.")
        first, *others = allowed
        calls = (
            replace(self._call(first, request.agent, "pending"), origin=first.origin),
            *(self._call(call, request.agent, "queued") for call in others),
        )
        await self._writer.suspend(calls)
        await out.event(tool_use(calls[0]))

    def _call(self, requested: RequestedToolCall, agent: Agent, state: CallState) -> ToolCall:
        turn_input = self._turn_input
        return ToolCall(
            id=f"call_{secrets.token_hex(16)}",
            conversation_id=self._opening.conversation_id,
            message_id=self._opening.message_id,
            name=requested.name,
            input=requested.input,
            tools=turn_input.tools,
            agent_name=agent.name,
            offset=self._writer.length,
            state=state,
            result=None,
            is_finished=False,
            round=turn_input.next_round,
            used_skills=turn_input.used_skills,
            hand_overs_left=turn_input.hand_overs_left,
        )

    def _on_lock_lost(self) -> None:
        failure = StreamFailureError("Another part of the service took this conversation over.")
        self._writer.give_up(failure)
        self._interruption.interrupt(failure)


def _is_sendable(requested: RequestedToolCall) -> bool:
    """Return whether the input is JSON: no NaN, no halves of characters, no endless nesting."""
    try:
        json.dumps(requested.input, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, TypeError, RecursionError):
        return False
    return True
