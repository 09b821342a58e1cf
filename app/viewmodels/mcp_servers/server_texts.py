"""What the settings show of tool servers (MCP), in words.

The classes are plain values, with `ServersView` for all servers; `row_of` and `found_row` make the
rows from what is known of a server.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import PurePath
from typing import Literal

from PySide6.QtCore import QCoreApplication

from app.mcp_servers.config_file import is_secret
from app.mcp_servers.servers import ServerEntry, ToolChange
from app.viewmodels.i18n import translate_marked
from app.viewmodels.states import Dot
from local_tools.command_lines import command_text
from local_tools.errors import ToolError
from local_tools.mcp.config import LocalProgram, RemoteAddress
from local_tools.mcp.config_files import ForeignServer
from local_tools.mcp.launch import are_bounded, fetches
from local_tools.mcp.registry_bridge import ListedTool


@dataclass(frozen=True, slots=True)
class SignInView:
    """How the sign-in at a server stands.

    Attributes:
        kind: `none` where nobody has to; `waiting` for the person in the browser.
        host: Whose page the browser shows; empty before it is known.
        problem: Why the last one failed; empty where none did.
        is_kept: With `done`: whether it outlives the program.
    """

    kind: Literal["none", "wanted", "waiting", "done"] = "none"
    host: str = ""
    problem: str = ""
    is_kept: bool = True


@dataclass(frozen=True, slots=True)
class ServerToolRow:
    """One tool of a server. `problem` says why it is not taken; then it cannot be switched on."""

    name: str
    description: str
    effect_words: str
    is_on: bool
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ServerChangeRow:
    """What became of a tool: a sentence, and the change as a diff or a text."""

    words: str
    text: str


@dataclass(frozen=True, slots=True)
class ServerRow:
    """One server, in a line and in full.

    Attributes:
        dot: None while it is off.
        start_text: Exactly what is started or asked.
        is_program: It runs on this computer, so that its bounds can be chosen.
        folder: The one folder that it sees; empty for none.
        given: The variables or headers that it is given; without a value where that is secret.
        limits: What it may use of this computer; empty for an address.
        can_start_again: It ended for good, and could be started anew.
        hint: What will probably not go as hoped; empty for nothing.
        log: The last that it said, a line each.
    """

    name: str
    words: str
    is_on: bool
    dot: Dot | None
    start_text: str
    is_program: bool
    folder: str
    may_write: bool
    may_connect: bool
    given: tuple[str, ...]
    hint: str = ""
    limits: str = ""
    problem: str = ""
    can_start_again: bool = False
    sign_in: SignInView = SignInView()
    tools: tuple[ServerToolRow, ...] = ()
    changes: tuple[ServerChangeRow, ...] = ()
    log: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FoundRow:
    """A server of another program, to be taken over. `problem` says why it cannot be.

    Attributes:
        key: Names it among those that were found.
        asks: What has to be answered first, by name, in words.
    """

    key: str
    program: str
    name: str
    start_text: str
    given: tuple[str, ...]
    asks: tuple[tuple[str, str], ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ServersView:
    """All servers. `found` is None until another program's were looked for."""

    rows: tuple[ServerRow, ...] = ()
    problem: str = ""
    found: tuple[FoundRow, ...] | None = None


_LOG_LINES = 30


def row_of(
    entry: ServerEntry, *, is_confined: bool, sign_in: SignInView | None = None
) -> ServerRow:
    """Describe a server for the settings; `is_confined` says whether a sandbox would hold it."""
    sign_in = sign_in or SignInView()
    config, bounds = entry.kept.config, entry.kept.config.bounds
    place = config.place
    is_program = isinstance(place, LocalProgram)
    server = entry.server
    return ServerRow(
        name=config.name,
        words=_words(entry, sign_in, is_confined=is_confined),
        is_on=entry.kept.is_on,
        dot=_dot(entry),
        start_text=start_text(place),
        is_program=is_program,
        folder=bounds.folder,
        may_write=bounds.may_write,
        may_connect=bounds.may_connect,
        given=given_texts(place),
        limits=_limits(place, is_confined=is_confined),
        hint=" ".join(_hints(place, is_confined=is_confined)),
        problem=entry.problem or sign_in.problem or translate_marked("ToolServers", _reason(entry)),
        can_start_again=bool(server and entry.kept.is_on and server.life == "failed"),
        sign_in=sign_in,
        tools=tuple(_tool_row(item, entry.kept.tools_off) for item in entry.tools),
        changes=tuple(_change_row(change) for change in entry.changes),
        log=server.tail.lines[-_LOG_LINES:] if server else (),
    )


def start_text(place: LocalProgram | RemoteAddress) -> str:
    """Exactly what is started or asked, as it was written."""
    if isinstance(place, RemoteAddress):
        return place.url
    return command_text((place.command, *place.arguments))


def given_texts(place: LocalProgram | RemoteAddress) -> tuple[str, ...]:
    """Return the variables or headers that a server is given; of what is secret, the name."""
    if isinstance(place, RemoteAddress):
        return tuple(place.headers)
    return tuple(
        name if is_secret(name, value) else f"{name}={value}"
        for name, value in place.environment.items()
    )


def _limits(place: LocalProgram | RemoteAddress, *, is_confined: bool) -> str:
    if isinstance(place, RemoteAddress):
        return ""
    if not are_bounded():
        return QCoreApplication.translate(
            "ToolServers", "Its memory use is not limited on this computer."
        )
    if not is_confined:
        return QCoreApplication.translate(
            "ToolServers",
            "Each of its processes can use up to 2 GB of memory and files of up to 1 GB. Their "
            "number and running time are not limited.",
        )
    return QCoreApplication.translate(
        "ToolServers",
        "It can use up to 1,024 processes with 2 GB of memory each, and files of up to 1 GB. "
        "Their running time is not limited.",
    )


