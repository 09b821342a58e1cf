"""The scripts of the archive: they neither write over nor take away what others put there."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

_SCRIPTS = Path(__file__).resolve().parents[2] / "packaging" / "linux"
_NAMES = ("parley", "parley-server", "parley-tools")
_ICON = "share/icons/hicolor/48x48/apps/parley.png"
_DESKTOP = "share/applications/parley.desktop"
_MANUAL = "share/man/man1/parley.1.gz"
# Each file needs one that is missing for all, one for it alone, and one that is there.
_LOADER = """\
#!/bin/sh
for file in "$@"; do
    printf '%s:\\n\\tlibGL.so.1 => not found\\n\\tlibz.so.1 => /lib/libz.so.1 (0x7f)\\n' "$file"
    printf '\\tlibof-%s => not found\\n' "${file##*/}"
done
exit 1
"""

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the archive is for Linux")


@pytest.fixture
def unpacked(tmp_path: Path) -> Path:
    """Return what is in the archive, as small as it can be."""
    folder = tmp_path / "unpacked"
    for name in (*(f"lib/parley/{name}" for name in _NAMES), _ICON, _MANUAL):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("ours")
    for name in _NAMES[1:]:
        (folder / _MANUAL).with_name(f"{name}.1.gz").symlink_to("parley.1.gz")
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


def _run(
    script: Path, home: Path, *more: str, arguments: Sequence[str] = ()
) -> subprocess.CompletedProcess[str]:
    programs = home.parent / "programs"
    path = os.pathsep.join((str(programs), os.environ["PATH"], *more))
    variables = {"HOME": str(home), "PATH": path}
    argv = ["sh", str(script), *arguments]
    return subprocess.run(argv, env=variables, capture_output=True, check=False, encoding="utf-8")


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
        for name in _NAMES:
            assert (local / _MANUAL).with_name(f"{name}.1.gz").read_text() == "ours"
    done = _run(local / "lib" / "parley" / "uninstall.sh", home)
    assert done.returncode == 0
    for folder in (".local/share", ".config", ".local/state"):
        assert f"\n  {home}/{folder}/parley\n" in done.stdout
    assert _files(home) == {data.relative_to(home): "what was said"}
    # Not a folder is left that was made for it.
    assert sorted(home.rglob("*")) == [local, data.parents[1], data.parent, data]

    again = _run(unpacked / "uninstall.sh", home)
    assert again.returncode == 1
    assert again.stderr == f"Parley is not installed in {local}. Nothing was changed.\n"
    assert again.stdout == ""


@pytest.mark.parametrize("name", ["install.sh", "uninstall.sh"])
def test_who_asks_what_a_script_does_is_told_so_and_nothing_is_changed(
    unpacked: Path, tmp_path: Path, name: str
) -> None:
    home = tmp_path / "home"
    if name == "uninstall.sh":
        assert _run(unpacked / "install.sh", home).returncode == 0
    before = _files(tmp_path)
    for option in ("--help", "-h"):
        told = _run(unpacked / name, home, arguments=[option])
        assert (told.returncode, told.stderr) == (0, "")
        assert f"\n  {home}/.local/lib/parley: the program" in told.stdout
    for wrong in (["bogus"], ["--yes", "--help"], [""]):
        refused = _run(unpacked / name, home, arguments=wrong)
        assert (refused.returncode, refused.stdout) == (2, "")
        sentence = f'{name} has no option or argument "{wrong[0]}". Nothing was changed.\n'
        assert refused.stderr == sentence
    assert _files(tmp_path) == before


def test_installer_says_if_its_folder_is_not_on_the_path(unpacked: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    programs = f"{home}/.local/bin"
    assert f"{programs} is not on your PATH" in _run(unpacked / "install.sh", home).stdout
    assert "PATH" not in _run(unpacked / "install.sh", home, programs).stdout


def test_libraries_that_the_system_lacks_are_named_once_it_is_installed(
    unpacked: Path, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    assert "lacks" not in _run(unpacked / "install.sh", home).stdout
    for name in ("QtWidgets.abi3.so", "Qt/lib/libQt6Gui.so.6", "Qt/plugins/platforms/libqxcb.so"):
        file = unpacked / "lib/parley/_internal/PySide6" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("ours")
    loader = tmp_path / "programs" / "ldd"
    loader.write_text(_LOADER)
    loader.chmod(0o755)
    done = _run(unpacked / "install.sh", home)
    assert (done.returncode, done.stderr) == (0, "")
    alone = ("QtWidgets.abi3.so", "libQt6Gui.so.6", "libqxcb.so")
    _, _, listed = done.stdout.partition("lacks:\n")
    *lacking, where = listed.splitlines()[:5]
    assert sorted(lacking) == ["  libGL.so.1", *(f"  libof-{name}" for name in alone)]
    assert where == f"{unpacked}/README names the packages."


@pytest.mark.parametrize(
    "place",
    [
        "bin/parley",
        "bin/parley-tools",
        "lib/parley/a library",
        _DESKTOP,
        _ICON,
        _MANUAL,
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
