"""How a server's program is started, as far as it can be told without starting it."""

import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from local_tools.errors import ToolError
from local_tools.mcp.config import LocalProgram, ServerBounds
from local_tools.mcp.launch import plan
from local_tools.sandbox.bubblewrap import Bubblewrap
from local_tools.sandbox.protected_paths import protected_paths
from tests.support.confined import needs_bubblewrap


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


@pytest.mark.security(35)
def test_npx_of_windows_is_started_without_its_script_not_run_there(tmp_path: Path) -> None:
    """Tried here on files of these names; on Windows itself it was not run."""
    cli = tmp_path / "node_modules" / "npm" / "bin" / "npx-cli.js"
    cli.parent.mkdir(parents=True)
    for path in (tmp_path / "npx.cmd", tmp_path / "node.exe", cli):
        path.write_text("")
        path.chmod(0o700)
    program = LocalProgram(str(tmp_path / "npx.cmd"), ("-y", "server@^1.0"))
    launch = plan(program, ServerBounds(), {"PATH": "/usr/bin"})

    assert launch.argv == (str(tmp_path / "node.exe"), str(cli), "-y", "server@^1.0")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Make a home with a program behind links: of its folder, a file, a project; some relative."""
    home = tmp_path / "home"
    (home / "envs" / "x" / "bin").mkdir(parents=True)
    (home / "envs" / "x" / "bin" / "python").symlink_to(os.path.realpath(sys.executable))
    (home / "project").mkdir()
    (home / "project" / ".venv").symlink_to(home / "envs" / "x")
    (home / "project" / "server.py").write_text("print('ran')")
    (home / "linked").symlink_to("project")
    (home / "tools").mkdir()
    (home / "tools" / "py").symlink_to("../project/.venv/bin/python")
    return home


@needs_bubblewrap
@pytest.mark.parametrize(
    ("program", "script"),
    [
        ("project/.venv/bin/python", "project/server.py"),
        ("linked/.venv/bin/python", "linked/server.py"),
        ("tools/py", "linked/server.py"),
    ],
)
def test_a_program_behind_links_is_found_in_the_sandbox(
    home: Path, program: str, script: str
) -> None:
    place = LocalProgram(str(home / program), ("-I", str(home / script)))
    assert _started(home, place, ServerBounds()) == ("ran\n", "")


def _started(home: Path, place: LocalProgram, bounds: ServerBounds) -> tuple[str, str]:
    """Return what a program prints that is started as a server."""
    launch = plan(place, bounds, {"PATH": "/usr/bin", "HOME": str(home)})
    with ExitStack() as held:
        sandbox = Bubblewrap(protected_paths(home), home)
        start = sandbox.start(launch.program(counts_processes=True), launch.terms, held)
        done = subprocess.run(
            start.argv,
            pass_fds=start.descriptors,
            env=dict(launch.environment),
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
    return done.stdout, done.stderr


@needs_bubblewrap
@pytest.mark.parametrize("name", ["notes.db", "sub/notes.db", "linked/notes.db"])
@pytest.mark.parametrize("script", ["project/server.py", "data/server.py", "data/sub/server.py"])
def test_a_file_in_the_folder_that_a_server_may_write_can_be_its_argument(
    home: Path, name: str, script: str
) -> None:
    data = home / "data"
    (data / "sub").mkdir(parents=True)
    (data / "linked").symlink_to("sub")
    (data / name).write_text("")
    (home / script).write_text(
        "import sys\nopen(sys.argv[1], 'a').write('kept')\nprint('ran')\n"
        "try:\n    open(__file__, 'a').write('x')\nexcept OSError as e:\n    print(e.errno)\n"
    )
    place = LocalProgram(sys.executable, ("-I", str(home / script), str(data / name)))
    bounds = ServerBounds(folder=str(data), may_write=True)
    assert _started(home, place, bounds) == ("ran\n30\n", "")
    assert (data / name).read_text() == "kept"
