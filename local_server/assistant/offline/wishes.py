"""What a message plainly asks a tool for: “read notes.md”, “list Downloads”, `/tool NAME {…}`."""

import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from local_server.assistant.offline.actions import Action, Purpose
from local_server.assistant.offline.phrases import without_politeness
from local_server.assistant.reply import ToolRequest
from local_server.json_text import JsonTextError, parse_json

MOST_AT_ONCE: Final = 8
# Nobody asks plainly at greater length, but for what is to be written; and the time that the
# patterns take grows with the square of it, and of each stretch of space in it.
_LONGEST_PLAIN_CHARS: Final = 2_000
_NO_PLAIN_SPACE: Final = re.compile(r"\s{50}")
_LONGEST_COMMAND_CHARS: Final = 256 * 1024
_COMMANDS: Final = re.compile(r"\n(?=/tool\b)")
_COMMAND: Final = re.compile(r"^/tool(?:\s+(?P<name>\S+))?(?:\s+(?P<input>.+))?$", re.DOTALL)
_FLAGS: Final = re.IGNORECASE | re.DOTALL
_READ: Final = re.compile(r"^(?:read|open|show)\s+(?P<rest>.+)$", _FLAGS)
_LIST: Final = re.compile(
    r"^(?:list|ls|show me what is in|what(?:'s|’s| is) in)\b\s*(?P<rest>.*)$", _FLAGS
)
_TIME: Final = re.compile(
    r"^today\W{0,5}$|\bwhat (?:time|date|day) is (?:it|today)\b|\btoday['’]s date\b"
    r"|\bwhat(?:['’]s| is)\s+(?:the\s+)?(?:current\s+)?(?:time|date)\b(?!\s+of)",
    re.IGNORECASE,
)
_WRITE: Final = re.compile(
    r"^write\s+(?:(?:to|the|file)\s+)*(?P<path>[\"“`'][^\n]{1,500}?[\"”`']|\S{1,500}?)\s?:\s+(?P<text>.+)$",
    _FLAGS,
)
_WRITE_INTO: Final = re.compile(
    r"^write\s+(?P<text>[\"“`'][^\n]+?[\"”`']|\S+)\s+(?:to|into|in)\s+"
    r"(?:the\s+)?(?:file\s+)?(?P<place>[\"“`'][^\n]+[\"”`'][.!]?|\S+)$",
    re.IGNORECASE,
)
_POINTING: Final = frozenset({"it", "this", "that", "them", "these", "those", "something"})
_RUN: Final = re.compile(r"^run\s+(?:the command\s+)?(?P<command>.+)$", _FLAGS)
_SEARCH: Final = re.compile(
    r"^(?:find|search(?: for)?|grep(?: for)?|look for)\s+(?P<query>.+?)"
    r"(?:\s+(?:in|under|inside)\s+(?P<place>[^\n]+))?$",
    re.IGNORECASE,
)
# A full stop of its own is a folder: “find milk in .”
_SENTENCE_END: Final = re.compile(r"(?<![\s.?!])[.?!]+$")
_EDIT: Final = re.compile(
    r"^(?:replace|change)\s+(?P<old>[\"“`'].+?[\"”`']|\S+)\s+(?:with|by|to|into)\s+"
    r"(?P<new>[\"“`'].*?[\"”`']|\S+)\s+in\s+(?P<place>.+)$",
    _FLAGS,
)
_MOVE: Final = re.compile(
    r"^(?:move|rename)\s+(?P<source>.+?)\s+(?:to|into)\s+(?P<goal>.+)$", _FLAGS
)
_DELETE: Final = re.compile(r"^(?:delete|remove|trash)\s+(?P<rest>.+)$", _FLAGS)
_MAKE: Final = re.compile(
    r"^(?:(?:make|create)\s+(?:a\s+)?(?:new\s+)?(?:folder|directory)|mkdir)\s+"
    r"(?:(?:called|named)\s+)?(?P<rest>.+)$",
    _FLAGS,
)
_URL: Final = re.compile(r"^(?:fetch|open|read|show|get|download)\s+(?P<url>https?://\S+)$", _FLAGS)
# Not the apostrophe within a word.
_QUOTED: Final = re.compile(r"(?<![^\s(])[\"“`'](.+?)[\"”`'](?![^\s.,;:!?)])")
_PATH_SIGNS: Final = re.compile(r"[./~\\]")
_MARKED: Final = re.compile(r"[\"“`A-Z_\d]")
_JOINT: Final = re.compile(
    r"\s*(?:[,;]\s*(?:and\s+)?(?:then\s+)?|\band then\b|\band\b|\bthen\b)\s*", re.IGNORECASE
)
_FILE: Final = re.compile(r"[^\s:]*[\w-]\.[A-Za-z][A-Za-z\d]{0,4}")
_FILE_SUFFIX: Final = re.compile(r"[\w-]\.[A-Za-z][A-Za-z\d]{0,4}$")
_FILLING_WORDS: Final = (
    "the this that my me a an file files folder folders directory in of at from inside please "
    "contents content current all here everything"
)
_FILLING: Final = frozenset(_FILLING_WORDS.split())
# Their last part takes everything that follows, joints and all.
_TAKES_REST: Final = frozenset({"write", "run"})
_CARRIED: Final[Mapping[Action, Purpose]] = {"read": "path", "list": "folder", "delete": "path"}


