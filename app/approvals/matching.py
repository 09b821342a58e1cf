"""Whether a call lies in a rule's box. Pure: the same for a call that waits and for past ones."""

import unicodedata
from enum import Enum
from pathlib import Path

from app.approvals.reach import WHOLE_FOLDER, Reach, ReachedPlace
from app.approvals.rules import Box, FolderBox, HostBox, InputBox, Rule, ToolBox, is_lasting


class Match(Enum):
    """How a call stands to a rule; everything but `COVERED` says why it does not apply."""

    COVERED = "covered"
    NEVER = "never"
    OTHER_TOOL = "other_tool"
    CHANGED_TOOL = "changed_tool"
    OTHER_CHAT = "other_chat"
    OUTSIDE = "outside"
    EXCEPTED = "excepted"
    WRITES = "writes"
    OTHER_INPUT = "other_input"
    CHANGED_PROGRAM = "changed_program"
    OTHER_HOST = "other_host"


def match(rule: Rule, reach: Reach) -> Match:
    """Whether a rule that allows covers a call. When in doubt it does not."""
    if reach.obstacle is not None or _is_too_wide(rule, reach):
        return Match.NEVER
    tool = next((tool for tool in rule.tools if tool.name == reach.tool), None)
    if tool is None:
        return Match.OTHER_TOOL
    if tool.digest != reach.digest:
        return Match.CHANGED_TOOL
    if rule.span.conversation_id not in ("", reach.conversation_id):
        return Match.OTHER_CHAT
    return match_box(rule.box, reach)


def _is_too_wide(rule: Rule, reach: Reach) -> bool:
    """Whether no person can have made this rule: it was written into the store by other means."""
    span = rule.span
    if is_lasting(rule):
        return not (isinstance(rule.box, FolderBox) and reach.reads_only)
    is_bounded = span.calls is not None or span.minutes is not None
    return not span.conversation_id or (reach.is_elsewhere and not is_bounded)


def match_box(box: Box, reach: Reach) -> Match:
    """Whether everything that a call would touch lies in a box."""
    match box:
        case FolderBox():
            return _match_folder(box, reach)
        case InputBox():
            return _match_input(box, reach)
        case HostBox(origin):
            is_there = bool(reach.origins) and all(item == origin for item in reach.origins)
            is_only_that = not reach.places and not reach.runs_programs
            return Match.COVERED if is_there and is_only_that else Match.OTHER_HOST
        case ToolBox():
            is_free = touches_nothing(reach) or reach.is_elsewhere
            return Match.COVERED if is_free else Match.OUTSIDE


def forbids(rule: Rule, reach: Reach) -> bool:
    """Whether a rule that denies covers a call. When in doubt it does."""
    if not _is_about(rule, reach.conversation_id, reach.tool):
        return False
    match rule.box:
        case FolderBox():
            programs = (WHOLE_FOLDER,) if reach.runs_programs else ()
            return any(_is_forbidden(rule.box, reach, item) for item in (*reach.places, *programs))
        case InputBox(input_sha256, _, folder):
            return reach.input_sha256 == input_sha256 and reach.folder == folder
        case HostBox(origin):
            return origin in reach.origins
        case ToolBox():
            return True


def forbids_tool(rule: Rule, conversation_id: str, tool: str) -> bool:
    """Whether a rule that denies covers each call of a tool in a chat, whatever it is given."""
    return isinstance(rule.box, ToolBox) and _is_about(rule, conversation_id, tool)


def _is_about(rule: Rule, conversation_id: str, tool: str) -> bool:
    is_here = rule.span.conversation_id in ("", conversation_id)
    return is_here and (not rule.tools or any(item.name == tool for item in rule.tools))


def touches_nothing(reach: Reach) -> bool:
    """Whether a call only reads, names no place and reaches nothing."""
    reaches = reach.runs_programs or reach.may_connect or reach.open_world
    return reach.reads_only and not reach.folder and not reach.places and not reaches


def _match_folder(box: FolderBox, reach: Reach) -> Match:
    if reach.folder != box.folder or not reach.places:
        return Match.OUTSIDE
    if reach.runs_programs or reach.may_connect or reach.open_world:
        return Match.OUTSIDE
    if not reach.reads_only and not box.writes:
        return Match.WRITES
    if any(_meets_exception(place, box.exceptions) for place in reach.places):
        return Match.EXCEPTED
    return Match.COVERED


def _match_input(box: InputBox, reach: Reach) -> Match:
    if reach.input_sha256 != box.input_sha256:
        return Match.OTHER_INPUT
    if reach.folder != box.folder:
        return Match.OUTSIDE
    return Match.COVERED if reach.programs == box.programs else Match.CHANGED_PROGRAM


def _meets_exception(place: ReachedPlace, exceptions: tuple[str, ...]) -> bool:
    """Whether a place lies in an exception, or is a folder that one lies in."""
    names = _alike(place.parts)
    for exception in exceptions:
        kept = _alike(tuple(exception.split("/")))
        if names[: len(kept)] == kept or (place.is_folder and kept[: len(names)] == names):
            return True
    return False


def _is_forbidden(box: FolderBox, reach: Reach, place: ReachedPlace) -> bool:
    """Whether a place lies in a forbidden folder, or is a folder in which that one lies."""
    names = (*Path(reach.folder).parts, *place.parts)
    folder = _alike(Path(box.folder).parts)
    if _alike(names)[: len(folder)] != folder:
        return place.is_folder and folder[: len(names)] == _alike(names)
    below = names[len(folder) :]
    return not any(below[: e.count("/") + 1] == tuple(e.split("/")) for e in box.exceptions)


def _alike(names: tuple[str, ...]) -> tuple[str, ...]:
    """Names as the most forgiving file system compares them."""
    return tuple(unicodedata.normalize("NFKC", name).casefold() for name in names)
