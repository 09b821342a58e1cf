"""A data folder is one service's: a second one is refused, until the first has ended."""

import os
import stat
import subprocess
import sys
import threading
from contextlib import ExitStack
from pathlib import Path

import pytest

from local_server.store.opening import FolderInUseError, locked_folder
from tests.support.service import launch_line, listening_socket, running_child

_KEY = "pk_live_" + "k" * 40


def test_folder_is_held_by_one_and_free_once_that_ends(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "data"
    with locked_folder(folder):
        with pytest.raises(FolderInUseError) as refused, locked_folder(folder):
            pass
        [file] = folder.iterdir()
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert str(refused.value) == f"{folder} is in use by another service (process {os.getpid()})."
    with locked_folder(folder):
        pass


def test_service_that_is_just_ending_is_waited_for(tmp_path: Path) -> None:
    with ExitStack() as first:
        first.enter_context(locked_folder(tmp_path))
        ending = threading.Timer(0.05, first.close)
        ending.start()
        with locked_folder(tmp_path, wait_s=20):
            ending.join(20)


def test_child_is_refused_a_folder_in_use_and_gets_that_of_a_killed_one(tmp_path: Path) -> None:
    bound = listening_socket()
    command = (sys.executable, "-m", "local_server.cli", "serve", "--child")
    with running_child(tmp_path) as first:
        done = subprocess.run(
            (*command, "--data-dir", str(tmp_path), "--fd", str(bound.fileno())),
            input=launch_line(_KEY, "s" * 40),
            capture_output=True,
            text=True,
            check=False,
            timeout=20,
            pass_fds=(bound.fileno(),),
        )
        pid = first.process.pid
        first.process.kill()
        first.process.wait(20)
    bound.close()
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.strip() == f"{tmp_path} is in use by another service (process {pid})."
    with running_child(tmp_path) as second:
        assert second.process.pid != pid


def test_faulty_agent_files_are_reported_at_start(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "broken.md").write_text("---\nname: [\n---\n", encoding="utf-8")
    with running_child(tmp_path):
        pass
    assert "broken.md:2: this is not YAML" in capfd.readouterr().err
