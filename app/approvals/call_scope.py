"""Find out what a call would touch (places, programs, hosts), as far as rules are concerned."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final

from local_tools.canonical import parse_text
from local_tools.execution.prepare import PreparedCall
from local_tools.sandbox.protected_paths import ProtectedPaths
from local_tools.sandbox.types import SandboxState
from local_tools.secrets.files import may_hold_secrets, sounds_secret
from local_tools.tool import AnyTool
from local_tools.web.fetching import WebAddress


class GrantBlocker(Enum):
    """Why no rule can ever let a call run."""

    NOT_GRANTABLE = "not_grantable"
    IN_PROGRAM = "in_program"
    NO_SANDBOX = "no_sandbox"
    NO_FOLDER = "no_folder"
    """The call names a place, and no folder is chosen for the chat."""
    OUTSIDE_FOLDER = "outside_folder"
    PROTECTED = "protected"
    SENSITIVE = "sensitive"
    OTHER_NAME = "other_name"


@dataclass(frozen=True, slots=True)
class ScopedPath:
    """A place below the folder that the call works in; `parts` are empty for the folder itself.

    A place where nothing exists yet counts as a folder, since one may be made there.
    """

    parts: tuple[str, ...]
    is_folder: bool


# A built-in tool opens only what its call names. The code of a user's own tool may open the whole
# folder, whatever the call names.
WHOLE_FOLDER: Final = ScopedPath((), is_folder=True)


@dataclass(frozen=True, slots=True)
class CallScope:
    """What a call would touch.

    Attributes:
        folder: The real path of the folder it works in; empty when it names no place.
        places: The places it may open.
        runs_programs: It starts a program, which may touch anything in the folder.
        programs: Which programs those are, by path and contents.
        origins: The origins (scheme, host, port) of the web addresses in its input.
        is_elsewhere: It runs on a server at an address, and its input goes there.
        blocker: Why no rule covers it; None when one may.
    """

    conversation_id: str
    tool: str
    digest: str
    reads_only: bool
    input_sha256: str
    folder: str = ""
    places: tuple[ScopedPath, ...] = ()
    runs_programs: bool = False
    programs: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    may_connect: bool = False
    open_world: bool = False
    is_elsewhere: bool = False
    blocker: GrantBlocker | None = None


def scope_of(
    conversation_id: str,
    prepared: PreparedCall,
    tool: AnyTool,
    sandbox: SandboxState,
    protected: ProtectedPaths,
) -> CallScope:
    """Return what a prepared call would touch. Looks at folders: call it in a thread."""
    order = prepared.order
    places = tuple(
        ScopedPath(target.parts, target.expected.kind != "file") for target in order.targets
    )
    if order.code is not None and order.root is not None:
        places = (*places, WHOLE_FOLDER)
    definition = prepared.definition
    return CallScope(
        conversation_id=conversation_id,
        tool=definition.name,
        digest=definition.digest,
        reads_only=definition.effects.read_only,
        input_sha256=prepared.input_sha256,
        folder="" if order.root is None else order.root.path,
        places=places,
        runs_programs=bool(order.commands),
        programs=tuple(
            f"{command.argv[0]} {command.expected.identity}" for command in order.commands
        ),
        origins=origins_of(tool, prepared.input_text),
        may_connect=definition.needs_network,
        open_world=definition.effects.open_world,
        is_elsewhere=definition.runs_in == "elsewhere",
        blocker=_blocker(prepared, sandbox, protected),
    )


def origins_of(tool: AnyTool, input_text: str) -> tuple[str, ...]:
    """Return the origins of the web addresses in an input, which must fit the tool."""
    names = tool.signature.names("address")
    if not names:
        return ()
    values = tool.signature.json_values(parse_text(input_text))
    return tuple(WebAddress.parse(str(values[name])).origin for name in names)


def _paths(prepared: PreparedCall) -> tuple[Path, ...]:
    order = prepared.order
    root = order.root
    return () if root is None else tuple(Path(root.path, *t.parts) for t in order.targets)


def _blocker(
    prepared: PreparedCall, sandbox: SandboxState, protected: ProtectedPaths
) -> GrantBlocker | None:
    definition, targets = prepared.definition, prepared.order.targets
    is_outside = not prepared.is_inside_folder
    # In this order: a person is told the first one that stands.
    checks: dict[GrantBlocker, Callable[[], bool]] = {
        GrantBlocker.NOT_GRANTABLE: lambda: not definition.is_grantable,
        GrantBlocker.IN_PROGRAM: lambda: definition.runs_in == "program",
        # What runs elsewhere is held by no sandbox of this computer, and needs none.
        GrantBlocker.NO_SANDBOX: lambda: not sandbox.is_whole and definition.runs_in != "elsewhere",
        GrantBlocker.NO_FOLDER: lambda: is_outside and not prepared.has_folder,
        GrantBlocker.OUTSIDE_FOLDER: lambda: is_outside,
        GrantBlocker.PROTECTED: lambda: any(map(protected.hides, _paths(prepared))),
        # A hard link: the same file may have a name outside the folder.
        GrantBlocker.OTHER_NAME: lambda: any(t.expected.link_count > 1 for t in targets),
        GrantBlocker.SENSITIVE: lambda: _reads_secrets(prepared),
    }
    return next((blocker for blocker, stands in checks.items() if stands()), None)


def _reads_secrets(prepared: PreparedCall) -> bool:
    targets = prepared.order.targets
    if any(sounds_secret(name) for target in targets for name in target.parts):
        return True
    definition = prepared.definition
    # What only moves a folder takes along whatever is in it.
    if definition.returns_names and definition.effects.read_only:
        return False
    order = prepared.order
    if order.code is not None and order.root is not None:
        return may_hold_secrets(Path(order.root.path), enters_all=True)
    value = parse_text(prepared.input_text).value
    enters_all = any(value.get(name) for name in definition.hidden_inputs)
    places = zip(targets, _paths(prepared), strict=True)
    folders = [path for target, path in places if target.expected.kind == "folder"]
    return any(may_hold_secrets(path, enters_all=enters_all) for path in folders)
