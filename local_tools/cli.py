"""The command `parley-tools`: list, describe and run tools, and read the record of calls.

Exit codes: 0 success; 1 the tool failed, a folder has faults, or the record is damaged; 2 the call
was refused before it ran.
"""

import asyncio
import json
import os
import sys
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Annotated, Final, NoReturn, TypeAlias, TypeVar

import typer

from local_tools.canonical import parse_text
from local_tools.context import Desktop
from local_tools.errors import NoFolderError, ToolError
from local_tools.execution.call_runner import HostActions
from local_tools.execution.prepare import CallPlaces, PreparedCall, prepare
from local_tools.execution.tool_runner import ToolRunner
from local_tools.ledger.ledger_report import (
    default_ledger,
    exported,
    shown,
    verified,
    write_private,
)
from local_tools.ledger.steps import LedgerError
from local_tools.registry import ToolRegistry
from local_tools.sandbox.choice import SandboxChoice, sandboxes_of_system
from local_tools.tool import AnyTool
from local_tools.user_tools.folder_check import OwnPreviews, check_folder, try_previews
from local_tools.user_tools.manifest import find_interpreter, write_hashes
from local_tools.user_tools.tool_set import read_set

T = TypeVar("T")

application = typer.Typer(
    help="List, run and check Parley’s tools, and read the record of calls.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    # Plain text: with markup, the help of each flag shows the type `<bool>`.
    rich_markup_mode=None,
)
ledger = typer.Typer(
    help="Verify, print and export the record of tool calls.", no_args_is_help=True
)
application.add_typer(ledger, name="ledger")

_OwnFolder: TypeAlias = Annotated[
    Path | None,
    typer.Option("--folder", metavar="DIR", help="A folder of your own tools, with a tool.toml."),
]
_LedgerPath: TypeAlias = Annotated[
    Path | None,
    typer.Option("--file", metavar="FILE", help="The file of the record; by default Parley’s own."),
]
# Hidden from the list of arguments, which would show a type behind each: the usage line names them,
# and the help text explains them.
_Name: TypeAlias = Annotated[str, typer.Argument(metavar="NAME", hidden=True)]

_PRIVATE: Final = 0o077
_WEIGHTS: Final = {"fault": "Error", "note": "Note"}


def _say_version(is_asked: bool) -> None:
    if is_asked:
        print(f"parley-tools {metadata.version('parley')}")
        raise typer.Exit


