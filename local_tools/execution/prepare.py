"""Turn an input into a `PreparedCall`, the one frozen object that is shown and run.

Everything that the approval card shows is determined here: resolved paths, the program of a
command, and the preview. The worker later gets the same `WorkerRequest`.
"""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from local_tools.attached_file import AttachmentReference, part_of_attachment
from local_tools.canonical import CanonicalInput, canonical_sha256, parse_text
from local_tools.command_lines import (
    may_write,
    refuse_script_of_windows,
    resolve_program,
    shell_command,
)
from local_tools.diff import shown_new_text
from local_tools.errors import NoFolderError, ToolError, named
from local_tools.execution.facts import TOO_LARGE, CallParts, facts_of
from local_tools.execution.worker_request import (
    CommandArgument,
    FileArgument,
    PathArgument,
    WorkerRequest,
)
from local_tools.paths.beneath import (
    ABSENT,
    FileSnapshot,
    Root,
    opened_root,
    snapshot,
    snapshot_program,
    why_no_folders,
)
from local_tools.paths.resolve import (
    NO_FOLDER_WORDS,
    ResolvedPath,
    led_to,
    moved_to,
    named_path,
    real_folder,
    refuse_form,
    resolve,
)
from local_tools.persistence.persistence_guard import bounds_for, scan
from local_tools.sandbox.protected_paths import ProtectedPaths
from local_tools.tool import (
    AnyTool,
    CommandLine,
    Effects,
    Fact,
    FactKind,
    GuardedPath,
    Preview,
    ToolDefinition,
)
from local_tools.web.fetching import WebAddress

PREVIEW_LINES_LIMIT: Final = 2_000
PREVIEW_BYTES_LIMIT: Final = 256 * 1024

_NO_FOLDER_FOR_COMMANDS: Final = f"{NO_FOLDER_WORDS}, so a command has nowhere to run."
_WHOLE_COMPUTER: Final = (
    "The chat's folder is the topmost one of this computer, and no command runs there."
)
_COMMANDS: Final = ("command", "shell")
_HIDDEN: Final = "{path} is a place where secrets are kept, and no tool is let in there."
_HOLDS_HIDDEN: Final = "{path} holds places where secrets are kept, and no tool is let in there."
_KEPT: Final = "{path} steers what other programs do later, and no tool may change it."
_NO_NOTES: Final = "No notes file is chosen yet. The user picks one in the settings, under Tools."


@dataclass(frozen=True, slots=True)
class CallPlaces:
    """The places that the paths of a call are resolved against.

    Attributes:
        folder: The chat's folder, if one is chosen.
        home: The meaning of `~`; the user's home by default.
        notes_file: The file that notes are added to, if the user picked one.
        protected: Places that no path may lead to; by default none, as for a person at a terminal.
        attachments: What the user attached to the chat, oldest first.
    """

    folder: Path | None = None
    home: Path | None = None
    notes_file: Path | None = None
    protected: ProtectedPaths | None = None
    attachments: tuple[AttachmentReference, ...] = ()


@dataclass(frozen=True, slots=True)
class PreparedCall:
    """A call as it is shown, approved and run. Made by `prepare`; immutable.

    Attributes:
        order: The request that the worker gets.
        is_inside_folder: False as soon as one path lies outside the chat's folder.
        has_folder: A folder is chosen for the chat.
        facts: Every value of the call in full, except at most one that the preview shows exactly
            (its own text, or the new text of a diff that hides no unchanged lines). A card with
            facts and preview therefore shows the whole call.
        problem: Why the call cannot run, as a sentence; empty if it can. It reveals what lies on
            the disk, so the assistant is told it only after a person or a rule has allowed the
            call.
    """

    order: WorkerRequest
    definition: ToolDefinition
    facts: tuple[Fact, ...]
    preview: Preview | None
    is_inside_folder: bool
    has_folder: bool
    input_sha256: str
    problem: str = ""

    @property
    def tool_name(self) -> str:
        """The tool's name."""
        return self.order.tool_name

    @property
    def title(self) -> str:
        """What the user reads as the tool's name."""
        return self.definition.title

    @property
    def target(self) -> str:
        """The command, addresses, attachment or paths of the call; empty if it names none."""
        if self.order.file is not None:
            return part_of_attachment(self.order.file.parameter, parse_text(self.input_text).value)
        kinds = (FactKind.COMMAND, FactKind.ADDRESS, FactKind.PATH)
        found = ([fact.value for fact in self.facts if fact.kind is kind] for kind in kinds)
        return next((", ".join(values) for values in found if values), "")

    @property
    def effects(self) -> Effects:
        """What the tool may do."""
        return self.definition.effects

    @property
    def definition_digest(self) -> str:
        """The digest of the tool's definition."""
        return self.order.definition_digest

    @property
    def input_text(self) -> str:
        """Canonical JSON of the input."""
        return self.order.input_text

    @property
    def timeout_s(self) -> float:
        """Wall-clock limit of the run."""
        return self.order.timeout_s

    @property
    def sha256(self) -> str:
        """Binds a decision to what was shown: the order, the facts and the preview."""
        preview = None if self.preview is None else [self.preview.kind, self.preview.text]
        facts = [[fact.label, fact.value] for fact in self.facts]
        return canonical_sha256({"order": self.order.sha256, "facts": facts, "preview": preview})