class PlainRequestError(Exception):
    """The message begins like a request but cannot be understood; the message says why."""


class TooManyError(PlainRequestError):
    """The message asks for more calls than fit into one."""

    def __init__(self) -> None:
        super().__init__(f"At most {MOST_AT_ONCE} calls fit into one message.")


@dataclass(frozen=True)
class Wish:
    """Something that one call of a tool would do.

    Attributes:
        given: What the tool has to be told.
    """

    action: Action
    given: Mapping[Purpose, str] = field(default_factory=dict)


def find_commands(message: str) -> list[ToolRequest] | None:
    """Read the documented form, one call a line; None when the message does not begin so.

    Raises:
        PlainRequestError: When it is meant as one and cannot be one.
    """
    text = message.strip()
    if not re.match(r"/tool\b", text):
        return None
    lines = _COMMANDS.split(text, maxsplit=MOST_AT_ONCE)
    if len(lines) > MOST_AT_ONCE:
        raise TooManyError
    return [_from_command(line.strip()) for line in lines]


def find_wishes(message: str) -> list[Wish]:
    """Find what a message plainly asks for, in order; nothing when it asks for none.

    Raises:
        PlainRequestError: When it is meant as a request and cannot be one.
    """
    text = without_politeness(message)
    if len(text) > _LONGEST_PLAIN_CHARS or _NO_PLAIN_SPACE.search(text):
        wish = _writing(text)
        return [wish] if wish is not None else []
    several = _several(text)
    if several:
        return several
    wish = _one(text)
    return [wish] if wish is not None else []


def find_named_file(message: str) -> str | None:
    """Find the first thing in a message that can only be the name of a file."""
    for word in _words(message[:_LONGEST_PLAIN_CHARS]):
        bare = word.strip("\"“”`'()")
        if _FILE.fullmatch(bare):
            return bare
    return None


def _from_command(text: str) -> ToolRequest:
    match = _COMMAND.match(text)
    if len(text) > _LONGEST_COMMAND_CHARS:
        raise PlainRequestError(f"More than {_LONGEST_COMMAND_CHARS:,} characters are too many.")
    if match is None or match["name"] is None:
        raise PlainRequestError('The form is `/tool NAME {"argument": "value"}`.')
    try:
        given = parse_json(match["input"] or "{}")
    except JsonTextError as exc:
        raise PlainRequestError(f"What follows the tool’s name must be JSON: {exc}.") from exc
    if not isinstance(given, dict):
        raise PlainRequestError("What follows the tool’s name must be a JSON object: `{…}`.")
    return ToolRequest(match["name"], given)


def _several(text: str) -> list[Wish]:
    """The wishes of “read a.md and b.md, then list src”; none if a part of it is no wish."""
    wishes: list[Wish] = []
    place = 0
    for start, end in _parts(text):
        if start < place:
            continue
        part = without_politeness(text[start:end])
        wish = _carried(part, wishes[-1].action) if wishes else None
        wish = wish or _one(part)
        if wish is None:
            return []
        takes_rest = wish.action in _TAKES_REST
        whole = _one(without_politeness(text[start:])) if takes_rest else None
        wishes.append(whole or wish)
        place = len(text) if whole else end
    return wishes


def _parts(text: str) -> list[tuple[int, int]]:
    """Where the parts of a list begin and end; what is quoted is never parted."""
    masked = _QUOTED.sub(lambda match: "q" * len(match[0]), text)
    parts: list[tuple[int, int]] = []
    start = 0
    for joint in _JOINT.finditer(masked):
        if joint.start() > start:
            parts.append((start, joint.start()))
        start = joint.end()
    if start < len(text):
        parts.append((start, len(text)))
    return parts


def _carried(part: str, action: Action) -> Wish | None:
    """A path alone, which wants what the part before it wanted."""
    words = _words(part)
    is_path = len(words) == 1 and _PATH_SIGNS.search(words[0])
    if action not in _CARRIED or not (is_path or _QUOTED.fullmatch(part)):
        return None
    path = _path(part)
    return Wish(action, {_CARRIED[action]: path}) if path else None


