"""Answer with language models: ask, run the service's own tools, and ask again.

`ModelAssistant` writes replies in rounds of question and answer. `ToolCallRouter` sorts the tool
calls of an answer into the client's, the service's own, and unknown ones. If no agent is named, a
model chooses one: `question_of_choice` asks for a structured choice over names and descriptions,
and `chosen_agent` reads it.
"""

import asyncio
import re
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any, Final

from local_server.assistant.agents import Agent, choose_agent, fitting_agents
from local_server.assistant.models.answer import Answer, WantedCall
from local_server.assistant.models.failures import FailureKind, UpstreamError
from local_server.assistant.models.prompt_builder import (
    AnsweredCall,
    ModelTurn,
    OwnTools,
    Prompt,
    UserTurn,
    build_prompt,
    describe,
    skill_instructions,
)
from local_server.assistant.models.upstreams import Budget, FallbackChain, Limits
from local_server.assistant.reply import (
    IMAGES_NOT_SEEN,
    AgentChoice,
    AnswerUsage,
    HandOver,
    LeftOutNotice,
    Piece,
    ReplyRequest,
    RequestedToolCall,
    SkillUsed,
    SuggestedTitle,
    Text,
    ThoughtText,
)
from local_server.assistant.skills import Skill, SkillFileError, find_named
from local_server.assistant.titles import clean_title
from local_server.errors import StreamFailureError
from local_server.schemas import JsonTextError, parse_json
from local_server.store.records import Omission, ReplySettings, StoredTool

_POSTPONED: Final = (
    "Not run, because of the other calls in the same answer. If it is still wanted, ask again."
)
_NOT_ALONE: Final = "Not done: hand over with no other call beside it."

_INSTRUCTION: Final = (
    "You choose which assistant answers the user’s message. Do not answer it yourself. Call "
    "choose_assistant with one of these names; without tools, write the name and nothing else.\n"
)
# Enough to tell what a message is about.
_MESSAGE_CHARS: Final = 4000
# The name of an agent needs few tokens; models that think first need the rest.
_MAX_TOKENS: Final = 400
# A slow choice must not delay the reply; without one in time, keywords decide.
_CHOICE_S: Final = 30
_TITLE_INSTRUCTION: Final = (
    "Write a title for a conversation that begins with the user’s message, in its language, in at "
    "most six words. Do not answer the message. Write the title alone, on one line, without "
    "quotation marks."
)
# Nobody waits for it; but a server may answer one question at a time.
_TITLE_S: Final = 60
_BETWEEN_ROUNDS: Final = "\n\n"
_OMITTED: Final[Mapping[Omission, str]] = {
    "skills": "skills",
    "some_tools": "some of the tools",
    "tools": "tools",
    "instructions": "the agent’s instructions",
    "images": "all of the images",
    "results": "what tools returned earlier",
    "beginning": "the beginning of this chat",
}
_OF_IMAGES: Final[tuple[Omission, ...]] = ("images_not_taken", "images")
# What was chosen for the chat, and a provider refused.
_REFUSED: Final[Mapping[Omission, str]] = {
    "temperature": "the temperature",
    "thinking": "the length of thinking",
    "max_output_tokens": "the length of answers",
}
_UNREADABLE: Final = UserTurn("(That call of a tool could not be read. Go on.)")
_CUT: Final = "The model’s limit for an answer is reached, so this reply is cut off here."
_CUT_AS_CHOSEN: Final = (
    "Answers in this chat have at most {:,} tokens, so this one is cut off here."
)


@dataclass(frozen=True)
class RoutedCalls:
    """What follows from an answer.

    Attributes:
        pieces: The next pieces of the reply, in order.
        next_prompt: The next question to the model; None if its part is done for now.
        has_mistakes: Whether a call could not be met at all.
    """

    pieces: tuple[Piece, ...]
    next_prompt: Prompt | None
    has_mistakes: bool = False


@dataclass(frozen=True)
class _RoutedCall:
    """One call of an answer, sorted.

    Attributes:
        piece: The next piece of the reply if the call is carried out.
        result: The result for the model; None for a call to a tool of the client.
        outlasts: Whether its effect is still there after the reply waited for a client's tool.
    """

    input: dict[str, Any]
    piece: Piece | None = None
    result: str | None = None
    outlasts: bool = False
    is_mistake: bool = False


