"""One copy of a minimal system, in which commands run; it goes away at the end."""

import shutil
from pathlib import Path
from tempfile import mkdtemp
from types import TracebackType
from typing import Final, Self

from processes import run

_ENTER: Final = Path(__file__).with_name("enter.sh")
USER: Final = "tester"
_LIMIT_S: Final = 900.0


class Room:
    """A system to do anything with; use it as a context, which takes the copy away.

    What is written stays from one command to the next, except in /tmp and /run; processes and
    mounts never do.

    Args:
        base: The root of the system; it stays as it is.
        host: A folder that shows inside, read-only, as /host.
    """

    def __init__(self, base: Path, host: Path | None = None) -> None:
        self._base = base
        self._copy = Path(mkdtemp(dir=base.parent, prefix="room-"))
        self._host = host or base.parent

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        shutil.rmtree(self._copy)

    def run(self, *argv: str, user: str = "root", has_network: bool = True, doing: str = "") -> str:
        """Run a command inside, alone in its own process namespace.

        Args:
            argv: The program and its arguments.
            user: Who runs it.
            has_network: Without, it has the loopback only.
            doing: What is under way; the command itself by default.

        Returns:
            What it wrote to stdout.

        Raises:
            Failed: It did not succeed.
        """
        spaces = ["--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child"]
        if not has_network:
            spaces.append("--net")
        entering = (_ENTER, self._base, self._copy, self._host)
        return run(
            ["unshare", *spaces, "sh", *entering, user, *argv],
            doing=doing or f"In the clean room, {' '.join(argv)}",
            asks_network=argv[0] == "apt-get",
            limit_s=_LIMIT_S,
        )
