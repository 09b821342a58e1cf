"""LiteLLM's proxy, the program that the service is benchmarked against.

Like the service, it is in Python and relays a model's stream. It needs other versions of the same
libraries, so it gets its own environment instead of `.venv`.
"""

import hashlib
import shutil
import sys
from pathlib import Path
from typing import Final

from checkout import PACKAGING, SETUP, alone
from pinned_uv import PYTHON, fetch_uv
from processes import Failed, say

_LOCK: Final = PACKAGING / "requirements-bench.txt"
_FOLDER: Final = SETUP / "bench"
_STAMP: Final = _FOLDER / "parley-stamp"
_PROGRAMS: Final = _FOLDER / ("Scripts" if sys.platform == "win32" else "bin")
_SUFFIX: Final = ".exe" if sys.platform == "win32" else ""


def make_ready() -> Path | None:
    """Install the locked version of the proxy if it is not installed.

    Returns:
        The program; None if it cannot be installed (the reason is printed), as the service can be
        measured without it.
    """
    with alone():
        if _read_stamp() != _wanted_stamp():
            try:
                _install()
            except Failed as failure:
                say(f"Going on without LiteLLM's proxy. {failure}")
                return None
    return _PROGRAMS / f"litellm{_SUFFIX}"


def _wanted_stamp() -> str:
    # Scripts hold the folder and the interpreter as absolute paths.
    place = f"{_FOLDER} {PYTHON} {sys.version}"
    return f"{place} {hashlib.sha256(_LOCK.read_bytes()).hexdigest()}"


def _read_stamp() -> str | None:
    try:
        return _STAMP.read_text(encoding="utf-8")
    except OSError:
        return None


def _install() -> None:
    say("Installing LiteLLM's proxy, to measure against.")
    uv = fetch_uv()
    if _FOLDER.exists():
        shutil.rmtree(_FOLDER)
    doing = "Installing LiteLLM's proxy"
    uv.run("venv", "--no-project", "--python", PYTHON, _FOLDER, doing=doing)
    target = ("--python", _PROGRAMS / f"python{_SUFFIX}")
    # Wheels only, so that nothing of so many packages runs before it is started.
    uv.run(
        *("pip", "sync", *target, "--require-hashes", "--only-binary", ":all:", _LOCK),
        doing=doing,
    )
    _STAMP.write_text(_wanted_stamp(), encoding="utf-8")
