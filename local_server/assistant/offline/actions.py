"""What can be asked of a client's tools in plain words, and which tool does it.

Tools are known by the words of their names, so that another client's `ReadFile` or
`fs__read_text_file` is found as well as `read_file`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from local_server.store.records import Tool

Action = Literal[
    "read", "list", "search", "write", "edit", "move", "delete", "make", "run", "time", "fetch"
]
Purpose = Literal[
    "path", "folder", "content", "query", "old", "new", "source", "destination", "command", "url"
]

_CAMEL: Final = re.compile(r"(?<=[a-z\d])(?=[A-Z])")
_NOT_WORD: Final = re.compile(r"[^a-z\d]+")
# The arguments that serve a purpose, the likeliest first.
ARGUMENT_NAMES: Final[Mapping[Purpose, tuple[str, ...]]] = {
    "path": (
        "path", "file_path", "filepath", "file", "filename", "file_name", "absolute_path",
        "relative_path", "target", "target_file", "location", "name", "uri",
    ),
    "folder": (
        "path", "folder", "directory", "dir", "folder_path", "directory_path", "dir_path", "root",
        "where", "location", "name", "uri",
    ),
    "content": ("content", "contents", "text", "data", "body", "file_text"),
    "query": ("query", "pattern", "text", "regex", "search", "term", "keywords", "q"),
    "old": ("old", "old_text", "old_string", "old_str", "find", "search"),
    "new": ("new", "new_text", "new_string", "new_str", "replacement", "replace"),
    "source": ("source", "from", "src", "old_path", "source_path", "path", "file"),
    "destination": (
        "destination", "to", "dst", "dest", "new_path", "destination_path", "target", "new_name",
    ),
    "command": ("argv", "command", "cmd", "command_line", "args", "script"),
    "url": ("url", "uri", "address", "link"),
}  # fmt: skip


@dataclass(frozen=True)
class Kind:
    """What the tools of an action have in common.

    Attributes:
        tool: The name that such a tool has with us.
        purposes: What it has to be told.
        verbs: With one of these and one of `objects` in its name a tool is of the kind.
        alone: A name of this word alone is enough.
    """

    tool: str
    purposes: tuple[Purpose, ...]
    verbs: frozenset[str]
    objects: frozenset[str]
    alone: frozenset[str]


def _kind(tool: str, purposes: tuple[Purpose, ...], verbs: str, objects: str, alone: str) -> Kind:
    return Kind(
        tool,
        purposes,
        frozenset(verbs.split()),
        frozenset(objects.split()),
        frozenset(alone.split()),
    )


KINDS: Final[Mapping[Action, Kind]] = {
    "read": _kind(
        "read_file", ("path",), "read open cat view show get", "file document text", "read cat"
    ),
    "list": _kind(
        "list_folder", ("folder",), "list browse show", "folder directory dir files", "ls list"
    ),
    "search": _kind(
        "search_files", ("query", "folder"), "search find grep",
        "file files text code content contents folder", "grep search",
    ),
    "write": _kind(
        "write_file", ("path", "content"), "write create save", "file document text", "write"
    ),
    "edit": _kind(
        "edit_file", ("path", "old", "new"), "edit replace change", "file text", "edit"
    ),
    "move": _kind(
        "move_file", ("source", "destination"), "move rename", "file files path folder",
        "move rename mv",
    ),
    "delete": _kind(
        "delete_file", ("path",), "delete remove trash", "file files path folder",
        "delete trash rm",
    ),
    "make": _kind(
        "make_folder", ("folder",), "make create new", "folder directory dir", "mkdir"
    ),
    "run": _kind(
        "run_command", ("command",), "run execute exec", "command shell program terminal bash",
        "run bash shell terminal exec",
    ),
    "time": _kind(
        "current_time", (), "current get tell now", "time clock datetime date",
        "time clock now datetime",
    ),
    "fetch": _kind(
        "fetch_page", ("url",), "fetch get download read open", "url page web website webpage",
        "fetch webfetch",
    ),
}  # fmt: skip


def find_tool(action: Action, tools: Sequence[Tool]) -> Tool | None:
    """Find the declared tool that does this best; the first declared of those that tie."""
    kind = KINDS[action]
    fitting = [tool for tool in tools if _fit(tool.name, kind)]
    return min(fitting, key=lambda tool: -_fit(tool.name, kind), default=None)


def find_stand_in(action: Action, tools: Sequence[Tool]) -> Tool | None:
    """Find a declared tool that does this in another way: a search is a command as well."""
    return find_tool("run", tools) if action == "search" else None


def action_of(tool_name: str) -> Action | None:
    """Tell what a tool does, by its name; None when that is not plain."""
    fits = {action: _fit(tool_name, kind) for action, kind in KINDS.items()}
    best = max(fits, key=lambda action: fits[action])
    return best if fits[best] else None


def told_path(given: Mapping[str, Any]) -> str | None:
    """Find the path that a tool was given, whatever the argument is called."""
    names = (*ARGUMENT_NAMES["path"], *ARGUMENT_NAMES["folder"], *ARGUMENT_NAMES["source"])
    known = {plain_name(name): value for name, value in given.items()}
    values = (known.get(name) for name in names)
    return next((value for value in values if isinstance(value, str) and value.strip()), None)


def plain_name(name: str) -> str:
    """Write a name in small letters, its words parted by underscores."""
    return "_".join(_words(name))


def _fit(tool_name: str, kind: Kind) -> int:
    words = frozenset(_words(tool_name))
    if tool_name == kind.tool:
        return 3
    if words & kind.verbs and words & kind.objects:
        return 2
    return int(len(words) == 1 and bool(words & kind.alone))


def _words(name: str) -> list[str]:
    return [word for word in _NOT_WORD.split(_CAMEL.sub("_", name).casefold()) if word]
