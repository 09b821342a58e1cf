"""The scripts of the archive: they neither write over nor take away what others put there."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

_SCRIPTS = Path(__file__).resolve().parents[2] / "packaging" / "linux"
_NAMES = ("parley", "parley-server", "parley-tools")
_ICON = "share/icons/hicolor/48x48/apps/parley.png"
_DESKTOP = "share/applications/parley.desktop"

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the archive is for Linux")


@pytest.fixture
def unpacked(tmp_path: Path) -> Path:
    """What is in the archive, as small as it can be."""
    folder = tmp_path / "unpacked"
    for name in (*(f"lib/parley/{name}" for name in _NAMES), _ICON):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("ours")
    (folder / _DESKTOP).parent.mkdir(parents=True)
    shutil.copy(_SCRIPTS / "parley.desktop", folder / _DESKTOP)
    for name in ("install.sh", "uninstall.sh"):
        shutil.copy(_SCRIPTS / name, folder)
    # Never root, whoever tests.
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "id").write_text("#!/bin/sh\necho 1000\n")
    (programs / "id").chmod(0o755)
    return folder


def _run(script: Path, home: Path) -> subprocess.CompletedProcess[str]:
    programs = home.parent / "programs"
    variables = {"HOME": str(home), "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    return subprocess.run(
        ["sh", script], env=variables, capture_output=True, check=False, encoding="utf-8"
    )


def _files(home: Path) -> dict[Path, str]:
    return {
        path.relative_to(home): str(path.readlink()) if path.is_symlink() else path.read_text()
        for path in home.rglob("*")
        if path.is_symlink() or path.is_file()
    }


def test_the_archive_installs_updates_and_removes_for_one_user(
    unpacked: Path, tmp_path: Path
) -> None:
    home = tmp_path / "home of one & all"
    local = home / ".local"
    data = local / "share" / "parley" / "store.db"
    data.parent.mkdir(parents=True)
    data.write_text("what was said")
    for _ in range(3):
        assert _run(unpacked / "install.sh", home).returncode == 0
        assert not (local / "lib" / "parley" / "of the version before").exists()
        (local / "lib" / "parley" / "of the version before").touch()
        assert (local / "bin" / "parley").read_text() == "ours"
        desktop = (local / _DESKTOP).read_text(encoding="utf-8")
        assert f'\nExec="{home}/.local/bin/parley"\n' in desktop
        assert f"\nTryExec={home}/.local/bin/parley\n" in desktop
    assert _run(local / "lib" / "parley" / "uninstall.sh", home).returncode == 0
    assert _files(home) == {data.relative_to(home): "what was said"}


@pytest.mark.parametrize(
    "place",
    [
        "bin/parley",
        "bin/parley-tools",
        "lib/parley/a library",
        _DESKTOP,
        _ICON,
        "bin/parley (link)",
    ],
)
def test_what_somebody_else_put_there_is_named_and_nothing_is_changed(
    unpacked: Path, tmp_path: Path, place: str
) -> None:
    home = tmp_path / "home of one & all"
    theirs = home / ".local" / place.removesuffix(" (link)")
    theirs.parent.mkdir(parents=True)
    if place.endswith(" (link)"):
        # It leads nowhere now, and still is somebody's.
        theirs.symlink_to("/opt/parley/bin/parley")
    else:
        theirs.write_text("theirs")
    before = _files(home)

    done = _run(unpacked / "install.sh", home)

    named = theirs.parent if place.startswith("lib") else theirs
    assert done.returncode == 1
    assert done.stderr.startswith(f"{named} is there already and is not of this Parley. Nothing")
    assert _files(home) == before


def test_what_others_put_beside_or_in_place_of_it_stays_when_it_goes(
    unpacked: Path, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    local = home / ".local"
    assert _run(unpacked / "install.sh", home).returncode == 0
    assert _run(unpacked / "install.sh", home).returncode == 0
    (local / "bin" / "parley").unlink()
    theirs = {
        local / "bin" / "parley": "theirs",
        local / "share/icons/hicolor/scalable/apps/parley.svg": "theirs",
    }
    for path, text in theirs.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    assert _run(local / "lib" / "parley" / "uninstall.sh", home).returncode == 0

    assert _files(home) == {path.relative_to(home): text for path, text in theirs.items()}


def test_what_was_cut_off_leaves_a_whole_version_and_is_made_up_for(
    unpacked: Path, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    library = home / ".local" / "lib" / "parley"
    assert _run(unpacked / "install.sh", home).returncode == 0
    installed = _files(home)
    # Between the two moves.
    library.rename(f"{library}.old")
    full = tmp_path / "programs" / "cp"
    full.write_text("#!/bin/sh\nexit 1\n")
    full.chmod(0o755)
    assert _run(unpacked / "install.sh", home).returncode == 1
    assert _files(home) == installed

    full.unlink()
    library.rename(f"{library}.old")
    assert _run(unpacked / "install.sh", home).returncode == 0
    assert _files(home) == installed
