"""Read the tool servers from the configuration files of other programs.

They are read only when a person asks for it; nothing in them is started.
"""

import json
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from local_tools.errors import ToolError, named
from local_tools.mcp.config import NAME_LIMIT, LocalProgram, RemoteAddress, ServerConfig
from local_tools.translation_marks import QT_TRANSLATE_NOOP

_FILE_LIMIT_BYTES: Final = 16 * 1024 * 1024
_SERVERS_LIMIT: Final = 100
# Paths below the folder where this system keeps settings of programs, and below the home.
_IN_SETTINGS: Final = (
    ("Claude Desktop", "Claude/claude_desktop_config.json"),
    ("VS Code", "Code/User/mcp.json"),
)
_AT_HOME: Final = (
    ("Claude Code", ".claude.json"),
    ("Cursor", ".cursor/mcp.json"),
    ("Windsurf", ".codeium/windsurf/mcp_config.json"),
)
_REFERENCE: Final = re.compile(r"\$\{(env:|input:)?([A-Za-z_][A-Za-z0-9_.-]*)(?::-([^}]*))?\}")
# Outside of texts: comments, and commas before a closing bracket.
_EXTRAS: Final = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/|,(?=\s*[}\]])', re.DOTALL)

_Text = Annotated[str, Field(max_length=8192)]


class _Asked(BaseModel):
    model_config = ConfigDict(defer_build=True, extra="ignore")

    id: _Text
    description: _Text = ""


class _Entry(BaseModel):
    model_config = ConfigDict(defer_build=True, extra="ignore")

    type: _Text = ""
    command: _Text = ""
    args: list[_Text] = Field(default_factory=list)
    env: dict[str, _Text] = Field(default_factory=dict)
    url: _Text = ""
    server_url: _Text = Field(default="", alias="serverUrl")
    headers: dict[str, _Text] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ImportQuestion:
    """A value that the other program asks the user for; `name` is that of `${input:name}`."""

    name: str
    words: str


@dataclass(frozen=True, slots=True)
class ForeignServer:
    """A server configured in another program, not imported yet.

    Attributes:
        questions: The values to ask the user for before it can be imported.
        problem: Why it cannot be imported, as a sentence; empty if it can.
    """

    program: str
    name: str
    entry: _Entry
    questions: tuple[ImportQuestion, ...] = ()
    problem: str = ""

    def config(
        self, name: str, environ: Mapping[str, str], answers: Mapping[str, str]
    ) -> ServerConfig:
        """Return the server as a `ServerConfig`, with all placeholders filled in.

        Args:
            name: The name that it gets here.
            environ: The variables for `${VAR}`.
            answers: The answers to its questions, by name.

        Raises:
            ToolError: A value is missing, or this kind of server is not supported.
        """
        entry, fill = self.entry, _Filling(environ, answers)
        if entry.type == "sse":
            raise ToolError(
                QT_TRANSLATE_NOOP(
                    "ToolServers", "It uses the older SSE transport, which Parley does not support."
                )
            )
        url = fill.text(entry.url or entry.server_url)
        if url:
            return ServerConfig(name, RemoteAddress(url, fill.values(entry.headers)))
        arguments = tuple(fill.text(argument) for argument in entry.args)
        place = LocalProgram(fill.text(entry.command), arguments, fill.values(entry.env))
        return ServerConfig(name, place)


@dataclass(frozen=True, slots=True)
class _Filling:
    """Fills in what stands for something else. Made for one server."""

    environ: Mapping[str, str]
    answers: Mapping[str, str]

    def values(self, given: Mapping[str, str]) -> dict[str, str]:
        return {name: self.text(text) for name, text in given.items()}

    def text(self, given: str) -> str:
        return _REFERENCE.sub(self._found, given)

    def _found(self, reference: re.Match[str]) -> str:
        kind, name, default = reference.groups()
        if kind == "input:":
            if name not in self.answers:
                raise ToolError(f"“{named(name)}” has to be answered first.")
            return self.answers[name]
        if name in ("workspaceFolder", "fileDirname", "file"):
            raise ToolError(
                QT_TRANSLATE_NOOP(
                    "ToolServers",
                    "It depends on a folder of that program that Parley does not know.",
                )
            )
        if name == "userHome":
            return str(Path.home())
        found = self.environ.get(name, default)
        if found is None:
            raise ToolError(f"The variable {named(name)} is not set.")
        return found


def find_foreign(
    home: Path, environ: Mapping[str, str], platform: str = sys.platform
) -> tuple[ForeignServer, ...]:
    """Return the servers configured in other programs here. Reads files: call it in a thread."""
    settings = {"darwin": home / "Library/Application Support", "win32": home / "AppData/Roaming"}
    base = settings.get(platform, home / ".config")
    places = [(program, base / name) for program, name in _IN_SETTINGS]
    places += [(program, home / name) for program, name in _AT_HOME]
    return tuple(
        server for program, path in places for server in read_foreign(program, path, environ)
    )


def read_foreign(program: str, path: Path, environ: Mapping[str, str]) -> Iterator[ForeignServer]:
    """Yield the servers of one file; none if it is missing or malformed."""
    try:
        if path.stat().st_size > _FILE_LIMIT_BYTES:
            return
        document = _parsed(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return
    if not isinstance(document, dict):
        return
    entries = document.get("servers" if program == "VS Code" else "mcpServers")
    questions = _questions(document.get("inputs"))
    for name, said in list(entries.items() if isinstance(entries, dict) else ())[:_SERVERS_LIMIT]:
        yield _foreign(program, str(name)[:NAME_LIMIT], said, questions, environ)


def _foreign(
    program: str,
    name: str,
    said: object,
    questions: Mapping[str, ImportQuestion],
    environ: Mapping[str, str],
) -> ForeignServer:
    try:
        entry = _Entry.model_validate(said)
    except ValidationError:
        return ForeignServer(
            program,
            name,
            _Entry(),
            problem=QT_TRANSLATE_NOOP("ToolServers", "Its definition could not be read."),
        )
    addresses = (entry.url, entry.server_url, *entry.headers.values())
    texts = (entry.command, *entry.args, *entry.env.values(), *addresses)
    names = dict.fromkeys(
        found[2] for text in texts for found in _REFERENCE.finditer(text) if found[1] == "input:"
    )
    asked = tuple(questions.get(item, ImportQuestion(item, item)) for item in names)
    server = ForeignServer(program, name, entry, asked)
    try:
        server.config(name, environ, dict.fromkeys(names, "x"))
    except ToolError as exc:
        return ForeignServer(program, name, entry, asked, str(exc))
    return server


def _questions(said: object) -> dict[str, ImportQuestion]:
    found: dict[str, ImportQuestion] = {}
    for item in said if isinstance(said, list) else ():
        try:
            asked = _Asked.model_validate(item)
        except ValidationError:
            continue
        found[asked.id] = ImportQuestion(asked.id, asked.description or asked.id)
    return found


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        # Some programs allow comments and trailing commas in their JSON.
        return json.loads(_EXTRAS.sub(lambda found: found[1] or "", text))
