"""Commands in a sandbox: what is run is what was shown, and what comes back is bounded."""

import json
import os
import stat
import sys
from pathlib import Path

import pytest

from local_tools.command_lines import is_read_only_command
from local_tools.context import Desktop
from local_tools.errors import ToolError
from local_tools.execution.call_runner import CallRunner, HostActions
from local_tools.execution.outputs import OutputFiles
from local_tools.ledger.steps import CallKey
from local_tools.limits import SHOWN_LIMIT_BYTES, cut_notice
from local_tools.outcome import ToolOutcome
from local_tools.registry import ToolRegistry
from local_tools.undo.undo import UndoStore
from tests.support.confined import changing, confined_runner, needs_bubblewrap
from tests.support.tool_calls import built_in, prepared

pytestmark = [pytest.mark.anyio, needs_bubblewrap]

ODD_ARGUMENTS = [
    *("", " ", "a b", "  ", "\t", "\n", "\r", "a\nb", "'", '"', "\\", "`id`", "$(id)", "${HOME}"),
    *("$HOME", "~", "~root", "*", "?", "[a]", "{a,b}", "&& id", "; id", "| id", "|| id", "& id"),
    *("> out", ">> out", "< in", "<(id)", ">(id)", "2>&1", "#", "!", "!!", "^", "%PATH%", "=ls"),
    *(
        "-n",
        "--",
        "-",
        "--help",
        "a=b",
        "\x1b[31m",
        "\x7f",
        "😀",
        "ä",
        "\u202e",
        "\u00a0",
        "\ufeff",
    ),
]


async def _run(folder: Path, *argv: str) -> ToolOutcome:
    call = prepared(built_in("run_command"), folder, argv=list(argv))
    return await confined_runner("bubblewrap", folder.parent / "home").run(call)


def _names(folder: Path) -> list[str]:
    return [item.name for item in folder.iterdir()]


@pytest.mark.security(34)
async def test_every_argument_arrives_as_it_was_shown(tmp_path: Path) -> None:
    assert len(ODD_ARGUMENTS) == 50
    tell = "import json, sys; print(json.dumps(sys.argv[1:]))"
    outcome = await _run(tmp_path, sys.executable, "-c", tell, *ODD_ARGUMENTS)
    assert json.loads(outcome.text.removeprefix("Exit code 0.\n\n")) == ODD_ARGUMENTS
    assert _names(tmp_path) == []


