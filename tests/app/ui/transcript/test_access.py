"""A screen reader goes through the transcript message by message."""

import gc

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from pytestqt.qtbot import QtBot

from app.chat.items import CallState, ToolRow
from tests.app.ui.transcript.conftest import Show
from tests.support.transcript_stage import Shown, asked, replied


def _list(shown: Shown) -> QAccessibleInterface:
    return QAccessible.queryAccessibleInterface(shown.view)


def _names(shown: Shown) -> list[str]:
    messages = _list(shown)
    children = [messages.child(index) for index in range(messages.childCount())]
    items = [child for child in children if child.role() == QAccessible.Role.ListItem]
    return [item.text(QAccessible.Text.Name) for item in items]


def test_each_message_is_an_item_that_says_who_speaks(show: Show) -> None:
    call = ToolRow("t", "run", "Run", "ls", CallState.DONE, "in", "out", 4, "you")
    shown = show([asked("q", "What now?"), call, replied("r", "Then **this**.")])

    messages = _list(shown)
    assert messages.role() == QAccessible.Role.List
    assert messages.text(QAccessible.Text.Name) == "Transcript"
    assert _names(shown) == ["You: What now?", "Run ls 4 ms", "Coder: Then this."]


def test_items_are_kept_and_follow_what_is_said(show: Show) -> None:
    shown = show([asked("q", "go"), replied("r", "one", streams=True)])
    item = _list(shown).child(1)

    shown.replace(replied("r", "one and two"))
    shown.add(asked("p", "more"))
    shown.settle()
    gc.collect()

    assert item.text(QAccessible.Text.Name) == "Coder: one and two"
    assert _list(shown).indexOfChild(item) == 1
    assert item.parent().role() == QAccessible.Role.List
    assert _names(shown)[-1] == "You: more"
    shown.remove(1, 2)
    assert not item.isValid()


def test_items_are_where_they_are_seen(show: Show) -> None:
    shown = show([replied(str(i), f"Message {i}.\n\n" * 4) for i in range(60)])

    last, first = _list(shown).child(59), _list(shown).child(0)
    placed = shown.placed("59")
    corner = shown.view.viewport().mapToGlobal(QPoint(0, placed.top))
    assert last.rect().top() == corner.y()
    assert last.rect().height() == placed.row.height
    assert not last.state().offscreen
    assert first.state().offscreen
    assert first.text(QAccessible.Text.Name).startswith("Coder: Message 0.")
    middle = last.rect().center()
    assert _list(shown).indexOfChild(_list(shown).childAt(middle.x(), middle.y())) == 59


def test_item_that_the_keyboard_is_at_has_the_focus(show: Show, qtbot: QtBot) -> None:
    shown = show([asked("q", "go"), replied("r", "done")])
    with qtbot.waitActive(shown.view, timeout=20_000):
        shown.view.activateWindow()
    shown.view.setFocus()

    qtbot.keyClick(shown.view, Qt.Key.Key_K)

    focused = _list(shown).focusChild()
    assert focused.text(QAccessible.Text.Name) == "Coder: done"
    assert focused.state().focused


def test_thousands_of_messages_make_nothing_until_they_are_asked_for(show: Show) -> None:
    shown = show([replied(str(i), "text") for i in range(5000)])

    assert _list(shown).childCount() == 5001
    assert _list(shown).child(7).text(QAccessible.Text.Name) == "Coder: text"
    assert shown.view.laid_out_rows < 100
