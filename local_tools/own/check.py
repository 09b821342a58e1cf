"""What is wrong with a folder of tools, for its author: found out by reading, and by previews."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from local_tools.errors import ToolError
from local_tools.own.interpreters import find_interpreter
from local_tools.own.tool_set import ReadTool, ToolSet, read_set, wire_name
from local_tools.registry import ToolRegistry

_LONG_CODE_BYTES: Final = 256 * 1024
_WIRE_NAME_CHARS: Final = 64


@dataclass(frozen=True, slots=True)
class Finding:
    """One sentence about a folder. A `fault` keeps it from being used or is untrue."""

    weight: Literal["fault", "note"]
    words: str


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found; `read` is None when there was nothing to read."""

    findings: tuple[Finding, ...]
    read: ToolSet | None = None

    @property
    def is_whole(self) -> bool:
        """Whether it can be used as it is."""
        return all(finding.weight == "note" for finding in self.findings)


def check_folder(folder: Path, interpreter: str = "") -> Checked:
    """Read a folder of tools and say what is wrong with it. Nothing of it runs.

    Args:
        folder: What is read.
        interpreter: What runs its tools in place of the one that its manifest names.
    """
    try:
        read = read_set(folder)
    except ToolError as exc:
        return Checked((Finding("fault", str(exc)),))
    named = interpreter or read.manifest.interpreter
    return Checked(tuple(dict.fromkeys(_findings(read, named))), read)


def _findings(read: ToolSet, interpreter: str) -> Iterator[Finding]:
    yield from (Finding("fault", words) for words in read.problems)
    yield from (_fault(tool, tool.problem) for tool in read.tools if tool.problem)
    yield from _about_interpreter(read, interpreter)
    yield from _about_sizes(read)
    for tool in read.tools:
        yield from _about_words(read, tool)
        yield from _about_effects(read, tool)


def _about_interpreter(read: ToolSet, interpreter: str) -> Iterator[Finding]:
    try:
        tools = read.made_tools(find_interpreter(interpreter))
    except ToolError as exc:
        yield Finding("fault", str(exc))
        return
    registry = ToolRegistry.built_in()
    for tool in tools:
        try:
            registry.add(tool)
        except ValueError as exc:
            yield Finding("fault", f"{exc}.")


def _about_sizes(read: ToolSet) -> Iterator[Finding]:
    for name, data in read.files.contents.items():
        if name.endswith(".py") and len(data) > _LONG_CODE_BYTES:
            words = f"{name} has {len(data):,} bytes; nobody reads that before they allow it."
            yield Finding("note", words)


def _about_words(read: ToolSet, tool: ReadTool) -> Iterator[Finding]:
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


def _about_effects(read: ToolSet, tool: ReadTool) -> Iterator[Finding]:
    """Where the code looks as if it did more than the manifest says, or less."""
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
    """Signs of effects in a file and in those of the folder that it imports."""
    waiting, seen = [file], set[str]()
    while waiting:
        name = waiting.pop()
        if name in seen or name not in read.code:
            continue
        seen.add(name)
        waiting += [f"{part.replace('.', '/')}.py" for part in read.code[name].imports]
        yield from ((kind, f"“{sign}” in {name}") for kind, sign in read.code[name].signs)


def _fault(tool: ReadTool, words: str) -> Finding:
    return Finding("fault", f"{tool.declared.name}: {words}")


def _note(tool: ReadTool, words: str) -> Finding:
    return Finding("note", f"{tool.declared.name}: {words}")
