"""Calls that run in a sandbox, and what is needed to have one."""

import json
import shutil
import sys
from collections.abc import Awaitable
from pathlib import Path
from typing import Any, Final, Literal

import pytest

from local_tools.entry import program_of
from local_tools.outcome import ToolOutcome
from local_tools.runner import ToolRunner
from local_tools.sandbox.bubblewrap import Bubblewrap
from local_tools.sandbox.choice import SandboxChoice
from local_tools.sandbox.landlock import Landlock
from local_tools.sandbox.places import ProtectedPlaces, protected_places
from local_tools.sandbox.state import Sandbox, SandboxState
from tests.support import confined_tools
from tests.support.tool_calls import prepared

Kind = Literal["bubblewrap", "landlock"]

_HOLDS: Final = SandboxState("bubblewrap", True, True, True, True)

needs_bubblewrap = pytest.mark.skipif(
    shutil.which("bwrap") is None, reason="bubblewrap is not installed"
)
needs_landlock = pytest.mark.skipif(
    bool(Landlock(ProtectedPlaces((), ()), program_of("confine")).missing()),
    reason="this kernel has no Landlock that is new enough",
)
linux_sandboxes = (
    pytest.param("bubblewrap", marks=needs_bubblewrap),
    pytest.param("landlock", marks=needs_landlock),
)


def sandbox(kind: Kind, home: Path, *own_folders: Path) -> Sandbox:
    """A sandbox of this kind for a user with this home."""
    places = protected_places(home, own_folders)
    if kind == "landlock":
        return Landlock(places, program_of("confine"))
    return Bubblewrap(places, home)


def confined_runner(
    kind: Kind, home: Path, *own_folders: Path, python: str = sys.executable
) -> ToolRunner:
    """A runner of `confined_tools` whose sandbox is taken without being tried out."""
    return ToolRunner(
        confined_tools.confined_worker(python),
        sandboxes=SandboxChoice((sandbox(kind, home, *own_folders),), lambda _: _HOLDS),
    )


async def changing(runner: ToolRunner, folder: Path, script: str) -> Any:
    """Run a script that may write in `folder`; gives what it left in `found`."""
    call = prepared(confined_tools.changes, folder, None, place=".", script=script)
    return await found(runner.run(call))


async def looking(runner: ToolRunner, folder: Path, script: str) -> Any:
    """Run a script that may only read in `folder`; gives what it left in `found`."""
    call = prepared(confined_tools.looks, folder, None, place=".", script=script)
    return await found(runner.run(call))


async def found(running: Awaitable[ToolOutcome]) -> Any:
    """What a script of `confined_tools` left in `found`."""
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
