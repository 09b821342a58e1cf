"""`parley-tools` as an author of tools uses it."""

import json
import re
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from local_tools.cli import application
from local_tools.registry import ToolRegistry
from local_tools.runner import ToolRunner
from local_tools.sandbox.state import Program
from tests.support.tool_calls import built_in, prepared

CHECKOUT = Path(__file__).parents[2]


def command(*arguments: str) -> Result:
    return CliRunner().invoke(application, list(arguments))


def test_list_names_every_tool() -> None:
    result = command("list")
    assert result.exit_code == 0
    names = [line.split()[0] for line in result.stdout.splitlines()]
    assert names == [item.name for item in ToolRegistry.built_in().definitions()]


def test_describe_shows_schema_effects_and_digest() -> None:
    result = command("describe", "read_file")
    known = json.loads(result.stdout)
    definition = built_in("read_file").definition
    assert known["digest"] == definition.digest
    assert known["input_schema"] == definition.wire_schema()
    assert known["read_only"] is True


def test_run_shows_the_facts_and_prints_the_result(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("text")
    result = command("run", "read_file", '{"path": "a"}', "--root", str(tmp_path))
    assert result.exit_code == 0
    assert result.stdout == "text\n"
    assert f"Path  {tmp_path / 'a'}" in result.stderr


def test_run_shows_the_change_before_it_is_made(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old\n")
    result = command(
        "run", "write_file", '{"path": "a", "content": "new\\n"}', "--root", str(tmp_path)
    )
    assert "@@ line 1 @@\n-old\n+new\n" in result.stderr
    assert (tmp_path / "a").read_text() == "new\n"


def test_what_is_shown_cannot_steer_a_terminal(tmp_path: Path) -> None:
    hostile = "a\x1b[2J\u202e\nTool  read_file"
    given = json.dumps({"path": f"{hostile}", "content": "x\x1b]52;c;eA==\x07\n"})
    result = command("run", "write_file", given, "--root", str(tmp_path))
    assert result.exit_code == 0
    assert "a‹U+001B›[2J‹U+202E›‹U+000A›Tool  read_file" in result.stderr
    assert "+x‹U+001B›]52;c;eA==‹U+0007›" in result.stderr
    assert not {"\x1b", "\x07", "\u202e"} & set(result.stderr)


def test_an_absolute_path_given_by_hand_needs_no_root(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("text")
    assert command("run", "read_file", json.dumps({"path": str(tmp_path / "a")})).stdout == "text\n"


def test_a_tool_that_fails_is_exit_code_1(tmp_path: Path) -> None:
    result = command("run", "read_file", '{"path": "gone"}', "--root", str(tmp_path))
    assert result.exit_code == 1
    assert result.stdout == f"Error: There is nothing at {tmp_path / 'gone'}.\n"


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["run", "nope", "{}"], "There is no tool “nope”. There are: calculate"),
        (["describe", "nope"], "There is no tool “nope”"),
        (["run", "read_file", "{"], "not valid JSON"),
        (["run", "read_file", "{}"], "“path” is missing."),
        (["run", "read_file", '{"path": "a"}'], "No folder is chosen"),
        (["run", "read_file", '{"path": "/a/../b"}'], "“..”"),
    ],
)
def test_a_call_that_is_refused_is_exit_code_2(arguments: list[str], part: str) -> None:
    result = command(*arguments)
    assert result.exit_code == 2
    assert part in result.stderr
    assert result.stdout == ""


@pytest.mark.anyio
async def test_the_worker_command_runs_an_order(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("text")
    boot = (
        "import sys; sys.path.insert(0, sys.argv.pop(1)); from local_tools.cli import main; main()"
    )
    runner = ToolRunner(Program((sys.executable, "-I", "-c", boot, str(CHECKOUT), "worker")))
    outcome = await runner.run(prepared(built_in("read_file"), tmp_path, path="a"))
    assert (outcome.status, outcome.text) == ("ok", "text")


def test_the_worker_command_is_not_advertised() -> None:
    commands = re.findall(r"^\W*(\w+)", command("--help").stdout, re.MULTILINE)
    assert "list" in commands
    assert "worker" not in commands
