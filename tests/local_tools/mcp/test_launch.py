"""How a server's program is started, as far as it can be told without starting it."""

from pathlib import Path

import pytest

from local_tools.errors import ToolError
from local_tools.mcp.config import LocalProgram, ServerBounds
from local_tools.mcp.launch import plan


@pytest.mark.security(35)
@pytest.mark.parametrize("sign", ['"&calc', "a|b", "<x", ">x", "^", "%PATH%", "!x!", "a\nb", '"'])
@pytest.mark.parametrize("name", ["npx.cmd", "RUN.BAT"])
def test_a_script_of_windows_is_given_nothing_that_its_shell_would_obey_not_run_there(
    tmp_path: Path, name: str, sign: str
) -> None:
    """Tried here on a file of that name; on Windows itself it was not run."""
    script = tmp_path / name
    script.write_text("")
    script.chmod(0o700)

    with pytest.raises(ToolError, match="signs of a shell"):
        plan(LocalProgram(str(script), ("-y", sign)), ServerBounds(), {"PATH": "/usr/bin"})
    harmless = plan(LocalProgram(str(script), ("-y", "a b")), ServerBounds(), {"PATH": "/usr/bin"})
    assert harmless.argv == (str(script), "-y", "a b")
