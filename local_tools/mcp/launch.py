"""Plan the start of a local server: executable, variables, limits, and readable paths.

`plan` returns a `ServerLaunch`. `bounded` wraps the command in a small program of the system that
sets limits on memory, files and processes and then becomes the server's program.

Nothing here starts a program, so that the plan can be shown first. Running time and processor time
are not limited.
"""

import itertools
import os
import re
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from local_tools.command_lines import refuse_script_of_windows
from local_tools.errors import ToolError, named
from local_tools.mcp.config import LocalProgram, ServerBounds
from local_tools.paths.beneath import names_of, snapshot_program
from local_tools.processes import (
    ADDRESSES_LIMIT_BYTES,
    FILE_LIMIT_BYTES,
    MEMORY_LIMIT_BYTES,
    clean_environment,
)
from local_tools.sandbox.types import Program, SandboxRequest

PROCESSES_LIMIT: Final = 1024

# Part of util-linux, which every Linux has, also in the sandbox.
_PROGRAM: Final = "/usr/bin/prlimit"


def are_bounded() -> bool:
    """Return whether this system can enforce the limits."""
    return sys.platform == "linux" and os.access(_PROGRAM, os.X_OK)


def bounded(argv: Sequence[str], *, counts_processes: bool) -> tuple[str, ...]:
    """Return the command that runs `argv` with limits on it and its descendants.

    Args:
        argv: The program and its arguments.
        counts_processes: Its processes are counted apart from the user's others (in a namespace),
            so their number can be limited.
    """
    if not are_bounded():
        return tuple(argv)
    limits = {
        "core": 0,
        "data": MEMORY_LIMIT_BYTES,
        "as": ADDRESSES_LIMIT_BYTES,
        "fsize": FILE_LIMIT_BYTES,
    }
    if counts_processes:
        limits["nproc"] = PROCESSES_LIMIT
    return (_PROGRAM, *(f"--{name}={limit}" for name, limit in limits.items()), "--", *argv)


# What the official SDK hands to a server, and no more.
_POSIX_NAMES: Final = ("HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER")
_SHEBANG_BYTES: Final = 512
_INTERPRETERS: Final = re.compile(
    r"(python|node|deno|bun|ruby|perl|php|bash|sh)[0-9.w]*(\.exe)?", re.IGNORECASE
)
# What `npx.cmd` would start, seen from where it lies.
_STARTS_OF_NPX: Final = ("node.exe", "node_modules/npm/bin/npx-cli.js")
# Starters that download what they run; in the sandbox they do not find their caches.
_FETCHERS: Final = frozenset({"npx", "uvx", "bunx", "pnpx", "pipx", "pnpm", "yarn"})
_PROJECT_FILES: Final = ("package.json", "pyproject.toml", "deno.json")
# Folders of a home that hold more than one program.
_SHARED_AT_HOME: Final = (".", ".local", ".config", ".cache", ".local/share", ".local/lib")


@dataclass(frozen=True, slots=True)
class ServerLaunch:
    """The resolved command of one local server. Made by `plan`.

    Attributes:
        argv: The absolute path of the program, and its arguments unchanged.
        environment: All variables that it gets.
        reads: Its own folders and files, readable in the sandbox.
        identity: The hash of the program's file; for an interpreter also of its script.
    """

    argv: tuple[str, ...]
    environment: Mapping[str, str]
    reads: tuple[Path, ...]
    identity: str
    bounds: ServerBounds

    def program(self, *, counts_processes: bool) -> Program:
        """Return the `Program` for a sandbox, with limits on its resources."""
        return Program(bounded(self.argv, counts_processes=counts_processes), self.reads)

    @property
    def terms(self) -> SandboxRequest:
        """What the sandbox lets the server access."""
        bounds = self.bounds
        root = Path(os.path.realpath(bounds.folder)) if bounds.folder else None
        return SandboxRequest(root, may_write=bounds.may_write, may_connect=bounds.may_connect)


def fetches(place: LocalProgram) -> bool:
    """Return whether the command downloads the server at each start, as `npx` does."""
    return Path(place.command).stem.lower() in _FETCHERS


def plan(place: LocalProgram, bounds: ServerBounds, environ: Mapping[str, str]) -> ServerLaunch:
    """Resolve what would be started. Reads files: call it in a thread.

    Args:
        place: The command as it was written.
        bounds: What the user lets it access.
        environ: Parley's own environment; a few variables are passed on.

    Raises:
        ToolError: There is no such program, or it cannot be started safely here.
    """
    clean = clean_environment(environ)
    if sys.platform != "win32":
        clean = {name: clean[name] for name in _POSIX_NAMES if name in clean}
    resolved = _resolved(place.command, clean.get("PATH", os.defpath))
    program, *first = _without_script(resolved)
    arguments = (*first, *place.arguments)
    refuse_script_of_windows(program, arguments)
    home = Path(clean.get("HOME") or Path.home())
    reads = [*_around_programs(program, clean.get("PATH", ""), home)]
    reads += _reads_of_arguments(program, arguments, bounds, home)
    return ServerLaunch(
        argv=(program, *arguments),
        environment={**clean, **place.environment},
        reads=tuple(dict.fromkeys(reads)),
        identity=" ".join(map(_identity, (program, *_script(program, arguments)))),
        bounds=bounds,
    )