class ToolCallRouter:
    """Decides which calls of an answer are sent. Made for one reply, or one part of it.

    Calls to client tools are sent only if the answer has no other calls: beside malformed calls or
    calls to read a skill they are postponed, and the model is told so.
    """

    def __init__(self, request: ReplyRequest, own: OwnTools, used: Sequence[str]) -> None:
        """Make one; `used` names the skills whose instructions the model has."""
        self._tools = {tool.name for tool in request.tools}
        self._skills = {skill.name: skill for skill in request.skills}
        self._colleagues = {agent.name for agent in request.colleagues}
        self._own = own
        self._used = set(used)

    async def route(self, prompt: Prompt, text: str, answer: Answer) -> RoutedCalls:
        """Decide what follows from an answer to `prompt`, whose text is `text`."""
        calls = answer.calls
        if not calls:
            return RoutedCalls((), None)
        routed_calls = [await self._route_call(call) for call in calls]
        skills = [call.piece for call in routed_calls if isinstance(call.piece, SkillUsed)]
        leaving = [
            call.piece
            for call in routed_calls
            if isinstance(call.piece, RequestedToolCall | HandOver)
        ]
        may_leave = all(call.outlasts or call.piece in leaving for call in routed_calls)
        is_one_way = len(leaving) == 1 or not any(isinstance(piece, HandOver) for piece in leaving)
        if leaving and may_leave and is_one_way:
            written = [_with_origin(piece, answer) for piece in leaving]
            return RoutedCalls((*skills, *written), None)
        answered = tuple(
            AnsweredCall(
                call.id or f"call_{len(prompt.since)}_{index}",
                call.name,
                routed.input,
                _POSTPONED if routed.result is None else routed.result,
            )
            for index, (call, routed) in enumerate(zip(calls, routed_calls, strict=True))
        )
        next_prompt = replace(
            prompt, since=(*prompt.since, ModelTurn(text, answered, answer.origin))
        )
        return RoutedCalls(
            tuple(skills), next_prompt, any(call.is_mistake for call in routed_calls)
        )

    async def _route_call(self, call: WantedCall) -> _RoutedCall:
        try:
            given = parse_json(call.arguments.strip() or "{}")
        except JsonTextError as exc:
            return _mistake({}, f"Error: the arguments cannot be read: {exc}.")
        if not isinstance(given, dict):
            return _mistake({}, "Error: the arguments have to be one JSON object.")
        if call.name in self._tools:
            return _RoutedCall(given, RequestedToolCall(call.name, given))
        return await self._route_own(call.name, given)

    async def _route_own(self, name: str, given: dict[str, Any]) -> _RoutedCall:
        kind = self._own.kinds.get(name)
        if kind == "use_skill":
            return await self._use_skill(given)
        if kind == "read_skill_file":
            return await self._read_file(given)
        if kind == "hand_over":
            return self._hand_over(given)
        offered = ", ".join(sorted({*self._tools, *self._own.kinds})) or "none"
        return _mistake(given, f"Error: there is no such tool. Tools: {offered}.")

    async def _use_skill(self, given: dict[str, Any]) -> _RoutedCall:
        skill = self._skill(given.get("name"))
        if skill is None:
            return _mistake(given, "Error: there is no such skill.")
        files = await asyncio.to_thread(skill.files)
        instructions = skill_instructions(skill, files)
        is_new = skill.name not in self._used
        self._used.add(skill.name)
        return _RoutedCall(
            given, SkillUsed(skill.name) if is_new else None, instructions, outlasts=True
        )

    async def _read_file(self, given: dict[str, Any]) -> _RoutedCall:
        skill = self._skill(given.get("skill"))
        path = given.get("path")
        if skill is None or skill.name not in self._used or not isinstance(path, str):
            return _mistake(given, "Error: use the skill first, then read a file of it by path.")
        try:
            return _RoutedCall(given, result=await asyncio.to_thread(skill.read_file, path))
        except SkillFileError as exc:
            return _mistake(given, f"Error: {exc}")

    def _hand_over(self, given: dict[str, Any]) -> _RoutedCall:
        name = given.get("name")
        if not isinstance(name, str) or name not in self._colleagues:
            return _mistake(given, "Error: there is no such colleague.")
        return _RoutedCall(given, HandOver(name), _NOT_ALONE)

    def _skill(self, name: object) -> Skill | None:
        return self._skills.get(name) if isinstance(name, str) else None


