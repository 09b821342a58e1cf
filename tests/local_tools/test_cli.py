"""`parley-tools` as an author of tools uses it."""

import json
import os
import re
import stat
import subprocess
import sys
from contextlib import closing
from importlib.metadata import version
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from local_tools.cli import application
from local_tools.execution.tool_runner import ToolRunner
from local_tools.ledger.ledger_file import LedgerFile
from local_tools.ledger.steps import CallKey, Step
from local_tools.registry import ToolRegistry
from local_tools.sandbox.types import Program
from tests.support.help_texts import check_help_texts
from tests.support.tool_calls import built_in, prepared

CHECKOUT = Path(__file__).parents[2]


def command(*arguments: str) -> Result:
    return CliRunner().invoke(application, list(arguments))


def test_list_names_every_tool() -> None:
    result = command("list")
    assert result.exit_code == 0
    names = [line.split()[0] for line in result.stdout.splitlines()]
    assert names == [item.name for item in ToolRegistry.built_in().definitions()]


def test_version_is_reported() -> None:
    result = command("--version")
    assert (result.exit_code, result.stdout) == (0, f"parley-tools {version('parley')}\n")


def test_describe_shows_schema_effects_and_digest() -> None:
    result = command("describe", "read_file")
    known = json.loads(result.stdout)
    definition = built_in("read_file").definition
    assert known["digest"] == definition.digest
    assert known["input_schema"] == definition.wire_schema()
    assert known["read_only"] is True
    assert (known["runs_in"], known["needs_network"]) == ("worker", False)
    assert (known["is_grantable"], known["is_undoable"]) == (True, False)


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


def test_output_contains_no_terminal_escapes(tmp_path: Path) -> None:
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
        (["run", "nope", "{}"], "calculate, convert_units, current_time"),
        (["describe", "nope"], "There is no tool “nope”"),
        (["run", "read_file", "{"], "not valid JSON"),
        (["run", "read_file", "{}"], "“path” is missing."),
        (["run", "read_file", '{"path": "a"}'], "name it with --root"),
        (["run", "read_file", '{"path": "/a/../b"}'], "“..”"),
    ],
)
def test_a_call_that_is_refused_is_exit_code_2(arguments: list[str], part: str) -> None:
    result = command(*arguments)
    assert result.exit_code == 2
    assert part in result.stderr
    assert result.stdout == ""


