"""What is said of an export: how far it is, what became of it, and what went wrong."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.ui.import_export.import_export_controller import ProgressBar
from app.ui.theme import Theme
from app.ui.widgets.toast import Toast
from app.viewmodels.import_export import WorkView
from tests.support.widgets import button_named, child, label_texts

_DONE = WorkView("One chat exported to a.md.", path="/tmp/a.md")


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[QWidget]:
    """Yield what the strip stands in, below a page."""
    made = QWidget()
    qtbot.addWidget(made)
    QVBoxLayout(made).addWidget(QWidget(), 1)
    made.resize(700, 400)
    made.show()
    yield made
    made.close()


@pytest.fixture
def bar(window: QWidget, theme: Theme) -> ProgressBar:
    layout, page = window.layout(), child(window, QWidget)
    made = ProgressBar(theme, page)
    assert layout is not None
    layout.addWidget(made)
    return made


def test_what_was_exported_is_told_by_a_toast_that_shows_the_folder(
    bar: ProgressBar, window: QWidget
) -> None:
    bar.show_work(WorkView("1 of 2 chats exported", is_running=True, share=0.5))
    assert bar.isVisible()

    bar.show_work(_DONE)
    toast = child(window, Toast)
    assert bar.isHidden()
    assert "One chat exported to a.md." in label_texts(toast)
    assert button_named(toast, "Show in folder").isVisible()

    bar.show_work(WorkView("Export cancelled."))
    shown = [one for one in toast.findChildren(QPushButton) if one.isVisible()]
    assert "Show in folder" not in [one.text() for one in shown]


def test_toast_leads_to_what_was_imported(bar: ProgressBar, window: QWidget, qtbot: QtBot) -> None:
    bar.show_work(WorkView("2 chats imported.", has_imported=True))

    with qtbot.waitSignal(bar.imported_requested):
        button_named(child(window, Toast), "Show").click()


def test_what_went_wrong_stays_until_it_was_read(bar: ProgressBar, window: QWidget) -> None:
    bar.show_work(_DONE)
    bar.show_work(WorkView("Nothing was written.", is_bad=True))

    assert not child(window, Toast).isVisible()
    assert bar.isVisible()
    assert button_named(bar, "Close").isVisible()


def test_long_words_wrap_in_the_toast(bar: ProgressBar, window: QWidget) -> None:
    words = "Only the latest branch of each chat was imported; other branches were left out. " * 3
    bar.show_work(WorkView(words))
    toast = child(window, Toast)

    assert window.rect().contains(toast.geometry())
    assert toast.height() > 2 * toast.fontMetrics().height()