def _hints(place: LocalProgram | RemoteAddress, *, is_confined: bool) -> Iterator[str]:
    if isinstance(place, RemoteAddress):
        return
    if fetches(place):
        words = QCoreApplication.translate(
            "ToolServers",
            "{program} downloads the server each time it starts, which needs the network and "
            "takes time. Install the server and enter the path of its program instead.",
        )
        yield words.format(program=PurePath(place.command).name)
    if not is_confined:
        yield QCoreApplication.translate(
            "ToolServers",
            "No sandbox works here. The server has all your permissions, whatever you choose "
            "below.",
        )


def _words(entry: ServerEntry, sign_in: SignInView, *, is_confined: bool) -> str:
    translate = QCoreApplication.translate
    if not entry.kept.is_on:
        return translate("ToolServers", "off")
    words = [_life(entry, sign_in), _where(entry, is_confined=is_confined)]
    if sign_in.kind == "done":
        kept = translate("ToolServers", "signed in")
        words.append(
            kept if sign_in.is_kept else translate("ToolServers", "signed in until Parley closes")
        )
    if entry.changes:
        words.append(translate("ToolServers", "%n tools changed", "", len(entry.changes)))
    return " · ".join(words)


def _life(entry: ServerEntry, sign_in: SignInView) -> str:
    translate = QCoreApplication.translate
    if sign_in.kind == "waiting":
        where = translate("ToolServers", "waiting for you in the browser, at {host}")
        here = translate("ToolServers", "finding the sign-in page…")
        return where.format(host=sign_in.host) if sign_in.host else here
    life = entry.server.life if entry.server else "failed"
    if life == "ready":
        return translate("ToolServers", "%n tools", "", len(entry.tools))
    return {
        "starting": translate("ToolServers", "starting…"),
        "installing": translate("ToolServers", "installing…"),
        "waiting": translate("ToolServers", "retrying…"),
        "signed_out": translate("ToolServers", "not signed in"),
        "failed": translate("ToolServers", "stopped"),
        "off": translate("ToolServers", "starting…"),
    }[life]


def _where(entry: ServerEntry, *, is_confined: bool) -> str:
    translate, config = QCoreApplication.translate, entry.kept.config
    if isinstance(config.place, RemoteAddress):
        return config.place.url
    origin = entry.server.origin if entry.server else None
    program = PurePath(config.place.command).name
    if not (origin.is_confined if origin else is_confined):
        return f"{program} · {translate('ToolServers', 'without a sandbox')}"
    if config.bounds.may_connect:
        return f"{program} · {translate('ToolServers', 'sandboxed, with network access')}"
    return f"{program} · {translate('ToolServers', 'sandboxed, no network access')}"


def _dot(entry: ServerEntry) -> Dot | None:
    if not entry.kept.is_on:
        return None
    life = entry.server.life if entry.server else "failed"
    if life == "failed":
        return Dot.BAD
    return Dot.GOOD if life == "ready" and not entry.changes else Dot.WARN


def _reason(entry: ServerEntry) -> str:
    server = entry.server
    return server.reason if server and server.life in ("waiting", "failed") else ""


def _tool_row(item: ListedTool, off: frozenset[str]) -> ServerToolRow:
    return ServerToolRow(
        name=item.name,
        description=item.description,
        effect_words=_effects(item),
        is_on=not item.problem and item.name not in off,
        problem=translate_marked("ToolServers", item.problem),
    )


def _effects(item: ListedTool) -> str:
    translate, definition = QCoreApplication.translate, item.definition
    if definition is None:
        return ""
    if definition.runs_in == "elsewhere":
        return translate("ToolServers", "your input is sent there")
    if definition.effects.read_only:
        return translate("ToolServers", "only reads")
    if definition.effects.destructive:
        return translate("ToolServers", "can make lasting changes")
    return translate("ToolServers", "makes no lasting changes")


def _change_row(change: ToolChange) -> ServerChangeRow:
    translate = QCoreApplication.translate
    if not change.before:
        return ServerChangeRow(
            translate("ToolServers", "{tool} is new").format(tool=change.name), change.now
        )
    if not change.now:
        return ServerChangeRow(
            translate("ToolServers", "{tool} was removed").format(tool=change.name), change.before
        )
    words = translate("ToolServers", "{tool} changed").format(tool=change.name)
    changed = _changed_lines(change.before.splitlines(), change.now.splitlines())
    same = translate("ToolServers", "Its program or access has changed.")
    return ServerChangeRow(words, "\n".join(changed) or same)


def _changed_lines(before: Sequence[str], now: Sequence[str]) -> list[str]:
    """Return the lines that differ, whole: to compare two of 16,000 signs sign by sign took 3 s."""
    found: list[str] = []
    for act, first, last, new_first, new_last in SequenceMatcher(None, before, now).get_opcodes():
        if act != "equal":
            found += (f"- {line}" for line in before[first:last])
            found += (f"+ {line}" for line in now[new_first:new_last])
    return found


def found_row(server: ForeignServer, environ: Mapping[str, str]) -> FoundRow:
    """Describe a server of another program for the settings: exactly what would be imported."""
    shown = {question.name: f"${{input:{question.name}}}" for question in server.questions}
    start, problem = "", server.problem
    given: tuple[str, ...] = ()
    try:
        place = server.config(server.name, environ, shown).place
        start, given = start_text(place), given_texts(place)
    except ToolError as error:
        problem = str(error)
    return FoundRow(
        key=f"{server.program}/{server.name}",
        program=server.program,
        name=server.name,
        start_text=start,
        given=given,
        asks=tuple((question.name, question.words) for question in server.questions),
        problem=translate_marked("ToolServers", problem),
    )
