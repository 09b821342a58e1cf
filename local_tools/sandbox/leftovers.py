"""Removing stand-ins when this program was killed before it could.

A small process of its own is told of each stand-in before that is made, and waits for the end of
the line to us. The ordinary end of a call removes them and ends the process; when the line ends by
itself, the program is gone, its sandboxes end with it, and the process tidies up.
"""

import os
import subprocess
from pathlib import Path
from typing import Final

from local_tools.errors import ToolError
from local_tools.sandbox.places import Shape

_SHELL: Final = "/bin/sh"
# It waits until the sandbox, which is ended with the program, cannot write any more.
_TIDY: Final = """\
all=
while IFS= read -r line; do all="$line
$all"; done
sleep 1
printf %s "$all" | while IFS= read -r line; do
  path="./${line#?}"
  case $line in
    d*) rmdir -- "$path" ;;
    f*) [ -f "$path" ] && [ ! -L "$path" ] && [ ! -s "$path" ] && rm -f -- "$path" ;;
  esac
done
"""


class Leftovers:
    """What stands in one folder for one call. Any thread may use it, one at a time."""

    def __init__(self, root: Path) -> None:
        """Take the folder of the call; the process is started with the first stand-in."""
        self._root = root
        self._process: subprocess.Popen[bytes] | None = None

    def remember(self, parts: tuple[str, ...], shape: Shape) -> None:
        """Something empty is about to be made below the folder, or is needed once more.

        Raises:
            ToolError: When nobody would remove it after us.
        """
        name = "/".join(parts)
        if "\n" in name:
            raise ToolError(f"{self._root / name} has a line break in its name; nothing was run.")
        try:
            if self._process is None:
                self._process = self._start()
            if self._process.stdin is not None:
                self._process.stdin.write(_line(shape, name))
        except OSError as exc:
            raise ToolError(f"The sandbox could not be made ready: {exc.strerror}.") from exc

    def close(self) -> None:
        """All were removed, or are another call's to remove."""
        if self._process is not None:
            self._process.kill()
            with self._process:
                pass

    def _start(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [_SHELL, "-c", _TIDY],
            bufsize=0,
            cwd=self._root,
            env={"PATH": "/usr/bin:/bin"},
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )


def _line(shape: Shape, name: str) -> bytes:
    return os.fsencode(f"{'d' if shape == 'folder' else 'f'}{name}\n")
