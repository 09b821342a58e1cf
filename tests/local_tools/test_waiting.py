"""Whoever is told to stop still leaves things tidy, also on the oldest Python there may be."""

import asyncio
import os
import signal
import sys
import threading
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from app.platform.self_test_process import SelfTestChild
from local_tools.aio import shielded, start_managed, wait_bounded
from tests.support.clocks import let_timeouts_be_of_python_3_11_2
from tests.support.hostile_tools import chatty
from tests.support.mcp_server_fixtures import Watched, around, chaos
from tests.support.tool_calls import prepared, scripted_runner

pytestmark = pytest.mark.anyio

# What ends by force alone, and opens a pipe when nothing else ends it any more.
_DEAF = """
import signal, sys, threading
signal.signal(signal.SIGTERM, signal.SIG_IGN)
open({pipe!r}, "w").close()
"""
_WAITS = "threading.Event().wait()"
# Nobody finds the second, which has every pipe and says its number.
_LEAVES = """
import os, threading
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        with open({pipe!r}, "w") as told:
            told.write(str(os.getpid()))
        threading.Event().wait()
    os._exit(0)
os.wait()
"""
# Asked to end, it says more than is read.
_FLOODS = "sys.stdin.buffer.read(); sys.stdout.write('x' * 1_000_000)"


@pytest.fixture(autouse=True)
def _old_and_short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    let_timeouts_be_of_python_3_11_2(monkeypatch)
    monkeypatch.setattr("local_tools.execution.tool_runner._EXIT_GRACE_S", 0.01)
    monkeypatch.setattr("local_tools.mcp.stdio_transport._EXIT_GRACE_S", 0.01)
    monkeypatch.setattr("local_tools.aio._REAP_TIMEOUT_S", 0.01)
    monkeypatch.setattr("app.platform.self_test_process._END_S", 0.01)


@pytest.fixture(autouse=True)
async def _killed_processes_are_known_to_have_ended() -> AsyncIterator[None]:
    """Let asyncio hear of each end, for which the short waits are too short on a busy machine."""
    yield
    for thread in threading.enumerate():
        if thread.name.startswith("waitpid-"):
            await asyncio.to_thread(thread.join, 20)
    # The news passes through some turns of the loop.
    for _ in range(5):
        await asyncio.sleep(0)


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    os.mkfifo(tmp_path / "pipe")
    return tmp_path / "pipe"


def _number_in(pipe: Path) -> int:
    """Read it while the loop does nothing, which may not have connected all pipes yet."""
    return int(pipe.read_text())


async def _stopped(task: "asyncio.Task[object]", times: int = 1) -> None:
    for _ in range(times):
        task.cancel()
        # It comes as far as the next wait, in which the second meets it.
        for _ in range(5):
            await asyncio.sleep(0)
    with suppress(asyncio.CancelledError):
        await task


async def test_a_wait_tells_whether_it_was_long_enough() -> None:
    done = asyncio.Event()
    assert not await wait_bounded(0.01, done.wait())
    done.set()
    assert await wait_bounded(5, done.wait())


async def test_who_was_stopped_goes_on_after_a_wait_that_was_too_short() -> None:
    told: list[str] = []

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await wait_bounded(0.01, asyncio.Event().wait())
            told.append("tidied up")

    task = asyncio.create_task(work())
    await asyncio.sleep(0)
    await _stopped(task)
    assert told == ["tidied up"]


@pytest.mark.parametrize("turns", range(3))
async def test_stop_at_the_same_moment_as_the_end_is_not_lost(turns: int) -> None:
    end, told = asyncio.Event(), list[str]()

    async def work() -> None:
        await wait_bounded(5, end.wait())
        told.append("went on")

    task = asyncio.create_task(work())
    for _ in range(2):
        await asyncio.sleep(0)
    end.set()
    for _ in range(turns):
        await asyncio.sleep(0)
    assert not task.done()
    await _stopped(task)
    assert (task.cancelled(), told) == (True, [])


async def test_what_fails_while_it_is_waited_for_says_so() -> None:
    async def fail() -> None:
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        await wait_bounded(5, fail())