@pytest.mark.anyio
async def test_the_script_of_the_frozen_executable_runs_an_order(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("text")
    boot = "import runpy, sys; sys.path[:0] = sys.argv[1:3]; del sys.argv[1:3]; "
    boot += "runpy.run_path(sys.argv.pop(1))"
    script = CHECKOUT / "packaging" / "freeze" / "programs" / "parley_tools.py"
    folders = (str(CHECKOUT), str(script.parent))
    argv = (sys.executable, "-I", "-c", boot, *folders, str(script), "worker")
    runner = ToolRunner(Program(argv))
    outcome = await runner.run(prepared(built_in("read_file"), tmp_path, path="a"))
    assert (outcome.status, outcome.text) == ("ok", "text")


def test_tool_that_needs_the_window_is_refused_with_a_sentence() -> None:
    result = command("run", "read_clipboard", "{}")
    assert result.exit_code == 1
    assert result.stdout == "Error: The clipboard needs Parley's window, so nothing was done.\n"


def test_notes_are_taken_in_the_file_that_is_named(tmp_path: Path) -> None:
    given = '{"text": "Remember."}'
    assert "No notes file is chosen yet" in command("run", "take_note", given).stderr
    place = tmp_path / "notes.md"
    assert command("run", "take_note", given, "--notes", str(place)).exit_code == 0
    assert place.read_text() == "Remember.\n"


def test_a_file_is_put_into_the_trash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (tmp_path / "a").write_text("text")
    result = command("run", "delete_file", '{"path": "a"}', "--root", str(tmp_path))
    assert result.exit_code == 0
    assert (tmp_path / "data" / "Trash" / "files" / "a").read_text() == "text"


def _record(path: Path) -> None:
    """Write a record of one call, denied with a reason."""
    key = CallKey("home", "chat-1", "call-1")
    with closing(LedgerFile(path)) as file:
        for step, details, text in (
            (Step.ASKED, "{}", '{"path":"a"}'),
            (Step.DECIDED, '{"decided_by":"user","decision":"denied"}', "not this one"),
            (Step.RELEASED, "{}", "The user declined."),
        ):
            what = ("read_file", "digest")
            file.append(key, step, "2030-01-01T12:00:00", details=details, text=text, what=what)


def test_the_record_of_calls_is_verified_shown_and_exported(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    _record(path)
    place = ("--file", str(path))
    whole = command("ledger", "verify", *place)
    assert (whole.exit_code, whole.stdout) == (0, "All 3 entries are as they were written.\n")
    lines = command("ledger", "show", *place, "--last", "2").stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["2", "3"]
    assert lines[0].endswith("decided       denied")
    assert "not this one" not in "".join(lines)
    rows = [json.loads(line) for line in command("ledger", "export", *place).stdout.splitlines()]
    assert [row["step"] for row in rows] == ["asked", "decided", "released"]
    assert (rows[1]["text"], rows[1]["decision"], rows[1]["is_erased"]) == (
        "not this one", "denied", False,
    )  # fmt: skip
    to = tmp_path / "calls.jsonl"
    assert command("ledger", "export", *place, "--to", str(to)).stdout == ""
    assert [json.loads(line) for line in to.read_text().splitlines()] == rows
    if os.name == "posix":
        assert to.stat().st_mode & 0o077 == 0
    again = command("ledger", "export", *place, "--to", str(to))
    assert (again.exit_code, again.stderr) == (2, f"Error: {to} is there already.\n")


def test_one_flipped_byte_in_the_record_is_found(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    _record(path)
    data = bytearray(path.read_bytes())
    data[data.index(b"not this one")] ^= 1
    path.write_bytes(data)
    result = command("ledger", "verify", "--file", str(path))
    assert (result.exit_code, result.stdout) == (1, "Entry 2 is not what was written.\n")


def test_a_record_that_is_not_there_is_reported_and_not_made(tmp_path: Path) -> None:
    for name in ("verify", "show", "export"):
        result = command("ledger", name, "--file", str(tmp_path / "no.db"))
        assert result.exit_code == 2
        assert "There is no record of tool calls at" in result.stderr
    (tmp_path / "other.db").write_text("no database at all" * 100)
    assert (
        "cannot be used" in command("ledger", "verify", "--file", str(tmp_path / "other.db")).stderr
    )
    assert not (tmp_path / "no.db").exists()


def test_help_is_words_for_people() -> None:
    """Our choice: plain text, and no names of types."""
    check_help_texts(application)


def test_the_worker_command_is_not_advertised() -> None:
    commands = re.findall(r"^\W*(\w+)", command("--help").stdout, re.MULTILINE)
    assert "list" in commands
    assert "worker" not in commands


@pytest.mark.security(101)
@pytest.mark.skipif(sys.platform == "win32", reason="there is no umask on Windows")
def test_own_files_are_private_and_those_of_tools_have_the_modes_of_the_user(
    tmp_path: Path,
) -> None:
    script = """
import atexit, os
from local_tools.cli import main
atexit.register(lambda: print("umask", oct(os.umask(0))))
main()
"""
    call = ("run", "run_shell", '{"command": "touch made"}', "--root", str(tmp_path))
    done = subprocess.run(
        [sys.executable, "-c", script, *call],
        check=True,
        capture_output=True,
        text=True,
        cwd=CHECKOUT,
        umask=0o002,
        timeout=60,
    )
    assert done.stdout.splitlines()[-1] == "umask 0o77"
    assert stat.S_IMODE((tmp_path / "made").stat().st_mode) == 0o664
