"""Lets real models answer: asks them, runs the tools of the service, and asks again.

`ModelAssistant` writes replies in rounds of question and answer. Where no agent is named, it lets
a model choose one: `question_of_choice` asks for one structured choice over names and
descriptions, and `chosen_agent` reads it.
"""

import re
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Final

from local_server.assistant.agents import Agent, choose_agent
from local_server.assistant.models.answer import Answer, WantedCall
from local_server.assistant.models.failures import UpstreamError
from local_server.assistant.models.fallback import Budget, FallbackChain, Limits
from local_server.assistant.models.left_out import latest_notice
from local_server.assistant.models.prompt_builder import (
    ModelTurn,
    OwnTools,
    Prompt,
    UserTurn,
    build_prompt,
    describe,
)
from local_server.assistant.models.tool_call_routing import ToolCallRouting
from local_server.assistant.reply import Piece, ReplyRequest, SkillUsed, Text
from local_server.assistant.skills import Skill, find_named
from local_server.errors import StreamFailureError
from local_server.json_text import JsonTextError, parse_json
from local_server.store.records import StoredTool

_INSTRUCTION: Final = (
    "You choose which assistant answers the user’s message. Do not answer it yourself. Call "
    "choose_assistant with one of these names; without tools, write the name and nothing else.\n"
)
# Enough to tell what a message is about.
_MESSAGE_CHARS: Final = 4000
# A name needs few; models that think first need some for that.
_MAX_TOKENS: Final = 400


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
        max_tokens=_MAX_TOKENS,
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


# Choosing must not keep the user waiting; without a choice in time, words decide.
_CHOICE_S: Final = 30
_BETWEEN_ROUNDS: Final = "\n\n"
_UNREADABLE: Final = UserTurn("(That call of a tool could not be read. Go on.)")
_CUT: Final = "The model’s room for an answer is used up, so this reply is cut off here."


class ModelAssistant:
    """Answers with models. One for the life of the service; whoever gave the models closes them."""

    def __init__(
        self, chain_of: Callable[[Agent | None], FallbackChain], limits: Limits | None = None
    ) -> None:
        """Make one; `chain_of` finds the models for an agent, or for the supervisor."""
        self._chain_of = chain_of
        self._limits = limits or Limits()

    async def choose_agent(self, message: str, agents: tuple[Agent, ...]) -> Agent:
        """Let the model choose by names and descriptions; where it does not, words decide.

        Raises:
            StreamFailureError: When the model cannot be asked.
        """
        answer = Answer()
        budget = Budget(replace(self._limits, seconds=_CHOICE_S))
        asked = self._chain_of(None).ask(question_of_choice(message, agents), answer, budget)
        said: list[str] = []
        async with aclosing(asked) as texts:
            async for text in texts:
                budget.count_text(text)
                said.append(text)
        return chosen_agent(answer.calls, "".join(said), message, agents)

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
        judge = ToolCallRouting(request, own, [skill.name for skill in used])
        told = latest_notice(one.content for one in request.history if one.role == "assistant")
        rounds = _Rounds(self._chain_of(request.agent), judge, Budget(self._limits), told)
        return rounds.pieces(build_prompt(request, own, used), named)

    async def aclose(self) -> None:
        """Hold nothing, and so let go of nothing."""


class _Rounds:
    """The questions and answers of one reply. Made for one reply, or one part of it."""

    def __init__(
        self, chain: FallbackChain, judge: ToolCallRouting, budget: Budget, told: str
    ) -> None:
        """Make them; `told` is the notice of what is left out that the user got last."""
        self._chain = chain
        self._judge = judge
        self._budget = budget
        self._told = told
        self._text = ""
        self._has_bad_call = False

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
            async with aclosing(self._spoken(asked, answer, is_first=is_first)) as texts:
                async for text in texts:
                    yield text
            if answer.failure is not None:
                asked = self._after_bad_call(asked, answer.failure)
                is_first = False
                continue
            verdict = await self._judge.judge(asked, self._text.strip(), answer)
            if verdict.has_mistakes:
                self._budget.count_mistake()
            for piece in verdict.pieces:
                yield piece
            is_first = is_first and not self._text
            asked = verdict.next_prompt

    async def _spoken(
        self, prompt: Prompt, answer: Answer, *, is_first: bool
    ) -> AsyncGenerator[Text]:
        """Pass on what is said, set apart from what was said in the round before.

        First comes what the model has to do without, unless the user was told so last.
        """
        written: list[str] = []
        async with aclosing(self._chain.ask(prompt, answer, self._budget)) as texts:
            async for text in texts:
                self._budget.count_text(text)
                if text:
                    yield Text(text if written else self._begun(text, answer, is_first))
                    written.append(text)
        self._text = "".join(written)
        if answer.failure is not None:
            return
        if answer.ending == "length":
            raise StreamFailureError(_CUT)
        if answer.ending == "filter":
            raise StreamFailureError(UpstreamError("filtered").sentence("the model"))
        if not written and not answer.calls:
            raise StreamFailureError(UpstreamError("empty").sentence("The model"))
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
        said = ModelTurn(self._text.strip())
        return replace(prompt, since=(*prompt.since, said, _UNREADABLE))

    def _begun(self, text: str, answer: Answer, is_first: bool) -> str:
        """Begin the text of a round."""
        notice = answer.left_out.notice
        parts = [] if is_first else [""]
        if notice and notice != self._told:
            self._told = notice
            parts.append(notice)
        return _BETWEEN_ROUNDS.join([*parts, text.lstrip()]) if parts else text


def _newly_named(request: ReplyRequest) -> Skill | None:
    """Find a skill that the message calls by name, whose instructions need no asking for."""
    skill = find_named(request.message, request.skills)
    return skill if skill is not None and skill.name not in request.used_skills else None
