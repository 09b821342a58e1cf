"""Tool servers in words."""

import difflib
from collections.abc import Iterator, Mapping
from pathlib import PurePath

from PySide6.QtCore import QCoreApplication

from app.tool_servers.servers import ServerEntry, ToolChange
from app.viewmodels.marked_words import marked_words
from app.viewmodels.states import Dot
from app.viewmodels.tools.tool_server_states import (
    FoundRow,
    ServerChangeRow,
    ServerRow,
    ServerToolRow,
)
from local_tools.commands import command_text
from local_tools.errors import ToolError
from local_tools.mcp.config import LocalProgram, RemoteAddress
from local_tools.mcp.desk import ListedTool
from local_tools.mcp.dialects import ForeignServer

_LOG_LINES = 30
# Programs that fetch what they run; in the sandbox they find nothing that was fetched before.
_FETCHERS = frozenset({"npx", "uvx", "bunx", "pnpx", "pipx", "pnpm", "yarn"})


def row_of(entry: ServerEntry, *, is_confined: bool) -> ServerRow:
    """A server as the settings show it; `is_confined` says whether a sandbox would hold it."""
    config, bounds = entry.kept.config, entry.kept.config.bounds
    place = config.place
    is_program = isinstance(place, LocalProgram)
    server = entry.server
    return ServerRow(
        name=config.name,
        words=_words(entry),
        is_on=entry.kept.is_on,
        dot=_dot(entry),
        start_text=start_text(place),
        is_program=is_program,
        folder=bounds.folder,
        may_write=bounds.may_write,
        may_connect=bounds.may_connect,
        given=given_names(place),
        hint=" ".join(_hints(place, is_confined=is_confined)),
        problem=entry.problem or marked_words("ToolServers", _reason(entry)),
        tools=tuple(_tool_row(item, entry.kept.tools_off) for item in entry.tools),
        changes=tuple(_change_row(change) for change in entry.changes),
        log=server.tail.lines[-_LOG_LINES:] if server else (),
    )


def start_text(place: LocalProgram | RemoteAddress) -> str:
    """Exactly what is started or asked, as it was written."""
    if isinstance(place, RemoteAddress):
        return place.url
    return command_text((place.command, *place.arguments))


def given_names(place: LocalProgram | RemoteAddress) -> tuple[str, ...]:
    """The names of the variables or headers that a server is given."""
    return tuple(place.headers if isinstance(place, RemoteAddress) else place.environment)


def _hints(place: LocalProgram | RemoteAddress, *, is_confined: bool) -> Iterator[str]:
    if isinstance(place, RemoteAddress):
        return
    if PurePath(place.command).stem in _FETCHERS:
        words = QCoreApplication.translate(
            "ToolServers",
            "{program} fetches the server anew each time it starts, which needs the network and "
            "may take too long. Better install the server and name its program.",
        )
        yield words.format(program=PurePath(place.command).name)
    if not is_confined:
        yield QCoreApplication.translate(
            "ToolServers",
            "No sandbox holds here: it has all your rights, whatever is chosen below.",
        )


def _words(entry: ServerEntry) -> str:
    translate = QCoreApplication.translate
    if not entry.kept.is_on:
        return translate("ToolServers", "off")
    words = [_life(entry), _where(entry)]
    if entry.changes:
        words.append(translate("ToolServers", "%n tools changed", "", len(entry.changes)))
    return " · ".join(words)


def _life(entry: ServerEntry) -> str:
    translate = QCoreApplication.translate
    life = entry.server.life if entry.server else "failed"
    if life == "ready":
        return translate("ToolServers", "%n tools", "", len(entry.tools))
    return {
        "starting": translate("ToolServers", "starting"),
        "waiting": translate("ToolServers", "starting again"),
        "failed": translate("ToolServers", "stopped"),
        "off": translate("ToolServers", "starting"),
    }[life]


def _where(entry: ServerEntry) -> str:
    translate, config = QCoreApplication.translate, entry.kept.config
    if isinstance(config.place, RemoteAddress):
        return config.place.url
    origin = entry.server.origin if entry.server else None
    program = PurePath(config.place.command).name
    if origin is not None and not origin.is_confined:
        return f"{program} · {translate('ToolServers', 'without a sandbox')}"
    if config.bounds.may_connect:
        return f"{program} · {translate('ToolServers', 'sandboxed, with the network')}"
    return f"{program} · {translate('ToolServers', 'sandboxed, no network')}"


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
        problem=marked_words("ToolServers", item.problem),
    )


def _effects(item: ListedTool) -> str:
    translate, definition = QCoreApplication.translate, item.definition
    if definition is None:
        return ""
    if definition.runs_in == "elsewhere":
        return translate("ToolServers", "your input goes there")
    if definition.effects.read_only:
        return translate("ToolServers", "reads only")
    if definition.effects.destructive:
        return translate("ToolServers", "may change what it reaches")
    return translate("ToolServers", "changes nothing that lasts")


def _change_row(change: ToolChange) -> ServerChangeRow:
    translate = QCoreApplication.translate
    if not change.before:
        return ServerChangeRow(
            translate("ToolServers", "{tool} is new").format(tool=change.name), change.now
        )
    if not change.now:
        return ServerChangeRow(
            translate("ToolServers", "{tool} is gone").format(tool=change.name), change.before
        )
    words = translate("ToolServers", "{tool} changed").format(tool=change.name)
    before, now = change.before.splitlines(), change.now.splitlines()
    lines = [line for line in difflib.ndiff(before, now) if not line.startswith("? ")]
    changed = [line for line in lines if not line.startswith("  ")]
    same = translate("ToolServers", "Its program or what it may reach is another one.")
    return ServerChangeRow(words, "\n".join(changed) or same)


def found_row(server: ForeignServer, environ: Mapping[str, str]) -> FoundRow:
    """A server of another program as the settings show it: exactly what would be taken over."""
    shown = {question.name: f"${{input:{question.name}}}" for question in server.questions}
    start, problem = "", server.problem
    given: tuple[str, ...] = ()
    try:
        place = server.config(server.name, environ, shown).place
        start, given = start_text(place), given_names(place)
    except ToolError as error:
        problem = str(error)
    return FoundRow(
        key=f"{server.program}/{server.name}",
        program=server.program,
        name=server.name,
        start_text=start,
        given=given,
        asks=tuple((question.name, question.words) for question in server.questions),
        problem=marked_words("ToolServers", problem),
    )
