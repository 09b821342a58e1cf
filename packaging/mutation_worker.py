"""The part of `mutation_testing.py` that runs inside a copy of the tree.

As a plugin of pytest it notes which test reaches which line. As a program it imports the libraries
once and then forks a process for each mutant, since to import them takes longer than most tests.
"""

import contextlib
import importlib
import json
import os
import select
import signal
import sys
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import psutil
import pytest
from coverage import Coverage

# A test that hangs fails, instead of ending the process with all its other tests.
PYTEST_OPTIONS: Final = ("-p", "no:cacheprovider", "-o", "timeout_method=signal")
# The libraries are imported before pytest, which warns that it cannot rewrite their assertions.
_WARNINGS: Final = ("-W", "ignore::pytest.PytestAssertRewriteWarning")


class LineRecorder:
    """Notes, for each test, how it ended, how long it took and which lines it reached."""

    def __init__(self, folder: Path, sources: Sequence[str]) -> None:
        self._folder = folder
        self._durations_s: dict[str, float] = {}
        self._failed: list[str] = []
        self._coverage = Coverage(
            data_file=str(folder / f"coverage.{os.getpid()}"),
            include=[str(Path(source).resolve()) for source in sources],
            config_file=False,
        )
        self._coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Note under the name of the test what it reaches."""
        self._coverage.switch_context(item.nodeid)
        try:
            return (yield)
        finally:
            self._coverage.switch_context("")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add up the parts of a test."""
        if report.failed or report.skipped:
            self._failed += [report.nodeid] if report.failed else []
            self._durations_s.pop(report.nodeid, None)
        elif report.when == "setup" or report.nodeid in self._durations_s:
            before = self._durations_s.get(report.nodeid, 0.0)
            self._durations_s[report.nodeid] = before + report.duration

    def pytest_unconfigure(self) -> None:
        """Write down what was noted."""
        self._coverage.stop()
        self._coverage.save()
        noted = {
            "durations_s": self._durations_s,
            "failed": self._failed,
            "libraries": list(_libraries()),
        }
        file = self._folder / f"{os.getpid()}.json"
        file.write_text(json.dumps(noted), encoding="utf-8")


def _libraries() -> Iterator[str]:
    """Yield the modules that no mutant changes: those from outside the tree."""
    here = Path.cwd()
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if name != "__main__" and file and not Path(file).is_relative_to(here):
            yield name


def pytest_configure(config: pytest.Config) -> None:
    """Record what each test reaches, where the environment names a folder for it."""
    if "MUTATION_NOTES" in os.environ:
        sources = os.environ["MUTATION_SOURCES"].split(os.pathsep)
        config.pluginmanager.register(LineRecorder(Path(os.environ["MUTATION_NOTES"]), sources))


def main() -> None:
    """Answer each line of stdin, JSON, with one on stdout: the code of pytest, null if too slow."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    # What is printed while importing or testing is no answer.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    for question in _questions():
        code = None
        if "libraries" in question:
            _import_all(question["libraries"])
        else:
            code = _run_forked(question["tests"], question["limit_s"])
        answers.write(json.dumps({"code": code}) + "\n")
        answers.flush()


def _questions() -> Iterator[dict[str, Any]]:
    # Not by iterating over stdin, whose buffer the forked processes would share.
    while line := sys.stdin.readline():
        yield json.loads(line)


def _import_all(names: Sequence[str]) -> None:
    for name in names:
        # Some are made while running, or are there for another module to import alone.
        with contextlib.suppress(Exception):
            importlib.import_module(name)


def _run_forked(tests: Sequence[str], limit_s: float) -> int | None:
    """Return the exit code of pytest, or None if it took too long."""
    process = os.fork()
    if not process:
        os.setsid()
        os._exit(_run(tests))
    watched = os.pidfd_open(process)
    try:
        ended, _, _ = select.select([watched], [], [], limit_s)
    finally:
        os.close(watched)
        _end_all_below(process)
        _, status = os.waitpid(process, 0)
    return os.waitstatus_to_exitcode(status) if ended else None


def _run(tests: Sequence[str]) -> int:
    os.dup2(os.open(os.devnull, os.O_RDONLY), sys.stdin.fileno())
    try:
        return int(pytest.main(["-x", "-q", *PYTEST_OPTIONS, *_WARNINGS, *tests]))
    except BaseException:  # noqa: BLE001  # Whatever a mutant does, it ends here.
        return 1


def _end_all_below(process: int) -> None:
    """End the process of a mutant and all that it has left running."""
    with contextlib.suppress(psutil.NoSuchProcess):
        for child in psutil.Process(process).children(recursive=True):
            with contextlib.suppress(psutil.NoSuchProcess):
                child.kill()
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process, signal.SIGKILL)


if __name__ == "__main__":
    main()
