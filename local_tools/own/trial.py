"""Trying the previews of a folder with its examples: in the sandbox, and soon over."""

from collections.abc import Iterator
from pathlib import Path

from local_tools.canonical import freeze
from local_tools.errors import ToolError
from local_tools.own.check import Finding
from local_tools.own.interpreters import find_interpreter
from local_tools.own.manifest import DeclaredTool
from local_tools.own.preview import OwnPreviews
from local_tools.own.tool_set import ToolSet, wire_name
from local_tools.prepare import Places, prepare
from local_tools.sandbox.choice import SandboxChoice
from local_tools.tool import AnyTool


def try_previews(read: ToolSet, root: Path, sandboxes: SandboxChoice) -> Iterator[Finding]:
    """Run each preview once. Call it where no loop runs, after the sandbox was tried.

    Args:
        read: What is tried.
        root: The folder for the paths of examples.
        sandboxes: What confines the previews.

    Raises:
        ToolError: There is no interpreter.
    """
    interpreter = find_interpreter(read.manifest.interpreter)
    made = read.made_tools(interpreter, OwnPreviews(sandboxes))
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
            yield Finding("note", f"{declared.name}: {words}")


def _try(tool: AnyTool, declared: DeclaredTool, root: Path) -> Iterator[Finding]:
    try:
        given = freeze(declared.example)
        complaints = tool.signature.complaints(given)
        if complaints:
            yield Finding("fault", f"{declared.name}: its example: {' '.join(complaints)}")
            return
        call = prepare(tool, given, Places(root))
    except ToolError as exc:
        yield Finding("fault", f"{declared.name}: its example: {exc}")
        return
    if declared.preview is None:
        return
    if call.preview is None:
        yield Finding("note", f"{declared.name}: its preview was not tried; no sandbox holds here.")
    elif call.preview.text.startswith("Error: "):
        yield Finding("fault", f"{declared.name}: its preview: {call.preview.text[7:]}")
