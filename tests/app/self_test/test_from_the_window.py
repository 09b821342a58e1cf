"""The self-test that is begun in the window: lines as they come, a report, and its end."""

import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import psutil
import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from app.paths import resources
from app.platform.self_test_process import SelfTestChild
from app.self_test.ui_driver import click, find, until
from app.ui.settings.about import SelfTestGroup
from app.ui.theme import Theme
from app.viewmodels.settings.about import SelfTestState, SelfTestViewModel
from tests.support.held_work import HeldWork

pytestmark = pytest.mark.anyio

# Some 6 s of it; a machine that does other things as well takes its time.
_TIMEOUT_S: Final = 80.0
# In place of the program: two lines, a report, and an exit code.
_SCRIPT: Final = """
import sys
print("ok  the first", flush=True)
print("failed  the second", flush=True)
open(sys.argv[1], "w").write("the report")
sys.exit(1)
"""


def _command(report: Path, _language: str) -> list[str]:
    return [sys.executable, "-c", _SCRIPT, str(report)]


@pytest.fixture
def passing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where everything that passes lies."""
    folder = tmp_path / "passing"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@asynccontextmanager
async def _group(qtbot: QtBot, child: SelfTestChild) -> AsyncIterator[SelfTestGroup]:
    """Yield the group of the settings, shown, and its view model closed at the end."""
    application = QGuiApplication.instance()
    assert isinstance(application, QGuiApplication)
    self_test = SelfTestViewModel(lambda: "en", child)
    group = SelfTestGroup(Theme(resources(), application.styleHints()), self_test)
    qtbot.addWidget(group)
    group.show()
    try:
        yield group
    finally:
        await self_test.aclose()


async def _until(group: SelfTestGroup, *states: SelfTestState) -> None:
    self_test = group.self_test
    await until(lambda: self_test.view.state in states, [self_test.changed], "it", _TIMEOUT_S)


async def test_lines_are_shown_copied_and_the_report_is_saved(
    qtbot: QtBot, tmp_path: Path, passing: Path
) -> None:
    async with _group(qtbot, SelfTestChild(_command)) as group:
        assert not group.lines.isVisible()
        click(group.start)
        assert not group.start.isVisible()
        await _until(group, SelfTestState.BAD)

        assert group.lines.toPlainText() == "ok  the first\nfailed  the second"
        click(find(group, QAbstractButton, "Copy results"))
        assert QGuiApplication.clipboard().text() == "ok  the first\nfailed  the second"
        assert find(group, QAbstractButton, "Save report…").isEnabled()
        group.self_test.save(tmp_path / "kept.json")
        words = "The report is saved."
        saved = group.self_test
        await until(lambda: saved.view.words == words, [saved.changed], "saved")

        assert (tmp_path / "kept.json").read_text(encoding="utf-8") == "the report"
        assert _left(passing) == []
        click(group.start)
        assert group.lines.toPlainText() == ""
        await _until(group, SelfTestState.BAD)


async def test_program_that_is_not_there_is_said_to_be(qtbot: QtBot, passing: Path) -> None:
    async with _group(qtbot, SelfTestChild(lambda _file, _language: ["/nowhere"])) as group:
        click(group.start)
        await _until(group, SelfTestState.BAD)

        assert "could not be completed" in group.self_test.view.words
    assert _left(passing) == []


async def test_cancelled_self_test_ends_with_its_service_and_leaves_nothing(
    qtbot: QtBot, passing: Path
) -> None:
    """The real one, while its service starts, whose command names its folder."""
    others = set(psutil.Process().children())
    async with _group(qtbot, SelfTestChild()) as group:
        click(group.start)
        came, shown = group.self_test.line_came, group.lines.toPlainText
        await until(lambda: "Both fonts" in shown(), [came], "a line", _TIMEOUT_S)
        click(find(group, QAbstractButton, "Cancel the self-test"))
        await _until(group, SelfTestState.CANCELLED)

        assert group.start.isVisible()
    assert _left(passing) == []
    # What others have begun before may have ended meanwhile.
    assert set(psutil.Process().children()) <= others
    assert [one for one in psutil.process_iter() if str(passing) in _command_of(one)] == []


async def test_self_test_that_is_told_twice_to_end_waits_for_what_it_started(
    passing: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, began = HeldWork(), asyncio.Event()
    monkeypatch.setattr(psutil, "wait_procs", held.before(psutil.wait_procs))
    script = "import time; print('begun', flush=True); time.sleep(600)"
    child = SelfTestChild(lambda _file, _language: [sys.executable, "-c", script])
    task = asyncio.create_task(child.run("en", lambda _line: began.set()))
    await began.wait()
    task.cancel()

    assert await held.cancel(task)
    assert _left(passing) == []


def _left(folder: Path) -> list[Path]:
    return list(folder.iterdir())


def _command_of(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""
