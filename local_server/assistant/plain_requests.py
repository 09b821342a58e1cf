"""Which tool a message plainly asks for: `/tool NAME {…}`, “read notes.md”, “list Downloads”."""

import re
import shlex
from collections.abc import Callable
from typing import Final

from local_server.assistant.reply import ToolRequest
from local_server.json_text import JsonTextError, parse_json

_POLITE: Final = re.compile(
    r"^(?:(?:please|now|then|and|ok|okay|can you|could you|would you|will you)[\s,]+)+",
    re.IGNORECASE,
)
_COMMAND: Final = re.compile(r"^/tool(?:\s+(?P<name>\S+))?(?:\s+(?P<input>.+))?$", re.DOTALL)
_READ: Final = re.compile(r"^(?:read|open|show)\s+(?P<rest>.+)$", re.IGNORECASE | re.DOTALL)
_LIST: Final = re.compile(
    r"^(?:list|ls|show me what is in|what(?:'s|’s| is) in)\b\s*(?P<rest>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_TIME: Final = re.compile(
    r"\bwhat(?:'s|’s| is)?\s+(?:the\s+)?(?:current\s+)?(?:time|date)\b|\bwhat day is\b",
    re.IGNORECASE,
)
_WRITE: Final = re.compile(
    r"^write\s+(?:(?:to|the|file)\s+)*(?P<path>[\"“`'].+?[\"”`']|\S+?)\s*:\s+(?P<text>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_RUN: Final = re.compile(r"^run\s+(?:the command\s+)?(?P<command>.+)$", re.IGNORECASE | re.DOTALL)
_QUOTED: Final = re.compile(r"[\"“`'](.+?)[\"”`']")
_PATH_SIGNS: Final = re.compile(r"[./~\\]")
_FILLING_WORDS: Final = (
    "the this that my me a an file files folder folders directory in of at from inside please "
    "contents content current all here everything"
)
_FILLING: Final = frozenset(_FILLING_WORDS.split())


class PlainRequestError(Exception):
    """The message begins like a request but cannot be understood; the message says why."""


def find_request(message: str) -> ToolRequest | None:
    """Find the tool call that a message plainly asks for.

    Raises:
        PlainRequestError: When it is meant as one and cannot be one.
    """
    text = message.strip()
    if text.startswith("/tool"):
        return _from_command(text)
    text = _POLITE.sub("", text)
    for find in _FINDERS:
        request = find(text)
        if request is not None:
            return request
    return None


def _from_command(text: str) -> ToolRequest:
    match = _COMMAND.match(text)
    if match is None or match["name"] is None:
        raise PlainRequestError('The form is `/tool NAME {"argument": "value"}`.')
    try:
        given = parse_json(match["input"] or "{}")
    except JsonTextError as exc:
        raise PlainRequestError(f"What follows the tool’s name must be JSON: {exc}.") from exc
    if not isinstance(given, dict):
        raise PlainRequestError("What follows the tool’s name must be a JSON object: `{…}`.")
    return ToolRequest(match["name"], given)


def _reading(text: str) -> ToolRequest | None:
    match = _READ.match(text)
    path = _path(match["rest"]) if match else None
    return ToolRequest("read_file", {"path": path}) if path else None


def _listing(text: str) -> ToolRequest | None:
    match = _LIST.match(text)
    if match is None:
        return None
    words = [word for word in _words(match["rest"]) if word.casefold() not in _FILLING]
    path = _path(match["rest"]) if words else "."
    return ToolRequest("list_folder", {"path": path}) if path else None


def _telling_time(text: str) -> ToolRequest | None:
    return ToolRequest("current_time", {}) if _TIME.search(text) else None


def _writing(text: str) -> ToolRequest | None:
    match = _WRITE.match(text)
    if match is None:
        return None
    path = match["path"].strip("\"“”`'")
    return ToolRequest("write_file", {"path": path, "content": match["text"]})


def _running(text: str) -> ToolRequest | None:
    match = _RUN.match(text)
    if match is None:
        return None
    command = match["command"].strip().strip("`")
    try:
        argv = shlex.split(command)
    except ValueError as exc:
        raise PlainRequestError("The command has a quotation mark without its partner.") from exc
    return ToolRequest("run_command", {"argv": argv}) if argv else None


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


_FINDERS: Final[tuple[Callable[[str], ToolRequest | None], ...]] = (
    _writing,
    _telling_time,
    _listing,
    _reading,
    _running,
)
