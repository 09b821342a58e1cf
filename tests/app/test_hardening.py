"""What other programs of the same user can find out about ours, and the modes of what we make."""

import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from local_tools.execution.tool_runner import ToolRunner
from tests.support.processes import service_of
from tests.support.required_programs import needs, problem_with
from tests.support.tool_calls import built_in, prepared
from tests.support.window import has_chosen_offline

_ROOT = Path(__file__).parents[2]
_CANARY = "canary-5b0e7a"
# Root reads everything; without its rights, its processes are to each other as any user's are.
_WITHOUT_RIGHTS = ("setpriv", "--bounding-set=-all", "--inh-caps=-all")
_AS_USER = _WITHOUT_RIGHTS if sys.platform == "linux" and os.geteuid() == 0 else ()
_READS = """
import sys
for path in sys.argv[1:]:
    try:
        with open(path, "rb") as file:
            # Of the memory, whether it can be opened says it all.
            print(file.read(100_000 if path.endswith("environ") else 0))
    except OSError as error:
        print(type(error).__name__)
"""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="not run here: there is no /proc")
needs_setpriv = needs(problem_with((*_AS_USER, shutil.which("true") or "true"), ()))


@contextmanager
def _program(folder: Path) -> Iterator[tuple[psutil.Process, psutil.Process]]:
    """Yield the program and its service, started as the user starts it, from any umask."""
    paths = has_chosen_offline(folder)
    command = [*_AS_USER, sys.executable, "-m", "app.main", "--data", str(folder)]
    variables = {**os.environ, "A_SERVICE_KEY": _CANARY, "QT_QPA_PLATFORM": "offscreen"}
    with subprocess.Popen(command, cwd=_ROOT, env=variables, umask=0) as program:
        try:
            service = service_of(program)
            # It opens its store once it has been told the keys.
            while program.poll() is None and not list(paths.service_data.glob("*.sqlite3")):
                time.sleep(0.02)
            yield psutil.Process(program.pid), service
        finally:
            program.send_signal(signal.SIGTERM)
            program.wait(30)


def _read_by_another(*paths: str) -> list[str]:
    argv = [*_AS_USER, sys.executable, "-c", _READS, *paths]
    done = subprocess.run(argv, check=True, capture_output=True, text=True, timeout=30)
    return done.stdout.splitlines()


@needs_setpriv
@pytest.mark.security(95, 39, 101)
def test_no_other_program_of_the_user_reads_the_memory_or_the_variables(tmp_path: Path) -> None:
    with _program(tmp_path / "data") as processes:
        for process in processes:
            paths = (f"/proc/{process.pid}/environ", f"/proc/{process.pid}/mem")
            assert _read_by_another(*paths) == ["PermissionError"] * 2
            assert process.rlimit(psutil.RLIMIT_CORE)[0] == 0
        _, service = processes
        # Of what the window was started with, the service is given only what is meant for it.
        assert _CANARY not in service.environ().values()
    found = [*(tmp_path / "data").rglob("*")]
    assert len(found) > 8
    open_to_others = [item for item in found if item.lstat().st_mode & 0o077 and item.is_file()]
    assert not open_to_others
    assert not [item for item in found if item.is_file() and _CANARY.encode() in item.read_bytes()]


@needs_setpriv
def test_another_program_of_the_user_reads_a_process_that_is_not_closed() -> None:
    command = [*_AS_USER, "sleep", "60"]
    with subprocess.Popen(command, env={**os.environ, "A_SERVICE_KEY": _CANARY}) as process:
        try:
            (said,) = _read_by_another(f"/proc/{process.pid}/environ")
        finally:
            process.kill()
    assert _CANARY in said


@pytest.mark.security(101)
def test_programs_opened_by_the_desktop_get_the_umask_of_the_user() -> None:
    script = """
import os
from app.platform.hardening import given_umask, harden, umask_as_given
harden()
def now():
    found = os.umask(0); os.umask(found); return found
with umask_as_given():
    inside = now()
print(inside, now(), given_umask())
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        check=True,
        capture_output=True,
        text=True,
        cwd=_ROOT,
        umask=0o027,
        timeout=30,
    )
    assert done.stdout.split() == [str(number) for number in (0o027, 0o077, 0o027)]


@pytest.mark.anyio
@pytest.mark.security(101)
async def test_files_made_by_a_tool_follow_the_umask_of_the_user(
    tmp_path: Path,
) -> None:
    runner = ToolRunner(umask=0o002)
    before = os.umask(0o077)
    try:
        await runner.run(prepared(built_in("run_shell"), tmp_path, command="touch a; mkdir b"))
        await runner.run(prepared(built_in("write_file"), tmp_path, path="c", content="c"))
    finally:
        os.umask(before)
    modes = {name: stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("a", "b", "c")}
    assert modes == {"a": 0o664, "b": 0o775, "c": 0o644}