def _identity(program: str) -> str:
    found = snapshot_program(program)
    return found.sha256 or f"{found.inode}:{found.size_bytes}:{found.changed_ns}"


def _script(program: str, arguments: tuple[str, ...]) -> Iterator[str]:
    """Yield the script that an interpreter runs, where an argument is its path."""
    if _INTERPRETERS.fullmatch(Path(program).name):
        paths = (text for text in arguments if Path(text).is_absolute() and Path(text).is_file())
        yield from itertools.islice(paths, 1)


def _resolved(command: str, search_path: str) -> str:
    expanded = os.path.expanduser(command)  # noqa: PTH111 - the path is text that goes on as text
    if os.sep in expanded and not Path(expanded).is_absolute():
        raise ToolError(f"Write the whole path of “{named(command)}”, or only its name.")
    found = shutil.which(expanded, path=search_path)
    if found is None:
        raise ToolError(f"There is no program “{named(command)}” on this computer.")
    return found


def _without_script(program: str) -> tuple[str, ...]:
    """Return what runs in place of `npx.cmd`, so that no shell reads what it is given."""
    path = Path(program)
    starts = tuple(str(path.parent / name) for name in _STARTS_OF_NPX)
    is_npx = path.name.lower() == "npx.cmd" and all(map(os.path.isfile, starts))
    return starts if is_npx else (program,)


def _around_programs(program: str, search_path: str, home: Path) -> Iterator[Path]:
    """Yield what the program needs of its own: where it lies, and what interprets it."""
    yield from _around(Path(program), home)
    interpreter = _interpreter(Path(program), search_path)
    if interpreter is not None:
        yield from _around(interpreter, home)


def _reads_of_arguments(
    program: str, arguments: tuple[str, ...], bounds: ServerBounds, home: Path
) -> Iterator[Path]:
    """Yield the files that arguments name, with what a script needs beside it.

    What lies in the folder that it may write is the user's, who wants it changed, and no part of
    the program; but for the script itself, which stays as it is.
    """
    writable = Path(os.path.realpath(bounds.folder)) if bounds.may_write and bounds.folder else None
    scripts = set(_script(program, arguments))
    for text in arguments:
        path = Path(text)
        if not (path.is_absolute() and path.is_file()):
            continue
        for name in names_of(path):
            if writable is None or not Path(os.path.realpath(name)).is_relative_to(writable):
                yield _unshared(_project_of(name, home), home) or name
            elif text in scripts:
                yield name


def _around(program: Path, home: Path) -> Iterator[Path]:
    """Yield the folder of a program as it is named, and wherever links lead."""
    for path in names_of(program):
        prefix = path.parent.parent if path.parent.name in ("bin", "Scripts") else path.parent
        yield _unshared(prefix, home) or _unshared(path.parent, home) or path
        if path.name == "uvx":
            # Which only starts the other.
            yield path.with_name("uv")
        base = _home_of_environment(prefix)
        if base is not None:
            yield _unshared(base.parent, home) or base


def _home_of_environment(prefix: Path) -> Path | None:
    """Return where the programs lie that a virtual environment of Python builds on."""
    with suppress(OSError):
        for line in (prefix / "pyvenv.cfg").read_text(encoding="utf-8").splitlines():
            key, _, value = line.partition("=")
            if key.strip() == "home" and Path(value.strip()).is_absolute():
                return Path(value.strip())
    return None


def _project_of(script: Path, home: Path) -> Path:
    """Return the folder that a script needs with it: of its packages, its project, or its own."""
    for folder in reversed(script.parents):
        if folder.name == "node_modules":
            return folder
    for folder in script.parents:
        if _unshared(folder, home) is None:
            break
        if any((folder / name).is_file() for name in _PROJECT_FILES):
            return folder
    return script.parent


def _unshared(folder: Path, home: Path) -> Path | None:
    """Return the folder, unless it holds more than one program's own things."""
    real, real_home = Path(os.path.realpath(folder)), Path(os.path.realpath(home))
    shared = [real_home / name for name in _SHARED_AT_HOME]
    is_shared = real in shared or real_home.is_relative_to(real) or len(real.parts) <= 2
    return None if is_shared else folder


def _interpreter(program: Path, search_path: str) -> Path | None:
    """Return the interpreter that the first line of a script names (`#!`)."""
    try:
        with program.open("rb") as file:
            head = file.read(_SHEBANG_BYTES)
    except OSError:
        return None
    if not head.startswith(b"#!"):
        return None
    words = head[2:].partition(b"\n")[0].decode("utf-8", "replace").split()
    if words and words[0].endswith("/env"):
        names = [word for word in words[1:] if not word.startswith("-")]
        found = shutil.which(names[0], path=search_path) if names else None
        return Path(found) if found else None
    return Path(words[0]) if words else None
