"""The environment to freeze: the run-time packages and PyInstaller, nothing else.

It contains no test packages, so that none can get into the program.
"""

import hashlib
import shutil
import sys
import sysconfig
from pathlib import Path
from typing import Final

from checkout import PACKAGING, ROOT, alone
from pinned_uv import PYTHON, fetch_uv
from processes import Failed, say
from system_packages import SystemPackage, bring

BUILD: Final = ROOT / "build"
FOLDER: Final = BUILD / "venv"
LOCKS: Final = (PACKAGING / "requirements.txt", PACKAGING / "requirements-build.txt")
_PROGRAMS: Final = tuple(SystemPackage(name, "binutils") for name in ("objdump", "strip"))
_STAMP: Final = FOLDER / "parley-stamp"
_PYTHON: Final = FOLDER / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def make_ready() -> Path:
    """Create the environment if it is missing; return its Python.

    Raises:
        Failed: A command failed, the network did not answer, or the system lacks a prerequisite of
            freezing.
    """
    _bring_programs()
    with alone():
        if not _is_ready():
            _make()
    return _PYTHON


def _bring_programs() -> None:
    """Install what the system lacks for freezing, or say how to."""
    if sys.platform != "linux":
        return
    bring([*_PROGRAMS, *_missing_library_of_python()], "Freezing")


def _missing_library_of_python() -> list[SystemPackage]:
    """Return the package of the interpreter's shared library if that is not installed."""
    name = str(sysconfig.get_config_var("INSTSONAME") or "")
    if ".so" not in name:
        raise Failed(f"{PYTHON} was built without a shared library: freeze with another Python.")
    places = [sysconfig.get_config_var(variable) for variable in ("LIBDIR", "LIBPL")]
    multiarch = sysconfig.get_config_var("MULTIARCH")
    places.append(f"/usr/lib/{multiarch}")
    if any(Path(str(place), name).exists() for place in places):
        return []
    return [SystemPackage(name, f"libpython{sys.version_info.major}.{sys.version_info.minor}")]


def _make() -> None:
    say("Making the environment that is frozen.")
    shutil.rmtree(FOLDER, ignore_errors=True)
    uv = fetch_uv()
    uv.run("venv", "--no-project", "--python", PYTHON, FOLDER, doing="Making build/venv")
    sync = ("pip", "sync", "--python", _PYTHON, "--require-hashes")
    uv.run(*sync, *LOCKS, doing="Installing what is frozen")
    _STAMP.write_text(_wanted(), encoding="utf-8")


def _is_ready() -> bool:
    try:
        return _STAMP.read_text(encoding="utf-8") == _wanted()
    except OSError:
        return False


def _wanted() -> str:
    contents = hashlib.sha256(b"".join(path.read_bytes() for path in LOCKS)).hexdigest()
    return f"{sys.version} in {sys.base_prefix}\n{contents}\n"
