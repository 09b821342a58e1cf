"""The hooks and fixtures that watch over every test.

A test fails when it leaves something behind (`tests.support.leaks`), when it tries to leave this
machine (`tests.support.network`), and when something is logged at WARNING or above that it did
not announce by `@pytest.mark.expects_log("part of the message")`.
"""

import gc
import inspect
import logging
import os
from collections.abc import Generator, Iterator
from typing import Any, Final

import pytest
from PySide6.QtWidgets import QApplication

from app.event_loop import AppEventLoop, GuiThreadGarbageCollector
from tests.support import network
from tests.support.leaks import Snapshot, watch_tasks

# Files whose tests take longest, so that none of them is left to one process at the end.
_BEGUN_FIRST: Final = (
    *("tests/app/window/", "tests/app/access/", "tests/app/self_test/", "tests/packaging/"),
    *("tests/local_tools/test_planted_code.py", "tests/local_tools/user_tools/"),
    *("tests/test_style.py", "tests/test_watching.py"),
)
_garbage = GuiThreadGarbageCollector()

LoopBackend = tuple[str, dict[str, Any]]


class _LogKeeper(logging.Handler):
    """Keeps the messages of one test that a person would have to act on."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(f"{record.levelname} {record.name}: {record.getMessage()}")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="also run the full form of long tests")
    parser.addoption("--frozen", action="store_true", help="also test what dev.py build has made")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "expects_log(part): this test logs a warning that contains `part`"
    )
    network.stay_on_loopback()
    # What is imported and collected stays to the end.
    gc.disable()
    # No test shows notices on the desktop of whoever runs it.
    os.environ.pop("DBUS_SESSION_BUS_ADDRESS", None)


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Begin at another file in each process: pytest caches rewritten modules for the others."""
    config = session.config
    worker: dict[str, Any] | None = getattr(config, "workerinput", None)
    if worker is None or config.args != config.getini("testpaths"):
        return
    files = sorted(str(file) for file in (config.rootpath / "tests").rglob("test_*.py"))
    number = int(worker["workerid"].removeprefix("gw"))
    first = number * len(files) // int(worker["workercount"])
    config.args = [*files[first:], *files[:first]]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    unasked = [mark for mark in ("long", "frozen") if not config.getoption(f"--{mark}")]
    left_out = [item for item in items if any(map(item.get_closest_marker, unasked))]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
    items.sort(key=_place)


def _place(item: pytest.Item) -> tuple[bool, str]:
    """Where a test's file stands among all files; within it, tests stay in their order."""
    file = item.nodeid.partition("::")[0]
    return not file.startswith(_BEGUN_FIRST), file


def pytest_collection_finish() -> None:
    """Freeze what was imported: no later search for garbage has to look through it.

    As in the program, other threads never collect: what tests leave may hold objects of Qt.
    """
    gc.collect()
    gc.freeze()
    gc.disable()


def pytest_runtest_logfinish() -> None:
    """Collect between the tests, on the thread of all objects of Qt."""
    _garbage.collect_if_due()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """Watch the tasks of a coroutine test from inside its loop."""
    function = pyfuncitem.obj
    if not inspect.iscoroutinefunction(function):
        return (yield)
    pyfuncitem.obj = watch_tasks(function)
    try:
        return (yield)
    finally:
        pyfuncitem.obj = function


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail what was skipped on a machine that is set up for all tests."""
    report = yield
    if report.skipped and os.environ.get("CI") == "true" and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped, which CI does not allow: {report.longrepr}"
    return report


@pytest.fixture(autouse=True)
def _nothing_is_left() -> Iterator[None]:
    before = Snapshot.take()
    network.refused.clear()
    yield
    left = before.leftovers()
    if left:
        pytest.fail(f"left behind: {', '.join(left)}", pytrace=False)
    if network.refused:
        pytest.fail(f"tried to leave this machine: {network.refused}", pytrace=False)


@pytest.fixture(autouse=True)
def _nothing_unexpected_is_logged(request: pytest.FixtureRequest) -> Iterator[None]:
    marks = request.node.iter_markers("expects_log")
    expected = [str(part) for mark in marks for part in mark.args]
    keeper = _LogKeeper()
    logging.getLogger().addHandler(keeper)
    yield
    logging.getLogger().removeHandler(keeper)
    stray = [m for m in keeper.messages if not any(part in m for part in expected)]
    silent = [part for part in expected if not any(part in m for m in keeper.messages)]
    if stray:
        pytest.fail(f"unexpected in the log: {stray}", pytrace=False)
    if silent:
        pytest.fail(f"expected in the log, and missing: {silent}", pytrace=False)


@pytest.fixture
def qt_loop(qapp: QApplication) -> LoopBackend:
    """For modules whose coroutines need Qt: return this from their own `anyio_backend`."""
    return "asyncio", {"loop_factory": lambda: AppEventLoop(qapp)}
