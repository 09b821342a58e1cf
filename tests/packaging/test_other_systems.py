"""What a build needs on systems that are not here, as far as that can be seen from here."""

import subprocess
import sys
from pathlib import Path

from checkout import executable

ROOT = Path(__file__).resolve().parents[2]
# The standard library first, since it is the one of this system.
_AS_WINDOWS = """
import asyncio, ctypes, importlib.metadata, multiprocessing, os, platform, socket, subprocess
import sys, tarfile, tempfile, tomllib, types, urllib.request, uuid

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name in {"fcntl", "grp", "pwd", "resource", "termios"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
for name in ("fcntl", "grp", "pwd", "resource", "termios"):
    sys.modules.pop(name, None)
for name in ("chown", "fork", "geteuid", "getuid", "killpg", "pread", "setsid", "uname"):
    delattr(os, name)
sys.platform, sys.modules["msvcrt"] = "win32", types.ModuleType("msvcrt")
sys.path.insert(0, sys.argv[1])
import building, system_packages
from freeze import freezing, spec_parts
from installers import forms
assert system_packages.make_ready() == {}
assert not system_packages.may_install()
assert forms.makeable() == ()
"""


def test_a_build_begins_on_windows_with_what_python_has_there() -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-c", _AS_WINDOWS, ROOT / "packaging"],
        capture_output=True,
        check=False,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_programs_have_the_ending_that_windows_asks_for() -> None:
    folder = Path("dist")
    assert executable(folder, "parley-server", "win32") == folder / "parley-server.exe"
    assert executable(folder, "parley-server", "darwin") == folder / "parley-server"


def test_a_checkout_has_the_same_bytes_on_every_system() -> None:
    """A setting that is usual on Windows turns the ends of lines into others."""
    (rule,) = (
        line
        for line in (ROOT / ".gitattributes").read_text(encoding="utf-8").splitlines()
        if not line.startswith("#")
    )
    assert rule == "* text=auto eol=lf"
