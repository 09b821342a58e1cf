"""Judges the tool calls of a model's answer: which are the client's, which ours, which nobody's."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from local_server.assistant.models.answer import Answer, WantedCall
from local_server.assistant.models.prompt_builder import (
    AnsweredCall,
    ModelTurn,
    OwnTools,
    Prompt,
    skill_instructions,
)
from local_server.assistant.reply import HandOver, Piece, ReplyRequest, RequestedToolCall, SkillUsed
from local_server.assistant.skills import Skill, SkillFileError
from local_server.json_text import JsonTextError, parse_json

_POSTPONED: Final = (
    "Not run, because of the other calls in the same answer. If it is still wanted, ask again."
)
_NOT_ALONE: Final = "Not done: hand over with no other call beside it."


@dataclass(frozen=True)
class RoutedCalls:
    """What follows from an answer.

    Attributes:
        pieces: What the service is told, in order.
        next_prompt: How the model is asked on; None when its part is done for now.
        has_mistakes: Whether a call could not be met at all.
    """

    pieces: tuple[Piece, ...]
    next_prompt: Prompt | None
    has_mistakes: bool = False


@dataclass(frozen=True)
class _Heard:
    """One call, understood.

    Attributes:
        piece: What the service is told when the call is met.
        result: What the model is told; None when that is not ours to say.
        outlasts: Whether its effect is still there after the reply waited for a client's tool.
    """

    input: dict[str, Any]
    piece: Piece | None = None
    result: str | None = None
    outlasts: bool = False
    is_mistake: bool = False


class ToolCallRouting:
    """Knows what a reply may ask for. Made for one reply, or one part of it.

    A client's calls leave only when nothing else in the answer would be lost by that: with bad
    calls or reading beside them, they are postponed, and the model is told so.
    """

    def __init__(self, request: ReplyRequest, own: OwnTools, used: Sequence[str]) -> None:
        """Make one; `used` names the skills whose instructions the model has."""
        self._tools = {tool.name for tool in request.tools}
        self._skills = {skill.name: skill for skill in request.skills}
        self._colleagues = {agent.name for agent in request.colleagues}
        self._own = own
        self._used = set(used)

    async def judge(self, prompt: Prompt, text: str, answer: Answer) -> RoutedCalls:
        """Say what follows from an answer to `prompt`, which said `text`."""
        calls = answer.calls
        if not calls:
            return RoutedCalls((), None)
        heard = [await self._hear(call) for call in calls]
        skills = [one.piece for one in heard if isinstance(one.piece, SkillUsed)]
        leaving = [
            one.piece for one in heard if isinstance(one.piece, RequestedToolCall | HandOver)
        ]
        may_leave = all(one.outlasts or one.piece in leaving for one in heard)
        is_one_way = len(leaving) == 1 or not any(isinstance(one, HandOver) for one in leaving)
        if leaving and may_leave and is_one_way:
            written = [_with_origin(piece, answer) for piece in leaving]
            return RoutedCalls((*skills, *written), None)
        answered = tuple(
            AnsweredCall(
                call.id or f"call_{len(prompt.since)}_{place}",
                call.name,
                one.input,
                _POSTPONED if one.result is None else one.result,
            )
            for place, (call, one) in enumerate(zip(calls, heard, strict=True))
        )
        next_prompt = replace(
            prompt, since=(*prompt.since, ModelTurn(text, answered, answer.origin))
        )
        return RoutedCalls(tuple(skills), next_prompt, any(one.is_mistake for one in heard))

    async def _hear(self, call: WantedCall) -> _Heard:
        try:
            given = parse_json(call.arguments.strip() or "{}")
        except JsonTextError as exc:
            return _mistake({}, f"Error: the arguments cannot be read: {exc}.")
        if not isinstance(given, dict):
            return _mistake({}, "Error: the arguments have to be one JSON object.")
        if call.name in self._tools:
            return _Heard(given, RequestedToolCall(call.name, given))
        return await self._hear_own(call.name, given)

    async def _hear_own(self, name: str, given: dict[str, Any]) -> _Heard:
        kind = self._own.kinds.get(name)
        if kind == "use_skill":
            return await self._use_skill(given)
        if kind == "read_skill_file":
            return await self._read_file(given)
        if kind == "hand_over":
            return self._hand_over(given)
        offered = ", ".join(sorted({*self._tools, *self._own.kinds})) or "none"
        return _mistake(given, f"Error: there is no such tool. Tools: {offered}.")

    async def _use_skill(self, given: dict[str, Any]) -> _Heard:
        skill = self._skill(given.get("name"))
        if skill is None:
            return _mistake(given, "Error: there is no such skill.")
        files = await asyncio.to_thread(skill.files)
        told = skill_instructions(skill, files)
        is_new = skill.name not in self._used
        self._used.add(skill.name)
        return _Heard(given, SkillUsed(skill.name) if is_new else None, told, outlasts=True)

    async def _read_file(self, given: dict[str, Any]) -> _Heard:
        skill = self._skill(given.get("skill"))
        path = given.get("path")
        if skill is None or skill.name not in self._used or not isinstance(path, str):
            return _mistake(given, "Error: use the skill first, then read a file of it by path.")
        try:
            return _Heard(given, result=await asyncio.to_thread(skill.read_file, path))
        except SkillFileError as exc:
            return _mistake(given, f"Error: {exc}")

    def _hand_over(self, given: dict[str, Any]) -> _Heard:
        name = given.get("name")
        if not isinstance(name, str) or name not in self._colleagues:
            return _mistake(given, "Error: there is no such colleague.")
        return _Heard(given, HandOver(name), _NOT_ALONE)

    def _skill(self, name: object) -> Skill | None:
        return self._skills.get(name) if isinstance(name, str) else None


def _with_origin(
    piece: RequestedToolCall | HandOver, answer: Answer
) -> RequestedToolCall | HandOver:
    if answer.origin is None or isinstance(piece, HandOver):
        return piece
    return replace(piece, origin=answer.origin)


def _mistake(given: dict[str, Any], told: str) -> _Heard:
    return _Heard(given, result=told, is_mistake=True)