def prepare(tool: AnyTool, given: CanonicalInput, places: CallPlaces) -> PreparedCall:
    """Determine everything that a call would do, without doing it.

    Reads the disk, so call it in a thread. The input must be valid (`ToolRegistry.validate`).

    Args:
        tool: The tool to run.
        given: Its input.
        places: Where its paths may lead.

    Raises:
        ToolError: When the call cannot run; the message may reveal what lies on the disk.
    """
    call = prepare_to_ask(tool, given, places)
    if call.problem:
        raise ToolError(call.problem)
    return call


def prepare_to_ask(tool: AnyTool, given: CanonicalInput, places: CallPlaces) -> PreparedCall:
    """Prepare a call for approval; errors must not yet reveal to the assistant what is on disk.

    An error that depends on files becomes the call's `problem`, which is approved or denied with
    it.

    Raises:
        ToolError: When the input alone shows that the call is invalid, whatever is on the disk.
    """
    _refuse_input(tool, given, places)
    has_folder = places.folder is not None
    file = _attachment(tool, given, places.attachments)
    parts, notes = CallParts(tool, given, has_folder, file), tool.signature.names("notes")
    try:
        parts = replace(parts, paths=_paths(tool, given, places))
        parts = replace(parts, commands=_commands(tool, given, places.folder))
        root_path = _root_path(parts.paths, parts.commands, places.folder)
    except ToolError as exc:
        return _impossible(parts, str(exc))
    with ExitStack() as held:
        try:
            # Before anything is opened.
            for name, path in parts.paths.items():
                shown, is_picked = str(path.absolute), name in notes
                _refuse_protected(tool, path.absolute, places, shown=shown, is_picked=is_picked)
            return _looked_at(parts, root_path, held)
        except ToolError as exc:
            root = None if root_path is None else Root(str(root_path), 0, 0)
            is_inside = all(path.is_inside_folder for path in parts.paths.values())
            return _impossible(replace(parts, root=root), str(exc), is_inside_folder=is_inside)


def _looked_at(parts: CallParts, root_path: Path | None, held: ExitStack) -> PreparedCall:
    root, targets = _targets(parts.paths, root_path, held)
    if not parts.tool.definition.effects.read_only:
        for target in targets.values():
            target.refuse_other_names()
    parts = replace(parts, root=root, targets=targets)
    order = _order(parts)
    preview = _preview(parts, order)
    carried = _carried_by(preview, parts)
    return PreparedCall(
        order=order,
        definition=parts.tool.definition,
        facts=(*facts_of(parts, order, carried), *_facts_of_size(parts, order)),
        preview=preview,
        is_inside_folder=all(path.is_inside_folder for path in parts.paths.values()),
        has_folder=parts.has_folder,
        input_sha256=parts.given.sha256,
    )


def _impossible(parts: CallParts, problem: str, *, is_inside_folder: bool = False) -> PreparedCall:
    """Return what is shown of a call that cannot run; a worker would refuse its order."""
    order = _order(replace(parts, commands={}))
    return PreparedCall(
        order=order,
        definition=parts.tool.definition,
        facts=tuple(facts_of(parts, order, None, problem)),
        preview=None,
        is_inside_folder=is_inside_folder,
        has_folder=parts.has_folder,
        input_sha256=parts.given.sha256,
        problem=problem,
    )


