"""From a request of the service to a question for a model."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from local_server.assistant.agents import Agent
from local_server.assistant.models.left_out import without_notices
from local_server.assistant.models.own_tools import OwnTools
from local_server.assistant.models.prompt import (
    AnsweredCall,
    Extra,
    ModelTurn,
    Prompt,
    Turn,
    UserTurn,
)
from local_server.assistant.reply import ReplyRequest
from local_server.assistant.skills import Skill
from local_server.store.records import Message, ToolCall

# Models want the last word to be the user's; this is said where another agent had it.
_GO_ON: Final = UserTurn("(The above was written by a colleague, who handed over to you. Go on.)")
_NOT_ANSWERED: Final = "The user did not answer this call."


def compose(request: ReplyRequest, own: OwnTools, used: Sequence[Skill]) -> Prompt:
    """Write the question: who the model is, the conversation, and the reply so far."""
    place = _place_of_question(request.history)
    asked = request.history[place].content if place >= 0 else request.message
    reply = request.history[place + 1 :] if place >= 0 else ()
    return Prompt(
        system=request.agent.instruction,
        earlier=tuple(_said(request.history[: max(place, 0)])),
        question=UserTurn(asked),
        since=_since("".join(message.content for message in reply), request.calls),
        tools=request.tools,
        extras=tuple(_extras(request, own, used)),
    )


def skill_instructions(skill: Skill, files: Iterable[str]) -> str:
    """Write what a model gets when it uses a skill."""
    listed = ", ".join(files)
    more = f"\n\nFiles of this skill: {listed}" if listed else ""
    return f"Instructions of the skill “{skill.name}”:\n\n{skill.instructions}{more}"


def _place_of_question(history: Sequence[Message]) -> int:
    places = [place for place, message in enumerate(history) if message.role == "user"]
    return places[-1] if places else -1


def _extras(request: ReplyRequest, own: OwnTools, used: Sequence[Skill]) -> Iterator[Extra]:
    """What can be left out: the skills that are not in use yet before those that are."""
    if request.skills:
        name = own.name_of("use_skill")
        lines = _list((skill.name, skill.description) for skill in request.skills)
        told = f"When one of these skills fits, call {name} before you begin:\n{lines}"
        yield Extra("skills", told, own.for_skills)
    if request.colleagues:
        name = own.name_of("hand_over")
        lines = _list((agent.name, agent.description) for agent in request.colleagues)
        told = f"When a colleague is made for the request, call {name} at once:\n{lines}"
        yield Extra("colleagues", told, own.for_colleagues)
    for skill in used:
        yield Extra("skills", skill_instructions(skill, ()))


def _list(rows: Iterable[tuple[str, str]]) -> str:
    return "\n".join(f"- {name}: {description}" for name, description in rows)


def _said(messages: Iterable[Message]) -> Iterator[Turn]:
    """Tell what was said before; a reply without a word, as a stopped one may be, is none."""
    for message in messages:
        if message.role == "user":
            yield UserTurn(message.content)
        elif (text := without_notices(message.content)).strip():
            yield ModelTurn(text)


def _since(text: str, calls: Sequence[ToolCall]) -> tuple[Turn, ...]:
    """Write the reply so far, each round of calls after the text that came before it."""
    turns: list[Turn] = []
    start = 0
    for _, group in groupby(calls, key=lambda call: call.round):
        together = tuple(group)
        end = together[0].offset
        said = without_notices(text[start:end]).strip()
        turns.append(ModelTurn(said, tuple(map(_answered, together)), together[0].origin))
        start = end
    rest = without_notices(text[start:]).strip()
    return (*turns, ModelTurn(rest), _GO_ON) if rest else tuple(turns)


def _answered(call: ToolCall) -> AnsweredCall:
    result = _NOT_ANSWERED if call.result is None else call.result
    return AnsweredCall(call.id, call.name, call.input, result)


def describe(agents: Iterable[Agent]) -> str:
    """List agents, a line each."""
    return _list((agent.name, agent.description) for agent in agents)
