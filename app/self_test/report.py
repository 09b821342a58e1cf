"""What the self-test found: a line a check while it runs, and JSON for whoever asked."""

import json
import platform
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, TextIO

from app.log_file import redacted

Outcome = Literal["ok", "failed", "not reached"]


class CheckFailed(Exception):
    """A check did not find what it looks for; the text says what was there instead."""


@dataclass(frozen=True, slots=True)
class Result:
    """How one check ended; `detail` says why it failed."""

    name: str
    outcome: Outcome
    duration_ms: int
    detail: str = ""


@dataclass(slots=True)
class Report:
    """Collects the results in order, and prints each as it comes.

    After a failed check the later ones have nothing to stand on: they count as not reached.
    """

    out: TextIO
    version: str
    results: list[Result] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)

    @property
    def is_good(self) -> bool:
        """Whether every check so far ended well."""
        return all(result.outcome == "ok" for result in self.results)

    @contextmanager
    def check(self, name: str) -> Iterator[None]:
        """Times what is done inside, and adds how it ended; a failure goes no further."""
        begin = time.monotonic()
        try:
            yield
        except (CheckFailed, TimeoutError) as failure:
            detail = redacted(str(failure)) or "it took too long"
            self._add(Result(name, "failed", _ms_since(begin), detail))
        else:
            self._add(Result(name, "ok", _ms_since(begin)))

    def skip(self, name: str) -> None:
        """Notes a check that an earlier failure kept from running."""
        self._add(Result(name, "not reached", 0))

    def tell(self, name: str, words: str) -> None:
        """Notes what was found out, and is neither good nor bad."""
        self.facts[name] = words
        print(f"{'':<11} {'':>8}  {name}: {words}", file=self.out, flush=True)

    def write(self, path: Path) -> None:
        """Writes everything as JSON.

        Raises:
            OSError: the file cannot be written.
        """
        content = {
            "program": "parley",
            "version": self.version,
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
            "system": platform.platform(),
            "python": platform.python_version(),
            "ok": self.is_good,
            "facts": self.facts,
            "checks": [asdict(result) for result in self.results],
        }
        path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")

    def _add(self, result: Result) -> None:
        self.results.append(result)
        line = f"{result.outcome:<11} {result.duration_ms / 1000:6.2f} s  {result.name}"
        print(line + (f": {result.detail}" if result.detail else ""), file=self.out, flush=True)


def report_to_stdout(version: str) -> Report:
    """Makes the report that a person at a terminal reads."""
    return Report(sys.stdout, version)


def _ms_since(begin: float) -> int:
    return round((time.monotonic() - begin) * 1000)