async def test_a_command_that_only_reads_sees_the_folder_as_it_is_and_cannot_change_it(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    assert (await _run(folder, "ls", "-A")).text == "Exit code 0. No output."
    # One that might write finds its folder held.
    assert ".mcp.json" in (await _run(folder, "find", ".")).text


@pytest.mark.parametrize(
    ("command", "reads"),
    [
        ("/usr/bin/git status --short", True),
        ("/usr/bin/git diff --output=x", False),
        ("/usr/bin/git grep -Oevil x", False),
        ("/usr/bin/git -c core.pager=evil log", False),
        ("/usr/bin/git", False),
        ("/usr/bin/git commit", False),
        ("/usr/bin/cat a", True),
        ("/usr/bin/python3 status", False),
    ],
)
def test_only_commands_that_are_known_to_read_count_as_such(command: str, *, reads: bool) -> None:
    assert is_read_only_command(command.split()) is reads


@pytest.mark.security(36)
async def test_a_program_planted_in_the_folder_is_not_the_one_that_runs(tmp_path: Path) -> None:
    planted = tmp_path / "ls"
    planted.write_text("#!/bin/sh\necho planted\n")
    planted.chmod(0o755)
    found = await _run(tmp_path, "ls")
    searched = await _run(tmp_path, "env", "ls")
    assert found.text == searched.text == "Exit code 0.\n\nls\n"


@pytest.mark.security(36)
def test_no_command_runs_in_the_topmost_folder(tmp_path: Path) -> None:
    way_there = tmp_path / "link"
    way_there.symlink_to("/")
    for folder in (Path("/"), way_there):
        with pytest.raises(ToolError, match="topmost"):
            prepared(built_in("run_command"), folder, argv=["ls"])


FLOOD = """
import json, resource, sys
from local_tools.builtin.shell import run_command
from local_tools.errors import ToolError
from local_tools.tool import CommandLine, ToolContext
context = ToolContext(lambda progress: None)
def grown():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
before = grown()
found = []
for argv in ARGVS:
    try:
        done = run_command(CommandLine(tuple(argv)), context)
        found.append([len(done.text), done.cut_bytes])
    except ToolError as exc:
        found.append([len(str(exc)), str(exc).partition("\\n")[0]])
found.append(grown() - before)
"""


@pytest.mark.security(42)
async def test_a_flood_of_output_is_bounded_and_says_how_much_is_missing(tmp_path: Path) -> None:
    line = "import sys\nfor _ in range(1024): sys.stdout.write('x' * 2**20)"
    argvs = [
        ["/usr/bin/head", "-c", "20000000", "/dev/urandom"],
        ["/usr/bin/yes"],
        [sys.executable, "-S", "-c", line],
    ]
    script = f"ARGVS = {argvs!r}\n{FLOOD}"
    noise, endless, one_line, grown_mb = await changing(
        confined_runner("bubblewrap", tmp_path / "home"), tmp_path, script
    )
    limit = 256 * 1024
    assert noise[0] <= 2 * limit
    assert 20_000_000 - limit <= noise[1] < 20_000_000
    stopped = "The command wrote more than 67,108,864 bytes and was stopped."
    assert (endless[1], one_line[1]) == (stopped, stopped)
    assert max(endless[0], one_line[0]) <= limit
    assert grown_mb <= 50


@pytest.mark.security(42)
async def test_all_of_a_long_output_is_kept_in_a_file_and_none_of_a_short_one(
    tmp_path: Path,
) -> None:
    undo = UndoStore(tmp_path / "kept")
    outputs = OutputFiles(tmp_path / "kept")
    workers = confined_runner("bubblewrap", tmp_path / "home", tmp_path / "kept")
    host = HostActions(ToolRegistry.built_in(), Desktop())
    runner = CallRunner(workers, host, undo, outputs)
    folder = tmp_path / "folder"
    folder.mkdir()
    long, short = CallKey("p", "c", "long"), CallKey("p", "c", "short")

    for key, count in ((long, "100000"), (short, "3")):
        call = prepared(built_in("run_command"), folder, argv=["seq", count])
        assert (await runner.run(key, call)).status == "ok"

    file = outputs.find(long)
    assert file is not None
    assert file.read_text().split() == [str(number) for number in range(1, 100001)]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert outputs.find(short) is None
    undo.erase("p", "c")
    assert outputs.find(long) is None
    assert _names(tmp_path / "kept") == []


def test_oldest_outputs_are_deleted_for_new_ones(tmp_path: Path) -> None:
    outputs = OutputFiles(tmp_path, kept_limit_bytes=10)
    keys = [CallKey("p", "c", name) for name in ("first", "second", "third")]
    for age, key in enumerate(keys):
        with outputs.opened(key) as descriptor:
            assert descriptor is not None
            os.write(descriptor, b"12345678")
            os.utime(descriptor, (age, age))
    assert [outputs.find(key) is not None for key in keys] == [False, True, True]


def test_a_long_output_is_read_with_its_middle_left_out(tmp_path: Path) -> None:
    outputs, key = OutputFiles(tmp_path), CallKey("p", "c", "long")
    data = "".join(f"line {number}\n" for number in range(60_000)).encode()
    with outputs.opened(key) as descriptor:
        assert descriptor is not None
        os.write(descriptor, data)

    found = outputs.read(key)

    assert found is not None
    assert found.cut_bytes == len(data) - SHOWN_LIMIT_BYTES
    assert found.text.startswith("line 0\n")
    assert cut_notice(found.cut_bytes) in found.text
    assert found.text.endswith("line 59999\n")
    assert outputs.read(CallKey("p", "c", "none")) is None
