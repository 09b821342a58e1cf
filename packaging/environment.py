"""The environment of the checkout: `.venv` with exactly the locked packages, and Parley itself.

To run Parley, only its run-time packages are installed, about half of all in size.

A stamp file in it says what it was made from. It is deleted first and written last in a change, so
that it alone tells whether the environment is up to date, also after an interruption.
"""

import hashlib
import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from checkout import PACKAGING, ROOT, VENV, alone, program
from pinned_uv import PIN, PYTHON, Uv, fetch_uv
from processes import say

_TO_RUN: Final = (PACKAGING / "requirements.txt", PACKAGING / "requirements-editable.txt")
_TO_DEVELOP: Final = (PACKAGING / "requirements-dev.txt",)
_STAMP: Final = VENV / "parley-stamp"

_Result = TypeVar("_Result")


@dataclass(frozen=True)
class Stamp:
    """What an environment was made from.

    Attributes:
        place: The paths of checkout and interpreter, both absolute in scripts.
        contents: A hash of the lock files and others that determine what is installed.
        share: Which packages are installed: those to "run" Parley, or "all".
    """

    place: str
    contents: str
    share: str


def make_ready(*, only_to_run: bool = False) -> None:
    """Make or repair `.venv` unless it is what the locks say.

    Args:
        only_to_run: The packages to run Parley are enough; others that are installed stay.

    Raises:
        Failed: A program could not do its part, or the network did not answer.
        OSError: A file or folder of the checkout cannot be written.
    """
    make_ready_beside(lambda: None, only_to_run=only_to_run)


def make_ready_beside(beside: Callable[[], _Result], *, only_to_run: bool = False) -> _Result:
    """Make `.venv` ready, and run `beside` in parallel, which waits for other servers or disks.

    Args:
        beside: The parallel work; the interpreter of the environment exists when it is called.
        only_to_run: As above.

    Returns:
        The result of `beside`.

    Raises:
        Failed: As above, or of `beside`.
        OSError: As above, or of `beside`.
    """
    whole = _stamp_of_all()
    enough = (whole, replace(whole, share="run")) if only_to_run else (whole,)
    if _read_stamp() in enough:
        return beside()
    begin = time.monotonic()
    with alone():
        # Another dev.py may have done it while this one waited.
        if (found := _read_stamp()) in enough:
            result = beside()
        else:
            anew = found is None or found.place != whole.place
            wanted = whole if found and found.share == "all" and not anew else enough[-1]
            result = _build(fetch_uv(), wanted, beside, anew=anew)
    say(f"The environment is ready after {time.monotonic() - begin:.1f} s.")
    return result


def _stamp_of_all() -> Stamp:
    contents = hashlib.sha256()
    for path in (*_TO_RUN, *_TO_DEVELOP, PIN, ROOT / "pyproject.toml"):
        contents.update(path.read_bytes())
    version = ".".join(map(str, sys.version_info[:2]))
    return Stamp(f"{ROOT} Python {version} in {sys.base_prefix}", contents.hexdigest(), "all")


def _read_stamp() -> Stamp | None:
    """Return the stamp of an environment that is whole; None if there is no such environment."""
    try:
        place, contents, share = _STAMP.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return None
    return Stamp(place, contents, share) if program("python").exists() else None


def _build(uv: Uv, stamp: Stamp, beside: Callable[[], _Result], *, anew: bool) -> _Result:
    _STAMP.unlink(missing_ok=True)
    if anew:
        say("Making .venv.")
        if VENV.exists():
            shutil.rmtree(VENV)
        uv.run("venv", "--no-project", "--python", PYTHON, VENV, doing="Making .venv")
    target = ("--python", program("python"))
    say("Installing the packages of the lock.")
    locks = _TO_DEVELOP if stamp.share == "all" else _TO_RUN
    sync = ("pip", "sync", *target, "--require-hashes", *locks)
    with uv.alongside(*sync, doing="Installing the packages"):
        result = beside()
    # hatchling is among them, so that nothing is fetched for building.
    uv.run(
        *("pip", "install", *target, "--no-deps", "--no-build-isolation", "--editable", ROOT),
        doing="Installing Parley itself",
    )
    new = _STAMP.with_suffix(".new")
    lines = (stamp.place, stamp.contents, stamp.share)
    new.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    new.replace(_STAMP)
    return result
