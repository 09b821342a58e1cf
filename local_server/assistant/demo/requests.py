"""Parse requests to the demo: `/tool`, `/agent`, or plain words such as “read notes.md”.

Plain requests are for tools with the names and arguments of Parley's own; `/tool` calls any. What a
client writes into a message of its attached files is no part of the words.
"""

import re
import shlex
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Final

from local_server.assistant.agents import Agent
from local_server.assistant.demo.languages import Language, say
from local_server.assistant.reply import RequestedToolCall
from local_server.schemas import JsonTextError, parse_json

# Bounds the time of parsing, in which the event loop serves nobody else.
_LONGEST_COMMAND_CHARS: Final = 256 * 1024
_LONGEST_PLAIN_CHARS: Final = 2_000
_MOST_CALLS: Final = 8
_TOOL_LINES: Final = re.compile(r"\n(?=/tool\b)")
_TOOL: Final = re.compile(r"/tool\s+(?P<name>\S+)\s*(?P<input>.*)", re.DOTALL)
_AGENT: Final = re.compile(r"/agent\b\s*(?P<name>\S*)\s*(?P<rest>.*)", re.DOTALL)
_POLITE: Final = re.compile(r"(?:please|bitte)\s+", re.IGNORECASE)
_READ: Final = frozenset({"read", "open", "lies", "öffne"})
_READ_AT_END: Final = frozenset({"lesen", "öffnen"})
_LIST: Final = frozenset({"list", "ls", "liste"})
_FILLING_WORDS: Final = (
    "the this all my file files folder of in auf alle die der den diesem diesen datei dateien "
    "ordner ordners"
)
# With nothing but these, the current folder is meant.
_FILLING: Final = frozenset(_FILLING_WORDS.split())
_PATH_SIGNS: Final = re.compile(r"[./~\\]")
_FLAGS: Final = re.IGNORECASE | re.DOTALL
_WRITE: Final = re.compile(r"(?:write|schreibe?)\s(?P<path>\S+):\s+(?P<content>.+)", _FLAGS)
_RUN: Final = re.compile(r"run\s(?P<command>.+)|führe?\s(?P<german>.+)\saus", _FLAGS)
_SEARCH: Final = re.compile(
    r"(?:find|search(?:\sfor)?|suche?(?:\snach)?)\s"
    r"(?:[\"“„`](?P<quoted>[^\"”“`]+)[\"”“`]|(?P<word>\S+))\sin\s(?P<path>\S+)",
    re.IGNORECASE,
)
# How a client names an attached file, or has it whole, at the end of a message.
_FILE_MARK: Final = re.compile(
    r"^\[(?:attachment|image): (?P<name>[^\]\n]{1,200}?)(?: \([^()\n]{0,100}\))?\]$", re.MULTILINE
)
_FILE_BLOCK: Final = re.compile(r"^(?P<name>[^\n`]{1,200}\.\w{1,12}):\n`{3}", re.MULTILINE)
_NAMED: Final = "\0"
_PART: Final = re.compile(
    r"\b(?:(?P<pages>pages?|seiten?|slides?|folien?|chapters?|kapitel)|(?P<lines>lines?|zeilen?)|"
    r"(?:sheet|blatt|tabelle))\s(?P<which>\d{1,6}(?:[-,]\d{1,6}){0,20}(?!\w)|[\w-]{1,60})",
    re.IGNORECASE,
)


class RequestError(Exception):
    """A message begins like a request and cannot be one; `in_language` says why, in Markdown."""

    def __init__(self, template: str, **values: object) -> None:
        super().__init__(template)
        self._template = template
        self._values = values

    def in_language(self, language: Language) -> str:
        """Return why it cannot be one."""
        return say(language, self._template, **self._values)


@dataclass(frozen=True)
class AgentCommand:
    """`/agent NAME …`: the name of who is to answer, possibly empty, and what."""

    name: str
    rest: str

    def names(self, agent: Agent) -> bool:
        """Return whether an agent is meant, in capitals or not."""
        return self.name.casefold() == agent.name.casefold()


def read_agent_command(message: str) -> AgentCommand | None:
    """Read `/agent NAME …`; None when the message is something else."""
    match = _AGENT.match(message.strip())
    return AgentCommand(match["name"], match["rest"]) if match else None


def attached_names(messages: Iterable[str]) -> frozenset[str]:
    """Return the names of the files that went with messages."""
    patterns = (_FILE_MARK, _FILE_BLOCK)
    found = (p.finditer(message) for message in messages for p in patterns)
    return frozenset(match["name"] for matches in found for match in matches)


def words_of(message: str) -> str:
    """Return what the person wrote of a message, without the files that follow it."""
    found = (pattern.search(message) for pattern in (_FILE_MARK, _FILE_BLOCK))
    starts = [match.start() for match in found if match and _begins_part(message, match.start())]
    return message[: min(starts)] if starts else message


def _begins_part(message: str, start: int) -> bool:
    return start == 0 or message[:start].endswith("\n\n")


def read_tool_requests(message: str, attached: Collection[str] = ()) -> list[RequestedToolCall]:
    """Read the tool calls that a message asks for, in order; none when it asks for none.

    Args:
        message: What the person wrote, and what the client wrote of its files.
        attached: The names of files that went with earlier messages.

    Raises:
        RequestError: When it is meant as a request and cannot be one.
    """
    text = words_of(message).strip()
    if re.match(r"/tool\b", text):
        return _read_commands(text)
    if len(text) > _LONGEST_PLAIN_CHARS:
        return []
    text = _POLITE.sub("", text, count=1)
    if not text:
        return []
    if (reading := _read_attached(text, {*attached, *attached_names([message])})) is not None:
        return [reading]
    found = (read(text) for read in _PLAIN_REQUESTS)
    return next(([request] for request in found if request is not None), [])


