"""The steps of a test in the clean room: each is timed, and the first that fails ends it."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from processes import Failed, say


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
        """Time what is done inside, and says it.

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
        """How long all of it took."""
        return sum(step.seconds for step in self.done)


def expect(is_so: bool, sentence: str) -> None:
    """End the step with a sentence unless something is so.

    Raises:
        Failed: It is not.
    """
    if not is_so:
        raise Failed(sentence)
