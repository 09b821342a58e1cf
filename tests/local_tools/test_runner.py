"""One outcome per call, always, and nothing left running."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from local_tools.context import Progress
from local_tools.execution import frames
from local_tools.execution.prepare import PreparedCall
from local_tools.execution.tool_runner import ToolRunner
from local_tools.limits import RESULT_LIMIT_BYTES
from local_tools.outcome import ToolOutcome
from local_tools.processes import ENVIRONMENT_NAMES, clean_environment
from local_tools.sandbox.types import Program
from local_tools.tool import tool
from tests.support import hostile_tools
from tests.support.clocks import HeldLimit
from tests.support.plugins import LoopBackend
from tests.support.tool_calls import (
    built_in,
    hostile_runner,
    hostile_worker,
    is_gone,
    prepared,
    scripted_runner,
)

pytestmark = pytest.mark.anyio

CHECKOUT = Path(__file__).parents[2]


@pytest.fixture(params=[pytest.param("asyncio", marks=pytest.mark.long), "qt"])
def anyio_backend(request: pytest.FixtureRequest) -> str | LoopBackend:
    """All of it holds under the window's loop; the other tests of tools run under asyncio's."""
    if request.param == "asyncio":
        return "asyncio"
    backend: LoopBackend = request.getfixturevalue("qt_loop")
    return backend


async def test_what_a_tool_prints_does_not_disturb_its_result() -> None:
    outcome = await hostile_runner().run(prepared(hostile_tools.chatty))
    assert (outcome.status, outcome.text) == ("ok", "done")


def _showing(**changed: object) -> ToolRunner:
    """Return a runner whose worker answers with an image as nobody's tools would return it."""
    image = {"name": "a.png", "media_type": "image/png", "width": 2, "height": 2, "size_bytes": 4}
    images = [image | changed] * 2
    frame = {"type": "result", "status": "ok", "text": "", "cut_bytes": 0, "images": images}
    answer = frames.with_header(json.dumps(frame).encode()) + bytes(8)
    return scripted_runner(f"import os; os.write(1, {answer!r})")


@pytest.mark.security(122)
async def test_images_of_a_worker_in_other_hands_are_bounded_in_every_way() -> None:
    call = prepared(hostile_tools.chatty)
    named = await _showing(name="../" + "a" * 5000 + "\n\u202e].png").run(call)
    [first, _] = named.images
    assert len(first.name) == 100
    assert not set("/\n\u202e]") & set(first.name)
    for odd in (
        {"media_type": "text/html"},
        {"media_type": "image/svg+xml"},
        {"width": -1},
        {"height": 10**9},
        {"size_bytes": -4},
        {"size_bytes": 10**9},
    ):
        outcome = await _showing(**odd).run(call)
        assert (outcome.status, outcome.images) == ("crashed", ())


async def test_what_a_tool_prints_can_be_shown_to_its_author(
    capfd: pytest.CaptureFixture[str],
) -> None:
    runner = ToolRunner(hostile_worker(), shows_prints=True)
    assert (await runner.run(prepared(hostile_tools.mutters))).text == "done"
    assert capfd.readouterr().err == "muttered\n"


async def test_a_tool_that_hangs_is_stopped_at_its_limit() -> None:
    @tool(timeout_s=1)
    def anything(words: str) -> None:
        """Do anything."""
        del words

    # The last one's worker never reads its order.
    idle = scripted_runner("import threading; threading.Event().wait()")
    cases: tuple[tuple[ToolRunner, PreparedCall], ...] = (
        (hostile_runner(), prepared(hostile_tools.hangs)),
        (hostile_runner(), prepared(hostile_tools.hangs_deaf)),
        (idle, prepared(anything, words="x" * 200_000)),
    )
    outcomes = await asyncio.gather(*(runner.run(call) for runner, call in cases))
    for outcome, (_, call) in zip(outcomes, cases, strict=True):
        assert outcome.status == "timed_out"
        assert outcome.text == f"Error: {call.tool_name} did not end within 1 s and was stopped."


