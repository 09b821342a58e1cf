"""A clean room: a temporary copy of a minimal system in which commands run.

A test in it consists of steps: each is timed, and the first failure ends the test.
"""

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import mkdtemp
from types import TracebackType
from typing import Final, Self

from processes import Failed, run, say

_ENTER: Final = Path(__file__).with_name("enter.sh")
USER: Final = "tester"
_LIMIT_S: Final = 900.0


class Room:
    """A disposable system; a context manager that deletes the copy at its end.

    Files stay from one command to the next, except in /tmp and /run; processes and mounts do not.

    Args:
        base: The root of the system to copy; not changed.
        host: A folder mounted read-only as /host.
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
            user: The user that runs it.
            has_network: False leaves only loopback.
            doing: The name of the step for messages; the command itself by default.

        Returns:
            The command's stdout.

        Raises:
            Failed: The command failed.
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


@dataclass(frozen=True)
class Step:
    """What was done, and how long it took."""

    name: str
    seconds: float


@dataclass
class Steps:
    """What was done in one room, in order.

    Attributes:
        subject: What is tested ("parley_0.1.0_amd64.deb on bookworm").
    """

    subject: str
    done: list[Step] = field(default_factory=list)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Time what is done inside, and print it.

        Raises:
            Failed: What was done inside failed; the sentence says in which step.
        """
        begin = time.monotonic()
        try:
            yield
        except Failed as failure:
            raise Failed(f"{self.subject}: {name}: failed. {failure}") from failure
        step = Step(name, time.monotonic() - begin)
        self.done.append(step)
        say(f"  {step.seconds:6.1f} s  {name}")

    def seconds(self) -> float:
        """Return how long all of it took."""
        return sum(step.seconds for step in self.done)


def expect(is_so: bool, sentence: str) -> None:
    """End the step with a sentence unless something is so.

    Raises:
        Failed: It is not.
    """
    if not is_so:
        raise Failed(sentence)
