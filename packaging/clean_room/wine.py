"""Test the Windows installer under Wine, with stubs for the programs."""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from installers.forms import WINDOWS
from installers.payload import Payload
from installers.product import PROGRAMS
from processes import Failed, run

from clean_room.base import FOLDER
from clean_room.room import Steps, expect

_STAND_IN: Final = r"""
Unicode true
Target amd64-unicode
SilentInstall silent
RequestExecutionLevel user
OutFile "${OUTPUT}"
Section
  StrCmp $EXEFILE "setup.exe" 0 +2
  System::Call 'kernel32::CreateMutexW(p 0, i 1, w "Local\ParleySetup")'
  FileOpen $1 "$LOCALAPPDATA\Programs\Parley\_internal\gone.txt" r
  FileOpen $0 "$LOCALAPPDATA\open.txt" w
  FileClose $0
  Sleep 60000
SectionEnd
"""
_KEY: Final = r"HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\Parley"
_REFUSED: Final = 2
_OPEN_TIMEOUT_S: Final = 30
_LIMIT_S: Final = 300
_FIRST, _SECOND = "0.0.9", "0.1.0"


def wine_program() -> str:
    """Return the path of Wine, installed or not."""
    return shutil.which("wine64") or "/usr/lib/wine/wine64"


class Wine:
    """A Windows of its own in a folder.

    Args:
        folder: What wine keeps; made anew.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._program = wine_program()
        # No offers to fetch further parts, no words about what this wine lacks.
        self._variables = {
            **os.environ,
            "WINEPREFIX": str(folder),
            "WINEDEBUG": "-all",
            "WINEDLLOVERRIDES": "mscoree,mshtml,winemenubuilder.exe=",
            "DISPLAY": "",
        }

    @property
    def local(self) -> Path:
        """The folder %LOCALAPPDATA% of its user."""
        (found,) = (self._folder / "drive_c" / "users").glob("*/AppData/Local")
        return found

    @property
    def menu(self) -> Path:
        """The start menu of its user."""
        (found,) = (self._folder / "drive_c" / "users").glob(
            "*/AppData/Roaming/Microsoft/Windows/Start Menu/Programs"
        )
        return found

    def start(self) -> None:
        """Make the Windows in its folder.

        Raises:
            Failed: Wine did not.
        """
        run([self._program, "wineboot", "--init"], doing="Starting wine", env=self._variables)

    def run(self, *argv: str | Path) -> int:
        """Run a program to its end and give its exit code.

        Raises:
            Failed: It does not end.
        """
        # Not a pipe: a process that stays running would keep it open, and reading would not end.
        return self._ended(argv, subprocess.DEVNULL).returncode

    def registry(self, value: str) -> str | None:
        """Return a value of the entry under which Windows lists the program, if there is one."""
        asked = self._ended(["reg", "query", _KEY, "/v", value], subprocess.PIPE)
        if asked.returncode:
            return None
        (line,) = (line for line in asked.stdout.splitlines() if value in line)
        return line.split(maxsplit=2)[2].strip()

    @contextmanager
    def open_program(self, path: Path) -> Iterator[None]:
        """Keep a program open meanwhile."""
        process = subprocess.Popen(
            [self._program, path],
            env=self._variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            yield
        finally:
            process.kill()
            process.wait()

    def close(self) -> None:
        """End every program in it."""
        server = Path(self._program).with_name("wineserver64")
        wineserver = shutil.which("wineserver") or str(server)
        subprocess.run(
            [wineserver, "--kill"], env=self._variables, check=False, timeout=_OPEN_TIMEOUT_S
        )

    def _ended(self, argv: Sequence[str | Path], output: int) -> subprocess.CompletedProcess[str]:
        try:
            return subprocess.run(
                [self._program, *argv],
                env=self._variables,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.DEVNULL,
                encoding="utf-8",
                errors="replace",
                timeout=_LIMIT_S,
                check=False,
            )
        except subprocess.TimeoutExpired as exc:
            raise Failed(f"Under wine, {argv[0]} did not end within {_LIMIT_S} s.") from exc


def check_windows() -> Steps:
    """Install, update and remove a stand-in of the program, as a user and as a script would.

    Raises:
        Failed: A step did; the sentence says which.
    """
    steps = Steps("the Windows installer with a stand-in, under wine")
    FOLDER.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=FOLDER, prefix="wine-") as work:
        wine = Wine(Path(work, "wine"))
        try:
            _check(steps, Path(work), wine)
        finally:
            wine.close()
    return steps


def _check(steps: Steps, work: Path, wine: Wine) -> None:
    with steps.step("installers of two versions are made, without a warning"):
        first = WINDOWS.make(_stand_in(work / "first", _FIRST, "gone.txt"), work)
        second = WINDOWS.make(_stand_in(work / "second", _SECOND, "new.txt"), work)
    with steps.step("wine starts"):
        wine.start()
    folder = wine.local / "Programs" / "Parley"
    data = wine.local / "parley" / "store.db"
    data.parent.mkdir()
    data.write_text("what was said", encoding="utf-8")
    with steps.step("silent installation for one user"):
        expect(wine.run(first, "/S") == 0, "It failed.")
        _expect_installed(wine, folder, _FIRST, "gone.txt")
    _check_updates(steps, wine, second, folder)
    with steps.step("removed: the data and what others put there stay"):
        expect(data.exists(), "The data is gone.")
        (folder / "mine.txt").write_text("mine", encoding="utf-8")
        expect(_remove(wine, folder) == 0, "It failed.")
        expect([path.name for path in folder.iterdir()] == ["mine.txt"], "Not just that stayed.")
        _expect_no_remains(folder)
        _expect_removed(wine)
        expect(data.exists(), "The data is gone.")
    with steps.step("a folder with files of others is refused"):
        theirs = folder / "parley.exe"
        theirs.write_text("theirs", encoding="utf-8")
        expect(wine.run(second, "/S") == _REFUSED, "It was not refused.")
        expect(theirs.read_text(encoding="utf-8") == "theirs", "Another program was replaced.")
        expect(wine.registry("DisplayVersion") is None, "Windows lists it.")
        for path in (theirs, folder / "mine.txt"):
            path.unlink()
    with steps.step("installed into a folder of choice, removed together with the data"):
        other = wine.local / "Elsewhere"
        expect(wine.run(second, "/S", rf"/D={_windows_path(wine, other)}") == 0, "It failed.")
        _expect_installed(wine, other, _SECOND, "new.txt")
        expect(_remove(wine, other, "/REMOVEDATA") == 0, "It failed.")
        expect(not other.exists() and not data.parent.exists(), "Something stayed.")
        _expect_removed(wine)


def _check_updates(steps: Steps, wine: Wine, setup: Path, folder: Path) -> None:
    """Test updates: first those that must fail, then one that succeeds."""
    theirs = folder / "_internal" / "theirs" / "mine.txt"
    theirs.parent.mkdir()
    theirs.write_text("mine", encoding="utf-8")
    old, new = (folder.with_name(f"{folder.name}{suffix}") for suffix in (".old", ".new"))
    with steps.step("while a program is open, nothing is changed"):
        with _open(wine, folder / "parley.exe"):
            expect(wine.run(setup, "/S") == _REFUSED, "It was not refused.")
        _expect_installed(wine, folder, _FIRST, "gone.txt")
    with steps.step("beside another setup nothing is changed"):
        another = wine.local / "setup.exe"
        shutil.copy(folder / "parley.exe", another)
        with _open(wine, another):
            expect(wine.run(setup, "/S") == _REFUSED, "It was not refused.")
        _expect_installed(wine, folder, _FIRST, "gone.txt")
    with steps.step("after an end between its names, the version before is put back"):
        folder.rename(old)
        _expect_failed(wine, setup, new / "_internal" / "new.txt")
        _expect_installed(wine, folder, _FIRST, "gone.txt")
        expect(theirs.exists() and not old.exists(), "Not all was put back.")
    with steps.step("what cannot be written leaves the version before"):
        _expect_failed(wine, setup, new / "_internal" / "a folder" / "$ 100 %.txt")
        _expect_installed(wine, folder, _FIRST, "gone.txt")
        expect(theirs.exists(), "The file of others is gone.")
    with steps.step("a folder of others in the way is left alone"):
        (old / "_internal").mkdir(parents=True)
        expect(wine.run(setup, "/S") == _REFUSED, "It was not refused.")
        _expect_installed(wine, folder, _FIRST, "gone.txt")
        (old / "_internal").rmdir()
    with steps.step("a new version takes its place; of the one before stays what is open"):
        # Windows would refuse to rename the folder that has it; wine does not.
        holder = wine.local / "holder.exe"
        shutil.copy(folder / "parley.exe", holder)
        with _open(wine, holder):
            expect(wine.run(setup, "/S") == 0, "It failed.")
        _expect_installed(wine, folder, _SECOND, "new.txt")
        expect((old / "_internal" / "gone.txt").is_file(), "It was not open.")
    with steps.step("the next setup takes that away, and brings back what others put there"):
        expect(wine.run(setup, "/S") == 0, "It failed.")
        _expect_installed(wine, folder, _SECOND, "new.txt")
        _expect_no_remains(folder)
        expect(not (folder / "_internal" / "gone.txt").exists(), "An old file stayed.")
        expect(theirs.read_text(encoding="utf-8") == "mine", "The file of others is gone.")
    shutil.rmtree(theirs.parent)


def _stand_in(folder: Path, version: str, name: str) -> Payload:
    """Make a folder of the shape of the frozen one, with one file that the other version lacks."""
    inside = folder / "_internal" / "a folder"
    inside.mkdir(parents=True)
    (inside / "$ 100 %.txt").write_text(version, encoding="utf-8")
    (folder / "_internal" / name).write_text(version, encoding="utf-8")
    script = folder.with_suffix(".nsi")
    script.write_text(_STAND_IN, encoding="utf-8")
    program = folder / f"{PROGRAMS[0]}.exe"
    run(["makensis", "-V1", f"-DOUTPUT={program}", script], doing="Making a stand-in")
    for other in PROGRAMS[1:]:
        shutil.copy(program, folder / f"{other}.exe")
    return Payload(folder, version, moment=0)


def _expect_installed(wine: Wine, folder: Path, version: str, name: str) -> None:
    for path in (*(f"{program}.exe" for program in PROGRAMS), f"_internal/{name}"):
        expect((folder / path).is_file(), f"{path} is missing.")
    file = folder / "_internal" / "a folder" / "$ 100 %.txt"
    expect(file.read_text(encoding="utf-8") == version, f"{file.name} is of another version.")
    said = wine.registry("DisplayVersion")
    expect(said == version, f"Windows lists version {said}.")
    expect((wine.menu / "Parley.lnk").is_file(), "The start menu does not have it.")


@contextmanager
def _open(wine: Wine, program: Path) -> Iterator[None]:
    """Run a stand-in meanwhile; it holds a file of the first version open, if that is installed."""
    started = wine.local / "open.txt"
    started.unlink(missing_ok=True)
    with wine.open_program(program):
        _wait_for(started)
        yield


def _expect_failed(wine: Wine, setup: Path, file: Path) -> None:
    """Check that setup fails if an interrupted one has left a folder with the name of a file."""
    file.mkdir(parents=True)
    unfinished = next(parent for parent in file.parents if parent.suffix == ".new")
    (unfinished / "installed-by-setup.txt").touch()
    code = wine.run(setup, "/S")
    expect(code == _REFUSED, f"It ended with {code}.")
    left = [path for path in unfinished.rglob("*") if path.is_file()]
    expect([path.name for path in left] == ["installed-by-setup.txt"], f"It left {left}.")
    file.rmdir()


def _expect_no_remains(folder: Path) -> None:
    left = [path.name for path in folder.parent.iterdir() if path != folder]
    expect(not left, f"Beside it is {left}.")


def _wait_for(path: Path) -> None:
    end = time.monotonic() + _OPEN_TIMEOUT_S
    while not path.exists():
        expect(time.monotonic() < end, "The stand-in does not start.")
        time.sleep(0.05)


def _expect_removed(wine: Wine) -> None:
    expect(wine.registry("DisplayVersion") is None, "Windows still lists it.")
    expect(not (wine.menu / "Parley.lnk").exists(), "It is still in the start menu.")


def _remove(wine: Wine, folder: Path, *switches: str) -> int:
    place = _windows_path(wine, folder)
    # In place, so that its end is the end of the removal; otherwise a copy of it goes on alone.
    code = wine.run(folder / "uninstall.exe", "/S", *switches, f"_?={place}")
    (folder / "uninstall.exe").unlink()
    if not any(folder.iterdir()):
        folder.rmdir()
    return code


def _windows_path(wine: Wine, path: Path) -> str:
    drive = next(parent for parent in wine.local.parents if parent.name == "drive_c")
    return "C:\\" + str(path.relative_to(drive)).replace("/", "\\")
