"""What a build leaves in its folder, what it takes away first, and that builds wait in turn."""

import fcntl
import os
import shutil
from pathlib import Path

import building
import pytest
from freeze import freezing, start_up
from installers import forms
from installers.payload import Payload
from processes import Failed

from tests.support.fake_checkout import WAIT_S, FakeCheckout

ROOT = Path(__file__).resolve().parents[2]


def half(_: Payload, target: Path) -> None:
    """Pack as a program does that is ended meanwhile."""
    target.write_text("hal")
    target.with_suffix(".part").write_text("f")
    raise Failed("It was ended.")


def test_an_installer_that_is_not_whole_has_no_name(tmp_path: Path) -> None:
    form = forms.Form(lambda version: f"parley-{version}.zip", half)
    with pytest.raises(Failed):
        form.make(Payload(tmp_path, "1.2.3", 0), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_build_takes_away_what_was_of_another_freeze(tmp_path: Path) -> None:
    for name in (*building.file_names("1.2.3"), "SHA256SUMS", "notes.txt"):
        (tmp_path / name).write_text(name)
    (tmp_path / f"{forms.WORK}of-a-killed-one" / "root").mkdir(parents=True)
    building.clear("1.2.3", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_what_was_frozen_takes_the_place_of_what_is_called_so(tmp_path: Path) -> None:
    for name in ("new/parley/a", "new/Parley.app/b", "old/parley/c", "old/notes.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    freezing.take_places(tmp_path / "new", tmp_path / "old")
    left = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert left == {"old/parley/a", "old/Parley.app/b", "old/notes.txt"}


def test_the_sums_name_all_of_this_version_whichever_build_made_it(tmp_path: Path) -> None:
    bill, *others = building.file_names("1.0")
    assert len(others) == len(forms.makeable())
    for name in (*building.file_names("1.0"), *building.file_names("11.0"), "notes.txt"):
        (tmp_path / name).write_text(name)
    assert [path.name for path in building.write_sums("1.0", tmp_path)] == [bill, *others]
    summed = (tmp_path / "SHA256SUMS").read_text().splitlines()
    assert [line.split("  ")[1] for line in summed] == sorted([bill, *others])


def test_a_build_waits_for_the_one_under_way(checkout: FakeCheckout) -> None:
    for name in ("clean_room", "freeze", "installers"):
        shutil.copytree(ROOT / "packaging" / name, checkout.root / "packaging" / name)
    shutil.copy(ROOT / "pyproject.toml", checkout.root)
    checkout.variables["SOURCE_DATE_EPOCH"] = "1790000000"
    with (checkout.root / ".setup" / "build.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        process = checkout.start("build", "--pack-windows", os.fspath(checkout.root))
        assert process.stderr is not None
        said = ""
        while "building here" not in said and (line := process.stderr.readline()):
            said += line
        assert "Another dev.py is building here; waiting for it." in said
    _, errors = process.communicate(timeout=WAIT_S)
    assert "has no parley.exe" in errors


@pytest.mark.parametrize(("paint_s", "word"), [(1.0, "within"), (2.0, "MORE than")])
def test_a_start_that_is_too_slow_stands_out(paint_s: float, word: str) -> None:
    lines = start_up.StartUp(paint_s, 1.0, 4.0 * paint_s).table().splitlines()
    assert f"{word} 1.3 times as long" in lines[2]
    assert "within 4.0 first paints" in lines[4]
