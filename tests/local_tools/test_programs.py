"""Which program a command would run: shown, part of what is decided, and the one that runs."""

import hashlib
from pathlib import Path

import pytest

from local_tools.command_lines import refuse_script_of_windows
from local_tools.errors import ToolError
from local_tools.execution.facts import ownership_of
from local_tools.execution.worker import Job, run_job
from local_tools.registry import ToolRegistry
from local_tools.tool import Fact, FactKind
from tests.support.tool_calls import built_in, prepared

_OPEN_TO_OTHERS = "other users of this computer may change this program"


@pytest.mark.security(36)
def test_whose_a_program_is_and_which_one_is_shown_and_part_of_what_is_decided(
    tmp_path: Path,
) -> None:
    program = _program(tmp_path / "mine")
    tmp_path.chmod(0o755)
    owner, sha256 = program.owner(), hashlib.sha256(b"#!/bin/sh\n").hexdigest()
    before = prepared(built_in("run_command"), tmp_path, argv=["./mine"])
    assert Fact("Program file", f"{owner}, SHA-256 {sha256[:16]}…") in before.facts
    assert Fact("File", _OPEN_TO_OTHERS, FactKind.REMARK) not in before.facts

    program.chmod(0o757)
    after = prepared(built_in("run_command"), tmp_path, argv=["./mine"])
    assert Fact("File", _OPEN_TO_OTHERS, FactKind.REMARK) in after.facts
    assert after.sha256 != before.sha256


@pytest.mark.security(36)
def test_a_program_that_changed_since_it_was_shown_is_refused(tmp_path: Path) -> None:
    program = _program(tmp_path / "mine", "#!/bin/sh\necho ok\n")
    call = prepared(built_in("run_command"), tmp_path, argv=["./mine"])
    program.write_text("#!/bin/sh\necho no\n")
    result, _ = run_job(Job(ToolRegistry.built_in(), call.order, outgoing=-1))
    assert result.status == "failed"
    assert result.text.startswith(f"Error: {program} changed since it was shown")


@pytest.mark.security(36)
def test_a_program_in_a_folder_where_anybody_writes_may_be_changed_by_others(
    tmp_path: Path,
) -> None:
    program = _program(tmp_path / "mine")
    for mode, is_open in ((0o777, True), (0o1777, False), (0o755, False)):
        tmp_path.chmod(mode)
        assert ownership_of(str(program)).is_open_to_others is is_open, oct(mode)


@pytest.mark.security(35)
def test_a_script_of_windows_gets_no_signs_of_a_shell_from_a_command_not_run_there(
    tmp_path: Path,
) -> None:
    """Tried here on a file of that name; on Windows itself it was not run."""
    for name in ("run.cmd", "RUN.BAT"):
        _program(tmp_path / name)
        for sign in (*'&|<>^%!"', "\n", "\r"):
            with pytest.raises(ToolError, match="signs of a shell"):
                prepared(built_in("run_command"), tmp_path, argv=[f"./{name}", f"a{sign}calc"])
        harmless = prepared(built_in("run_command"), tmp_path, argv=[f"./{name}", "a b"])
        assert harmless.order.commands[0].argv[1:] == ("a b",)
    with pytest.raises(ToolError, match="signs of a shell"):
        refuse_script_of_windows("C:\\run.bat. ", ["&"])


def _program(path: Path, text: str = "#!/bin/sh\n") -> Path:
    path.write_text(text)
    path.chmod(0o755)
    return path