@application.callback()
def _tools(
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_say_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Tools that run on this computer."""


def main() -> None:
    """Run the command line."""
    # Our own files are private; tools make files with the umask of the user.
    application(obj=os.umask(_PRIVATE))


@application.command("list")
def list_tools(folder: _OwnFolder = None) -> None:
    """List the tools, one per line."""
    for definition in _registry(folder).definitions():
        print(f"{definition.name:<18} {definition.description.split('. ')[0].rstrip('.')}")


@application.command()
def describe(name: _Name, folder: _OwnFolder = None) -> None:
    """Print the definition of a tool as JSON.

    NAME is from `list`.
    """
    definition = _find(_registry(folder), name).definition
    effects = definition.effects
    known = {
        "name": definition.name,
        "title": definition.title,
        "description": definition.description,
        "input_schema": definition.wire_schema(),
        "read_only": effects.read_only,
        "destructive": effects.destructive,
        "open_world": effects.open_world,
        "timeout_s": definition.timeout_s,
        "runs_in": definition.runs_in,
        "needs_network": definition.needs_network,
        "is_grantable": definition.is_grantable,
        "is_undoable": definition.is_undoable,
        "source": definition.source,
        "digest": definition.digest,
    }
    print(json.dumps(known, indent=2, ensure_ascii=False))


@application.command()
def run(
    context: typer.Context,
    name: _Name,
    json_input: Annotated[str, typer.Argument(metavar="JSON", hidden=True)],
    *,
    root: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="The folder for relative paths and commands; by default none."
        ),
    ] = None,
    notes: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The file that notes are appended to; by default none."),
    ] = None,
    folder: _OwnFolder = None,
) -> None:
    """Run a tool as the app does after “Allow once”.

    NAME is from `list`, JSON is the input object.
    """
    sandboxes = SandboxChoice(sandboxes_of_system())
    registry = _registry(folder, sandboxes)
    tool = _find(registry, name)
    try:
        given = parse_text(json_input)
    except ToolError as exc:
        _refuse(str(exc))
    complaints = registry.validate(name, given)
    if complaints:
        _refuse(" ".join(complaints))
    try:
        call = prepare(tool, given, CallPlaces(root, notes_file=notes and notes.absolute()))
    except NoFolderError:
        _refuse("Relative paths and commands need a folder: name it with --root.")
    except ToolError as exc:
        _refuse(str(exc))
    _show(call)
    umask = -1 if context.obj is None else int(context.obj)
    outcome = asyncio.run(_runner(registry, call, sandboxes, umask).run(call))
    print(_harmless(outcome.text) if sys.stdout.isatty() else outcome.text)
    raise typer.Exit(0 if outcome.status == "ok" else 1)


@application.command()
def check(
    folder: Annotated[Path, typer.Argument(metavar="DIR", hidden=True)],
    pin: Annotated[
        bool,
        typer.Option("--pin", help="Before checking, write the hashes of the files to tool.toml."),
    ] = False,
    root: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="The folder for relative paths in examples; by default DIR."
        ),
    ] = None,
) -> None:
    """Check a folder of tools and print its faults.

    Runs the previews with their examples.
    """
    place = folder.absolute()
    try:
        if pin:
            write_hashes(place)
        checked = check_folder(place)
        findings = checked.findings
        if checked.is_whole and checked.read is not None:
            sandboxes = SandboxChoice(sandboxes_of_system())
            if any(tool.declared.preview for tool in checked.read.tools):
                asyncio.run(sandboxes.state())
            findings += tuple(try_previews(checked.read, root or place, sandboxes))
    except ToolError as exc:
        _refuse(str(exc))
    for finding in findings:
        print(_harmless(f"{_WEIGHTS[finding.weight]}: {finding.words}"))
    if any(finding.weight == "fault" for finding in findings):
        raise typer.Exit(1)
    print("Nothing is wrong with it." if not findings else "It can be used as it is.")


@ledger.command("verify")
def verify_ledger(path: _LedgerPath = None) -> None:
    """Verify that no entry was changed or removed."""
    found, sentence = _read(lambda: verified(path or default_ledger()))
    print(sentence)
    raise typer.Exit(1 if found.state == "broken" else 0)


@ledger.command("show")
def show_ledger(
    path: _LedgerPath = None,
    last: Annotated[int, typer.Option(min=1, metavar="N", help="The number of entries.")] = 50,
) -> None:
    """Print the latest entries without inputs and results."""
    for line in _read(lambda: list(shown(path or default_ledger(), last))):
        print(_harmless(line))


@ledger.command("export")
def export_ledger(
    path: _LedgerPath = None,
    to: Annotated[
        Path | None,
        typer.Option(
            "--to",
            metavar="FILE",
            help="A new file, readable by you only; by default standard output.",
        ),
    ] = None,
) -> None:
    """Export every entry with its texts as a line of JSON.

    Withheld or masked parts of results are left out.
    """
    lines = _read(lambda: list(exported(path or default_ledger())))
    if to is not None:
        return _read(lambda: write_private(to, lines))
    for line in lines:
        print(_harmless(line) if sys.stdout.isatty() else line)
    return None


def _read(reading: Callable[[], T]) -> T:
    try:
        return reading()
    except LedgerError as exc:
        _refuse(str(exc))


def _runner(
    registry: ToolRegistry, call: PreparedCall, sandboxes: SandboxChoice, umask: int
) -> ToolRunner | HostActions:
    if call.definition.runs_in == "program":
        return HostActions(registry, Desktop())
    return ToolRunner(sandboxes=sandboxes, shows_prints=True, umask=umask)


def _registry(folder: Path | None, sandboxes: SandboxChoice | None = None) -> ToolRegistry:
    """Return what ships, and what a folder has that was named by hand, which allows it."""
    registry = ToolRegistry.built_in()
    if folder is None:
        return registry
    show = None
    if sandboxes is not None:
        asyncio.run(sandboxes.state())
        show = OwnPreviews(sandboxes)
    try:
        read = read_set(folder.absolute())
        if read.problems:
            _refuse(" ".join(read.problems))
        refused = registry.replace(
            read.source, read.make_tools(find_interpreter(read.manifest.interpreter), show)
        )
    except ToolError as exc:
        _refuse(str(exc))
    for sentence in refused.values():
        print(f"Error: {sentence}", file=sys.stderr)
    return registry


def _find(registry: ToolRegistry, name: str) -> AnyTool:
    found = registry.get(name)
    if found is None:
        names = ", ".join(item.name for item in registry.definitions())
        _refuse(f"There is no tool “{name}”. There are: {names}.")
    return found


def _refuse(sentence: str) -> NoReturn:
    print(f"Error: {sentence}", file=sys.stderr)
    raise typer.Exit(2)


def _show(call: PreparedCall) -> None:
    """Facts and preview go to stderr, so that stdout is the result alone."""
    width = max(len(fact.label) for fact in call.facts)
    for fact in call.facts:
        print(f"{fact.label:<{width}}  {_harmless(fact.value, keeps='')}", file=sys.stderr)
    if call.preview is not None:
        print(_harmless(call.preview.text), file=sys.stderr)


def _harmless(text: str, keeps: str = "\n\t") -> str:
    """Write out what would steer a terminal or pass for another line."""
    return "".join(
        item if item.isprintable() or item in keeps else f"‹U+{ord(item):04X}›" for item in text
    )
