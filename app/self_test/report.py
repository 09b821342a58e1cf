"""Run the checks of the self-test and report them: a line a check, and JSON for whoever asked.

`Check` is one thing to find out; it raises `CheckFailed` or `NotAvailable` when it does not end
well. `SelfTestReport` makes the checks and keeps how each ended.
"""

import asyncio
import errno
import json
import logging
import os
import platform
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final, Literal, TextIO, get_args

from PySide6.QtCore import QCoreApplication, qVersion
from PySide6.QtGui import QGuiApplication

from app.common.clock import utc_now
from app.import_export.chat_export import appearing_file, settle
from app.tasks import TaskOwner

CheckId = Literal[
    "files",
    "plugins",
    "folders",
    "keyring",
    "trust",
    "window",
    "fonts",
    "service",
    "catalog",
    "reply",
    "allow",
    "deny",
    "undo",
    "chats",
    "delete",
    "settings",
    "engine",
    "sandbox",
    "restart",
    "reopen",
    "end",
]

CHECK_IDS: Final[tuple[CheckId, ...]] = get_args(CheckId)
"""Every check, in the order in which they are made: what `--require` knows."""

_LIMIT_S: Final = 40.0


class CheckFailed(Exception):
    """A check did not find what it looks for; the text says what was there instead."""


class NotAvailable(Exception):
    """What a check looks for is not to be had here; the text says why."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing to find out.

    Attributes:
        check_id: what `--require` calls it.
        name: what holds when it ends well, in the language of the window.
        run: finds it out; returns what else is worth knowing, or nothing.
        limit_s: how long it may take.
    """

    check_id: CheckId
    name: str
    run: Callable[[], Awaitable[str]]
    limit_s: float = _LIMIT_S


class UnknownCheck(ValueError):
    """No check has this name."""


def read_ids(text: str) -> frozenset[CheckId]:
    """Read the ids of checks with commas between them.

    Raises:
        UnknownCheck: one of them is none; the message names those there are.
    """
    wanted = [word.strip() for word in text.split(",") if word.strip()]
    if unknown := [word for word in wanted if word not in CHECK_IDS]:
        named = ", ".join(repr(word) for word in unknown)
        raise UnknownCheck(f"there is no check {named}; there are {', '.join(CHECK_IDS)}")
    return frozenset(check_id for check_id in CHECK_IDS if check_id in wanted)


log = logging.getLogger(__name__)

Outcome = Literal["ok", "failed", "not available"]
translate = QCoreApplication.translate

_OUTCOME_WIDTH: Final = 15
# More than a report takes.
_NEEDED_BYTES: Final = 64 * 1024
_AFTER_LIMIT_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class Result:
    """How one check ended; `detail` says why it did not end well, or what else was found."""

    check: CheckId
    name: str
    outcome: Outcome
    duration_ms: int
    detail: str = ""


