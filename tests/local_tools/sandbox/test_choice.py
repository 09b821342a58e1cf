"""Which sandbox is taken, and what is said of one that is missing or does not hold."""

import asyncio
import json
import subprocess
import sys
import threading
from contextlib import ExitStack
from pathlib import Path

import pytest

from local_tools.execution.tool_runner import ToolRunner
from local_tools.programs import program_of
from local_tools.sandbox.bubblewrap import Bubblewrap
from local_tools.sandbox.choice import SandboxChoice, Unconfined, sandboxes_of_system
from local_tools.sandbox.landlock import Landlock
from local_tools.sandbox.probe import probe
from local_tools.sandbox.protected_paths import protected_paths
from local_tools.sandbox.types import (
    LaunchSpec,
    Program,
    Sandbox,
    SandboxRequest,
    SandboxState,
    nothing_holds,
)
from tests.support.confined import bubblewrap_problem, needs_bubblewrap, needs_landlock
from tests.support.confined_tools import package_folders
from tests.support.required_programs import needs, problem_with
from tests.support.tool_calls import built_in, prepared

pytestmark = pytest.mark.anyio

NO_BUBBLEWRAP = "bubblewrap is not installed."
NO_NAMESPACES = "The sandbox cannot start: this system does not let it create namespaces."
NO_PROC = "The sandbox cannot start in this container, which covers parts of /proc."
GAPS = (
    "The sandbox cannot protect the hooks of a repository in a writable folder.",
    "The sandbox does not hide other processes, or a process may outlive its call.",
)


class Missing(Unconfined):
    """A sandbox that this computer does not have."""

    def missing(self) -> str:
        return "It is not here."


def _kinds(home: Path, search_path: Path) -> tuple[Sandbox, ...]:
    """Bubblewrap as it is found in a folder, then Landlock."""
    places = protected_paths(home)
    return (
        Bubblewrap(places, home, (str(search_path),)),
        Landlock(places, program_of("confine")),
    )


@needs_bubblewrap
@pytest.mark.security(44)
async def test_bubblewrap_enforces_everything_if_it_works(tmp_path: Path) -> None:
    choice = SandboxChoice(sandboxes_of_system(home=tmp_path))
    assert await choice.state() == SandboxState("bubblewrap", True, True, True, True)
    assert (await choice.state()).is_whole


@needs_landlock
@pytest.mark.security(44)
async def test_without_bubblewrap_landlock_is_taken_and_its_gaps_are_reported(
    tmp_path: Path,
) -> None:
    state = await SandboxChoice(_kinds(tmp_path, tmp_path)).state()
    assert state == SandboxState("landlock", True, False, True, False, (NO_BUBBLEWRAP, *GAPS))
    assert not state.is_whole


DENIED = """
import asyncio, json, sys
from dataclasses import asdict
sys.path[:0] = sys.argv[1].split(":")
from local_tools.sandbox.choice import SandboxChoice, sandboxes_of_system
state = asyncio.run(SandboxChoice(sandboxes_of_system()).state())
print(json.dumps([state.kind, state.is_whole, state.reasons[0]]))
"""


@needs_bubblewrap
@needs_landlock
@pytest.mark.security(44)
@needs(problem_with(("unshare", "--user", "--map-root-user", "true")))
def test_landlock_is_chosen_if_namespaces_are_denied() -> None:
    # A namespace in which no other can be made, as a distribution may set it for everybody.
    forbid = 'echo 0 >/proc/sys/user/max_user_namespaces && exec "$@"'
    program = [sys.executable, "-I", "-c", DENIED, ":".join(package_folders())]
    done = subprocess.run(
        ["unshare", "--user", "--map-root-user", "sh", "-c", forbid, "sh", *program],
        capture_output=True,
        check=True,
        timeout=30,
    )
    assert json.loads(done.stdout) == ["landlock", False, NO_NAMESPACES]


CONTAINED = """
import json, os, sys
sys.path[:0] = sys.argv[1].split(":")
from local_tools.sandbox.choice import sandboxes_of_system
from local_tools.sandbox.probe import probe
state = probe(sandboxes_of_system()[0])
print(json.dumps([os.getpid(), state.is_whole, state.reasons]))
"""
CONTAINER = ("unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount", "--mount-proc")


