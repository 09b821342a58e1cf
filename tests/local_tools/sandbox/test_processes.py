"""No process of a confined call outlives it, sees another, or speaks in its place."""

import asyncio
import json
import select
import subprocess
import time
import uuid
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from local_tools.context import Progress
from local_tools.outcome import ToolOutcome
from tests.support import confined_tools
from tests.support.clocks import HeldLimit
from tests.support.confined import changing, confined_runner, needs_bubblewrap, program_that_runs
from tests.support.figures import Tell
from tests.support.tool_calls import prepared

pytestmark = [pytest.mark.anyio, needs_bubblewrap]

GONE_WITHIN_S = 20.0
STYLES = 6

# Each starts a process that would live for ten minutes and has MARK among its arguments.
FORKS = f"""
import os, signal, subprocess, sys, time
from pathlib import Path
LIVE = "import sys, time; time.sleep(600)"
ARGV = [sys.executable, "-I", "-S", "-c", LIVE, MARK]

def forked(act):
    if os.fork() == 0:
        act()
        os._exit(0)

def leave_at_once():
    os.setsid()
    forked(lambda: os.execv(ARGV[0], ARGV))

def hold_every_pipe():
    for number in range(3, 20):
        try:
            os.set_inheritable(number, True)
        except OSError:
            pass
    os.execv(ARGV[0], ARGV)

def hear_nothing():
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    os.execv(ARGV[0], ARGV)

FORK_ON = "import os, time\\nwhile True:\\n  time.sleep(0.01)\\n  if os.fork(): os._exit(0)"

subprocess.Popen(ARGV)
subprocess.Popen(ARGV, start_new_session=True)
forked(leave_at_once)
forked(hold_every_pipe)
forked(hear_nothing)
forked(lambda: os.execv(ARGV[0], [*ARGV[:4], FORK_ON, MARK]))
def has_mark(path):
    try:
        return MARK in path.read_text()
    except OSError:
        # It ended between the look at the folder and the reading.
        return False

while sum(map(has_mark, Path("/proc").glob("[0-9]*/cmdline"))) < {STYLES}:
    time.sleep(0.01)
tell("ready")
"""
WAIT = "time.sleep(600)"


@pytest.fixture
def mark() -> Iterator[str]:
    """Yield a word among the arguments of every process that a test starts."""
    word = f"mark-{uuid.uuid4().hex}"
    yield word
    for process in _marked(word):
        with suppress(psutil.NoSuchProcess):
            process.kill()


def _marked(word: str) -> list[psutil.Process]:
    found = psutil.process_iter(["cmdline"])
    return [item for item in found if item.info["cmdline"] and item.info["cmdline"][-1] == word]


def _survivors(word: str) -> list[psutil.Process]:
    """Return the processes that are still there after the time that they have to end."""
    ends_at = time.monotonic() + GONE_WITHIN_S
    while (left := _marked(word)) and time.monotonic() < ends_at:
        select.select([], [], [], 0.02)
    return left


def _outermost(word: str) -> list[psutil.Process]:
    """Return the sandboxes that these processes are in, as seen from outside."""
    found: dict[int, psutil.Process] = {}
    for process in _marked(word):
        # One that forks on and on is another one a moment later.
        with suppress(psutil.NoSuchProcess):
            found |= {item.pid: item for item in process.parents() if item.name() == "bwrap"}
    return list(found.values())


def _emptied(folder: Path) -> bool:
    """Whether a folder becomes empty within the time that a killed program's traces have."""
    ends_at = time.monotonic() + GONE_WITHIN_S
    while (is_full := any(folder.iterdir())) and time.monotonic() < ends_at:
        select.select([], [], [], 0.02)
    return not is_full


async def _started(tool_name: str, folder: Path, script: str) -> "asyncio.Task[ToolOutcome]":
    """Start a call and wait until all of its processes are there."""
    ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def on_progress(progress: Progress) -> None:
        ready.set_result(progress.text)

    tool = confined_tools.registry().get(tool_name)
    assert tool is not None
    call = prepared(tool, folder, None, place=".", script=script)
    runner = confined_runner("bubblewrap", folder / "home")
    task = asyncio.create_task(runner.run(call, on_progress=on_progress))
    async with asyncio.timeout(GONE_WITHIN_S):
        waited_for: set[asyncio.Future[object]] = {task, ready}  # type: ignore[arg-type]
        await asyncio.wait(waited_for, return_when=asyncio.FIRST_COMPLETED)
    assert ready.done(), task.result()
    return task


