"""Build the question to a model from a request to the service.

`build_prompt` writes a `Prompt`: one form for all providers, light enough to be trimmed and
counted. `OwnTools` are the tools in it that the service itself runs for a model: to use a skill,
to read a skill's files, and to hand over.
"""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Final, Literal

from local_server.assistant.agents import Agent
from local_server.assistant.reply import ReplyRequest
from local_server.assistant.skills import Skill
from local_server.store.records import (
    DEFAULT_SETTINGS,
    Message,
    MessageImage,
    Origin,
    PastCall,
    ReplySettings,
    StoredTool,
    ToolCall,
)

OwnTool = Literal["use_skill", "read_skill_file", "hand_over"]

_PREFIX: Final = "parley_"

_USE_SKILL: Final = "Gives the instructions of a skill. Call it before you begin what it is for."
_READ_FILE: Final = "Reads a text file of a skill that is in use."
_HAND_OVER: Final = (
    "Lets a colleague go on with the reply in your place. Call it alone, as the last thing you do."
)
_BREAK: Final = "\n\n"
CUT: Final = "\n… (cut here: there is no room for the rest)"
"""Marks the end of a result that was cut."""
_NOT_ANSWERED: Final = "The user did not answer this call."


@dataclass(frozen=True)
class OwnTools:
    """What the service offers in one reply, beside the client's tools.

    Attributes:
        for_skills: To use skills, as the model sees them.
        for_colleagues: To hand over.
        kinds: The kind of each by its declared name, which none of the client's tools has.
    """

    for_skills: tuple[StoredTool, ...]
    for_colleagues: tuple[StoredTool, ...]
    kinds: dict[str, OwnTool]

    @classmethod
    def offer(
        cls, taken: Collection[str], skills: tuple[Skill, ...], colleagues: tuple[Agent, ...]
    ) -> "OwnTools":
        """Make the tools that skills and colleagues need, under names the client did not take."""
        wanted: list[tuple[OwnTool, str, dict[str, Any]]] = []
        if skills:
            names = _one_of(skill.name for skill in skills)
            wanted.append(("use_skill", _USE_SKILL, {"name": names}))
            path = {"type": "string", "description": "As the skill's instructions write it."}
            wanted.append(("read_skill_file", _READ_FILE, {"skill": names, "path": path}))
        if colleagues:
            names = _one_of(agent.name for agent in colleagues)
            wanted.append(("hand_over", _HAND_OVER, {"name": names}))
        free = {kind: _free_name(kind, taken) for kind, _, _ in wanted}
        declared = {
            kind: StoredTool(free[kind], description, _schema(properties))
            for kind, description, properties in wanted
        }
        handing_over = declared.pop("hand_over", None)
        return cls(
            tuple(declared.values()),
            () if handing_over is None else (handing_over,),
            {name: kind for kind, name in free.items()},
        )

    def name_of(self, kind: OwnTool) -> str:
        """Find the name under which a tool is offered."""
        return next(name for name, found in self.kinds.items() if found == kind)


def _free_name(name: str, taken: Collection[str]) -> str:
    while name in taken:
        name = _PREFIX + name
    return name


def _one_of(names: Any) -> dict[str, Any]:
    return {"type": "string", "enum": list(names)}


