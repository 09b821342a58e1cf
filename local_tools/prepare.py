"""From an input to a call that can be shown and run: one frozen object for both.

Everything that the approval card shows is found out here, by the program: resolved paths, the
program a command means, and the preview. The worker later gets the very same order.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from local_tools.canonical import CanonicalInput, canonical_sha256, canonical_text, frozen_json
from local_tools.commands import command_text, real_program, resolve_program
from local_tools.confined import Precondition, Root, look_at, look_at_program, opened_root
from local_tools.diff import shown_new_text
from local_tools.errors import ToolError
from local_tools.locations import ResolvedPath, real_folder, resolve
from local_tools.order import OrderedCommand, OrderedTarget, WorkOrder
from local_tools.phrases import QT_TRANSLATE_NOOP
from local_tools.tool import AnyTool, CommandLine, Effects, Preview, Target

PREVIEW_LINES_LIMIT: Final = 2_000
PREVIEW_BYTES_LIMIT: Final = 256 * 1024

_NO_FOLDER_FOR_COMMANDS: Final = (
    "No folder is chosen for this chat, so a command has nowhere to run."
)


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of the card, found out by the program. Nothing in it is shortened."""

    label: str
    value: str


@dataclass(frozen=True, slots=True)
class PreparedCall:
    """A call as it is shown, decided about and run. Made by `prepare`, never changed.

    Attributes:
        order: What runs.
        is_inside_folder: False as soon as one path lies outside the chat's folder.
        facts: Every value of the call, to the last character, but for what is readable from the
            preview: so a card that shows both shows all of it. Left to the preview is at most one
            value: the preview's own text, or the new text of a diff with no unchanged lines hidden.
    """

    order: WorkOrder
    title: str
    effects: Effects
    facts: tuple[Fact, ...]
    preview: Preview | None
    is_inside_folder: bool
    input_sha256: str

    @property
    def tool_name(self) -> str:
        """The tool's name."""
        return self.order.tool_name

    @property
    def definition_digest(self) -> str:
        """Which version of the tool."""
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


def prepare(
    tool: AnyTool, given: CanonicalInput, folder: Path | None, home: Path | None = None
) -> PreparedCall:
    """Find out all that a call would do, without doing it.

    Looks at files, so call it in a thread. The input must fit the tool (`ToolRegistry.validate`).

    Args:
        tool: What to run.
        given: Its input.
        folder: The chat's folder, if one is chosen.
        home: What `~` stands for; the user's home by default.

    Raises:
        ToolError: When the call cannot even be asked; the sentence says why.
    """
    values = tool.signature.values(given)
    paths = {
        name: resolve(str(values[name]), folder, home or Path.home())
        for name in tool.signature.names("target")
    }
    commands = {name: _command(values[name], folder) for name in tool.signature.names("command")}
    with ExitStack() as held:
        root, targets = _targets(paths, _root_path(paths, commands, folder), held)
        parts = _Parts(tool, given, root, paths, targets, commands)
        preview = _preview(parts)
    carried = _carried_by(preview, parts)
    return PreparedCall(
        order=_order(parts),
        title=tool.definition.title,
        effects=tool.definition.effects,
        facts=tuple(_facts(parts, carried)),
        preview=preview,
        is_inside_folder=all(path.is_inside_folder for path in paths.values()),
        input_sha256=given.sha256,
    )


@dataclass(frozen=True, slots=True)
class _Parts:
    """What a call is made of; the mappings are by parameter."""

    tool: AnyTool
    given: CanonicalInput
    root: Root | None
    paths: Mapping[str, ResolvedPath]
    targets: Mapping[str, Target]
    commands: Mapping[str, CommandLine]


def _command(value: object, folder: Path | None) -> CommandLine:
    if folder is None:
        raise ToolError(_NO_FOLDER_FOR_COMMANDS)
    argv = [str(item) for item in value] if isinstance(value, list) else []
    program = resolve_program(argv[0], real_folder(folder))
    if any("\0" in item for item in argv):
        raise ToolError("An argument of the command contains a NUL character.")
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
) -> tuple[Root | None, dict[str, Target]]:
    if root_path is None:
        return None, {}
    descriptor, root = held.enter_context(opened_root(root_path))
    targets = {
        name: Target(
            path.absolute, path.parts, descriptor, look_at(descriptor, path.parts, path.absolute)
        )
        for name, path in paths.items()
    }
    return root, targets


