"""Commands in a sandbox: what is run is what was shown, and what comes back is bounded."""

import json
import sys
from pathlib import Path

import pytest

from local_tools.errors import ToolError
from local_tools.outcome import ToolOutcome
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
from local_tools.tool import CommandLine
def grown():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
before = grown()
found = []
for argv in ARGVS:
    try:
        done = run_command(CommandLine(tuple(argv)))
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