@pytest.mark.parametrize("fails", [False, True])
async def test_no_thread_works_on_when_who_asked_it_was_stopped(fails: bool) -> None:
    goes_on = threading.Event()

    def work() -> None:
        goes_on.wait(20)
        if fails:
            raise OSError("gone")

    task = asyncio.create_task(shielded(asyncio.to_thread(work)))
    for _ in range(3):
        await asyncio.sleep(0)
        task.cancel()
    assert not task.done()
    goes_on.set()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_shielded_work_returns_its_result() -> None:
    assert await shielded(asyncio.to_thread(lambda: 7)) == 7


@pytest.mark.parametrize("turns", range(2, 7))
async def test_a_process_that_is_no_longer_wanted_while_it_starts_is_ended(
    turns: int, pipe: Path
) -> None:
    open_before = psutil.Process().num_fds()
    script = _LEAVES.format(pipe=str(pipe))
    starting = asyncio.create_task(start_managed(sys.executable, "-c", script, stdout=PIPE))
    for _ in range(turns):
        await asyncio.sleep(0)
    left = _number_in(pipe)
    try:
        starting.cancel()
        ended, _ = await asyncio.wait({starting}, timeout=20)
        assert ended
        assert starting.cancelled()
        assert psutil.Process().num_fds() == open_before
    finally:
        os.kill(left, signal.SIGKILL)


async def test_a_worker_that_is_told_twice_to_end_leaves_no_pipe_open(
    pipe: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("local_tools.execution.tool_runner._EXIT_GRACE_S", 30)
    open_before = psutil.Process().num_fds()
    runner = scripted_runner(_DEAF.format(pipe=str(pipe)) + _FLOODS + ";" + _WAITS)
    call = asyncio.create_task(runner.run(prepared(chatty)))
    await asyncio.to_thread(pipe.read_bytes)
    await _stopped(call, times=2)
    assert psutil.Process().num_fds() == open_before


async def test_a_worker_that_listens_to_nothing_leaves_no_pipe_open(pipe: Path) -> None:
    open_before = psutil.Process().num_fds()
    runner = scripted_runner(_DEAF.format(pipe=str(pipe)) + _FLOODS)
    call = asyncio.create_task(runner.run(prepared(chatty)))
    await asyncio.to_thread(pipe.read_bytes)
    await _stopped(call)
    assert psutil.Process().num_fds() == open_before


async def test_what_a_worker_leaves_holds_no_pipe_open(
    pipe: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("local_tools.execution.tool_runner._REAP_TIMEOUT_S", 0.01)
    open_before = psutil.Process().num_fds()
    runner = scripted_runner(_LEAVES.format(pipe=str(pipe)))
    call = asyncio.create_task(runner.run(prepared(chatty)))
    left = int(await asyncio.to_thread(pipe.read_text))
    try:
        await _stopped(call)
        assert psutil.Process().num_fds() == open_before
    finally:
        os.kill(left, signal.SIGKILL)


async def test_a_tool_server_that_listens_to_nothing_leaves_no_pipe_open() -> None:
    open_before = psutil.Process().num_fds()
    watched = Watched(chaos("floods_log"), around())
    serving = asyncio.create_task(watched.server.serve())
    await watched.until_life("ready")
    await _stopped(serving)
    assert psutil.Process().num_fds() == open_before


@pytest.mark.parametrize("times", [1, 2])
async def test_a_self_test_that_listens_to_nothing_is_ended(
    pipe: Path, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if times == 2:
        monkeypatch.setattr("app.platform.self_test_process._END_S", 30)
    others = set(psutil.Process().children())
    script = _DEAF.format(pipe=str(pipe)) + _WAITS
    child = SelfTestChild(lambda _file, _language: [sys.executable, "-c", script])
    task = asyncio.create_task(child.run("en", lambda _line: None))
    await asyncio.to_thread(pipe.read_bytes)
    assert len(psutil.Process().children()) == len(others) + 1
    await _stopped(task, times)
    assert set(psutil.Process().children()) == others