@dataclass(slots=True)
class SelfTestReport:
    """Makes checks one after the other, prints how each ended, and keeps it.

    Attributes:
        out: where the lines go.
        version: of the program.
        hide: takes out of a text what a stranger need not read.
        required: what must not be missing here.
    """

    out: TextIO
    version: str
    hide: Callable[[str], str]
    required: frozenset[CheckId] = frozenset()
    results: list[Result] = field(default_factory=list)
    begin: float = field(default_factory=time.monotonic)

    @property
    def is_good(self) -> bool:
        """Whether no check failed so far."""
        return all(result.outcome != "failed" for result in self.results)

    async def make(self, check: Check) -> bool:
        """Make a check, within its limit, and add how it ended; return whether it ended well."""
        begin = time.monotonic()
        outcome, detail = await _outcome_of(check)
        self._add(check, outcome, detail, begin)
        return outcome == "ok"

    def pass_over(self, check: Check, reason: str) -> None:
        """Add a check that could not be made."""
        self._add(check, "not available", reason, time.monotonic())

    def conclude(self) -> None:
        """Print what came of it all."""
        failed = [result for result in self.results if result.outcome == "failed"]
        missing = [result for result in self.results if result.outcome == "not available"]
        words = [translate("SelfTest", "%n checks completed", "", len(self.results) - len(missing))]
        if missing:
            words.append(translate("SelfTest", "%n not available", "", len(missing)))
        words.append(
            translate("SelfTest", "%n failed", "", len(failed))
            if failed
            else translate("SelfTest", "none failed")
        )
        self._print(f"{', '.join(words)}. {time.monotonic() - self.begin:.1f} s")

    def write(self, file: Path) -> None:
        """Write everything as JSON, whole or not at all.

        Raises:
            NotWritten: the file cannot be written; one that was there is as it was.
            OSError: the same of a pipe or a terminal.
        """
        content = {
            "program": "parley",
            "version": self.version,
            "is_installed": bool(getattr(sys, "frozen", False)),
            "at": utc_now().isoformat(timespec="seconds"),
            "system": self.hide(platform.platform()),
            "python": platform.python_version(),
            "qt": qVersion(),
            "shown_by": QGuiApplication.platformName(),
            "required": sorted(self.required),
            "ok": self.is_good,
            "duration_ms": _ms_since(self.begin),
            "checks": [asdict(result) for result in self.results],
        }
        text = json.dumps(content, indent=2, ensure_ascii=False) + "\n"
        # A file name may hold surrogates, which UTF-8 cannot encode.
        _write_whole(file, text.encode("utf-8", errors="replace"))

    def _add(self, check: Check, outcome: Outcome, detail: str, begin: float) -> None:
        if outcome == "not available" and check.check_id in self.required:
            outcome = "failed"
            detail = translate("SelfTest", "required but not available: {reason}").format(
                reason=detail
            )
        took_ms, detail = _ms_since(begin), self.hide(detail)
        self.results.append(Result(check.check_id, check.name, outcome, took_ms, detail))
        line = f"{_words(outcome):<{_OUTCOME_WIDTH}} {took_ms / 1000:5.2f} s  {check.name}"
        self._print(line + (f": {detail}" if detail else ""))

    def _print(self, line: str) -> None:
        print(line, file=self.out, flush=True)


def demand_writable(file: Path) -> None:
    """Make sure that a report can be written there, now and not after half a minute.

    Raises:
        OSError: It cannot.
    """
    if not _is_no_file(file):
        demand_room(file.resolve().parent)
    elif file.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))


def demand_room(folder: Path) -> None:
    """Make sure that something can be written into a folder; leave nothing there.

    Raises:
        OSError: It cannot, or there is no such folder.
    """
    with tempfile.TemporaryFile(dir=folder) as trial:
        trial.write(b" " * _NEEDED_BYTES)


def _write_whole(file: Path, content: bytes) -> None:
    if _is_no_file(file):
        file.write_bytes(content)
        return
    with appearing_file(file.resolve(), may_replace=True) as part:
        part.write_bytes(content)
        settle([part])


def _is_no_file(file: Path) -> bool:
    """Return whether the target is written to and never replaced, as a pipe or a terminal is."""
    return file.exists() and not file.is_file()


async def _outcome_of(check: Check) -> tuple[Outcome, str]:
    """Make the check in a task of its own, so that whatever it meets ends nothing else."""
    tasks = TaskOwner(_on_check_failed, close_limit_s=_AFTER_LIMIT_S)
    try:
        task = tasks.start(_run(check), name=check.check_id)
        await asyncio.wait([task], timeout=check.limit_s)
    finally:
        await tasks.aclose()
    if not task.done() or task.cancelled():
        words = translate("SelfTest", "not done within {seconds} s")
        return "failed", words.format(seconds=f"{check.limit_s:g}")
    match task.exception():
        case None:
            return "ok", task.result()
        case NotAvailable() as reason:
            return "not available", str(reason)
        case CheckFailed() as failure:
            return "failed", str(failure)
        case error:
            return "failed", f"{type(error).__name__}: {error}"


async def _run(check: Check) -> str:
    return await check.run()


def _on_check_failed(name: str, error: BaseException) -> None:
    if not isinstance(error, CheckFailed | NotAvailable):
        log.info("The check %s failed unexpectedly", name, exc_info=error)


def _words(outcome: Outcome) -> str:
    words = {
        "ok": translate("SelfTest", "ok"),
        "failed": translate("SelfTest", "failed"),
        "not available": translate("SelfTest", "not available"),
    }
    return words[outcome]


def _ms_since(begin: float) -> int:
    return round((time.monotonic() - begin) * 1000)
