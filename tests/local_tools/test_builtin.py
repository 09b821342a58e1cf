"""The tools that ship, run in real workers."""

import asyncio
import json
import os
import re
import select
import sys
from pathlib import Path

import pytest

from local_tools.builtin.system import current_time
from local_tools.errors import ToolError
from local_tools.execution.tool_runner import ToolRunner
from local_tools.limits import RESULT_LIMIT_BYTES
from local_tools.outcome import ToolOutcome
from tests.support.tool_calls import built_in, is_gone, prepared, runner_by

pytestmark = pytest.mark.anyio

ODD_ARGUMENTS = [
    "",
    " ",
    "a b",
    "&& id",
    "; id",
    "| id",
    "'",
    '"',
    "\\",
    "\n",
    "\t",
    "-n",
    "--",
    "😀",
    "#",
]


async def run(name: str, folder: Path | None, /, **values: object) -> ToolOutcome:
    return await ToolRunner().run(prepared(built_in(name), folder, **values))


async def test_read_file_returns_the_text(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("Grüße\r\n", newline="")
    outcome = await run("read_file", tmp_path, path="a")
    assert (outcome.status, outcome.text, outcome.cut_bytes) == ("ok", "Grüße\r\n", 0)


async def test_read_file_says_how_much_of_a_long_file_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("ä" * 200_000)
    outcome = await run("read_file", tmp_path, path="a")
    assert outcome.status == "ok"
    assert outcome.cut_bytes == 400_000 - 255 * 1024
    assert outcome.text.endswith(f"ä\n[{outcome.cut_bytes:,} bytes are left out here]")
    assert len(outcome.text.encode()) <= RESULT_LIMIT_BYTES


@pytest.mark.parametrize("data", [b"\xff\xfe", b"a\0b", b"caf\xe9"])
async def test_read_file_refuses_what_is_not_text(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a").write_bytes(data)
    outcome = await run("read_file", tmp_path, path="a")
    assert outcome.status == "failed"
    assert outcome.text == (
        f"Error: {tmp_path / 'a'} is not a text file (UTF-8), so it cannot be shown."
    )


@pytest.mark.spec("4.5-failed-run")
async def test_read_file_tells_that_a_file_is_not_there(tmp_path: Path) -> None:
    outcome = await run("read_file", tmp_path, path="gone")
    assert outcome.text == f"Error: There is nothing at {tmp_path / 'gone'}."


async def test_list_folder_lists_the_entries(tmp_path: Path) -> None:
    assert (await run("list_folder", tmp_path, path=".")).text == f"{tmp_path} is empty."
    (tmp_path / "sub").mkdir()
    (tmp_path / "a").write_text("12345")
    (tmp_path / "link").symlink_to("a")
    outcome = await run("list_folder", tmp_path, path=".")
    assert outcome.text == "a  5 bytes\nlink  (link)\nsub/"


async def test_a_name_with_a_line_feed_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "a\nb").write_text("")
    outcome = await run("list_folder", tmp_path, path=".")
    assert outcome.text == '"a\\nb"  0 bytes'


async def test_a_program_that_changed_after_it_was_shown_is_not_run(tmp_path: Path) -> None:
    script = tmp_path / "go"
    script.write_text("#!/bin/sh\necho one\n")
    script.chmod(0o755)
    call = prepared(built_in("run_command"), tmp_path, argv=["./go"])
    assert (await ToolRunner().run(call)).text == "Exit code 0.\n\none\n"
    script.write_text("#!/bin/sh\necho two\n")
    outcome = await ToolRunner().run(call)
    assert outcome.text == f"Error: {script} changed since it was shown, so nothing was done."


async def test_a_program_that_became_a_pipe_is_refused_at_once(tmp_path: Path) -> None:
    script = tmp_path / "go"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    call = prepared(built_in("run_command"), tmp_path, argv=["./go"])
    script.unlink()
    os.mkfifo(script, 0o755)
    async with asyncio.timeout(20):
        outcome = await ToolRunner().run(call)
    assert outcome.text == (
        f"Error: {script} is not a regular file (a device, a pipe or a socket)."
    )


async def test_write_file_makes_and_replaces_files(tmp_path: Path) -> None:
    made = await run("write_file", tmp_path, path="a", content="one")
    assert made.text == f"Made {tmp_path / 'a'}: 3 bytes."
    replaced = await run("write_file", tmp_path, path="a", content="zwölf")
    assert replaced.text == f"Replaced {tmp_path / 'a'}: 6 bytes."
    assert (tmp_path / "a").read_text() == "zwölf"


async def test_a_file_that_changed_after_it_was_shown_is_not_written(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("one")
    call = prepared(built_in("write_file"), tmp_path, path="a", content="two")
    (tmp_path / "a").write_text("ONE")
    outcome = await ToolRunner().run(call)
    assert outcome.status == "failed"
    assert "changed since it was shown" in outcome.text
    assert (tmp_path / "a").read_text() == "ONE"


async def test_a_folder_that_was_swapped_after_it_was_shown_is_not_touched(tmp_path: Path) -> None:
    folder, other = tmp_path / "folder", tmp_path / "other"
    folder.mkdir()
    other.mkdir()
    call = prepared(built_in("write_file"), folder, path="a", content="two")
    folder.rename(tmp_path / "gone")
    other.rename(folder)
    outcome = await ToolRunner().run(call)
    assert outcome.text == f"Error: {folder} changed since it was shown, so nothing was done."
    assert not (folder / "a").exists()


async def test_run_command_tells_exit_code_and_output(tmp_path: Path) -> None:
    outcome = await run(
        "run_command", tmp_path, argv=["sh", "-c", "echo out; echo err >&2; pwd; exit 3"]
    )
    assert outcome.status == "ok"
    assert outcome.text == f"Exit code 3.\n\nout\nerr\n{tmp_path}\n"
    assert (await run("run_command", tmp_path, argv=["true"])).text == "Exit code 0. No output."


async def test_run_command_passes_arguments_untouched(tmp_path: Path) -> None:
    odd = [*ODD_ARGUMENTS, "$HOME", "`id`", "$(id)", "<(id)", "> x", "*", "~", "{a,b}"]
    script = "import json, sys; print(json.dumps(sys.argv[1:]))"
    (tmp_path / "show.py").write_text(script)
    outcome = await run("run_command", tmp_path, argv=[sys.executable, "show.py", *odd])
    assert json.loads(outcome.text.removeprefix("Exit code 0.\n\n")) == odd
    assert not (tmp_path / "x").exists()


async def test_run_command_keeps_beginning_and_end_of_long_output(tmp_path: Path) -> None:
    script = "echo first; head -c 1000000 /dev/zero | tr '\\0' x; printf '\\377\\nlast'"
    outcome = await run("run_command", tmp_path, argv=["sh", "-c", script])
    assert outcome.text.startswith("Exit code 0.\n\nfirst\nxxx")
    assert outcome.text.endswith("xxx\ufffd\nlast")
    assert f"\n[{outcome.cut_bytes:,} bytes are left out here]\n" in outcome.text
    assert outcome.cut_bytes == 1_000_012 - 255 * 1024
    assert len(outcome.text.encode()) <= RESULT_LIMIT_BYTES


async def test_output_that_is_no_text_is_cut_with_words(tmp_path: Path) -> None:
    script = "head -c 400000 /dev/zero | tr '\\0' '\\377'"
    outcome = await run("run_command", tmp_path, argv=["sh", "-c", script])
    assert outcome.text.endswith("bytes are left out here]")
    assert len(outcome.text.encode()) <= RESULT_LIMIT_BYTES


async def test_run_command_stops_a_flood(tmp_path: Path) -> None:
    outcome = await run("run_command", tmp_path, argv=["yes"])
    assert outcome.status == "failed"
    assert outcome.text.startswith("Error: The command wrote more than 67,108,864 bytes and was")
    assert len(outcome.text.encode()) <= RESULT_LIMIT_BYTES


async def test_run_command_stops_after_its_own_limit_and_keeps_what_came(tmp_path: Path) -> None:
    argv = ["sh", "-c", "echo early; touch late; sleep 600"]
    outcome = await run_until(tmp_path / "late", argv)
    assert outcome.status == "timed_out"
    assert outcome.text == "Error: The command did not end within 60 s and was stopped.\n\nearly\n"


async def run_until(late: Path, argv: list[str]) -> ToolOutcome:
    """Run a command in that file's folder. When the file is there, hours pass at every look."""
    call = prepared(built_in("run_command"), late.parent, argv=argv)
    hours = "iter(range(3600, 10**9, 3600))"
    clock = f"lambda hours={hours}: now() + (os.path.exists({str(late)!r}) and next(hours))"
    return await runner_by(clock).run(call)


async def test_run_command_does_not_wait_for_what_it_left_running(tmp_path: Path) -> None:
    script = "sleep 600 & echo $! >a; setsid sh -c 'sleep 600 & echo $! >b'; echo done"
    outcome = await run("run_command", tmp_path, argv=["sh", "-c", script])
    assert outcome.text == "Exit code 0.\n\ndone\n"
    assert all(is_gone(int((tmp_path / name).read_text())) for name in "ab")


async def test_a_command_that_kills_its_parent_leaves_nothing(tmp_path: Path) -> None:
    script = "setsid sleep 600 & echo $! >a; kill -9 $PPID"
    outcome = await run("run_command", tmp_path, argv=["sh", "-c", script])
    assert (outcome.status, outcome.text) == ("crashed", "Error: The tool crashed (SIGKILL).")
    assert is_gone(int((tmp_path / "a").read_text()))


FORKS_ON_AND_ON = """
import os, sys, time
os.open(sys.argv[1], os.O_WRONLY)
if os.fork():
    time.sleep(600)
open("late", "w").close()
ends_at = time.monotonic() + 60
while time.monotonic() < ends_at:
    if os.fork():
        os._exit(0)
    os.setsid()
"""


async def test_a_program_that_forks_on_and_on_does_not_get_away(tmp_path: Path) -> None:
    (tmp_path / "go.py").write_text(FORKS_ON_AND_ON)
    os.mkfifo(tmp_path / "alive")
    held_open = os.open(tmp_path / "alive", os.O_RDONLY | os.O_NONBLOCK)
    try:
        argv = [sys.executable, "-I", "-S", "go.py", "alive"]
        outcome = await run_until(tmp_path / "late", argv)
        poll = select.poll()
        poll.register(held_open, select.POLLIN)
        assert outcome.status == "timed_out"
        assert poll.poll(20_000) == [(held_open, select.POLLHUP)]
    finally:
        os.close(held_open)


async def test_run_command_waits_for_a_program_that_closed_its_output(tmp_path: Path) -> None:
    script = "exec >&- 2>&-; read x <fifo; exit 4"
    (tmp_path / "go.sh").write_text(f"mkfifo fifo; (sh -c 'echo x >fifo' &); {script}")
    outcome = await run("run_command", tmp_path, argv=["sh", "go.sh"])
    assert outcome.text == "Exit code 4. No output."


async def test_run_command_names_the_signal_that_ended_it(tmp_path: Path) -> None:
    outcome = await run("run_command", tmp_path, argv=["sh", "-c", "kill -SEGV $$"])
    assert outcome.text == "Ended by SIGSEGV. No output."


async def test_run_command_gives_programs_the_clean_environment(tmp_path: Path) -> None:
    environment = {
        "HOME": "/h",
        "SECRET": "x",
        "PATH": "bin:/usr/bin::/bin",
        "LD_LIBRARY_PATH": "/",
    }
    call = prepared(built_in("run_command"), tmp_path, argv=["env"])
    outcome = await ToolRunner(environment=environment).run(call)
    assert sorted(outcome.text.split("\n")[2:-1]) == ["HOME=/h", "PATH=/usr/bin:/bin"]


async def test_a_program_that_cannot_be_started_is_reported(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("#!/no/such/interpreter\n")
    (tmp_path / "mine").chmod(0o755)
    outcome = await run("run_command", tmp_path, argv=["./mine"])
    assert (
        outcome.text == f"Error: {tmp_path / 'mine'} cannot be started: No such file or directory."
    )


@pytest.mark.security(34)
async def test_run_shell_runs_its_whole_text_in_a_shell(tmp_path: Path) -> None:
    text = "printf '%s\\n' b a \"$(echo c)\" | sort >out && cat out; echo err >&2; exit 3"
    call = prepared(built_in("run_shell"), tmp_path, command=text)
    facts = {fact.label: fact.value for fact in call.facts}
    assert (facts["Command"], facts["Folder"]) == (text, str(tmp_path))
    assert facts["Shell"] == os.path.realpath("/bin/sh")  # noqa: ASYNC240 - known at once
    assert not call.definition.is_grantable
    outcome = await ToolRunner().run(call)
    assert outcome.text == "Exit code 3.\n\na\nb\nc\nerr\n"


@pytest.mark.security(34)
@pytest.mark.parametrize(("text", "part"), [("echo a\0b", "NUL"), (" \n", "is empty")])
def test_a_text_that_no_shell_can_run_is_refused(tmp_path: Path, text: str, part: str) -> None:
    with pytest.raises(ToolError, match=part):
        prepared(built_in("run_shell"), tmp_path, command=text)
    with pytest.raises(ToolError, match="No folder is chosen"):
        prepared(built_in("run_shell"), None, command="true")


def test_current_time_knows_zones() -> None:
    assert re.fullmatch(
        r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00 \(\w+day, UTC\)", current_time("UTC")
    )
    assert re.match(r"\d{4}-\d\d-\d\dT", current_time())
    for name in ("Nowhere/Else", "../../etc/passwd", "/etc/passwd", "a\0b", "x" * 5000):
        with pytest.raises(ToolError, match="not a time zone"):
            current_time(name)
