"""Command lines: find the program, quote the line for display, and detect read-only commands.

`resolve_program` finds the program and `command_text` quotes the line. `is_read_only_command` knows
commands that only read; they run with a read-only folder.

A read-only command still needs approval like any other; but since its folder is mounted read-only,
it needs none of the precautions for writing calls. Any other command may write.
"""

import os
import shlex
import stat
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePath
from typing import Final

from local_tools.errors import ToolError
from local_tools.execution.worker_request import WorkerRequest
from local_tools.paths.guarded_path import CommandLine
from local_tools.paths.resolve import refuse_form, speakable
from local_tools.tool import Effects

# The same on every machine of a kind, whatever the user's own PATH says: what is shown must not
# depend on a variable that other programs change. The current folder is never searched.
SEARCH_PATH: Final[tuple[str, ...]] = (
    *(("/opt/homebrew/bin",) if sys.platform == "darwin" else ()),
    "/usr/local/bin",
    "/usr/bin",
    "/bin",
    "/usr/local/sbin",
    "/usr/sbin",
    "/sbin",
)

_SHELL: Final = "/bin/sh"
_SCRIPTS_OF_WINDOWS: Final = (".bat", ".cmd")
_RISKY_ON_WINDOWS: Final = frozenset('&|<>^%!"\r\n')


def resolve_program(name: str, folder: Path, search_path: Sequence[str] = SEARCH_PATH) -> str:
    """Return the absolute path of the program that a command names.

    A bare name is searched on the fixed path; a relative path starts at `folder`.

    Raises:
        ToolError: When there is no such program.
    """
    refuse_form(name)
    if "/" in name:
        program = str(folder / name)
        if not _is_program(program):
            raise ToolError(f"{program} is not a program that can be run.")
        return program
    for place in search_path:
        program = f"{place}/{name}"
        if _is_program(program):
            return program
    raise ToolError(f"There is no program “{name}” in {', '.join(search_path)}.")


def refuse_script_of_windows(program: str, arguments: Iterable[str]) -> None:
    """Refuse shell metacharacters in arguments of a `.bat`: cmd.exe interprets them even quoted.

    Raises:
        ToolError: When an argument contains one.
    """
    # Windows overlooks dots and blanks at the end of a name.
    is_script = program.rstrip(". ").lower().endswith(_SCRIPTS_OF_WINDOWS)
    if is_script and any(_RISKY_ON_WINDOWS & set(text) for text in arguments):
        raise ToolError("A .bat or .cmd file cannot be given arguments with signs of a shell.")


def shell_command(text: str) -> CommandLine:
    """Return the command line that runs a text in the system's shell.

    Raises:
        ToolError: When the text is empty, or there is no shell.
    """
    if not text.strip():
        raise ToolError("The command is empty.")
    if not _is_program(_SHELL):
        raise ToolError(f"There is no shell at {_SHELL}.")
    return CommandLine((_SHELL, "-c", text))


def real_program(path: str) -> str:
    """Return the path of the program with all symbolic links resolved.

    Raises:
        ToolError: When the path is not valid Unicode.
    """
    return str(speakable(Path(os.path.realpath(path))))


def command_text(argv: Sequence[str]) -> str:
    """Return an argv list in one unambiguous line, quoted as a POSIX shell would read it."""
    return shlex.join(argv)


def _is_program(path: str) -> bool:
    try:
        status = os.stat(path)  # noqa: PTH116 - the path is text that goes on as text
    except OSError:
        return False
    return stat.S_ISREG(status.st_mode) and os.access(path, os.X_OK)


_PROGRAMS: Final = frozenset(
    [
        "basename",
        "cat",
        "cmp",
        "cut",
        "df",
        "diff",
        "dirname",
        "du",
        "egrep",
        "fgrep",
        "file",
        "grep",
        "head",
        "ls",
        "md5sum",
        "nl",
        "pwd",
        "readlink",
        "realpath",
        "sha1sum",
        "sha256sum",
        "stat",
        "tail",
        "wc",
    ]
)
_OF_GIT: Final = frozenset(
    [
        "blame",
        "cat-file",
        "describe",
        "diff",
        "grep",
        "log",
        "ls-files",
        "rev-list",
        "rev-parse",
        "shortlog",
        "show",
        "status",
    ]
)
# Options with which a reading Git command writes a file or starts another program.
_WRITES: Final = ("--output", "--ext-diff", "--open-files-in-pager", "-O")


def may_write(effects: Effects, order: WorkerRequest) -> bool:
    """Return whether a call gets its folder writable."""
    reads = bool(order.commands) and all(
        is_read_only_command(command.argv) for command in order.commands
    )
    return not (effects.read_only or reads)


def is_read_only_command(argv: Sequence[str]) -> bool:
    """Return whether a command with these arguments only reads."""
    name = PurePath(argv[0]).name
    if name != "git":
        return name in _PROGRAMS
    is_known = len(argv) > 1 and argv[1] in _OF_GIT
    return is_known and not any(item.startswith(_WRITES) for item in argv)
