"""Trim a prompt to a model's context window: the service's own part first, then the conversation.

The user's latest message always stays. Left out are, in this order, until the rest fits:

0. images, oldest first, beyond half of the room: they are named all the same;
1. skills and colleagues, then tools, those least related to the message first; the agent's
   instruction only if the message itself would have no room;
2. of the results of the latest round of tool calls, what exceeds half of the room (the round itself
   stays);
3. the results of tools before the message, oldest first, then those calls;
4. what is offered of skills and colleagues, then the tools that nobody needs now, the largest
   first. Needed are those that the message is about, and those that the reply to it or the newest
   replies before it used: they stay, as the message does;
5. turns: the oldest before the message first, then the oldest rounds of the reply to it. What is
   kept of the former begins with a user's turn. A call and its result are one turn; turns go whole.

So nothing that a person said goes before what is only offered.

The model is told that something is missing, if there is room for that.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Final

from local_server.assistant.agents import words_of
from local_server.assistant.models.failures import UpstreamError
from local_server.assistant.models.prompt_builder import (
    CUT,
    AnsweredCall,
    ModelTurn,
    Prompt,
    Turn,
    UserTurn,
    images_of,
)
from local_server.assistant.skills import count_tokens
from local_server.store.records import Omission, StoredTool

LEFT_OUT: Final = (
    "Earlier parts of this conversation are left out here, because it has grown too long. If they "
    "are needed, say so."
)
# The length to which results of earlier turns are cut first if there is too little room.
_EARLIER_RESULT_TOKENS: Final = 100
# Tools that were used in replies to this many latest messages are likely to be needed again.
_NEWEST_MESSAGES: Final = 4
# Names, roles and brackets around each text.
_AROUND_TOKENS: Final = 12
_ANSWER_TOKENS: Final = 4096
# Models differ, from 250 to some 1,600 for the largest that a client sends.
_IMAGE_TOKENS: Final = 1000
# Tokens are estimated from bytes; this share of the window stays free for estimation errors.
_MARGIN: Final = 0.25
# The least that is left for the conversation; in a window too small for that, half of it.
_CONVERSATION_TOKENS: Final = 1000
# The share of the window that the answer keeps where a question needs all the rest.
_LEAST_ANSWER: Final = 1 / 8


@dataclass(frozen=True)
class Trimmed:
    """A question that fits, and what it goes without, in the order of `Omission`."""

    prompt: Prompt
    omissions: tuple[Omission, ...]


def trim(prompt: Prompt, window: int) -> Trimmed:
    """Leave out as little as makes question and answer fit `window` tokens.

    Raises:
        UpstreamError: When even the user's message is too long.
    """
    room = room_for_question(prompt, window)
    given = prompt
    prompt = _with_newest_images(prompt, room // 2)
    prompt = _with_short_results(prompt, room // 2)
    needed = turn_tokens(prompt.question) + sum(map(turn_tokens, prompt.since[-1:]))
    wanted = max(needed, min(_CONVERSATION_TOKENS, room // 2))
    kept = prompt if prompt.choices else _without_extras(prompt, room - wanted)
    fixed = _fixed_tokens(kept)
    if fixed + needed > room:
        room = int(window * (1 - _LEAST_ANSWER))
    if fixed + needed > room and not prompt.choices:
        kept = replace(kept, system="")
        fixed = _fixed_tokens(kept)
    if fixed + needed > room:
        raise UpstreamError("too_long")
    room -= fixed + turn_tokens(prompt.question)
    fitting = _conversation(kept, room)
    kept = replace(kept, tools=fitting.tools, extras=fitting.extras)
    omissions = (*_omissions(prompt, kept), *_unseen(given, fitting))
    omissions = (*omissions, *_forgotten(prompt.earlier, fitting.earlier))
    return Trimmed(fitting, omissions)


def estimated_tokens(prompt: Prompt) -> int:
    """Estimate the tokens of a whole question."""
    return _fixed_tokens(prompt) + sum(map(turn_tokens, prompt.turns))


def room_for_question(prompt: Prompt, window: int) -> int:
    """Count the tokens that a question may have, with the answer's room kept free."""
    answer = min(prompt.settings.max_output_tokens or _ANSWER_TOKENS, window // 4)
    return int((window - answer) * (1 - _MARGIN))


def turn_tokens(turn: Turn) -> int:
    """Estimate the tokens of a turn."""
    calls = turn.calls if isinstance(turn, ModelTurn) else ()
    results = sum(count_tokens(call.result) for call in calls)
    texts = count_tokens(turn.text) + results + _IMAGE_TOKENS * len(images_of(turn))
    return texts + _AROUND_TOKENS + sum(map(_asking_tokens, calls))


def _asking_tokens(call: AnsweredCall) -> int:
    """Estimate the tokens of a call without its result."""
    given = count_tokens(json.dumps(call.input, ensure_ascii=False))
    return count_tokens(call.name) + given + 2 * _AROUND_TOKENS


def _fixed_tokens(prompt: Prompt) -> int:
    """Estimate the tokens of what comes before the conversation."""
    fixed = count_tokens(prompt.instructions) + _AROUND_TOKENS
    return fixed + sum(map(_tool_tokens, prompt.declared))


def _tool_tokens(tool: StoredTool) -> int:
    declared = json.dumps([tool.name, tool.description, tool.input_schema], ensure_ascii=False)
    return count_tokens(declared) + _AROUND_TOKENS


def _without_extras(prompt: Prompt, room: int) -> Prompt:
    """Leave out skills, colleagues and then tools until `room` is enough, or all are gone."""
    for count in range(len(prompt.extras) + 1):
        smaller = replace(prompt, extras=prompt.extras[count:]) if count else prompt
        if _fixed_tokens(smaller) <= room:
            return smaller
    return _without_tools(replace(prompt, extras=()), room)


def _without_tools(prompt: Prompt, room: int) -> Prompt:
    """Keep the tools for which `room` is enough: those in use before those that fit the message."""
    room -= _fixed_tokens(replace(prompt, tools=()))
    kept = set()
    for tool in sorted(prompt.tools, key=_Need(prompt, prompt.since).rank):
        if _tool_tokens(tool) <= room:
            room -= _tool_tokens(tool)
            kept.add(tool.name)
    return replace(prompt, tools=tuple(tool for tool in prompt.tools if tool.name in kept))


class _Need:
    """How much a message needs each tool: by the calls in `turns`, then by its words."""

    def __init__(self, prompt: Prompt, turns: Iterable[Turn]) -> None:
        self._words = words_of(prompt.question.text)
        self._used = {
            call.name for turn in turns if isinstance(turn, ModelTurn) for call in turn.calls
        }

    def rank(self, tool: StoredTool) -> tuple[bool, int, int]:
        """Return what sorts tools, the most needed first."""
        return tool.name not in self._used, -self._shared_words(tool), _tool_tokens(tool)

    def is_needed(self, tool: StoredTool) -> bool:
        """Return whether the message can hardly be answered without a tool."""
        return tool.name in self._used or self._shared_words(tool) > 0

    def _shared_words(self, tool: StoredTool) -> int:
        described = words_of(f"{tool.name.replace('_', ' ')} {tool.description}")
        return len(self._words & described)


def _omissions(prompt: Prompt, kept: Prompt) -> tuple[Omission, ...]:
    omissions: list[Omission] = []
    if any(extra.kind == "skills" for extra in prompt.extras if extra not in kept.extras):
        omissions.append("skills")
    if len(kept.tools) < len(prompt.tools):
        omissions.append("some_tools" if kept.tools else "tools")
    if prompt.system and not kept.system:
        omissions.append("instructions")
    return tuple(omissions)


def _with_newest_images(prompt: Prompt, room: int) -> Prompt:
    """Keep as many of the newest images as fit."""
    turns = (*prompt.earlier, prompt.question, *prompt.since)
    images = [image for turn in turns for image in images_of(turn)]
    most = room // _IMAGE_TOKENS
    if len(images) <= most:
        return prompt
    return prompt.without_images(keep=images[len(images) - most :] if most else ())


def _unseen(given: Prompt, kept: Prompt) -> Iterator[Omission]:
    """Yield whether the model does not see what the user has just sent, or a tool returned."""
    if any(map(_misses_images, (given.question, *given.since), (kept.question, *kept.since))):
        yield "images"


def _misses_images(given: Turn, kept: Turn) -> bool:
    return len(images_of(kept)) < len(images_of(given))


def _forgotten(before: Sequence[Turn], kept: Sequence[Turn]) -> Iterator[Omission]:
    """Yield what the model does not know any more of the conversation before the message."""
    if _number_of_calls(kept) < _number_of_calls(before):
        yield "results"
    if _number_of_messages(kept) < _number_of_messages(before):
        yield "beginning"


def _number_of_calls(turns: Sequence[Turn]) -> int:
    return sum(len(turn.calls) for turn in turns if isinstance(turn, ModelTurn))


def _number_of_messages(turns: Sequence[Turn]) -> int:
    return sum(1 for turn in turns if isinstance(turn, UserTurn))


def _conversation(prompt: Prompt, room: int) -> Prompt:
    """Keep of the conversation, beside the message itself, what `room` is enough for."""
    turns = (*prompt.earlier, *prompt.since)
    costs = [turn_tokens(turn) for turn in turns]
    if sum(costs) <= room:
        return prompt
    need = _Need(prompt, (*_newest(prompt.earlier), *prompt.since))
    prompt = replace(prompt, earlier=_with_fewer_results(prompt.earlier, sum(costs) - room))
    turns = (*prompt.earlier, *prompt.since)
    costs = [turn_tokens(turn) for turn in turns]
    if sum(costs) <= room:
        return prompt
    before = _fixed_tokens(prompt)
    prompt = _without_offers(prompt, sum(costs) - room, need)
    room += before - _fixed_tokens(prompt)
    if sum(costs) <= room:
        return prompt
    room -= count_tokens(LEFT_OUT)
    split = len(prompt.earlier)
    since = _latest(prompt.since, costs[split:], room, kept_anyway=1)
    room -= sum(map(turn_tokens, since))
    is_whole = len(since) == len(prompt.since)
    earlier = _latest(prompt.earlier, costs[:split], room if is_whole else 0)
    while earlier and not isinstance(earlier[0], UserTurn):
        earlier = earlier[1:]
    texts = (prompt.system, LEFT_OUT if room >= 0 else "")
    system = "\n\n".join(text for text in texts if text)
    return replace(prompt, system=system, earlier=earlier, since=since)


def _without_offers(prompt: Prompt, excess: int, need: _Need) -> Prompt:
    """Leave out what could be used and is not, until `excess` is gone: tools come last."""
    if prompt.choices:
        return prompt
    smaller = replace(prompt, extras=tuple(extra for extra in prompt.extras if not extra.tools))
    excess -= _fixed_tokens(prompt) - _fixed_tokens(smaller)
    spare = [tool for tool in prompt.tools if not need.is_needed(tool)]
    for tool in sorted(spare, key=_tool_tokens, reverse=True):
        if excess > 0:
            excess -= _tool_tokens(tool)
            smaller = replace(smaller, tools=tuple(t for t in smaller.tools if t is not tool))
    return smaller


def _newest(turns: Sequence[Turn]) -> Sequence[Turn]:
    """Return the turns from the last few messages on."""
    asked = [place for place, turn in enumerate(turns) if isinstance(turn, UserTurn)]
    return turns[asked[-_NEWEST_MESSAGES] :] if len(asked) >= _NEWEST_MESSAGES else turns


def _with_fewer_results(turns: Sequence[Turn], excess: int) -> tuple[Turn, ...]:
    """Cut what tools returned, then leave those calls out, oldest first, until `excess` is gone."""
    kept: list[Turn | None] = list(turns)
    for shorten in (_with_cut_results, _without_calls):
        for place, turn in enumerate(kept):
            if excess > 0 and isinstance(turn, ModelTurn) and turn.calls:
                shorter = kept[place] = shorten(turn)
                excess -= turn_tokens(turn) - (0 if shorter is None else turn_tokens(shorter))
    return tuple(turn for turn in kept if turn is not None)


def _with_cut_results(turn: ModelTurn) -> ModelTurn:
    calls = (replace(call, result=_cut(call.result, _EARLIER_RESULT_TOKENS)) for call in turn.calls)
    return replace(turn, calls=tuple(calls))


def _without_calls(turn: ModelTurn) -> ModelTurn | None:
    return ModelTurn(turn.text) if turn.text else None


def _with_short_results(prompt: Prompt, room: int) -> Prompt:
    """Cut the results of the latest round to `room` tokens in all, each to the same share."""
    last = prompt.since[-1] if prompt.since else None
    calls = last.calls if isinstance(last, ModelTurn) else ()
    if not isinstance(last, ModelTurn) or sum(count_tokens(call.result) for call in calls) <= room:
        return prompt
    short = tuple(replace(call, result=_cut(call.result, room // len(calls))) for call in calls)
    return replace(prompt, since=(*prompt.since[:-1], replace(last, calls=short)))


def _cut(text: str, tokens: int) -> str:
    if count_tokens(text) <= tokens:
        return text
    # A token for every four bytes, as they are counted.
    kept = text.encode()[: max(0, 4 * (tokens - count_tokens(CUT)))]
    return kept.decode(errors="ignore") + CUT


def _latest(
    turns: Sequence[Turn], costs: Sequence[int], room: int, kept_anyway: int = 0
) -> tuple[Turn, ...]:
    """Keep as many of the latest turns as fit."""
    sums = accumulate(reversed(costs))
    count = max(sum(1 for total in sums if total <= room), min(kept_anyway, len(turns)))
    return tuple(turns[len(turns) - count :])