def _refuse_input(tool: AnyTool, given: CanonicalInput, places: CallPlaces) -> None:
    """Refuse what is wrong whatever lies on the disk, below the chat's folder or elsewhere."""
    values, names = tool.signature.values(given), tool.signature.names
    if names("notes") and places.notes_file is None:
        raise ToolError(_NO_NOTES)
    for name in names("address"):
        WebAddress.parse(str(values[name]))
    asked = [str(values[name]) for name in names("target", "destination")]
    home = places.home or Path.home()
    paths = [(text, path) for text in asked for path in named_path(text, places.folder, home)]
    for name in names(*_COMMANDS):
        _refuse_command(values[name], places.folder)
    if names("target", "notes", *_COMMANDS) and (reason := why_no_folders()):
        raise ToolError(reason)
    for text, path in paths:
        # As it was asked for: where the user's home is, is not for the assistant to learn.
        _refuse_protected(tool, path, places, shown=text, by_name=True)


def _refuse_protected(
    tool: AnyTool,
    path: Path,
    places: CallPlaces,
    *,
    shown: str,
    by_name: bool = False,
    is_picked: bool = False,
) -> None:
    """Refuse a place that no tool may read, or that this one may not change.

    Args:
        tool: What would get there.
        path: By its name, or where that leads.
        places: What is protected.
        shown: How the path is called in the refusal.
        by_name: No link is followed.
        is_picked: The user chose this very file.
    """
    definition, protected = tool.definition, places.protected
    if protected is None:
        return
    if protected.hides(path, by_name=by_name):
        raise ToolError(_HIDDEN.format(path=shown))
    if definition.effects.read_only:
        return
    folder = None if places.folder is None else led_to(places.folder)
    if protected.keeps(path, path.parent if is_picked else folder, by_name=by_name):
        raise ToolError(_KEPT.format(path=shown))
    # A folder that is moved or deleted takes along what lies in it.
    if definition.is_undoable and any(protected.hidden_in(path, by_name=by_name)):
        raise ToolError(_HOLDS_HIDDEN.format(path=shown))


def _attachment(
    tool: AnyTool, given: CanonicalInput, attachments: tuple[AttachmentReference, ...]
) -> FileArgument | None:
    """Return the file that a call reads, by the name that it gives; the chat has each name once."""
    values = tool.signature.values(given)
    for parameter in tool.signature.names("attachment"):
        asked = str(values[parameter])
        for file in attachments:
            if file.name == asked:
                return FileArgument(parameter, file.name, file.sha256, file.size_bytes)
        known = ", ".join(f"“{file.name}”" for file in attachments)
        there = f"Attached are: {known}." if known else "Nothing is attached."
        raise ToolError(f"No file “{named(asked)}” is attached to this chat. {there}")
    return None


def _facts_of_size(parts: CallParts, order: WorkerRequest) -> Iterator[Fact]:
    """Say beforehand that nobody will be able to look through the folder afterwards."""
    bounds = bounds_for(order)
    if order.root is None or not bounds.must_suffice:
        return
    if not may_write(parts.tool.definition.effects, order):
        return
    if not scan(Path(order.root.path), bounds, Path.home()).is_whole:
        yield TOO_LARGE


def _paths(tool: AnyTool, given: CanonicalInput, places: CallPlaces) -> dict[str, ResolvedPath]:
    values, home = tool.signature.values(given), places.home or Path.home()
    paths = {
        name: resolve(str(values[name]), places.folder, home)
        for name in tool.signature.names("target", "destination")
    }
    names = tool.signature.names
    for moved, name in zip(names("target"), names("destination"), strict=False):
        paths[name] = moved_to(paths[name], paths[moved])
    for name in tool.signature.names("notes"):
        paths[name] = resolve(str(places.notes_file), places.folder, home)
    return paths


def _commands(tool: AnyTool, given: CanonicalInput, folder: Path | None) -> dict[str, CommandLine]:
    values = tool.signature.values(given)
    return {name: _command(values[name], folder) for name in tool.signature.names(*_COMMANDS)}


