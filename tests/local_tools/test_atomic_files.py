"""Files that are replaced whole or not at all."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from local_tools.recovery.files import write_atomically

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="modes and links of POSIX")


def test_file_that_others_could_read_is_private_once_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("before", encoding="utf-8")
    path.chmod(0o644)

    write_atomically(path, "ä\n")

    assert path.read_bytes() == "ä\n".encode()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [item.name for item in tmp_path.iterdir()] == ["settings.toml"]


def test_target_of_a_link_is_not_written(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("before", encoding="utf-8")
    path = tmp_path / "settings.toml"
    path.symlink_to(tmp_path / "elsewhere")

    write_atomically(path, "after")

    assert (tmp_path / "elsewhere").read_text(encoding="utf-8") == "before"
    assert (path.is_symlink(), path.read_text(encoding="utf-8")) == (False, "after")


def test_write_that_finds_no_room_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("before", encoding="utf-8")
    script = (
        "import pathlib, resource, signal, sys\n"
        "from local_tools.recovery.files import write_atomically\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "try:\n"
        "    write_atomically(pathlib.Path(sys.argv[1]), 'x' * 5000)\n"
        "except OSError:\n"
        "    sys.exit(7)\n"
    )

    ended = subprocess.run([sys.executable, "-c", script, str(path)], check=False, timeout=20)

    assert ended.returncode == 7
    assert path.read_text(encoding="utf-8") == "before"
    assert [item.name for item in tmp_path.iterdir()] == ["settings.toml"]


def test_folder_is_on_the_disk_once_the_new_file_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, sync, synced = tmp_path / "settings.toml", os.fsync, list[tuple[bool, bool]]()

    def fsync(descriptor: int) -> None:
        is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        synced.append((is_folder, path.exists()))
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    write_atomically(path, "after")

    assert synced == [(False, False), (True, True)]