@needs_bubblewrap
@pytest.mark.security(44)
@needs(problem_with((*CONTAINER, "true")))
@pytest.mark.parametrize(
    ("covered", "is_whole", "reasons"), [("", True, []), ("/proc/fs", False, [NO_PROC])]
)
def test_state_is_correct_as_the_first_process_of_a_container(
    covered: str, is_whole: bool, reasons: list[str]
) -> None:
    """Containers cover parts of /proc, so that nobody inside gets another that shows them."""
    cover = 'if [ -n "$1" ]; then mount -t tmpfs none "$1"; fi; shift; exec "$@"'
    program = [sys.executable, "-I", "-c", CONTAINED, ":".join(package_folders())]
    done = subprocess.run(
        [*CONTAINER, "sh", "-c", cover, "sh", covered, *program],
        capture_output=True,
        check=True,
        timeout=30,
    )
    assert json.loads(done.stdout) == [1, is_whole, reasons]


@pytest.mark.security(44)
async def test_without_a_working_sandbox_calls_run_unconfined_and_the_state_says_so() -> None:
    choice = SandboxChoice((Missing(),))
    assert await choice.state() == nothing_holds("none", "It is not here.")
    runner = ToolRunner(sandboxes=choice)
    assert not (await runner.sandbox_state()).is_whole
    assert (await runner.run(prepared(built_in("current_time")))).status == "ok"


def test_probe_detects_a_sandbox_that_confines_nothing() -> None:
    state = probe(Unconfined())
    assert (state.holds_files, state.holds_places) == (False, False)
    assert (state.holds_network, state.holds_processes) == (False, False)
    assert len(state.reasons) == 4


def test_failing_bubblewrap_is_not_chosen(tmp_path: Path) -> None:
    fake = tmp_path / "bwrap"
    fake.write_text("#!/bin/sh\necho no permissions to create new namespace >&2\nexit 1\n")
    fake.chmod(0o755)
    state = probe(_kinds(tmp_path, tmp_path)[0])
    assert state == nothing_holds("bubblewrap", NO_NAMESPACES)
    # Nor do tests take it for one that works.
    assert bubblewrap_problem((str(tmp_path),)).endswith("no permissions to create new namespace")
    assert bubblewrap_problem((str(tmp_path / "none"),)) == NO_BUBBLEWRAP


async def test_sandbox_is_probed_once_for_concurrent_calls() -> None:
    tried: list[str] = []

    def count(sandbox: Sandbox) -> SandboxState:
        tried.append(sandbox.kind)
        return nothing_holds(sandbox.kind, "no")

    choice = SandboxChoice((Unconfined(),), count)
    await asyncio.gather(choice.state(), choice.sandbox(), choice.state())
    assert tried == ["none"]


async def test_preparation_of_a_sandbox_is_undone_when_the_call_is_stopped() -> None:
    began, may_go_on = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()
    undone: list[str] = []

    class Slow(Unconfined):
        def start(self, program: Program, terms: SandboxRequest, held: ExitStack) -> LaunchSpec:
            held.callback(undone.append, "undone")
            loop.call_soon_threadsafe(began.set)
            asyncio.run_coroutine_threadsafe(may_go_on.wait(), loop).result(20)
            return super().start(program, terms, held)

    choice = SandboxChoice((Slow(),), lambda _: SandboxState("none", True, True, True, True))
    call = prepared(built_in("current_time"))
    task = asyncio.create_task(ToolRunner(sandboxes=choice).run(call))
    async with asyncio.timeout(20):
        await began.wait()
    task.cancel()
    may_go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert undone == ["undone"]


async def test_cancelled_caller_waits_for_the_probe_to_end() -> None:
    is_trying, may_end = threading.Event(), threading.Event()

    def slow(kind: Sandbox) -> SandboxState:
        is_trying.set()
        may_end.wait(20)
        return nothing_holds(kind.kind)

    asking = asyncio.create_task(SandboxChoice((Unconfined(),), slow).state())
    await asyncio.to_thread(is_trying.wait, 20)
    asking.cancel()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    is_waited_for = not asking.done()
    may_end.set()
    with pytest.raises(asyncio.CancelledError):
        await asking

    assert is_waited_for
