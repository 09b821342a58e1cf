"""A screen reader goes through the transcript message by message."""

import gc

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import (
    QAccessible,
    QAccessibleActionInterface,
    QAccessibleInterface,
    QAccessibleTextInterface,
    QGuiApplication,
)
from pytestqt.qtbot import QtBot

from app.chat.items import CallState, ToolCall
from local_tools.ledger.steps import Decider
from tests.app.ui.transcript.conftest import Show
from tests.support.transcript_fixtures import Shown, asked, replied


def _list(shown: Shown) -> QAccessibleInterface:
    return QAccessible.queryAccessibleInterface(shown.view)


def _names(shown: Shown) -> list[str]:
    messages = _list(shown)
    children = [messages.child(index) for index in range(messages.childCount())]
    items = [child for child in children if child.role() == QAccessible.Role.ListItem]
    return [item.text(QAccessible.Text.Name) for item in items]


def test_each_message_is_an_item_that_says_who_speaks(show: Show) -> None:
    call = ToolCall(
        call_id="c",
        tool="run",
        key="t",
        title="Run",
        target="ls",
        state=CallState.DONE,
        input_text="in",
        output_text="out",
        duration_ms=4,
        decider=Decider.USER,
    )
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


def _row(shown: Shown, number: int) -> QAccessibleInterface:
    return _list(shown).child(number)


def _text_of(row: QAccessibleInterface) -> QAccessibleTextInterface:
    # Asked as Qt itself asks: by the address that the class gives.
    return QAccessibleInterface.textInterface(row)


def _actions_of(row: QAccessibleInterface) -> QAccessibleActionInterface:
    return QAccessibleInterface.actionInterface(row)


def test_a_message_is_read_by_its_letters(show: Show) -> None:
    shown = show([replied("r", "One **two** \N{PARTY POPPER} three.\n\nFour.")])

    text = _text_of(_row(shown, 0))
    whole = text.text(0, text.characterCount())

    assert whole == "One two \N{PARTY POPPER} three.\nFour."
    assert text.text(4, 7) == "two"
    # A picture counts as two letters, as it does for Qt.
    assert text.text(11, 16) == "three"
    row, second = _row(shown, 0).rect(), text.characterRect(whole.index("Four") + 1)
    assert row.contains(second.center())
    assert second.top() > text.characterRect(0).top()


def test_links_and_buttons_of_a_message_are_pressed_by_a_screen_reader(show: Show) -> None:
    shown = show([replied("r", "See [here](https://1.example).\n\n```\nls\n```")])
    opened: list[tuple[str, str]] = []
    shown.view.link_activated.connect(lambda *link: opened.append(link))

    link, _, copy = (_row(shown, 0).child(index) for index in range(3))
    for one in (link, copy):
        _actions_of(one).doAction(QAccessibleActionInterface.pressAction())

    assert _row(shown, 0).childCount() == 3
    assert (link.role(), copy.role()) == (QAccessible.Role.Link, QAccessible.Role.Button)
    assert link.text(QAccessible.Text.Name) == "here"
    assert link.text(QAccessible.Text.Description) == "https://1.example"
    assert link.parent().text(QAccessible.Text.Name).startswith("Coder: See here")
    assert _row(shown, 0).indexOfChild(copy) == 2
    assert _row(shown, 0).rect().contains(link.rect())
    assert opened == [("https://1.example", "here")]
    assert QGuiApplication.clipboard().text() == "ls"


def test_a_message_is_copied_by_a_screen_reader(show: Show) -> None:
    shown = show([asked("q", "What now?"), replied("r", "Then **this**.")])

    actions = _actions_of(_row(shown, 1))
    actions.doAction(actions.actionNames()[0])

    assert actions.localizedActionName(actions.actionNames()[0]) == "Copy message"
    assert QGuiApplication.clipboard().text() == "Then this."


def test_a_row_has_nothing_else_that_readers_ask_for(show: Show) -> None:
    shown = show([replied("r", "text")])

    row = _row(shown, 0)

    # Qt asks for each of these by an address; a wrong one ends the program.
    assert QAccessibleInterface.valueInterface(row) is None
    assert QAccessibleInterface.editableTextInterface(row) is None
    assert QAccessibleInterface.selectionInterface(row) is None
