"""What the .gitignore files of a folder, and of those below it, leave out."""

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final

_NAME: Final = ".gitignore"
_LIMIT_BYTES: Final = 64 * 1024
_OPEN_FILE: Final = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0)
)


class Ignored:
    """The rules met so far on a walk from the top down. Made for one walk, ends with it."""

    def __init__(self) -> None:
        self._rules: dict[str, Any] = {}

    def read(self, place: str, folder: int) -> None:
        """Take up the rules of a folder that the walk has come to, if it has any.

        Args:
            place: The folder's path below the top; empty for the top.
            folder: Its descriptor.
        """
        with suppress(OSError):
            descriptor = os.open(_NAME, _OPEN_FILE, dir_fd=folder)
            with os.fdopen(descriptor, "rb") as file:
                if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                    return
                text = file.read(_LIMIT_BYTES).decode("utf-8", "replace")
            self._rules[place] = _rules(text)

    def covers(self, path: str) -> bool:
        """Whether a path below the top, with a slash at its end for a folder, is left out.

        The folder nearest to it that has something to say decides.
        """
        for place in _above(path):
            rules = self._rules.get(place)
            if rules is not None:
                said = rules.check_file(path.removeprefix(f"{place}/") if place else path).include
                if said is not None:
                    return bool(said)
        return False


def _rules(text: str) -> Any:
    import pathspec  # noqa: PLC0415 - only this tool needs it

    lines = []
    for line in text.splitlines():
        # One bad line must not take the others with it.
        with suppress(ValueError):
            pathspec.GitIgnoreSpec.from_lines([line])
            lines.append(line)
    return pathspec.GitIgnoreSpec.from_lines(lines)


def _above(path: str) -> Iterator[str]:
    """The folders that a path lies in, from the nearest to the top."""
    place = path.rstrip("/").rpartition("/")[0]
    while place:
        yield place
        place = place.rpartition("/")[0]
    yield ""
