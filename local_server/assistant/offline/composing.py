"""What the offline assistant makes of a request: words first, then what it wishes for."""

import contextlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from local_server.assistant.offline import words
from local_server.assistant.offline.actions import KINDS, find_stand_in, find_tool
from local_server.assistant.offline.connecting import how_to_connect, is_about_connecting
from local_server.assistant.offline.conversions import answer_conversion
from local_server.assistant.offline.dates import answer_date, tell_now
from local_server.assistant.offline.fitting import MisfitError, fit, fit_search_by_command
from local_server.assistant.offline.hand_over import Address, find_address
from local_server.assistant.offline.phrases import without_politeness
from local_server.assistant.offline.skill_use import find_skill, introduce
from local_server.assistant.offline.sums import answer_sum
from local_server.assistant.offline.tool_words import after_tool
from local_server.assistant.offline.wishes import (
    MOST_AT_ONCE,
    PlainRequestError,
    TooManyError,
    Wish,
    find_commands,
    find_named_file,
    find_wishes,
)
from local_server.assistant.reply import (
    HandOver,
    Piece,
    ReplyRequest,
    SkillUsed,
    Text,
    ToolRequest,
)
from local_server.assistant.skills import Skill

_LONGEST_QUESTION_CHARS: Final = 2_000


def compose(request: ReplyRequest, now: datetime) -> list[Piece]:
    """Decide what to say, and what to wish for after it; `now` has the zone of its day."""
    if request.calls:
        return [Text(_after_tools(request))]
    address = find_address(request.message, (request.agent, *request.colleagues))
    if address is not None:
        return _addressed(address, request, now)
    return _answered(request, now)


def _addressed(address: Address, request: ReplyRequest, now: datetime) -> list[Piece]:
    if address.agent is None:
        return [Text(words.cannot_hand_over(address.name, request.colleagues))]
    if address.agent != request.agent:
        return [Text(words.handing_over(address.agent)), HandOver(address.agent.name)]
    if not address.rest:
        return [Text(words.taking_over(request.agent))]
    return _answered(replace(request, message=address.rest), now)


def _answered(request: ReplyRequest, now: datetime) -> list[Piece]:
    try:
        commands = find_commands(request.message)
        if commands is not None:
            return _ask_for(commands, request)
        computed = _computed(request.message, now)
        if computed is not None:
            return [Text(computed)]
        wishes = find_wishes(request.message)
        if wishes:
            return _wished(wishes, request, now)
    except (PlainRequestError, MisfitError) as exc:
        return [Text(words.not_understood(str(exc), request.tools))]
    return _talked(request)


def _computed(message: str, now: datetime) -> str | None:
    if len(message) > _LONGEST_QUESTION_CHARS:
        return None
    # Within the bound, patterns still take the square of a run of spaces.
    asked = " ".join(without_politeness(message).split())
    return answer_date(asked, now) or answer_conversion(asked) or answer_sum(asked)


def _wished(wishes: list[Wish], request: ReplyRequest, now: datetime) -> list[Piece]:
    wanted: list[ToolRequest] = []
    searches: list[ToolRequest] = []
    for wish in wishes:
        tool = find_tool(wish.action, request.tools)
        stand_in = find_stand_in(wish.action, request.tools)
        if tool is not None:
            wanted.append(fit(wish, tool))
        elif stand_in is not None:
            searches.append(fit_search_by_command(wish, stand_in))
            wanted.append(searches[-1])
        elif wish.action == "time":
            return [Text(tell_now(now))]
        elif wish.action == "search":
            return [Text(words.no_way_to_search(request.tools))]
        else:
            return [Text(words.tool_not_offered(KINDS[wish.action].tool, request.tools))]
    return _ask_for(wanted, request, searches)


def _ask_for(
    wanted: list[ToolRequest], request: ReplyRequest, searches: Sequence[ToolRequest] = ()
) -> list[Piece]:
    if len(wanted) > MOST_AT_ONCE:
        raise TooManyError
    declared = {tool.name for tool in request.tools}
    for one in wanted:
        if one.name not in declared:
            return [Text(words.tool_not_offered(one.name, request.tools))]
    return [Text(words.before_tools(wanted, searches)), *wanted]


def _talked(request: ReplyRequest) -> list[Piece]:
    skill = find_skill(request.message, request.skills)
    if skill is not None:
        return _with_skill(skill, request)
    if is_about_connecting(request.message):
        return [Text(how_to_connect(request.message))]
    return [Text(words.small_talk(request) or words.at_a_loss(request))]


def _with_skill(skill: Skill, request: ReplyRequest) -> list[Piece]:
    path = find_named_file(request.message)
    tool = find_tool("read", request.tools)
    reading: list[Piece] = []
    if path is not None and tool is not None:
        # A tool that wants more than a path is left to whoever knows it.
        with contextlib.suppress(MisfitError):
            reading = [fit(Wish("read", {"path": path}), tool)]
    told = introduce(skill, request.message, path if reading else None)
    return [SkillUsed(skill.name), Text(told), *reading]


def _after_tools(request: ReplyRequest) -> str:
    latest = request.calls[-1].round
    told = [after_tool(call) for call in request.calls if call.round == latest]
    used = [skill.display_name for skill in request.skills if skill.name in request.used_skills]
    if used:
        named = " and ".join(f"**{name}**" for name in used)
        told.append(f"Now the steps of {named}, given above, can be taken.")
    return "\n\n".join(told)