def _one(text: str) -> Wish | None:
    return next((wish for find in _FINDERS if (wish := find(text))), None)


def _reading(text: str) -> Wish | None:
    match = _READ.match(text)
    path = _path(match["rest"]) if match else None
    return Wish("read", {"path": path}) if path else None


def _listing(text: str) -> Wish | None:
    match = _LIST.match(text)
    if match is None:
        return None
    path = _folder(match["rest"])
    if path and _FILE_SUFFIX.search(path):
        return Wish("read", {"path": path})
    return Wish("list", {"folder": path}) if path else None


def _searching(text: str) -> Wish | None:
    match = _SEARCH.match(_SENTENCE_END.sub("", text))
    if match is None:
        return None
    query = match["query"]
    is_marked = bool(_QUOTED.fullmatch(query) or ("\n" not in query and _MARKED.search(query)))
    place = _folder(match["place"]) if match["place"] else "."
    is_one_word = len(query.split()) == 1
    if place is None or not (is_marked or (is_one_word and match["place"])):
        return None
    if not is_one_word and not _QUOTED.fullmatch(query):
        return None
    return Wish("search", {"query": _unquoted(query), "folder": place})


def _telling_time(text: str) -> Wish | None:
    return Wish("time") if _TIME.search(text) else None


def _writing(text: str) -> Wish | None:
    match = _WRITE.match(text)
    if match is None:
        return None
    return Wish("write", {"path": _unquoted(match["path"]), "content": match["text"]})


def _writing_into(text: str) -> Wish | None:
    """What is quoted, or one word, into what can only be a file; more words are a task."""
    match = _WRITE_INTO.match(text)
    path = _path(match["place"]) if match else None
    if match is None or path is None or not _FILE_SUFFIX.search(path):
        return None
    content = _unquoted(match["text"])
    if content.casefold() in _POINTING:
        return None
    return Wish("write", {"path": path, "content": content})


def _editing(text: str) -> Wish | None:
    match = _EDIT.match(text)
    path = _path(match["place"]) if match else None
    if match is None or path is None:
        return None
    old, new = _unquoted(match["old"]), _unquoted(match["new"])
    return Wish("edit", {"path": path, "old": old, "new": new})


def _moving(text: str) -> Wish | None:
    match = _MOVE.match(text)
    source = _marked_path(match["source"]) if match else None
    goal = _path(match["goal"]) if match else None
    return Wish("move", {"source": source, "destination": goal}) if source and goal else None


def _deleting(text: str) -> Wish | None:
    match = _DELETE.match(text)
    path = _marked_path(match["rest"]) if match else None
    return Wish("delete", {"path": path}) if path else None


def _making(text: str) -> Wish | None:
    match = _MAKE.match(text)
    path = _path(match["rest"]) if match else None
    return Wish("make", {"folder": path}) if path else None


def _fetching(text: str) -> Wish | None:
    match = _URL.match(text)
    return Wish("fetch", {"url": match["url"].rstrip(".,;!?")}) if match else None


def _running(text: str) -> Wish | None:
    match = _RUN.match(text)
    if match is None:
        return None
    command = match["command"].strip().strip("`")
    try:
        argv = shlex.split(command)
    except ValueError as exc:
        raise PlainRequestError("The command has a quotation mark without its partner.") from exc
    return Wish("run", {"command": command}) if argv else None


def _folder(rest: str) -> str | None:
    """The folder among some words; words that say nothing mean the current one."""
    words = [word for word in _words(rest) if word.casefold() not in _FILLING]
    return _path(rest) if words else "."


def _marked_path(rest: str) -> str | None:
    """The path among some words, but only one that cannot be an ordinary word."""
    return _path(rest) if _QUOTED.search(rest) or _PATH_SIGNS.search(rest.rstrip(".!?")) else None


def _path(rest: str) -> str | None:
    """The path among some words: a quoted one, one that looks like a path, or the only one."""
    quoted = _QUOTED.search(rest)
    if quoted:
        return quoted[1]
    words = [word for word in _words(rest) if word.casefold() not in _FILLING]
    signed = [word for word in words if _PATH_SIGNS.search(word)]
    if signed:
        return signed[0]
    return words[0] if len(words) == 1 else None


def _words(rest: str) -> list[str]:
    return [word if word in {".", ".."} else word.rstrip(".,;:!?") for word in rest.split()]


def _unquoted(text: str) -> str:
    return text.strip("\"“”`'")


_FINDERS: Final[tuple[Callable[[str], Wish | None], ...]] = (
    _fetching,
    _writing,
    _writing_into,
    _telling_time,
    _listing,
    _reading,
    _running,
    _editing,
    _moving,
    _deleting,
    _making,
    _searching,
)