def _refuse_command(value: object, folder: Path | None) -> None:
    if folder is None:
        raise NoFolderError(_NO_FOLDER_FOR_COMMANDS)
    if led_to(folder) == Path(folder.anchor):
        raise ToolError(_WHOLE_COMPUTER)
    argv = value if isinstance(value, list) else [value]
    if any("\0" in str(item) for item in argv):
        raise ToolError("The command contains a NUL character.")
    if isinstance(value, list):
        refuse_form(str(value[0]))


def _command(value: object, folder: Path | None) -> CommandLine:
    if folder is None:
        raise NoFolderError(_NO_FOLDER_FOR_COMMANDS)
    if not isinstance(value, list):
        return shell_command(str(value))
    argv = [str(item) for item in value]
    program = resolve_program(argv[0], real_folder(folder))
    refuse_script_of_windows(program, argv[1:])
    return CommandLine((program, *argv[1:]))


def _root_path(
    paths: Mapping[str, ResolvedPath], commands: Mapping[str, CommandLine], folder: Path | None
) -> Path | None:
    roots = {path.root for path in paths.values()}
    if commands and folder is not None:
        roots.add(real_folder(folder))
    if len(roots) > 1:
        raise ToolError("The paths of one call must lie in one folder.")
    return roots.pop() if roots else None


def _targets(
    paths: Mapping[str, ResolvedPath], root_path: Path | None, held: ExitStack
) -> tuple[Root | None, dict[str, GuardedPath]]:
    if root_path is None:
        return None, {}
    descriptor, root = held.enter_context(opened_root(root_path))
    targets = {
        name: GuardedPath(
            path.absolute,
            path.parts,
            descriptor,
            snapshot(descriptor, path.parts, path.absolute),
            is_meant_as_folder=path.is_meant_as_folder,
        )
        for name, path in paths.items()
    }
    return root, targets


def _order(parts: CallParts) -> WorkerRequest:
    definition = parts.tool.definition
    return WorkerRequest(
        tool_name=definition.name,
        definition_digest=definition.digest,
        input_text=parts.given.text,
        timeout_s=definition.timeout_s,
        root=parts.root,
        targets=tuple(
            PathArgument(name, path.parts, _expected(parts.targets.get(name)))
            for name, path in parts.paths.items()
        ),
        commands=tuple(
            CommandArgument(name, line.argv, snapshot_program(line.argv[0]))
            for name, line in parts.commands.items()
        ),
        may_use_network=definition.needs_network,
        code=parts.tool.code,
        file=parts.file,
    )


def _expected(target: GuardedPath | None) -> FileSnapshot:
    """Return the snapshot of a place; that of an absent file if it was not looked at."""
    return ABSENT if target is None else target.expected


def _preview(parts: CallParts, order: WorkerRequest) -> Preview | None:
    preview = _shown(parts, order)
    if preview is None:
        return None
    line_count = preview.text.count("\n") + 1
    if line_count > PREVIEW_LINES_LIMIT or len(preview.text.encode()) > PREVIEW_BYTES_LIMIT:
        raise ToolError(
            f"The change is too large to show: {line_count:,} lines, and the limit is "
            f"{PREVIEW_LINES_LIMIT:,} lines or {PREVIEW_BYTES_LIMIT:,} bytes. "
            "Nothing runs that was not shown; make it in smaller steps."
        )
    return preview


def _shown(parts: CallParts, order: WorkerRequest) -> Preview | None:
    tool = parts.tool
    if tool.show_order is not None:
        return tool.show_order(order)
    if tool.show is None:
        return None
    return tool.show(**tool.arguments(parts.given, parts.targets, parts.commands, None))


def _carried_by(preview: Preview | None, parts: CallParts) -> str | None:
    """Return the parameter whose text can be read from the preview exactly, if there is one.

    Found by reading it back, since no author's word for it would be enough.
    """
    if preview is None or preview.kind == "files":
        return None
    readable = shown_new_text(preview.text) if preview.kind == "diff" else preview.text
    values = parts.tool.signature.json_values(parts.given)
    names = parts.tool.signature.names("previewed")
    return next((name for name in names if readable and values[name] == readable), None)