def _with_origin(
    piece: RequestedToolCall | HandOver, answer: Answer
) -> RequestedToolCall | HandOver:
    if answer.origin is None or isinstance(piece, HandOver):
        return piece
    return replace(piece, origin=answer.origin)


def _mistake(given: dict[str, Any], result: str) -> _RoutedCall:
    return _RoutedCall(given, result=result, is_mistake=True)


def question_of_choice(message: str, agents: Sequence[Agent]) -> Prompt:
    """Write the question."""
    names = tuple(agent.name for agent in agents)
    schema = {
        "type": "object",
        "properties": {"name": {"type": "string", "enum": list(names)}},
        "required": ["name"],
    }
    return Prompt(
        system=_INSTRUCTION + describe(agents),
        earlier=(),
        question=UserTurn(message[:_MESSAGE_CHARS]),
        tools=(StoredTool("choose_assistant", "Says who answers.", schema),),
        choices=names,
        settings=ReplySettings(max_output_tokens=_MAX_TOKENS),
    )


def chosen_agent(
    calls: Sequence[WantedCall], text: str, message: str, agents: Sequence[Agent]
) -> Agent:
    """Read the choice from a call, or from words; words of the message decide where it is none."""
    for said in (*map(_argument, calls), text):
        named = [agent for agent in agents if _names(said, agent)]
        if len(named) == 1:
            return named[0]
    return choose_agent(message, agents)


def _names(said: str, agent: Agent) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(agent.name)}(?![\w-])", said) is not None


def _argument(call: WantedCall) -> str:
    try:
        given = parse_json(call.arguments)
    except JsonTextError:
        return call.arguments
    name = given.get("name") if isinstance(given, dict) else given
    return name if isinstance(name, str) else ""


class ModelAssistant:
    """Answers with models. One for the life of the service; whoever gave the models closes them."""

    def __init__(
        self,
        chain_of: Callable[[Agent | None, str | None], FallbackChain],
        limits: Limits | None = None,
    ) -> None:
        """Make one; `chain_of` finds the models for an agent and the model that was chosen."""
        self._chain_of = chain_of
        self._limits = limits or Limits()

    async def choose_agent(
        self, message: str, agents: tuple[Agent, ...], model: str | None = None
    ) -> AgentChoice:
        """Ask the model to choose by names and descriptions; where it does not, words decide.

        Nothing is asked where one agent alone fits by words, nor of a model that takes too long
        for it or takes no tools.

        Raises:
            StreamFailureError: When the model cannot be asked.
        """
        fitting = fitting_agents(message, agents)
        chain = self._chain_of(None, model)
        if len(fitting) == 1 or not await chain.can_choose():
            return AgentChoice(choose_agent(message, agents))
        answer = Answer()
        budget = Budget(replace(self._limits, seconds=_CHOICE_S))
        text = await _read_whole(chain, question_of_choice(message, agents), answer, budget)
        chosen = chosen_agent(answer.calls, text, message, agents)
        return AgentChoice(chosen, (answer.used,) if answer.used is not None else ())

    async def suggest_title(
        self, message: str, agent: Agent, model: str | None = None
    ) -> SuggestedTitle | None:
        """Ask for a title of a conversation, in the language of the message that begins it.

        Raises:
            StreamFailureError: When the model cannot be asked.
        """
        answer = Answer()
        budget = Budget(replace(self._limits, seconds=_TITLE_S))
        question = Prompt(
            system=_TITLE_INSTRUCTION,
            earlier=(),
            question=UserTurn(message[:_MESSAGE_CHARS]),
            settings=ReplySettings(max_output_tokens=_MAX_TOKENS, thinking="off"),
        )
        chain = self._chain_of(agent, model)
        title = clean_title(await _read_whole(chain, question, answer, budget))
        return SuggestedTitle(title, answer.used) if title else None

    def reply(self, request: ReplyRequest) -> AsyncGenerator[Piece]:
        """Write the reply piece by piece.

        Raises:
            StreamFailureError: When the reply cannot go on, with words for the user.
        """
        named = _newly_named(request)
        used = [skill for skill in request.skills if skill.name in request.used_skills]
        used += [named] if named is not None else []
        own = OwnTools.offer(
            {tool.name for tool in request.tools}, request.skills, request.colleagues
        )
        router = ToolCallRouter(request, own, [skill.name for skill in used])
        notices = [notice for message in request.history for notice in message.notices]
        known = notices[-1].omissions if notices else ()
        if request.has_new_images:
            # Of new images the user is told anew.
            known = tuple(omission for omission in known if omission not in _OF_IMAGES)
        chain = self._chain_of(request.agent, request.model)
        rounds = _Rounds(chain, router, Budget(self._limits), known)
        return rounds.pieces(build_prompt(request, own, used), named)

    async def aclose(self) -> None:
        """Do nothing: there is nothing to close."""


