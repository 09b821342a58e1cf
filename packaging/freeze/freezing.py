"""Run PyInstaller in the build environment, with fixed environment variables (reproducible)."""

import os
import shutil
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from zipfile import ZipFile

from checkout import PACKAGING, ROOT
from processes import Failed, run, say

from freeze import unicode_data
from freeze.build_environment import BUILD

DIST: Final = ROOT / "dist"
FOLDER: Final = DIST / "parley"
WORK: Final = BUILD / "pyinstaller"
# What is being frozen; it takes the place of what is in `DIST` once it is whole.
_NEW: Final = BUILD / "frozen"
SPEC: Final = PACKAGING / "freeze" / "parley.spec"


@dataclass(frozen=True)
class Frozen:
    """The result of freezing.

    Attributes:
        folder: The folder with the three executables and everything that they load.
        took_s: The duration.
    """

    folder: Path
    took_s: float


def freeze(python: Path, moment: int) -> Frozen:
    """Freeze the checkout into `dist/parley`, anew.

    Args:
        python: Of the environment that is frozen.
        moment: The time that goes into the files, in seconds since 1970.

    Raises:
        Failed: PyInstaller did not succeed.
    """
    for folder in (WORK, _NEW):
        shutil.rmtree(folder, ignore_errors=True)
    say("Freezing the program, which takes some minutes.")
    begin = time.monotonic()
    run(
        [
            *(python, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"),
            *("--distpath", _NEW, "--workpath", WORK, SPEC),
        ],
        doing="Freezing",
        env=_variables(moment),
        cwd=ROOT,
    )
    folder = _NEW / FOLDER.name
    if sys.platform == "linux":
        unicode_data.trim_in(folder)
    if sys.platform != "darwin":
        # There the bundle has been made of the folder already.
        sort_entries(folder / "_internal" / "base_library.zip")
    take_places(_NEW, DIST)
    return Frozen(FOLDER, time.monotonic() - begin)


def sort_entries(path: Path) -> None:
    """Rewrite a ZIP archive with its entries sorted by name (reproducible).

    PyInstaller writes them in the order of a set of objects, which differs in each run.
    """
    with ZipFile(path) as archive:
        infos = sorted(archive.infolist(), key=lambda info: info.filename)
        entries = [(info, archive.read(info)) for info in infos]
    with ZipFile(path, "w") as archive:
        for info, contents in entries:
            archive.writestr(info, contents)


def take_places(new: Path, old: Path) -> None:
    """Move all entries of one folder into another, replacing those of the same name."""
    for path in sorted(new.iterdir()):
        shutil.rmtree(old / path.name, ignore_errors=True)
        shutil.move(path, old / path.name)


def moment_of_commit() -> int:
    """Return the time of the commit that is checked out, for all files that are built from it.

    Raises:
        Failed: This is no Git checkout, and SOURCE_DATE_EPOCH is not set.
    """
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    if given.isdecimal():
        return int(given)
    try:
        said = run(["git", "log", "-1", "--format=%ct"], doing="Asking git", cwd=ROOT)
    except Failed as failure:
        raise Failed(f"{failure}\nSet SOURCE_DATE_EPOCH where there is no git.") from failure
    return int(said)


def _variables(moment: int) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    return {
        **kept,
        "SOURCE_DATE_EPOCH": str(moment),
        # Sets are written in the order of their hashes.
        "PYTHONHASHSEED": "0",
        "PYTHONNOUSERSITE": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYINSTALLER_CONFIG_DIR": os.fspath(BUILD / "pyinstaller-cache"),
        # Hooks import parts of Qt, also where there is no display.
        "QT_QPA_PLATFORM": "offscreen",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
    }