def _schema(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


@dataclass(frozen=True)
class UserTurn:
    """What the user said, or what the service says in the user's place."""

    text: str
    images: tuple[MessageImage, ...] = ()


@dataclass(frozen=True)
class AnsweredCall:
    """A tool call with its result. The two are one value, so that nothing can part them."""

    id: str
    name: str
    input: dict[str, Any]
    result: str
    images: tuple[MessageImage, ...] = ()


@dataclass(frozen=True)
class ModelTurn:
    """What the model said, and the calls that it made with it, all of them answered."""

    text: str
    calls: tuple[AnsweredCall, ...] = ()
    origin: Origin | None = None


Turn = UserTurn | ModelTurn


def images_of(turn: Turn) -> tuple[MessageImage, ...]:
    """Return the images of a turn, and of the results in it, in order."""
    if isinstance(turn, UserTurn):
        return turn.images
    return tuple(image for call in turn.calls for image in call.images)


@dataclass(frozen=True)
class Extra:
    """Something offered to a model besides its instruction, left out if there is no room.

    Attributes:
        text: The description of the offer in the instructions.
        tools: The tools of the service with which the model uses it.
    """

    kind: Literal["skills", "colleagues"]
    text: str
    tools: tuple[StoredTool, ...] = ()


@dataclass(frozen=True)
class Prompt:
    """One question to a model.

    Attributes:
        system: The instruction; empty leaves it out.
        earlier: The conversation before the user's latest message, first to last.
        question: That message.
        since: What the reply to it holds already, first to last.
        tools: What the model may ask the client for.
        extras: What else it is offered; where there is no room, the first is left out first.
        choices: With it, the model has to call the only tool, whose argument `name` is one of
            these.
        settings: How it is to answer.
    """

    system: str
    earlier: tuple[Turn, ...]
    question: UserTurn
    since: tuple[Turn, ...] = ()
    tools: tuple[StoredTool, ...] = ()
    extras: tuple[Extra, ...] = ()
    choices: tuple[str, ...] = ()
    settings: ReplySettings = DEFAULT_SETTINGS

    @property
    def instructions(self) -> str:
        """All that the model is told before the conversation."""
        return "\n\n".join(text for text in (self.system, *(e.text for e in self.extras)) if text)

    @property
    def declared(self) -> tuple[StoredTool, ...]:
        """All that the model may ask for."""
        return (*self.tools, *(tool for extra in self.extras for tool in extra.tools))

    @property
    def has_images(self) -> bool:
        """Whether the model would be shown any image."""
        return any(map(images_of, (*self.earlier, self.question, *self.since)))

    def without_images(self, keep: Collection[MessageImage] = ()) -> "Prompt":
        """Return the prompt without the images that are not in `keep`; its texts still name all."""
        return replace(
            self,
            earlier=tuple(_without_images(turn, keep) for turn in self.earlier),
            question=UserTurn(self.question.text, _kept(self.question.images, keep)),
            since=tuple(_without_images(turn, keep) for turn in self.since),
        )

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The whole conversation, first to last, neighbouring turns of the user as one.

        A message that was not answered is followed by another, which the templates of some models
        (Gemma's) refuse.
        """
        # Providers take calls only beside tools; of calls before, what was found out counts.
        earlier = self.earlier if self.declared else _in_words(self.earlier)
        return _joined((*earlier, self.question, *self.since))


def _in_words(turns: Iterable[Turn]) -> Iterator[Turn]:
    for turn in turns:
        if isinstance(turn, ModelTurn) and turn.calls:
            if turn.text:
                yield ModelTurn(turn.text)
            yield UserTurn("\n\n".join(map(_result_in_words, turn.calls)), images_of(turn))
        else:
            yield turn


def _result_in_words(call: AnsweredCall) -> str:
    given = json.dumps(call.input, ensure_ascii=False)
    return f"(Result of the tool {call.name} for {given}:\n{call.result})"


def _joined(turns: Iterable[Turn]) -> tuple[Turn, ...]:
    joined: list[Turn] = []
    for turn in turns:
        last = joined[-1] if joined else None
        if isinstance(turn, UserTurn) and isinstance(last, UserTurn):
            images = (*last.images, *turn.images)
            joined[-1] = UserTurn(f"{last.text}\n\n{turn.text}", images)
        else:
            joined.append(turn)
    return tuple(joined)


def with_images_of_results_apart(turns: Iterable[Turn]) -> tuple[Turn, ...]:
    """Move images of results to the user's turn after them, for dialects whose results are text."""
    moved: list[Turn] = []
    for turn in turns:
        images = images_of(turn)
        moved.append(turn)
        if isinstance(turn, ModelTurn) and images:
            moved[-1] = _without_images(turn, ())
            moved.append(UserTurn(_SHOWN, images))
    return _joined(moved)


def _without_images(turn: Turn, keep: Collection[MessageImage]) -> Turn:
    if isinstance(turn, UserTurn):
        return replace(turn, images=_kept(turn.images, keep))
    calls = (replace(call, images=_kept(call.images, keep)) for call in turn.calls)
    return replace(turn, calls=tuple(calls))


def _kept(
    images: Iterable[MessageImage], keep: Collection[MessageImage]
) -> tuple[MessageImage, ...]:
    return tuple(image for image in images if image in keep)


# Stands where images of results are shown apart from them.
_SHOWN: Final = "(The images of the results above.)"
# Models want the last word to be the user's; this is said where another agent had it.
_GO_ON: Final = UserTurn("(The above was written by a colleague, who handed over to you. Go on.)")


def build_prompt(request: ReplyRequest, own: OwnTools, used: Sequence[Skill]) -> Prompt:
    """Write the question: who the model is, the conversation, and the reply so far."""
    index = _index_of_question(request.history)
    asked = request.history[index].content if index >= 0 else request.message
    reply = next(iter(request.history[index + 1 :]), None) if index >= 0 else None
    shown = _Images(request.images)
    return Prompt(
        system=_BREAK.join(filter(None, (request.agent.instruction, request.instructions))),
        earlier=tuple(_earlier(request.history[: max(index, 0)], request.past_calls, shown)),
        question=UserTurn(asked, shown.of(request.history[index].id) if index >= 0 else ()),
        since=_since(reply, request.calls, shown),
        tools=request.tools,
        extras=tuple(_extras(request, own, used)),
        settings=_settings(request),
    )


def _settings(request: ReplyRequest) -> ReplySettings:
    """Return what was chosen for the chat, and else what the agent's file says."""
    agent, chosen = request.agent, request.settings
    return replace(
        chosen,
        temperature=agent.temperature if chosen.temperature is None else chosen.temperature,
        thinking=agent.thinking if chosen.thinking is None else chosen.thinking,
    )


def skill_instructions(skill: Skill, files: Iterable[str]) -> str:
    """Write what a model gets when it uses a skill."""
    listed = ", ".join(files)
    more = f"\n\nFiles of this skill: {listed}" if listed else ""
    return f"Instructions of the skill “{skill.name}”:\n\n{skill.instructions}{more}"


def _index_of_question(history: Sequence[Message]) -> int:
    """Find the user's latest message; -1 where there is none."""
    indexes = [index for index, message in enumerate(history) if message.role == "user"]
    return indexes[-1] if indexes else -1


def _extras(request: ReplyRequest, own: OwnTools, used: Sequence[Skill]) -> Iterator[Extra]:
    """Yield what can be left out: the skills that are not in use yet before those that are."""
    if request.skills:
        name = own.name_of("use_skill")
        lines = _list((skill.name, skill.description) for skill in request.skills)
        text = f"When one of these skills fits, call {name} before you begin:\n{lines}"
        yield Extra("skills", text, own.for_skills)
    if request.colleagues:
        name = own.name_of("hand_over")
        lines = _list((agent.name, agent.description) for agent in request.colleagues)
        text = f"When a colleague is made for the request, call {name} at once:\n{lines}"
        yield Extra("colleagues", text, own.for_colleagues)
    for skill in used:
        yield Extra("skills", skill_instructions(skill, ()))


def _list(rows: Iterable[tuple[str, str]]) -> str:
    return "\n".join(f"- {name}: {description}" for name, description in rows)


class _Images:
    """The images of a conversation by where they belong. Made for one question."""

    def __init__(self, images: Iterable[MessageImage]) -> None:
        self._by_place: defaultdict[tuple[str, str], list[MessageImage]] = defaultdict(list)
        for image in images:
            self._by_place[image.message_id, image.call_id].append(image)

    def of(self, message_id: str, call_id: str = "") -> tuple[MessageImage, ...]:
        """Return those of a message, or of a call in it."""
        return tuple(self._by_place.get((message_id, call_id), ()))


def _earlier(
    messages: Iterable[Message], calls: Iterable[PastCall], shown: _Images
) -> Iterator[Turn]:
    """Yield the turns before; a reply without a word, as a stopped one may be, is none."""
    calls_of: defaultdict[str, list[PastCall]] = defaultdict(list)
    for call in calls:
        calls_of[call.message_id].append(call)
    for message in messages:
        if message.role == "user":
            yield UserTurn(message.content, shown.of(message.id))
            continue
        rounds, start = _rounds(message, calls_of[message.id], shown)
        yield from rounds
        if (text := _text_of_model(message, start)).strip():
            yield ModelTurn(text.strip() if rounds else text)


def _since(reply: Message | None, calls: Sequence[ToolCall], shown: _Images) -> tuple[Turn, ...]:
    """Write the reply so far, each round of calls after the text that came before it."""
    rounds, start = _rounds(reply, calls, shown)
    rest = _text_of_model(reply, start).strip()
    return (*rounds, ModelTurn(rest), _GO_ON) if rest else tuple(rounds)


def _rounds(
    reply: Message | None, calls: Iterable[ToolCall | PastCall], shown: _Images
) -> tuple[list[ModelTurn], int]:
    """Return the rounds of calls in a reply, and where its text after them begins."""
    turns: list[ModelTurn] = []
    start = 0
    for _, group in groupby(calls, key=lambda call: call.round):
        together = tuple(group)
        first = together[0]
        text = _text_of_model(reply, start, first.offset).strip()
        origin = first.origin if isinstance(first, ToolCall) else None
        answered = tuple(_answered(call, shown) for call in together)
        turns.append(ModelTurn(text, answered, origin))
        start = first.offset
    return turns, start


def _text_of_model(reply: Message | None, start: int = 0, end: int | None = None) -> str:
    """Read a part of a reply without the notices in it, which are the service's own."""
    if reply is None:
        return ""
    end = len(reply.content) if end is None else end
    parts = []
    for notice in reply.notices:
        if start <= notice.offset < end:
            parts.append(reply.content[start : notice.offset])
            start = notice.offset + notice.length
            # The break behind a notice belongs to it.
            start += len(_BREAK) if reply.content.startswith(_BREAK, start) else 0
    return "".join([*parts, reply.content[start:end]])


def _answered(call: ToolCall | PastCall, shown: _Images) -> AnsweredCall:
    result = _NOT_ANSWERED if call.result is None else call.result
    if isinstance(call, PastCall) and call.is_cut:
        result += CUT
    images = shown.of(call.message_id, call.id)
    return AnsweredCall(call.id, call.name, call.input, result, images)


def describe(agents: Iterable[Agent]) -> str:
    """List agents, a line each."""
    return _list((agent.name, agent.description) for agent in agents)