async def _read_whole(chain: FallbackChain, prompt: Prompt, answer: Answer, budget: Budget) -> str:
    """Ask, and return the whole text of the answer."""
    written: list[str] = []
    async with aclosing(chain.ask(prompt, answer, budget)) as texts:
        async for text in texts:
            budget.count_text(text + answer.take_thoughts())
            written.append(text)
    return "".join(written)


class _Rounds:
    """The questions and answers of one reply. Made for one reply, or one part of it."""

    def __init__(
        self,
        chain: FallbackChain,
        router: ToolCallRouter,
        budget: Budget,
        known_omissions: tuple[Omission, ...],
    ) -> None:
        """Make them; `known_omissions` are those that the user was told last."""
        self._chain = chain
        self._router = router
        self._budget = budget
        self._known_omissions = known_omissions
        self._text = ""
        self._has_bad_call = False
        self._has_thought = False

    async def pieces(self, prompt: Prompt, named: Skill | None) -> AsyncGenerator[Piece]:
        """Ask until the model has no calls that are ours to answer; say first which skill it has.

        Raises:
            StreamFailureError: When the reply cannot go on, with words for the user.
        """
        if named is not None:
            yield SkillUsed(named.name)
        asked: Prompt | None = prompt
        is_first = True
        while asked is not None:
            self._budget.count_call()
            answer = Answer()
            async with aclosing(self._answer_pieces(asked, answer, is_first=is_first)) as told:
                async for said in told:
                    yield said
            if answer.failure is not None:
                asked = self._after_bad_call(asked, answer.failure)
                is_first = False
                continue
            routed = await self._router.route(asked, self._text.strip(), answer)
            if routed.has_mistakes:
                self._budget.count_mistake()
            for piece in routed.pieces:
                yield piece
            is_first = is_first and not self._text
            asked = routed.next_prompt

    async def _answer_pieces(
        self, prompt: Prompt, answer: Answer, *, is_first: bool
    ) -> AsyncGenerator[Text | LeftOutNotice | ThoughtText | AnswerUsage]:
        """Yield an answer, and at its end, whatever that is, what it used.

        Raises:
            StreamFailureError: When the reply ends with it.
        """
        failure: StreamFailureError | None = None
        try:
            async with aclosing(self._texts(prompt, answer, is_first=is_first)) as pieces:
                async for piece in pieces:
                    yield piece
        except StreamFailureError as exc:
            failure = exc
        if answer.used is not None:
            yield answer.used
        if failure is not None:
            raise failure
        self._check_end(prompt, answer)

    async def _texts(
        self, prompt: Prompt, answer: Answer, *, is_first: bool
    ) -> AsyncGenerator[Text | LeftOutNotice | ThoughtText]:
        """Yield thoughts and text of an answer, set apart from the text of the round before.

        First comes what the model has to do without, unless the user was told so last.
        """
        written: list[str] = []
        async with aclosing(self._chain.ask(prompt, answer, self._budget)) as texts:
            async for text in texts:
                if answer.has_thoughts:
                    yield self._thought(answer)
                self._budget.count_text(text)
                if not text:
                    continue
                pieces = [Text(text)] if written else self._first_pieces(text, answer, is_first)
                for piece in pieces:
                    yield piece
                written.append(text)
        if answer.has_thoughts:
            yield self._thought(answer)
        self._text = "".join(written)

    def _thought(self, answer: Answer) -> ThoughtText:
        """Take the thoughts out of an answer, and count them as what they are: written."""
        self._has_thought = True
        thought = ThoughtText(answer.take_thoughts())
        self._budget.count_text(thought.text)
        return thought

    def _check_end(self, prompt: Prompt, answer: Answer) -> None:
        """Check how an answer ended, and count its calls.

        Raises:
            StreamFailureError: When the reply ends with it.
        """
        if answer.failure is not None:
            return
        if answer.ending == "length":
            chosen = prompt.settings.max_output_tokens
            is_kept = chosen is not None and "max_output_tokens" not in answer.omissions
            raise StreamFailureError(_CUT_AS_CHOSEN.format(chosen) if is_kept else _CUT)
        if answer.ending == "filter":
            raise StreamFailureError(UpstreamError("filtered").sentence(answer.label))
        if not self._text and not answer.calls:
            kind: FailureKind = "only_thoughts" if self._has_thought else "empty"
            raise StreamFailureError(UpstreamError(kind).sentence(answer.label))
        for call in answer.calls:
            self._budget.count_text(call.arguments)

    def _after_bad_call(self, prompt: Prompt, failure: StreamFailureError) -> Prompt:
        """Ask on once after a call that cannot be read.

        Raises:
            StreamFailureError: At the second one.
        """
        if self._has_bad_call:
            raise failure
        self._has_bad_call = True
        turn = ModelTurn(self._text.strip())
        return replace(prompt, since=(*prompt.since, turn, _UNREADABLE))

    def _first_pieces(
        self, text: str, answer: Answer, is_first: bool
    ) -> list[Text | LeftOutNotice]:
        """Return what a round begins with: a break, a notice, and the first text."""
        pieces: list[Text | LeftOutNotice] = []
        between = "" if is_first else _BETWEEN_ROUNDS
        omissions = answer.omissions
        if not _is_told(omissions, self._known_omissions):
            self._known_omissions = omissions
            pieces += [Text(between)] if between else []
            pieces.append(LeftOutNotice(_notice(omissions), omissions))
            between = _BETWEEN_ROUNDS
        return [*pieces, Text(between + text.lstrip() if between else text)]


