"""Check a folder of tools for its author: validate its files, and run its previews.

`check_folder` validates the folder without running anything. `try_previews` runs its previews with
its examples, by `OwnPreviews`: in the sandbox, without network, read-only, with a short time limit.
"""

import asyncio
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from local_tools.canonical import canonical_sha256, freeze
from local_tools.errors import ToolError
from local_tools.execution.prepare import CallPlaces, PreparedCall, prepare
from local_tools.execution.tool_runner import ToolRunner
from local_tools.execution.worker_request import WorkerRequest
from local_tools.registry import ToolRegistry
from local_tools.sandbox.choice import SandboxChoice
from local_tools.tool import AnyTool, Effects, Preview, ToolDefinition
from local_tools.user_tools.manifest import DeclaredTool, find_interpreter
from local_tools.user_tools.tool_set import ReadTool, ToolSet, read_set, wire_name

_LONG_CODE_BYTES: Final = 256 * 1024
_WIRE_NAME_CHARS: Final = 64


@dataclass(frozen=True, slots=True)
class CheckFinding:
    """One sentence about a folder. A `fault` makes it unusable, or is a false declaration."""

    weight: Literal["fault", "note"]
    words: str


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of a check; `read` is None if the folder could not be read."""

    findings: tuple[CheckFinding, ...]
    read: ToolSet | None = None

    @property
    def is_whole(self) -> bool:
        """Whether the folder has no faults."""
        return all(finding.weight == "note" for finding in self.findings)


def check_folder(folder: Path, interpreter: str = "") -> CheckResult:
    """Validate a folder of tools without running its code.

    Args:
        folder: The folder.
        interpreter: An interpreter to use instead of the one in its manifest.
    """
    try:
        read = read_set(folder)
    except ToolError as exc:
        return CheckResult((CheckFinding("fault", str(exc)),))
    named = interpreter or read.manifest.interpreter
    return CheckResult(tuple(dict.fromkeys(_findings(read, named))), read)


def _findings(read: ToolSet, interpreter: str) -> Iterator[CheckFinding]:
    yield from (CheckFinding("fault", words) for words in read.problems)
    yield from (_fault(tool, tool.problem) for tool in read.tools if tool.problem)
    yield from _about_interpreter(read, interpreter)
    yield from _about_sizes(read)
    for tool in read.tools:
        yield from _about_words(read, tool)
        yield from _about_effects(read, tool)


def _about_interpreter(read: ToolSet, interpreter: str) -> Iterator[CheckFinding]:
    try:
        tools = read.make_tools(find_interpreter(interpreter))
    except ToolError as exc:
        yield CheckFinding("fault", str(exc))
        return
    registry = ToolRegistry.built_in()
    for tool in tools:
        try:
            registry.add(tool)
        except ValueError as exc:
            yield CheckFinding("fault", f"{exc}.")


def _about_sizes(read: ToolSet) -> Iterator[CheckFinding]:
    for name, data in read.files.contents.items():
        if name.endswith(".py") and len(data) > _LONG_CODE_BYTES:
            words = f"{name} has {len(data):,} bytes; nobody reads that before they allow it."
            yield CheckFinding("note", words)


def _about_words(read: ToolSet, tool: ReadTool) -> Iterator[CheckFinding]:
    declared, inputs = tool.declared, tool.inputs
    if len(wire_name(read.manifest.name, declared.name)) > _WIRE_NAME_CHARS:
        yield _fault(tool, "the names of the set and of the tool are too long together.")
    if inputs is None:
        return
    if not (declared.description or inputs.description):
        yield _fault(tool, "it has neither a description nor a docstring.")
    described = _described(tool)
    for name in inputs.undescribed:
        if name not in described:
            yield _note(tool, f"nothing says what “{name}” is; add it to the docstring's Args.")


def _described(tool: ReadTool) -> set[str]:
    properties = (tool.schema or {}).get("properties", {})
    if not isinstance(properties, Mapping):
        return set()
    return {
        n for n, part in properties.items() if isinstance(part, Mapping) and "description" in part
    }


def _about_effects(read: ToolSet, tool: ReadTool) -> Iterator[CheckFinding]:
    """Yield where the code looks as if it did more than the manifest says, or less."""
    said = tool.declared.effects
    signs = list(_signs(read, tool.declared.file))
    networked = [place for kind, place in signs if kind == "network"]
    changing = [place for kind, place in signs if kind in ("change", "lose")]
    losing = [place for kind, place in signs if kind == "lose"]
    if networked and not said.network:
        yield _fault(tool, f"it says that it needs no network, and there is {networked[0]}.")
    if said.network and not networked:
        yield _note(tool, "it says that it needs the network, and its code does not show why.")
    if changing and said.read_only:
        yield _fault(tool, f"it says that it only reads, and there is {changing[0]}.")
    if losing and not said.destructive and not said.read_only:
        yield _fault(tool, f"it says that nothing is lost, and there is {losing[0]}.")
    if said.read_only and said.open_world and not said.network:
        yield _note(tool, "it may say open_world = false, since it only reads and has no network.")


def _signs(read: ToolSet, file: str) -> Iterator[tuple[str, str]]:
    """Yield signs of effects in a file and in those of the folder that it imports."""
    waiting, seen = [file], set[str]()
    while waiting:
        name = waiting.pop()
        if name in seen or name not in read.code:
            continue
        seen.add(name)
        waiting += [f"{part.replace('.', '/')}.py" for part in read.code[name].imports]
        yield from ((kind, f"“{sign}” in {name}") for kind, sign in read.code[name].signs)


def _fault(tool: ReadTool, words: str) -> CheckFinding:
    return CheckFinding("fault", f"{tool.declared.name}: {words}")


def _note(tool: ReadTool, words: str) -> CheckFinding:
    return CheckFinding("note", f"{tool.declared.name}: {words}")


PREVIEW_TIMEOUT_S: Final = 2.0


class OwnPreviews:
    """Runs the previews of users' tools. Called in threads; lives as long as the program."""

    def __init__(self, sandboxes: SandboxChoice) -> None:
        """Take the sandbox chooser; without a working sandbox no preview runs."""
        self._sandboxes = sandboxes

    def __call__(self, definition: ToolDefinition, order: WorkerRequest) -> Preview | None:
        """Return the tool's own preview of a call; None where it cannot be run safely."""
        sandboxes = self._sandboxes.settled()
        if sandboxes is None or order.code is None:
            return None
        call = preview_call(definition, order)
        # This thread has no loop, and the one of the window must not wait.
        with asyncio.Runner(loop_factory=_loop_factory()) as loop:
            state = loop.run(sandboxes.state())
            if not (state.holds_files and state.holds_network):
                return None
            outcome = loop.run(ToolRunner(sandboxes=sandboxes).run(call))
        return Preview("text", outcome.text)