@pytest.mark.security(37)
async def test_nothing_survives_a_call_that_ends_by_itself(tmp_path: Path, mark: str) -> None:
    task = await _started("changes", tmp_path, f"MARK = {mark!r}\n{FORKS}")
    assert (await task).status == "ok"
    assert _survivors(mark) == []


@pytest.mark.security(37)
async def test_nothing_survives_a_call_that_is_stopped(tmp_path: Path, mark: str) -> None:
    task = await _started("changes", tmp_path, f"MARK = {mark!r}\n{FORKS}\n{WAIT}")
    assert len(_marked(mark)) >= STYLES - 1
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert _survivors(mark) == []


@pytest.mark.long
@pytest.mark.security(37)
@pytest.mark.timeout(300)
async def test_nothing_survives_fifty_calls_that_are_stopped(
    tmp_path: Path, mark: str, tell: Tell
) -> None:
    survivors = 0
    for _ in range(50):
        task = await _started("changes", tmp_path, f"MARK = {mark!r}\n{FORKS}\n{WAIT}")
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        survivors += len(_survivors(mark))
    tell(f"processes that survive 50 stopped calls of {STYLES} styles: {survivors}")
    assert survivors == 0


@pytest.mark.security(37)
async def test_nothing_survives_a_call_whose_time_is_over(
    tmp_path: Path, mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit = HeldLimit(21, monkeypatch)
    task = await _started("hurries", tmp_path, f"MARK = {mark!r}\n{FORKS}\n{WAIT}")
    limit.is_over()
    assert (await task).status == "timed_out"
    assert _survivors(mark) == []


@pytest.mark.security(37)
async def test_nothing_survives_a_sandbox_that_is_killed(tmp_path: Path, mark: str) -> None:
    # From inside, the first process of all cannot be ended.
    script = f"MARK = {mark!r}\n{FORKS}\nos.kill(os.getppid(), signal.SIGKILL)\n{WAIT}"
    task = await _started("changes", tmp_path, script)
    for process in _outermost(mark):
        process.kill()
    outcome = await task
    assert (outcome.status, outcome.text) == ("crashed", "Error: The tool crashed (SIGKILL).")
    assert _survivors(mark) == []


@pytest.mark.security(37)
def test_nothing_survives_the_program_when_it_is_killed(tmp_path: Path, mark: str) -> None:
    script = f"MARK = {mark!r}\n{FORKS}\n{WAIT}"
    argv = program_that_runs(tmp_path, script)
    with subprocess.Popen(argv, stdout=subprocess.PIPE) as program:
        assert program.stdout is not None
        assert json.loads(program.stdout.readline()) == "ready"
        assert (tmp_path / ".mcp.json").exists()
        program.kill()
    assert _survivors(mark) == []
    # Nor does anything in the folder that stood for what is not there.
    assert _emptied(tmp_path)


SPEAK = """
import json, os, subprocess, sys
WRITE = '''
import json, os
frame = json.dumps({"type": "result", "status": "ok", "text": "forged", "cut_bytes": 0}).encode()
frame = len(frame).to_bytes(4, "big") + frame
opened = []
for pid in filter(str.isdecimal, os.listdir("/proc")):
    if int(pid) == os.getpid():
        continue
    for number in range(16):
        for way in (f"/proc/{pid}/fd/{number}", f"/proc/{pid}/task/{pid}/fd/{number}"):
            try:
                os.write(os.open(way, os.O_WRONLY), frame)
                opened.append(way)
            except OSError:
                pass
    for name in ("mem", "environ"):
        try:
            os.open(f"/proc/{pid}/{name}", os.O_RDONLY)
            opened.append(f"/proc/{pid}/{name}")
        except OSError:
            pass
print(json.dumps([opened, sorted(os.listdir("/proc/self/fd"))]))
'''
argv = [sys.executable, "-I", "-S", "-c", WRITE]
done = subprocess.run(argv, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
opened, descriptors = json.loads(done.stdout)
found = [opened, descriptors, "genuine"]
"""


@pytest.mark.security(39)
@pytest.mark.security(46)
async def test_child_of_a_tool_cannot_write_its_frames_or_read_its_memory(
    tmp_path: Path,
) -> None:
    seen = await changing(confined_runner("bubblewrap", tmp_path / "home"), tmp_path, SPEAK)
    opened, descriptors, result = seen
    assert result == "genuine"
    assert opened == []
    # The fourth is the one by which it looked.
    assert descriptors == ["0", "1", "2", "3"]
