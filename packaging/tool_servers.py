"""Install the tool servers in Node that tests use; a lock pins each package."""

import hashlib
import shutil
from typing import Final

from checkout import PACKAGING, SETUP, alone, program
from processes import Failed, run, say

_FOLDER: Final = SETUP / "tool-servers"
_STAMP: Final = _FOLDER / "stamp"
_FILES: Final = tuple(
    PACKAGING / "tool-servers" / name for name in ("package.json", "package-lock.json")
)


def make_ready() -> None:
    """Install the locked packages; if that is impossible, print why and return."""
    if _is_ready():
        return
    with alone():
        # Another dev.py may have installed them while this one waited.
        if not _is_ready():
            _bring()


def _bring() -> None:
    say("Bringing tool servers for the tests.")
    _STAMP.unlink(missing_ok=True)
    _FOLDER.mkdir(parents=True, exist_ok=True)
    for file in _FILES:
        shutil.copy(file, _FOLDER)
    npm = (program("npm"), "ci", "--ignore-scripts", "--no-audit", "--no-fund")
    try:
        run(npm, doing="Bringing tool servers", cwd=_FOLDER)
    except Failed as failure:
        say(f"{failure} The tests of tool servers for Node will be skipped.")
    else:
        _STAMP.write_text(_wanted(), encoding="utf-8")


def _is_ready() -> bool:
    try:
        return _STAMP.read_text(encoding="utf-8") == _wanted()
    except OSError:
        # A checkout without the lock needs none.
        return not _FILES[1].exists()


def _wanted() -> str:
    """Return a hash of the locked packages."""
    return hashlib.sha256(b"".join(file.read_bytes() for file in _FILES)).hexdigest()