def preview_call(definition: ToolDefinition, order: WorkerRequest) -> PreparedCall:
    """Return the call of a preview: the tool's inputs, but no network and no writing."""
    code = None if order.code is None else replace(order.code, function=order.code.preview)
    timeout_s = min(PREVIEW_TIMEOUT_S, order.timeout_s)
    return PreparedCall(
        order=replace(order, code=code, timeout_s=timeout_s, may_use_network=False),
        definition=replace(definition, effects=Effects(read_only=True, destructive=False)),
        facts=(),
        preview=None,
        is_inside_folder=False,
        has_folder=True,
        input_sha256=canonical_sha256(order.input_text),
    )


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    return None if sys.platform == "win32" else asyncio.SelectorEventLoop


def try_previews(read: ToolSet, root: Path, sandboxes: SandboxChoice) -> Iterator[CheckFinding]:
    """Run each preview once. Call it without a running event loop, after the sandbox was probed.

    Args:
        read: The folder of tools.
        root: The folder for the paths of examples.
        sandboxes: Confines the previews.

    Raises:
        ToolError: There is no interpreter.
    """
    interpreter = find_interpreter(read.manifest.interpreter)
    made = read.make_tools(interpreter, OwnPreviews(sandboxes))
    by_name = {tool.definition.name: tool for tool in made}
    for item in read.tools:
        declared = item.declared
        tool = by_name.get(wire_name(read.manifest.name, declared.name))
        if tool is None:
            continue
        if declared.example is not None:
            yield from _try(tool, declared, root)
        elif declared.preview:
            words = "its preview was not tried; give an example input in the manifest."
            yield CheckFinding("note", f"{declared.name}: {words}")


def _try(tool: AnyTool, declared: DeclaredTool, root: Path) -> Iterator[CheckFinding]:
    try:
        given = freeze(declared.example)
        complaints = tool.signature.complaints(given)
        if complaints:
            yield CheckFinding("fault", f"{declared.name}: its example: {' '.join(complaints)}")
            return
        call = prepare(tool, given, CallPlaces(root))
    except ToolError as exc:
        yield CheckFinding("fault", f"{declared.name}: its example: {exc}")
        return
    if declared.preview is None:
        return
    if call.preview is None:
        yield CheckFinding(
            "note", f"{declared.name}: its preview was not tried; no sandbox holds here."
        )
    elif call.preview.text.startswith("Error: "):
        yield CheckFinding("fault", f"{declared.name}: its preview: {call.preview.text[7:]}")
