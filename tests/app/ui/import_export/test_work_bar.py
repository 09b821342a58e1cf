"""The strip that says what became of an export: it does not stay for ever."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.ui.import_export.import_export_controller import ProgressBar
from app.ui.theme import Theme
from app.viewmodels.import_export import WorkView
from tests.support.widgets import button_named

_DONE = WorkView("One chat exported to a.md.", path="/tmp/a.md")


@pytest.fixture
def bar(theme: Theme, qtbot: QtBot) -> Iterator[ProgressBar]:
    """Yield a strip that stays for a millisecond, in a window where the keyboard is elsewhere."""
    window, made = QWidget(), ProgressBar(theme, stays_ms=1)
    made.dismissed.connect(lambda: made.show_work(None))
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    field = QLineEdit()
    for part in (field, made):
        column.addWidget(part)
    with qtbot.waitActive(window, timeout=20_000):
        window.show()
        window.activateWindow()
    field.setFocus()
    yield made
    window.close()


def test_success_of_an_export_is_shown_for_a_while(bar: ProgressBar, qtbot: QtBot) -> None:
    with qtbot.waitSignal(bar.dismissed, timeout=20_000):
        bar.show_work(_DONE)
    assert bar.isHidden()


def test_work_bar_stays_while_focused_and_after_a_failure(bar: ProgressBar, qtbot: QtBot) -> None:
    bar.show_work(_DONE)
    button_named(bar, "Close").setFocus(Qt.FocusReason.TabFocusReason)
    with qtbot.assertNotEmitted(bar.dismissed, wait=20):
        pass

    button_named(bar, "Close").clearFocus()
    bar.show_work(WorkView("Nothing was written.", is_bad=True))
    with qtbot.assertNotEmitted(bar.dismissed, wait=20):
        pass
