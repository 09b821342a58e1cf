"""Makes a long conversation fit a model's window.

The rule: the system part and the user's latest message always stay, and so does the latest round
of tool calls. The oldest turns before that message go first, then the oldest rounds of the reply
to it. What is kept of the former begins with the user. A call and its result are one turn, and
turns go whole. The model is told that something is missing.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Final

from local_server.assistant.models.failures import UpstreamError
from local_server.assistant.models.prompt import ModelTurn, Prompt, Turn, UserTurn
from local_server.assistant.skills import count_tokens

LEFT_OUT: Final = (
    "Earlier parts of this conversation are left out here, because it has grown too long. If they "
    "are needed, say so."
)
# Names, roles and brackets around each text.
_AROUND_TOKENS: Final = 12
_ANSWER_TOKENS: Final = 4096
# Tokens are estimated from bytes; this much of the window is kept free for where that is wrong.
_MARGIN: Final = 0.25


def trim(prompt: Prompt, window: int) -> Prompt:
    """Leave out as little as makes question and answer fit `window` tokens.

    Raises:
        UpstreamError: When even what has to stay is too long.
    """
    room = room_for_question(prompt, window) - _fixed_tokens(prompt)
    costs = [turn_tokens(turn) for turn in (*prompt.earlier, *prompt.since)]
    if sum(costs) <= room:
        return prompt
    room -= count_tokens(LEFT_OUT)
    split = len(prompt.earlier)
    since = _latest(prompt.since, costs[split:], room, kept_anyway=1)
    room -= sum(map(turn_tokens, since))
    if room < 0:
        raise UpstreamError("too_long")
    is_whole = len(since) == len(prompt.since)
    earlier = _latest(prompt.earlier, costs[:split], room if is_whole else 0)
    while earlier and not isinstance(earlier[0], UserTurn):
        earlier = earlier[1:]
    system = f"{prompt.system}\n\n{LEFT_OUT}"
    return replace(prompt, system=system, earlier=earlier, since=since)


def room_for_question(prompt: Prompt, window: int) -> int:
    """Count the tokens that a question may have, with the answer's room kept free."""
    answer = min(prompt.max_tokens or _ANSWER_TOKENS, window // 4)
    return int((window - answer) * (1 - _MARGIN))


def turn_tokens(turn: Turn) -> int:
    """Estimate the tokens of a turn."""
    tokens = count_tokens(turn.text) + _AROUND_TOKENS
    calls = turn.calls if isinstance(turn, ModelTurn) else ()
    for call in calls:
        tokens += count_tokens(call.result) + count_tokens(call.name) + 2 * _AROUND_TOKENS
        tokens += count_tokens(json.dumps(call.input, ensure_ascii=False))
    return tokens


def _fixed_tokens(prompt: Prompt) -> int:
    declared = [
        json.dumps([tool.name, tool.description, tool.input_schema], ensure_ascii=False)
        for tool in prompt.tools
    ]
    tokens = count_tokens(prompt.system) + turn_tokens(prompt.question) + _AROUND_TOKENS
    return tokens + sum(count_tokens(text) + _AROUND_TOKENS for text in declared)


def _latest(
    turns: Sequence[Turn], costs: Sequence[int], room: int, kept_anyway: int = 0
) -> tuple[Turn, ...]:
    """Keep as many of the latest turns as fit."""
    sums = accumulate(reversed(costs))
    count = max(sum(1 for total in sums if total <= room), min(kept_anyway, len(turns)))
    return tuple(turns[len(turns) - count :])