def _order(parts: _Parts) -> WorkOrder:
    definition = parts.tool.definition
    return WorkOrder(
        tool_name=definition.name,
        definition_digest=definition.digest,
        input_text=parts.given.text,
        timeout_s=definition.timeout_s,
        root=parts.root,
        targets=tuple(
            OrderedTarget(name, parts.paths[name].parts, target.expected)
            for name, target in parts.targets.items()
        ),
        commands=tuple(
            OrderedCommand(name, line.argv, look_at_program(line.argv[0]))
            for name, line in parts.commands.items()
        ),
    )


def _preview(parts: _Parts) -> Preview | None:
    tool = parts.tool
    if tool.show is None:
        return None
    preview = tool.show(**tool.arguments(parts.given, parts.targets, parts.commands, None))
    line_count = preview.text.count("\n") + 1
    if line_count > PREVIEW_LINES_LIMIT or len(preview.text.encode()) > PREVIEW_BYTES_LIMIT:
        raise ToolError(
            f"The change is too large to show: {line_count:,} lines, and the limit is "
            f"{PREVIEW_LINES_LIMIT:,} lines or {PREVIEW_BYTES_LIMIT:,} bytes. "
            "Nothing runs that was not shown; make it in smaller steps."
        )
    return preview


def _carried_by(preview: Preview | None, parts: _Parts) -> str | None:
    """The parameter whose text can be read from the preview exactly, if there is one.

    Found by reading it back, since no author's word for it would be enough.
    """
    if preview is None or preview.kind == "files":
        return None
    readable = shown_new_text(preview.text) if preview.kind == "diff" else preview.text
    values = parts.tool.signature.json_values(parts.given)
    names = parts.tool.signature.names("previewed")
    return next((name for name in names if readable and values[name] == readable), None)


def _facts(parts: _Parts, carried: str | None) -> Iterator[Fact]:
    signature = parts.tool.signature
    shown = signature.json_values(parts.given)
    yield Fact(QT_TRANSLATE_NOOP("Tools", "Tool"), parts.tool.definition.name)
    for name, path in parts.paths.items():
        yield Fact(QT_TRANSLATE_NOOP("Tools", "Path"), str(path.absolute))
        yield from _remarks(path, parts.targets[name].expected)
        if not _ends_with(str(path.absolute), str(shown[name])):
            yield Fact(QT_TRANSLATE_NOOP("Tools", "Path as asked"), _value_text(shown[name]))
    for name, line in parts.commands.items():
        yield from _command_facts(line, shown[name])
    if parts.commands and parts.root is not None:
        yield Fact(QT_TRANSLATE_NOOP("Tools", "Folder"), parts.root.path)
    for name in signature.names("value", "previewed"):
        if name != carried:
            yield Fact(signature.title(name), _value_text(shown[name]))


def _command_facts(line: CommandLine, asked: object) -> Iterator[Fact]:
    """The whole command, unambiguous; its program as it was asked for unless that ends the path."""
    yield Fact(QT_TRANSLATE_NOOP("Tools", "Command"), command_text(line.argv))
    if (real := real_program(line.argv[0])) != line.argv[0]:
        yield Fact(QT_TRANSLATE_NOOP("Tools", "Program"), real)
    program = str(asked[0]) if isinstance(asked, list) else ""
    if not _ends_with(line.argv[0], program):
        yield Fact(QT_TRANSLATE_NOOP("Tools", "Program as asked"), _value_text(program))


def _ends_with(path: str, asked: str) -> bool:
    """Tells whether what was asked for can be read in the path that it became."""
    return path == asked or path.endswith(f"/{asked}")


def _remarks(path: ResolvedPath, expected: Precondition) -> Iterator[Fact]:
    if not path.is_inside_folder:
        yield Fact(
            QT_TRANSLATE_NOOP("Tools", "Place"),
            QT_TRANSLATE_NOOP("Tools", "outside this chat's folder"),
        )
    if expected.kind == "absent":
        yield Fact(
            QT_TRANSLATE_NOOP("Tools", "File"), QT_TRANSLATE_NOOP("Tools", "does not exist yet")
        )


def _value_text(value: object) -> str:
    """A value so that no two read alike: text as it is, unless it reads as another value."""
    if isinstance(value, str) and not _reads_as_json(value):
        return value
    return canonical_text(frozen_json(value))


def _reads_as_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    except RecursionError:
        return True
    return True