def _is_told(omissions: Sequence[Omission], known: Sequence[Omission]) -> bool:
    """Return whether the user was told of all omissions; the set of left-out tools may vary."""
    told = {*known, "some_tools"} if "tools" in known else {*known}
    return told.issuperset(omissions)


def _notice(omissions: Sequence[Omission]) -> str:
    """Write what a model is asked without, each reason as a paragraph of Markdown."""
    paragraphs = []
    if "tools_not_taken" in omissions:
        paragraphs.append("*This model takes no tools, so it answers without them.*")
    if "images_not_taken" in omissions:
        paragraphs.append(IMAGES_NOT_SEEN.text)
    left_out = [_OMITTED[omission] for omission in omissions if omission in _OMITTED]
    if left_out:
        listed = _listed(left_out)
        paragraphs.append(
            f"*This model has too little room for {listed}, so it answers without them.*"
        )
    refused = [_REFUSED[omission] for omission in omissions if omission in _REFUSED]
    if refused:
        listed = _listed(refused)
        paragraphs.append(
            f"*This model does not let anybody choose {listed}, so it answers without that.*"
        )
    return _BETWEEN_ROUNDS.join(paragraphs)


def _listed(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def _newly_named(request: ReplyRequest) -> Skill | None:
    """Find a skill that the message calls by name, whose instructions need no asking for."""
    skill = find_named(request.message, request.skills)
    return skill if skill is not None and skill.name not in request.used_skills else None