def _read_commands(text: str) -> list[RequestedToolCall]:
    lines = _TOOL_LINES.split(text, maxsplit=_MOST_CALLS)
    if len(lines) > _MOST_CALLS:
        raise RequestError("At most {count} calls fit into one message.", count=_MOST_CALLS)
    if len(text) > _LONGEST_COMMAND_CHARS:
        raise RequestError(
            "More than {count} characters are too many.", count=f"{_LONGEST_COMMAND_CHARS:,}"
        )
    return [_read_command(line.strip()) for line in lines]


def _read_command(line: str) -> RequestedToolCall:
    match = _TOOL.fullmatch(line)
    if match is None:
        raise RequestError('The form is `/tool NAME {{"argument": "value"}}`.')
    try:
        given = parse_json(match["input"] or "{}")
    except JsonTextError as exc:
        raise RequestError(
            "What follows the tool’s name must be JSON: {fault}.", fault=exc
        ) from exc
    if not isinstance(given, dict):
        raise RequestError("What follows the tool’s name must be a JSON object: `{{…}}`.")
    return RequestedToolCall(match["name"], given)


def _read_attached(text: str, attached: Collection[str]) -> RequestedToolCall | None:
    """Read a request for an attached file: named, and with it a verb, a part or a search."""
    names = [name for name in attached if _as_word(name).search(text)]
    if not names or _WRITE.fullmatch(text) or _RUN.fullmatch(text):
        return None
    name = max(names, key=len)
    # The words of the name say nothing of what is wanted.
    rest = _as_word(name).sub(_NAMED, text)
    search = _SEARCH.fullmatch(rest)
    if search is not None and _bare(search["path"]) == _NAMED:
        wanted = {"search": search["quoted"] or search["word"]}
        return RequestedToolCall("read_attachment", {"name": name, **wanted})
    part = _PART.search(rest)
    verbs = {_bare(word).casefold() for word in rest.split()}
    if part is None and not verbs & (_READ | _READ_AT_END):
        return None
    return RequestedToolCall("read_attachment", {"name": name, **_part_in(part)})


def _as_word(name: str) -> re.Pattern[str]:
    """Return what finds a name, but not the end of a path or of another name."""
    return re.compile(rf"(?<![\w./\\~-]){re.escape(name)}(?![\w/\\-])", re.IGNORECASE)


def _part_in(part: re.Match[str] | None) -> dict[str, str]:
    if part is None:
        return {}
    kind = next((kind for kind in ("pages", "lines") if part[kind]), "sheet")
    is_number = part["which"][0].isdigit()
    return {kind: part["which"]} if is_number or kind == "sheet" else {}


def _read_file(text: str) -> RequestedToolCall | None:
    first, *others = text.split()
    paths = [word for word in others if _bare(word).casefold() not in _FILLING]
    if first.casefold() not in _READ:
        paths = [first] if others and _bare(others[0]).casefold() in _READ_AT_END else []
    return RequestedToolCall("read_file", {"path": _bare(paths[0])}) if _has_path(paths) else None


def _list_folder(text: str) -> RequestedToolCall | None:
    first, *others = text.split()
    if first.casefold() not in _LIST:
        if not others or _bare(others.pop()).casefold() != "auflisten":
            return None
        others = [first, *others]
    places = [word for word in map(_bare, others) if word.casefold() not in _FILLING]
    # Several words are no folder name but another request: “list three ideas for dinner”.
    return (
        RequestedToolCall("list_folder", {"path": "".join(places) or "."})
        if len(places) < 2
        else None
    )


def _write_file(text: str) -> RequestedToolCall | None:
    match = _WRITE.fullmatch(text)
    if match is None or not _has_path([match["path"]]):
        return None
    return RequestedToolCall(
        "write_file", {"path": _bare(match["path"]), "content": match["content"]}
    )


def _run_command(text: str) -> RequestedToolCall | None:
    match = _RUN.fullmatch(text)
    if match is None:
        return None
    try:
        argv = shlex.split((match["command"] or match["german"]).strip("`"))
    except ValueError as exc:
        raise RequestError("The command has a quotation mark without its partner.") from exc
    return RequestedToolCall("run_command", {"argv": argv}) if argv else None


def _search_files(text: str) -> RequestedToolCall | None:
    match = _SEARCH.fullmatch(text)
    if match is None:
        return None
    query = match["quoted"] or match["word"]
    return RequestedToolCall("search_files", {"query": query, "path": _bare(match["path"])})


def _has_path(words: list[str]) -> bool:
    """Return whether the first word can only be a path, and no web address."""
    return bool(words and _PATH_SIGNS.search(_bare(words[0]))) and "://" not in words[0]


def _bare(word: str) -> str:
    """Strip quotation marks and the end of a sentence off a word; lone full stops are a folder."""
    return word if word.strip(".") == "" else word.strip("\"“”„`'?!,;").removesuffix(".")


_PLAIN_REQUESTS: Final[tuple[Callable[[str], RequestedToolCall | None], ...]] = (
    _read_file,
    _list_folder,
    _write_file,
    _run_command,
    _search_files,
)
