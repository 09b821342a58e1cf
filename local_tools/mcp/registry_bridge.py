"""Register the tools of tool servers in the registry, and route calls to their servers."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Final

from local_tools.attached_file import AttachedContent
from local_tools.canonical import canonical_text, frozen_json, parse_text, thaw
from local_tools.context import Progress, ProgressSink
from local_tools.errors import ChangedError, ToolError
from local_tools.execution.prepare import PreparedCall
from local_tools.mcp.remote_tool import RemoteTool, ToolRefused, make_tool
from local_tools.mcp.server import ToolServer
from local_tools.outcome import ToolOutcome, answered_in_time, as_failed, capture_outcome
from local_tools.registry import ToolRegistry
from local_tools.skeleton import look_of
from local_tools.tool import AnyTool, ToolDefinition
from local_tools.translation_marks import QT_TRANSLATE_NOOP

# No accepted tool is longer, so the user sees each of them whole. A refused one may be cut.
_SAID_CHARS: Final = 128 * 1024
_REFUSED_CHARS: Final = 20_000
_UNSEEN: Final = QT_TRANSLATE_NOOP("ToolServers", "It stays off until you accept the changes.")


@dataclass(frozen=True, slots=True)
class ListedTool:
    """One tool of a server, registered or not.

    Attributes:
        definition: None if it was refused.
        problem: Why it is not offered, as a sentence; empty if it is, or is switched off.
        said: The server's own description and schema, one item a line; complete as far as it is
            declared to the assistant.
    """

    name: str
    description: str
    definition: ToolDefinition | None
    problem: str
    said: str


class McpToolProvider:
    """Registers the tools of servers, and forwards calls to them. Lives as long as the program."""

    def __init__(self, registry: ToolRegistry) -> None:
        self._registry = registry
        # The server and its own name of the tool, by the unique name.
        self._ways: dict[str, tuple[ToolServer, str]] = {}

    def list_tools(
        self,
        server: ToolServer,
        off: Collection[str],
        is_seen: Callable[[ListedTool], bool] | None = None,
    ) -> tuple[ListedTool, ...]:
        """Register the tools that a server now offers.

        Registered tools are declared to the assistant with the server's own texts, so a server
        without network could leak what it has read through them; hence `is_seen`.

        Args:
            server: The server.
            off: The names of tools that are switched off.
            is_seen: Returns whether the user has seen the current definition of a tool; others are
                not registered. None if all count as seen.
        """
        origin = server.origin
        if origin is None:
            return ()
        made: dict[str, AnyTool] = {}
        problems: dict[str, str] = {}
        # Of several tools with one name the first counts: a call names no more than that.
        named = {offered.name: offered for offered in reversed(server.offered)}
        titles = Counter(look_of(offered.title) for offered in named.values())
        for name, offered in named.items():
            try:
                # Two that look the same are told apart by their names.
                is_alone = titles[look_of(offered.title)] == 1
                made[name] = make_tool(offered, origin, offered.title if is_alone else name)
            except ToolRefused as exc:
                problems[name] = str(exc)
        listed = {
            name: ListedTool(
                name=name,
                description=offered.description,
                definition=made[name].definition if name in made else None,
                problem=problems.get(name, ""),
                said=_said(offered, origin.version, made.get(name)),
            )
            for name, offered in reversed(named.items())
        }
        if is_seen is not None:
            problems |= {name: _UNSEEN for name in made if not is_seen(listed[name])}
        wanted = {n: t for n, t in made.items() if n not in off and n not in problems}
        problems |= self._register(server, wanted)
        return tuple(replace(item, problem=problems.get(name, "")) for name, item in listed.items())

    def forget(self, server: ToolServer) -> None:
        """Remove all tools of a server."""
        self._register(server, {})

    async def run(self, call: PreparedCall, on_progress: ProgressSink | None = None) -> ToolOutcome:
        """Forward one call to its server. Never raises, except `CancelledError`."""
        work = self._ask_and_look(call, on_progress or _ignore)
        return await capture_outcome(call.tool_name, work)

    async def _ask_and_look(self, call: PreparedCall, on_progress: ProgressSink) -> ToolOutcome:
        """Ask, then look whether the server has left what other programs would obey."""
        way, aside = self._ways.get(call.tool_name), ""
        try:
            work = self._ask(call, on_progress)
            end = await answered_in_time(call.tool_name, call.timeout_s, work)
        except ToolError as exc:
            end = ToolOutcome("failed", f"Error: {exc}")
        finally:
            if way is not None:
                server, _ = way
                aside = await server.set_aside()
        return as_failed(end, aside) if aside else end

    async def _ask(self, call: PreparedCall, on_progress: ProgressSink) -> AttachedContent:
        tool, way = self._registry.get(call.tool_name), self._ways.get(call.tool_name)
        if way is None or tool is None or tool.definition.digest != call.definition_digest:
            raise ChangedError(f"The tool {call.tool_name}")
        server, name = way
        given = parse_text(call.input_text).value
        values = {key: thaw(value) for key, value in given.items()}
        return await server.call(name, values, on_progress)

    def _register(self, server: ToolServer, tools: Mapping[str, AnyTool]) -> dict[str, str]:
        """Register these; return why some were not taken, by the server's names."""
        self._ways = {key: way for key, way in self._ways.items() if way[0] is not server}
        refused = self._registry.replace(server.config.source, tools.values())
        problems: dict[str, str] = {}
        for name, tool in tools.items():
            unique = tool.definition.name
            if self._registry.get(unique) is tool:
                self._ways[unique] = (server, name)
            else:
                problems[name] = refused.get(unique, "")
        return problems


def _said(offered: RemoteTool, version: str, tool: AnyTool | None) -> str:
    """Return the server's texts: declared ones first, so that others cannot push them out."""
    inputs = offered.input_schema if tool is None else tool.definition.input_schema
    lines = [f"name: {offered.name}", f"description: {offered.description}"]
    for label, values in (("inputs", inputs), ("hint", offered.hints)):
        lines += [f"{label} {key}: {_json(values[key])}" for key in sorted(values)]
    lines.append(f"server: {version}")
    return "\n".join(lines)[: _REFUSED_CHARS if tool is None else _SAID_CHARS]


def _json(value: object) -> str:
    try:
        return canonical_text(frozen_json(value))
    except ToolError as exc:
        return f"({exc})"


def _ignore(_progress: Progress) -> None:
    pass
