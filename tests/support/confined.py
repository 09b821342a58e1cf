"""Calls that run in a sandbox, and what is needed to have one."""

import json
import sys
from collections.abc import Awaitable, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Literal

import pytest

from local_tools.command_lines import SEARCH_PATH
from local_tools.execution.tool_runner import ToolRunner
from local_tools.outcome import ToolOutcome
from local_tools.programs import program_of
from local_tools.sandbox.bubblewrap import Bubblewrap
from local_tools.sandbox.choice import SandboxChoice
from local_tools.sandbox.landlock import Landlock
from local_tools.sandbox.protected_paths import ProtectedPaths, protected_paths
from local_tools.sandbox.types import Program, Sandbox, SandboxRequest, SandboxState
from tests.support import confined_tools
from tests.support.required_programs import needs, problem_with
from tests.support.tool_calls import prepared

Kind = Literal["bubblewrap", "landlock"]

_HOLDS: Final = SandboxState("bubblewrap", True, True, True, True)


def bubblewrap_problem(search_path: Sequence[str] = SEARCH_PATH) -> str:
    """Return why bubblewrap cannot start a program here; in containers it may lack the right to."""
    with ExitStack() as held:
        home = Path(held.enter_context(TemporaryDirectory()))
        kind = Bubblewrap(ProtectedPaths((), ()), home, search_path)
        if missing := kind.missing():
            return missing
        start = kind.start(Program(("/bin/true",)), SandboxRequest(), held)
        return problem_with(start.argv, start.descriptors)


needs_bubblewrap = needs(bubblewrap_problem())
needs_landlock = needs(Landlock(ProtectedPaths((), ()), program_of("confine")).missing())
linux_sandboxes = (
    pytest.param("bubblewrap", marks=needs_bubblewrap),
    pytest.param("landlock", marks=needs_landlock),
)


def sandbox(kind: Kind, home: Path, *own_folders: Path) -> Sandbox:
    """Return a sandbox of this kind for a user with this home."""
    places = protected_paths(home, own_folders)
    if kind == "landlock":
        return Landlock(places, program_of("confine"))
    return Bubblewrap(places, home)


def confined_runner(kind: Kind, home: Path, *own_folders: Path) -> ToolRunner:
    """Return a runner of `confined_tools` whose sandbox is taken without being tried out."""
    return ToolRunner(
        confined_tools.confined_worker(),
        sandboxes=SandboxChoice((sandbox(kind, home, *own_folders),), lambda _: _HOLDS),
    )


async def changing(runner: ToolRunner, folder: Path, script: str) -> Any:
    """Run a script that may write in `folder`; return what it left in `found`."""
    call = prepared(confined_tools.changes, folder, None, place=".", script=script)
    return await found(runner.run(call))


async def looking(runner: ToolRunner, folder: Path, script: str) -> Any:
    """Run a script that may only read in `folder`; return what it left in `found`."""
    call = prepared(confined_tools.looks, folder, None, place=".", script=script)
    return await found(runner.run(call))


async def found(running: Awaitable[ToolOutcome]) -> Any:
    """Return what a script of `confined_tools` left in `found`."""
    outcome = await running
    assert outcome.status == "ok", outcome.text
    return json.loads(outcome.text)


ATTEMPT: Final = """
def attempt(act):
    "What came of an act: its result, or the name of the system's error."
    import errno
    try:
        return act()
    except OSError as exc:
        return errno.errorcode.get(exc.errno, type(exc).__name__)
"""


_PROGRAM: Final = """
import asyncio, sys
from pathlib import Path
sys.path[:0] = sys.argv[1].split(":")
from tests.support import confined_tools
from tests.support.confined import confined_runner
from tests.support.tool_calls import prepared
from tests.support.required_programs import needs, problem_with
folder, script = Path(sys.argv[2]), sys.argv[3]
call = prepared(confined_tools.changes, folder, None, place=".", script=script)
show = lambda progress: print(progress.text, flush=True)
runner = confined_runner("bubblewrap", folder / "home")
print(asyncio.run(runner.run(call, on_progress=show)).text)
"""


def program_that_runs(
    folder: Path, script: str, python: str = sys.executable, packages: Sequence[str] = ()
) -> list[str]:
    """Return what starts a program of its own that runs a script in a sandbox.

    It prints what the script tells, each on a line, and then what the script left in `found`.
    """
    places = ":".join(packages or confined_tools.package_folders())
    return [python, "-I", "-c", _PROGRAM, places, str(folder), script]