@pytest.mark.parametrize("status", ["ok", "timed_out"])
async def test_no_child_of_a_tool_survives_it(
    status: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit = HeldLimit(22, monkeypatch)
    place, hangs = str(tmp_path / "orphan"), status == "timed_out"
    call = prepared(hostile_tools.leaves_children, orphan_id=place, hangs=hangs)
    task, pids = await begun(hostile_runner(), call)
    if hangs:
        limit.is_over()
    assert (await task).status == status
    assert [is_gone(pid) for pid in pids] == [True] * 3


async def test_no_child_survives_a_worker_that_got_no_time_to_end_it(tmp_path: Path) -> None:
    slow = hostile_runner("lambda hours=iter(range(0, 10**9, 3600)): next(hours)")
    place = str(tmp_path / "orphan")
    call = prepared(hostile_tools.leaves_children, orphan_id=place, hangs=False)
    task, pids = await begun(slow, call)
    assert (await task).status == "ok"
    assert [is_gone(pid) for pid in pids] == [True] * 3


async def started(
    runner: ToolRunner, *, with_child: bool
) -> tuple["asyncio.Task[ToolOutcome]", list[int]]:
    """Start the tool that waits for ever; gives its task and its processes."""
    return await begun(runner, prepared(hostile_tools.waits_for_ever, with_child=with_child))


async def begun(
    runner: ToolRunner, call: PreparedCall
) -> tuple["asyncio.Task[ToolOutcome]", list[int]]:
    """Start a call; gives its task and the processes that it tells."""
    told: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def on_progress(progress: Progress) -> None:
        told.set_result(progress.text)

    task = asyncio.create_task(runner.run(call, on_progress=on_progress))
    async with asyncio.timeout(20):
        return task, json.loads(await told)


async def test_stopping_a_call_ends_its_processes() -> None:
    task, pids = await started(hostile_runner(), with_child=True)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [is_gone(pid) for pid in pids] == [True, True]


async def test_stopping_at_any_moment_leaves_nothing() -> None:
    loop = asyncio.get_running_loop()
    call = prepared(hostile_tools.waits_for_ever, with_child=True)
    for moment_ms in range(0, 200, 40):
        task = asyncio.create_task(hostile_runner().run(call))
        loop.call_later(moment_ms / 1000, task.cancel)
        with pytest.raises(asyncio.CancelledError):
            await task


async def test_a_tool_that_is_killed_is_reported_and_its_child_ended() -> None:
    task, pids = await started(hostile_runner(), with_child=True)
    os.kill(pids[0], signal.SIGKILL)
    outcome = await task
    assert (outcome.status, outcome.text) == ("crashed", "Error: The tool crashed (SIGKILL).")
    assert [is_gone(pid) for pid in pids] == [True, True]


async def test_a_worker_that_is_killed_takes_its_tool_with_it() -> None:
    task, pids = await started(hostile_runner(), with_child=False)
    os.kill(os.getsid(pids[0]), signal.SIGKILL)
    outcome = await task
    assert (outcome.status, outcome.text) == ("crashed", "Error: The tool crashed (SIGKILL).")
    assert is_gone(pids[0])


async def test_several_calls_run_side_by_side() -> None:
    runner = hostile_runner()
    call = prepared(hostile_tools.counts, steps=2)
    outcomes = await asyncio.gather(*(runner.run(call) for _ in range(3)))
    assert [outcome.text for outcome in outcomes] == ["counted 2"] * 3


async def test_progress_is_reported_and_not_too_often() -> None:
    seen: list[Progress] = []
    call = prepared(hostile_tools.counts, steps=10_000)
    outcome = await hostile_runner().run(call, on_progress=seen.append)
    assert outcome.text == "counted 10000"
    assert seen[0] == Progress(0, 10_000, "step 0")
    assert len(seen) <= 1 + outcome.duration_ms / 50


ENDS: tuple[tuple[str, dict[str, object], str, str], ...] = (
    ("complains", {}, "failed", "Error: That does not work on Sundays."),
    ("raises", {}, "failed", "Error: The tool failed (KeyError): 'unforeseen'"),
    ("segfaults", {}, "crashed", "Error: The tool crashed (SIGSEGV)."),
    ("vanishes", {"code": 0}, "crashed", "Error: The tool ended without an answer (exit code 0)."),
    ("vanishes", {"code": 7}, "crashed", "Error: The tool ended without an answer (exit code 7)."),
    ("half_text", {}, "ok", "a\ufffdb"),
)


@pytest.mark.spec("4.5-failed-run")
async def test_every_end_is_one_outcome_in_words() -> None:
    registry, runner = hostile_tools.registry(), hostile_runner()
    found = [(registry.get(name), values) for name, values, _, _ in ENDS]
    calls = [prepared(item, **values) for item, values in found if item is not None]
    outcomes = await asyncio.gather(*map(runner.run, calls))
    said = [(outcome.status, outcome.text) for outcome in outcomes]
    assert said == [(status, text) for _, _, status, text in ENDS]


async def test_a_huge_result_is_cut_and_says_so() -> None:
    outcome = await hostile_runner().run(prepared(hostile_tools.huge, size=1_000_000))
    assert outcome.status == "ok"
    text, _, notice = outcome.text.rpartition("\n")
    assert text == "ä" * (255 * 1024 // 2)
    assert outcome.cut_bytes == 2_000_000 - 255 * 1024
    assert notice == f"[{outcome.cut_bytes:,} bytes are left out here]"
    assert len(outcome.text.encode()) <= RESULT_LIMIT_BYTES


async def test_a_worker_gets_a_clean_place_to_work_in(tmp_path: Path) -> None:
    given = dict.fromkeys(ENVIRONMENT_NAMES, "/x") | {"AWS_SECRET": "x", "PYTHONPATH": "/x"}
    call = prepared(hostile_tools.surroundings, tmp_path, path=".")
    with (tmp_path / "open").open("w") as kept_open:
        os.set_inheritable(kept_open.fileno(), True)
        outcome = await ToolRunner(hostile_worker(), given).run(call)
    seen = json.loads(outcome.text)
    assert seen["environment"] == sorted(ENVIRONMENT_NAMES)
    assert seen["current"] == str(tmp_path)
    assert seen["has_own_session"]
    assert seen["isolated"]
    folders = [item for item in seen["descriptors"] if not item.startswith(("pipe:", "/dev/null"))]
    assert folders == [str(tmp_path)]


async def test_a_call_whose_tool_changed_since_is_refused() -> None:
    @tool(timeout_s=30)
    def chatty() -> str:
        """Say something else."""
        return "other"

    outcome = await hostile_runner().run(prepared(chatty))
    assert outcome.status == "failed"
    assert outcome.text.startswith("Error: The tool chatty changed since it was shown")


FRAMES = """
import json, os
def send(**frame):
    data = json.dumps(frame).encode()
    os.write(1, len(data).to_bytes(4, "big") + data)
"""
FLOOD = f"{FRAMES}\nwhile True: send(type='progress', done=1, total=None, text='x' * 9000)"
LINGER = f"{FRAMES}\nsend(type='result', status='failed', text='x')\nwhile os.read(0, 9000): pass"
CLOSE = "import os; os.close(1)\nwhile os.read(0, 9000): pass"


WORKERS = (
    ("", "crashed", "The tool ended without an answer (exit code 0)."),
    ("import sys; sys.exit(3)", "crashed", "(exit code 3)"),
    ("import os; os.write(1, b'\\xff' * 100)", "crashed", "answer could not be read"),
    ("import os; os.write(1, b'\\0\\0\\0\\5hello')", "crashed", "could not be read"),
    ("import os; os.write(1, b'\\0\\0\\0\\x50{')", "crashed", "ended without an answer"),
    (CLOSE, "crashed", "closed its line without an answer"),
    (FLOOD, "crashed", "answer could not be read"),
    (LINGER, "failed", "Error: x"),
)


async def test_a_worker_that_does_not_keep_to_the_line_is_one_outcome() -> None:
    call = prepared(built_in("current_time"))
    outcomes = await asyncio.gather(
        *(scripted_runner(script).run(call) for script, _, _ in WORKERS)
    )
    for outcome, (script, status, part) in zip(outcomes, WORKERS, strict=True):
        assert outcome.status == status, script
        assert part in outcome.text, script
        assert outcome.text.startswith("Error: "), script


async def test_a_worker_that_cannot_be_started_is_reported() -> None:
    runner = ToolRunner(Program(("/no/such/program",)))
    outcome = await runner.run(prepared(built_in("current_time")))
    assert outcome.status == "failed"
    assert outcome.text == (
        "Error: The tool's process could not be started: No such file or directory."
    )


@pytest.mark.expects_log("Running the tool counts failed")
async def test_a_listener_that_fails_does_not_cost_the_outcome() -> None:
    def on_progress(_progress: Progress) -> None:
        raise ZeroDivisionError

    call = prepared(hostile_tools.counts, steps=1)
    outcome = await hostile_runner().run(call, on_progress=on_progress)
    assert outcome.status == "crashed"


def test_killing_the_program_ends_the_worker_and_what_it_started() -> None:
    script = f"""
import asyncio, sys
sys.path.insert(0, {str(CHECKOUT)!r})
from tests.support import hostile_tools
from tests.support.tool_calls import hostile_runner, prepared
call = prepared(hostile_tools.waits_for_ever, with_child=True)
show = lambda progress: print(progress.text, flush=True)
asyncio.run(hostile_runner().run(call, on_progress=show))
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as program:
        assert program.stdout is not None
        pids = json.loads(program.stdout.readline())
        program.kill()
    assert [is_gone(pid) for pid in pids] == [True, True]


def test_the_clean_environment_has_nothing_else() -> None:
    given = {"HOME": "/h", "PATH": "bin:/a::/b:.", "SSH_AUTH_SOCK": "/s", "LD_PRELOAD": "x"}
    assert clean_environment(given) == {"HOME": "/h", "PATH": "/a:/b"}
