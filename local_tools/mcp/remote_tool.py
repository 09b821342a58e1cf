"""Make a `Tool` from a server's declaration: validated, limited, and pinned by its digest."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, NoReturn

from local_tools.canonical import CanonicalInput, FrozenJson, canonical_sha256, frozen_json, thaw
from local_tools.command_lines import command_text
from local_tools.errors import InvalidInputError, ToolError, named
from local_tools.execution.facts import TOO_LARGE
from local_tools.mcp.config import LocalProgram, RemoteAddress, ServerConfig, wire_name
from local_tools.mcp.schema_gate import InputCheck, SchemaRefused, clean_schema
from local_tools.schema import Parameter, ParameterKind
from local_tools.tool import AnyTool, Effects, Fact, FactKind, Tool, ToolDefinition
from local_tools.translation_marks import QT_TRANSLATE_NOOP

TOOLS_LIMIT: Final = 128
# The key of the tool's own title among its hints; no hint of the protocol has this name.
TITLE: Final = "title of the tool"
CALL_TIMEOUT_S: Final = 60.0

_DESCRIPTION_LIMIT_BYTES: Final = 16 * 1024
_NAME_CHARS: Final = 128
# The card shows the name of an input uncut, as a label.
_INPUT_NAME_CHARS: Final = 64
# Cards put names from servers in quotes, so such a name must not contain any.
_QUOTES: Final = frozenset('"“”„‟«»')

_READS: Final = QT_TRANSLATE_NOOP("Tools", "reads what is in this folder")
_WRITES: Final = QT_TRANSLATE_NOOP("Tools", "reads and changes what is in this folder")
_SEES_NONE: Final = QT_TRANSLATE_NOOP("Tools", "cannot see your files")
_UNBOUND: Final = QT_TRANSLATE_NOOP("Tools", "no sandbox; it has all your permissions")
_SENT: Final = QT_TRANSLATE_NOOP("Tools", "your input is sent to this host")


@dataclass(frozen=True, slots=True)
class ToolOrigin:
    """The origin of a connection's tools, as it enters into their digests.

    Attributes:
        version: The server's own name and version.
        argv: The command that was started; empty for an address.
        identity: The hash of that program's file.
        is_confined: A sandbox enforces its limits on files and network.
        is_too_large: The folder that it may write has too many entries to be scanned as a whole.
    """

    config: ServerConfig
    version: str
    argv: tuple[str, ...] = ()
    identity: str = ""
    is_confined: bool = False
    is_too_large: bool = False


@dataclass(frozen=True, slots=True)
class RemoteTool:
    """A server's declaration of one tool; untrusted.

    Attributes:
        hints: `readOnlyHint`, `destructiveHint`, … as declared, and the tool's `TITLE`.
    """

    name: str
    description: str
    input_schema: Mapping[str, Any]
    hints: Mapping[str, Any]

    @property
    def title(self) -> str:
        """The server's title if it can be displayed in full; else the tool's name.

        The protocol prefers the tool's own title to the one among its annotations.
        """
        titles = (self.hints.get(TITLE), self.hints.get("title"))
        said = [title.strip() for title in titles if isinstance(title, str) and title.strip()]
        fits = said and _is_one_name(said[0], _NAME_CHARS)
        return said[0] if fits else self.name


class ToolRefused(ValueError):
    """A tool that is not accepted; the message is a sentence."""


class ServerInputs:
    """The inputs of a server's tool, checked against its schema. Lives as long as the tool."""

    def __init__(self, schema: Mapping[str, FrozenJson]) -> None:
        properties = schema["properties"]
        names = properties if isinstance(properties, Mapping) else ()
        self._parameters = tuple(Parameter(name, "value") for name in names)
        self._check = InputCheck(schema)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters in the server's schema; the tool may accept more."""
        return self._parameters

    def names(self, *kinds: ParameterKind) -> tuple[str, ...]:
        """Return no names: the kinds of a server's inputs (path, address …) are unknown."""
        return tuple(item.name for item in self._parameters if item.kind in kinds)

    def plain_names(self, given: CanonicalInput) -> tuple[str, ...]:
        """Return the names of all given inputs."""
        return tuple(given.value)

    def title(self, name: str) -> str:
        """Return the parameter's name in quotes, to tell it from Parley's own labels."""
        return f"“{name}”"

    def complaints(self, given: CanonicalInput) -> tuple[str, ...]:
        """Return why an input is invalid, as sentences; empty if it is valid."""
        for name in given.value:
            if not _is_one_name(name, _INPUT_NAME_CHARS):
                return (f"“{named(name)}” cannot be shown, so it is no name of an input.",)
        return self._check.complaints(given)

    def values(self, given: CanonicalInput) -> dict[str, object]:
        """Return the given inputs; the server fills in its own defaults."""
        return {name: thaw(value) for name, value in given.value.items()}

    def json_values(self, given: CanonicalInput) -> dict[str, object]:
        """Return the given inputs."""
        return self.values(given)


