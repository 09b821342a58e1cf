"""By keyboard and by screen reader."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.chat.items import Action, Notice, Tone
from app.common.error_messages import ErrorMessage
from tests.app.ui.transcript.conftest import Show
from tests.support.transcript_fixtures import Shown, asked, replied


def test_tab_goes_through_what_can_be_pressed_in_the_order_of_reading(
    show: Show, qtbot: QtBot
) -> None:
    notice = Notice("n", Tone.BAD, ErrorMessage("Lost."), (Action.SEND_AGAIN,))
    shown = show(
        [replied("r", "[one](https://1.example) [two](https://2.example)\n\n```\nx\n```"), notice]
    )
    reached: list[tuple[QAccessible.Role, str, str]] = []
    with qtbot.waitActive(shown.view, timeout=20_000):
        shown.view.activateWindow()
    shown.view.setFocus()

    for key in (*[Qt.Key.Key_Tab] * 5, Qt.Key.Key_Backtab):
        qtbot.keyClick(shown.view, key)
        reached.append(_where_the_keyboard_is(shown))

    link, button = QAccessible.Role.Link, QAccessible.Role.Button
    assert reached == [
        (link, "one", "https://1.example"),
        (link, "two", "https://2.example"),
        (button, "Save code as…", ""),
        (button, "Copy code", ""),
        (button, "Send again", ""),
        (button, "Copy code", ""),
    ]


def _where_the_keyboard_is(shown: Shown) -> tuple[QAccessible.Role, str, str]:
    focused = QAccessible.queryAccessibleInterface(shown.view).focusChild()
    assert focused.state().focused
    kinds = QAccessible.Text.Name, QAccessible.Text.Description
    name, description = (focused.text(kind) for kind in kinds)
    return focused.role(), name, description


def test_tab_leaves_the_view_after_its_last_button(show: Show, qtbot: QtBot) -> None:
    shown = show([replied("r", "[one](https://1.example)")])
    page = QWidget()
    qtbot.addWidget(page)
    after = QLineEdit()
    layout = QVBoxLayout(page)
    layout.addWidget(shown.view)
    layout.addWidget(after)
    page.show()
    page.activateWindow()
    shown.view.setFocus()
    qtbot.waitUntil(shown.view.hasFocus, timeout=20_000)

    qtbot.keyClick(shown.view, Qt.Key.Key_Tab)
    assert shown.view.hasFocus()
    qtbot.keyClick(shown.view, Qt.Key.Key_Tab)

    assert not shown.view.hasFocus()
    shown.view.setParent(None)


def test_tab_brings_its_target_into_the_window(show: Show, qtbot: QtBot) -> None:
    text = "[top](https://top.example)\n\n" + "words\n\n" * 30
    shown = show([replied(str(i), text) for i in range(6)])
    shown.view.setFocus()

    qtbot.keyClick(shown.view, Qt.Key.Key_Backtab)

    target = shown.view._focus.target
    assert target is not None
    placed = shown.placed(shown.view._focus.key)
    assert 0 <= placed.top + target.box.top() < shown.view.viewport().height()


def test_finished_reply_is_announced_once_and_not_per_word(show: Show) -> None:
    shown = show([asked("q", "go"), replied("r", "", streams=True)])
    said: list[str] = []
    shown.view._announcer.announced.connect(said.append)

    for end in range(1, 12):
        shown.replace(replied("r", "Hello **you**"[:end], streams=True))
    shown.settle()
    assert said == []
    shown.replace(replied("r", "Hello **you**"))
    shown.replace(replied("r", "Hello **you**"))
    shown.settle()

    assert len(said) == 1
    assert said[0].startswith("Coder: Hello")


def test_history_is_not_announced(show: Show) -> None:
    shown = show([])
    said: list[str] = []
    shown.view._announcer.announced.connect(said.append)

    shown.add(asked("q", "old"), replied("r", "old reply"))
    shown.settle()

    assert said == []


def test_a_notice_is_announced_when_it_comes_and_when_it_says_something_else(show: Show) -> None:
    shown = show([asked("q", "go")])
    said: list[str] = []
    shown.view._announcer.announced.connect(said.append)
    waits = ErrorMessage("Too many requests. Next try in {seconds} s.")

    shown.add(Notice("n", Tone.WARN, waits, until=1008.0))
    shown.clock_s += 3
    shown.replace(Notice("n", Tone.WARN, waits, until=1008.0))
    shown.replace(Notice("n", Tone.BAD, ErrorMessage("It was refused."), (Action.SEND_AGAIN,)))
    shown.settle()

    assert said == ["Too many requests. Next try in 8 s.", "It was refused."]


def test_reappearing_notice_is_announced_again(show: Show) -> None:
    shown = show([asked("q", "go")])
    said: list[str] = []
    shown.view._announcer.announced.connect(said.append)
    notice = Notice("n", Tone.INFO, ErrorMessage("Stopped."))

    shown.add(notice)
    shown.remove(1, 1)
    shown.add(notice)

    assert said == ["Stopped."] * 2


def test_notices_of_a_chat_that_is_opened_are_not_announced(show: Show) -> None:
    shown = show([])
    said: list[str] = []
    shown.view._announcer.announced.connect(said.append)

    notice = Notice("n", Tone.INFO, ErrorMessage("Stopped."))
    shown.model.replace_all([asked("q", "go"), notice])
    shown.items = [asked("q", "go"), notice]
    shown.add_first(asked("p", "before"), replace(notice, key="m"))
    shown.replace(replace(notice, key="m"))
    shown.settle()

    assert said == []


@pytest.mark.parametrize(
    ("key", "modifier", "written"),
    [
        (Qt.Key.Key_H, Qt.KeyboardModifier.NoModifier, ["h"]),
        (Qt.Key.Key_H, Qt.KeyboardModifier.ShiftModifier, ["h"]),
        (Qt.Key.Key_H, Qt.KeyboardModifier.ControlModifier, []),
        (Qt.Key.Key_H, Qt.KeyboardModifier.AltModifier, []),
        (Qt.Key.Key_J, Qt.KeyboardModifier.NoModifier, []),
        (Qt.Key.Key_Space, Qt.KeyboardModifier.NoModifier, []),
        (Qt.Key.Key_Delete, Qt.KeyboardModifier.NoModifier, []),
    ],
)
def test_letters_are_for_the_message_box_and_commands_are_not(
    key: Qt.Key,
    modifier: Qt.KeyboardModifier,
    written: list[str],
    show: Show,
    qtbot: QtBot,
) -> None:
    shown = show([asked("q", "question"), replied("r", "reply")])
    typed: list[str] = []
    shown.view.keyboard.typed.connect(typed.append)

    qtbot.keyClick(shown.view, key, modifier)

    assert typed == written
