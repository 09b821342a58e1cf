"""The ring says how full the context window is and what the chat cost, by name and by menu."""

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent, QTextDocument
from PySide6.QtWidgets import QApplication, QMenu, QToolTip
from pytestqt.qtbot import QtBot

from app.api.events import Usage
from app.ui.composer.context_ring import ContextRing
from app.ui.theme import Theme
from app.viewmodels.chat.usage_texts import usage_view


def _ring(theme: Theme, qtbot: QtBot, usage: Usage | None) -> ContextRing:
    ring = ContextRing(theme)
    qtbot.addWidget(ring)
    ring.show_usage(usage_view(usage), can_summarise=True)
    return ring


def test_nothing_is_shown_before_anything_is_known(theme: Theme, qtbot: QtBot) -> None:
    ring = _ring(theme, qtbot, None)
    assert ring.isHidden()

    ring.show_usage(usage_view(Usage(context_tokens=1, context_window=2)), can_summarise=True)
    assert not ring.isHidden()
    ring.show_usage(None, can_summarise=True)
    assert ring.isHidden()


def test_name_says_the_numbers_and_enter_lists_them(theme: Theme, qtbot: QtBot) -> None:
    ring = _ring(theme, qtbot, Usage(40_000, 3_000, 12_000, 12_480, 32_768, 0.0123))
    lines = [
        "Context: 12480 of 32768 tokens (38 %)",
        "Read in this chat: 40000 tokens, 12000 of them cached",
        "Written in this chat: 3000 tokens",
        "Cost of this chat: $0.01",
    ]
    assert ring.accessibleName() == ". ".join(lines)
    assert not ring.accessibleDescription()
    ask = QHelpEvent(QEvent.Type.ToolTip, QPoint(1, 1), ring.mapToGlobal(QPoint(1, 1)))
    QApplication.sendEvent(ring, ask)
    shown = QTextDocument()
    shown.setHtml(QToolTip.text())
    assert shown.toPlainText().splitlines() == lines
    QToolTip.hideText()

    qtbot.keyClick(ring, Qt.Key.Key_Return)

    (menu,) = ring.findChildren(QMenu)
    assert menu.isVisible()
    shown_lines = [action.text() for action in menu.actions() if action.text()]
    assert shown_lines == [*lines, "Summarise and continue"]
    menu.close()


def test_window_that_is_only_assumed_is_said_to_be(theme: Theme, qtbot: QtBot) -> None:
    usage = Usage(context_tokens=901, context_window=8192, is_window_assumed=True)
    ring = _ring(theme, qtbot, usage)
    view = usage_view(usage)

    assert view is not None
    assert view.words == "≈ 11 %"
    assert "901 of an assumed 8192 tokens" in ring.accessibleName()


@pytest.mark.parametrize(
    ("cost", "words"),
    [(None, "price unknown"), (0.0, "free"), (0.00001, "$0.0001"), (12.5, "$12.50")],
)
def test_cost_is_explained_where_it_is_no_number(
    theme: Theme, qtbot: QtBot, cost: float | None, words: str
) -> None:
    ring = _ring(theme, qtbot, Usage(cost_usd=cost))

    assert ring.accessibleName() == f"Cost of this chat: {words}"


def test_usage_above_the_window_shows_a_full_ring(theme: Theme, qtbot: QtBot) -> None:
    ring = _ring(theme, qtbot, Usage(context_tokens=10**12, context_window=1))

    assert "(100 %)" in ring.accessibleName()
    assert not ring.grab().isNull()


def test_ring_offers_to_go_on_from_a_summary_at_any_time(theme: Theme, qtbot: QtBot) -> None:
    ring = _ring(theme, qtbot, Usage(context_tokens=950, context_window=1000))
    assert ring.accessibleName().startswith("The context window is nearly full.")
    qtbot.keyClick(ring, Qt.Key.Key_Return)
    (menu,) = ring.findChildren(QMenu)
    (offer,) = [action for action in menu.actions() if action.text() == "Summarise and continue"]
    with qtbot.waitSignal(ring.summary_requested):
        offer.trigger()
    menu.close()

    ring.show_usage(usage_view(Usage(context_tokens=950, context_window=1000)), can_summarise=False)
    assert offer not in menu.actions()
    ring.show_usage(usage_view(Usage(context_tokens=500, context_window=1000)), can_summarise=True)
    assert offer in menu.actions()
    assert "full" not in ring.accessibleName()