def make_tool(offered: RemoteTool, origin: ToolOrigin, title: str = "") -> AnyTool:
    """Return the tool to register; its digest covers the declaration and the origin.

    Args:
        offered: The server's declaration.
        origin: The connection it comes from.
        title: The title for people, beside the server's name; by default the tool's name.

    Raises:
        ToolRefused: It is malformed or too large.
    """
    name = offered.name
    if not name or not _is_one_name(name, _NAME_CHARS):
        raise ToolRefused(f"“{named(name)}” cannot be a tool's name.")
    if len(offered.description.encode("utf-8", "replace")) > _DESCRIPTION_LIMIT_BYTES:
        raise ToolRefused(QT_TRANSLATE_NOOP("ToolServers", "Its description is too long."))
    try:
        schema = clean_schema(offered.input_schema)
        digest = _digest(offered, origin)
    except SchemaRefused as exc:
        raise ToolRefused(str(exc)) from exc
    except InvalidInputError as exc:
        raise ToolRefused(
            QT_TRANSLATE_NOOP("ToolServers", "The server’s description of it is not JSON.")
        ) from exc
    config = origin.config
    definition = ToolDefinition(
        name=wire_name(config, name),
        title=f"{title or name} ({config.name})",
        description=offered.description,
        input_schema=schema,
        effects=_effects(offered.hints, origin),
        timeout_s=CALL_TIMEOUT_S,
        source=config.source,
        runs_in=_runs_in(config),
        needs_network=isinstance(config.place, RemoteAddress) or config.bounds.may_connect,
        is_grantable=isinstance(config.place, RemoteAddress) or origin.is_confined,
        is_undoable=False,
        digest=digest,
    )
    return Tool(_never_here, ServerInputs(schema), definition, tuple(_standing(origin)))


def _is_one_name(name: str, limit_chars: int) -> bool:
    """Return whether a name can be shown in full and does not contain its closing quote."""
    return len(name) <= limit_chars and name.isprintable() and _QUOTES.isdisjoint(name)


def _runs_in(config: ServerConfig) -> Literal["server", "elsewhere"]:
    return "server" if isinstance(config.place, LocalProgram) else "elsewhere"


def _never_here(**_values: object) -> NoReturn:
    raise ToolError("The tool of a server is not run by a worker.")


def _effects(hints: Mapping[str, Any], origin: ToolOrigin) -> Effects:
    """Return what the sandbox leaves possible; a stranger's hints may only make it worse.

    A hint that was not given counts as the worst, as the protocol has it.
    """
    bounds = origin.config.bounds
    is_apart = origin.is_confined and not bounds.may_connect
    may_change = not is_apart or (bool(bounds.folder) and bounds.may_write)
    return Effects(
        read_only=not may_change and hints.get("readOnlyHint") is True,
        destructive=may_change or hints.get("destructiveHint") is not False,
        open_world=not is_apart or bool(bounds.folder) or hints.get("openWorldHint") is not False,
    )


def _digest(offered: RemoteTool, origin: ToolOrigin) -> str:
    place, bounds = origin.config.place, origin.config.bounds
    where: object = place.url if isinstance(place, RemoteAddress) else [*origin.argv]
    return canonical_sha256(
        {
            "server": origin.config.name,
            "where": where,
            "program": origin.identity,
            "version": origin.version,
            "bounds": [bounds.folder, bounds.may_write, bounds.may_connect, origin.is_confined],
            "name": offered.name,
            "description": offered.description,
            "schema": frozen_json(offered.input_schema),
            "hints": frozen_json(offered.hints),
        }
    )


def _standing(origin: ToolOrigin) -> Iterator[Fact]:
    """Yield what the card says of every call: found out by us, and no word of the server's."""
    config = origin.config
    yield Fact(QT_TRANSLATE_NOOP("Tools", "Server"), config.name)
    if isinstance(config.place, RemoteAddress):
        yield Fact(QT_TRANSLATE_NOOP("Tools", "Address"), config.place.url, FactKind.ADDRESS)
        yield Fact(QT_TRANSLATE_NOOP("Tools", "Host"), config.place.host)
        yield Fact(QT_TRANSLATE_NOOP("Tools", "Network"), _SENT, FactKind.REMARK)
        return
    yield Fact(QT_TRANSLATE_NOOP("Tools", "Program"), command_text(origin.argv))
    if config.place.environment:
        # Their values may be secret, and what they are for only the server knows.
        names = ", ".join(config.place.environment)
        yield Fact(QT_TRANSLATE_NOOP("Tools", "Variables"), names)
    if config.bounds.folder:
        yield Fact(QT_TRANSLATE_NOOP("Tools", "Folder"), config.bounds.folder)
    yield Fact(QT_TRANSLATE_NOOP("Tools", "Access"), _access(origin), FactKind.REMARK)
    if origin.is_too_large:
        yield TOO_LARGE


def _access(origin: ToolOrigin) -> str:
    bounds = origin.config.bounds
    if not origin.is_confined:
        return _UNBOUND
    if not bounds.folder:
        return _SEES_NONE
    return _WRITES if bounds.may_write else _READS
