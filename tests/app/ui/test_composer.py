"""The composer: keys, growth, what is given away and when, what is refused."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QImage, QInputMethodEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QMenu, QWidget
from pytestqt.qtbot import QtBot

from app.ui.composer import Composer
from app.ui.message_edit import MessageEdit
from app.ui.theme import Theme
from app.viewmodels.states import OfferedTool, QueuedMessage
from tests.support.approval_stage import CHAT

_NO_MODIFIER = Qt.KeyboardModifier.NoModifier
_MEGABYTE = 1_000_000
_BUSY = replace(CHAT, is_busy=True)


class _Given:
    """Everything a composer gave away."""

    def __init__(self, composer: Composer) -> None:
        self.messages: list[str] = []
        self.declining: list[str] = []
        self.withdrawn: list[str] = []
        self.files: list[tuple[Path, ...]] = []
        composer.submitted.connect(self.messages.append)
        composer.decline_confirmed.connect(self.declining.append)
        composer.withdraw_requested.connect(self.withdrawn.append)
        composer.files_dropped.connect(self.files.append)


@pytest.fixture
def composer(theme: Theme, qtbot: QtBot) -> Iterator[Composer]:
    made = Composer(theme, QWidget())
    qtbot.addWidget(made)
    made.show_state(CHAT)
    made.resize(720, made.sizeHint().height())
    with qtbot.waitActive(made):
        made.show()
        made.activateWindow()
    made.take_focus()
    yield made
    made.close()


@pytest.fixture
def given(composer: Composer) -> _Given:
    return _Given(composer)


def _edit(composer: Composer) -> MessageEdit:
    return composer.findChildren(MessageEdit)[0]


def _type(composer: Composer, text: str) -> None:
    QTest.keyClicks(_edit(composer), text)


def _press(composer: Composer, key: Qt.Key, modifier: Qt.KeyboardModifier = _NO_MODIFIER) -> None:
    QTest.keyClick(composer.windowHandle(), key, modifier)


def _button(composer: Composer, name: str) -> QAbstractButton:
    buttons = composer.findChildren(QAbstractButton)
    return next(b for b in buttons if b.accessibleName() == name and b.isVisible())


def _names(composer: Composer) -> set[str]:
    buttons = composer.findChildren(QAbstractButton)
    return {button.accessibleName() for button in buttons if button.isVisible()}


def _words(composer: Composer) -> set[str]:
    return {label.text() for label in composer.findChildren(QLabel) if label.isVisible()}


def test_enter_sends_what_was_typed(composer: Composer, given: _Given) -> None:
    _type(composer, "Hello")
    _press(composer, Qt.Key.Key_Return)

    assert given.messages == ["Hello"]


def test_shift_enter_breaks_the_line(composer: Composer, given: _Given) -> None:
    _type(composer, "one")
    _press(composer, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    _type(composer, "two")
    _press(composer, Qt.Key.Key_Enter)

    assert given.messages == ["one\ntwo"]


def test_enter_does_not_send_while_an_input_method_composes(
    composer: Composer, given: _Given
) -> None:
    _type(composer, "a")
    edit = _edit(composer)
    QApplication.sendEvent(edit, QInputMethodEvent("にほ", []))
    _press(composer, Qt.Key.Key_Return)
    while_composing = list(given.messages)
    committed = QInputMethodEvent("", [])
    committed.setCommitString("日本")
    QApplication.sendEvent(edit, committed)
    _press(composer, Qt.Key.Key_Return)

    assert while_composing == []
    assert given.messages == ["a日本"]


@pytest.mark.parametrize("text", ["", "   ", "\n\n"])
def test_blanks_alone_are_not_sent(text: str, composer: Composer, given: _Given) -> None:
    composer.set_text(text)
    _press(composer, Qt.Key.Key_Return)

    assert given.messages == []
    assert not _button(composer, "Send").isEnabled()


def test_the_box_is_cleared_only_when_the_message_is_kept(composer: Composer) -> None:
    _type(composer, "Hello")
    _press(composer, Qt.Key.Key_Return)
    before = composer.text
    composer.accepted()

    assert before == "Hello"
    assert composer.text == ""


def test_a_message_is_given_away_once_while_it_is_being_kept(
    composer: Composer, given: _Given
) -> None:
    _type(composer, "Hello")
    for _ in range(3):
        _press(composer, Qt.Key.Key_Return)

    assert given.messages == ["Hello"]


def test_what_is_typed_while_a_message_is_being_kept_stays(
    composer: Composer, given: _Given
) -> None:
    _type(composer, "Hello")
    _press(composer, Qt.Key.Key_Return)
    _type(composer, " again")
    composer.accepted()

    assert given.messages == ["Hello"]
    assert composer.text == " again"


def test_a_draft_that_arrives_while_a_message_is_being_kept_waits(composer: Composer) -> None:
    _type(composer, "Hello")
    _press(composer, Qt.Key.Key_Return)
    composer.set_text("")
    while_keeping = composer.text
    composer.accepted()

    assert while_keeping == "Hello"
    assert composer.text == ""


def test_a_refused_message_stays_with_the_reason_beside_it(
    composer: Composer, given: _Given
) -> None:
    _type(composer, "Hello")
    _press(composer, Qt.Key.Key_Return)
    composer.refused("The disk is full.")

    assert composer.text == "Hello"
    assert "The disk is full." in _words(composer)

    _press(composer, Qt.Key.Key_Return)
    assert given.messages == ["Hello", "Hello"]


def test_a_note_can_be_put_away(composer: Composer) -> None:
    composer.refused("The disk is full.")
    _button(composer, "Close this note").click()

    assert "The disk is full." not in _words(composer)


def test_with_nobody_to_send_to_the_reason_is_said(composer: Composer, given: _Given) -> None:
    composer.show_state(replace(CHAT, can_send=False, placeholder="Not connected yet"))
    _type(composer, "Hello")
    _press(composer, Qt.Key.Key_Return)

    assert given.messages == []
    assert composer.text == "Hello"
    assert "Not connected yet" in _words(composer)


def test_while_busy_send_is_stop_and_enter_queues(composer: Composer, given: _Given) -> None:
    composer.show_state(_BUSY)
    _type(composer, "Next")
    names = _names(composer)
    _press(composer, Qt.Key.Key_Return)

    assert "Stop (Esc)" in names
    assert "Send" not in names
    assert given.messages == ["Next"]


def test_esc_and_the_button_stop_a_reply_and_nothing_else(composer: Composer, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(composer.stop_requested):
        _press(composer, Qt.Key.Key_Escape)
    composer.show_state(_BUSY)
    with qtbot.waitSignal(composer.stop_requested, timeout=5000):
        _press(composer, Qt.Key.Key_Escape)
    with qtbot.waitSignal(composer.stop_requested, timeout=5000):
        QTest.mouseClick(_button(composer, "Stop (Esc)"), Qt.MouseButton.LeftButton)


def test_the_second_half_of_a_double_click_on_send_does_not_stop_the_reply(
    composer: Composer, given: _Given, qtbot: QtBot
) -> None:
    _type(composer, "Hello")
    QTest.mouseClick(_button(composer, "Send"), Qt.MouseButton.LeftButton)
    composer.accepted()
    composer.show_state(_BUSY)
    stop = _button(composer, "Stop (Esc)")
    with qtbot.assertNotEmitted(composer.stop_requested):
        QApplication.sendEvent(stop, _second_press(stop))
        QTest.mouseRelease(stop, Qt.MouseButton.LeftButton)

    assert given.messages == ["Hello"]


def _second_press(button: QWidget) -> QMouseEvent:
    left, at = Qt.MouseButton.LeftButton, QPointF(button.rect().center())
    return QMouseEvent(
        QEvent.Type.MouseButtonDblClick, at, button.mapToGlobal(at), left, left, _NO_MODIFIER
    )


def test_queued_messages_are_shown_and_can_be_taken_back(composer: Composer, given: _Given) -> None:
    queue = (QueuedMessage("k1", "First"), QueuedMessage("k2", "Second\nline"))
    composer.show_state(replace(_BUSY, queue=queue))
    shown = _words(composer)
    _button(composer, "Edit: take back “Second line”").click()

    assert {"First", "Second line"} <= shown
    assert given.withdrawn == ["k2"]


def test_a_message_taken_back_comes_before_what_is_in_the_box(composer: Composer) -> None:
    _type(composer, "new")
    composer.take_back("old")

    assert composer.text == "old\nnew"


def test_an_empty_queue_is_not_shown(composer: Composer) -> None:
    composer.show_state(replace(_BUSY, queue=(QueuedMessage("k1", "First"),)))
    composer.show_state(_BUSY)

    assert "Sent after this reply" not in _words(composer)


def test_up_in_the_empty_box_asks_for_the_last_message(composer: Composer, qtbot: QtBot) -> None:
    composer.recall_requested.connect(lambda: composer.recall("last"))
    _press(composer, Qt.Key.Key_Up)
    recalled = composer.text
    with qtbot.assertNotEmitted(composer.recall_requested):
        _press(composer, Qt.Key.Key_Up)

    assert recalled == "last"


def test_every_change_is_told_as_a_draft(composer: Composer) -> None:
    drafts: list[str] = []
    composer.draft_changed.connect(drafts.append)
    _type(composer, "ab")

    assert drafts == ["a", "ab"]


def test_sending_while_a_tool_waits_asks_before_it_declines(
    composer: Composer, given: _Given
) -> None:
    composer.show_state(replace(_BUSY, is_asking=True))
    _type(composer, "Stop that")
    _press(composer, Qt.Key.Key_Return)
    composer.ask_to_decline()
    _button(composer, "Decline it and send").click()

    assert given.declining == ["Stop that"]
    assert composer.text == "Stop that"


def test_the_question_goes_when_no_tool_waits_any_more(composer: Composer) -> None:
    composer.show_state(replace(_BUSY, is_asking=True))
    composer.ask_to_decline()
    composer.show_state(CHAT)

    assert "Decline it and send" not in _names(composer)


def test_the_box_grows_to_ten_lines_and_then_scrolls(composer: Composer) -> None:
    edit = _edit(composer)
    heights = []
    for lines in range(1, 15):
        composer.set_text("\n".join("x" * lines))
        heights.append(edit.height())
    steps = [after - before for before, after in pairwise(heights)]

    assert steps[:9] == [edit.fontMetrics().lineSpacing()] * 9
    assert set(steps[9:]) == {0}
    assert edit.verticalScrollBar().maximum() > 0


def test_a_wrapped_line_makes_the_box_grow(composer: Composer) -> None:
    edit = _edit(composer)
    before = edit.height()
    composer.set_text("word " * 100)

    assert edit.height() > before


@pytest.mark.timeout(10)
@pytest.mark.parametrize(
    "text", ["x" * _MEGABYTE, "word " * (_MEGABYTE // 5), "line\n" * (_MEGABYTE // 5)]
)
def test_a_megabyte_can_be_pasted_and_typed_after(text: str, composer: Composer) -> None:
    QApplication.clipboard().setText(text)
    _press(composer, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    _type(composer, "!")

    assert composer.text == f"{text}!"


def test_what_is_pasted_is_plain_text(composer: Composer) -> None:
    rich = QMimeData()
    rich.setHtml("<b>bold</b>")
    rich.setText("<b>bold</b>")
    QApplication.clipboard().setMimeData(rich)
    _press(composer, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)

    assert composer.text == "<b>bold</b>"


def test_a_picture_is_refused_with_words(composer: Composer) -> None:
    QApplication.clipboard().setImage(QImage(2, 2, QImage.Format.Format_RGB32))
    _press(composer, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)

    assert composer.text == ""
    assert "Only text can be put in here." in _words(composer)


def test_dropped_files_are_handed_on_and_left_where_they_are(
    composer: Composer, given: _Given, tmp_path: Path
) -> None:
    dropped = QMimeData()
    dropped.setUrls([QUrl.fromLocalFile(str(tmp_path / name)) for name in ("a.txt", "b.md")])
    actions = Qt.DropAction.MoveAction | Qt.DropAction.CopyAction
    left, at = Qt.MouseButton.LeftButton, QPoint(5, 5)
    event = QDropEvent(at, actions, dropped, left, _NO_MODIFIER)
    viewport = _edit(composer).viewport()
    QApplication.sendEvent(viewport, QDragEnterEvent(at, actions, dropped, left, _NO_MODIFIER))
    QApplication.sendEvent(viewport, event)

    assert given.files == [(tmp_path / "a.txt", tmp_path / "b.md")]
    assert event.dropAction() is Qt.DropAction.CopyAction
    assert composer.text == ""


def test_without_a_folder_the_chip_asks_for_one(composer: Composer, qtbot: QtBot) -> None:
    with qtbot.waitSignal(composer.folder_requested, timeout=5000):
        _button(composer, "Folder: Choose folder…").click()


def test_a_chosen_folder_can_be_changed_and_dropped(composer: Composer, qtbot: QtBot) -> None:
    composer.show_state(replace(CHAT, folder="~/Projects/notes"))
    _button(composer, "Folder: ~/Projects/notes").click()
    menu = next(m for m in composer.findChildren(QMenu) if m.isVisible())
    change, drop = menu.actions()
    with qtbot.waitSignal(composer.folder_requested, timeout=5000):
        change.trigger()
    with qtbot.waitSignal(composer.folder_cleared, timeout=5000):
        drop.trigger()
    menu.close()


def test_the_tools_on_offer_are_listed_with_what_they_do(composer: Composer) -> None:
    tools = (OfferedTool("read_file", "Read file", "Reads a file."),)
    composer.show_state(replace(CHAT, tools=tools))
    _button(composer, "Tools: 1 tool").click()
    menu = next(m for m in composer.findChildren(QMenu) if m.isVisible())
    words = {label.text() for label in menu.findChildren(QLabel)}
    menu.close()

    assert words == {"Read file", "Reads a file."}


def test_without_tools_there_is_no_chip(composer: Composer) -> None:
    assert not any(name.startswith("Tools") for name in _names(composer))


def test_tab_leaves_the_box(composer: Composer) -> None:
    _type(composer, "a")
    _press(composer, Qt.Key.Key_Tab)

    assert composer.text == "a"
    assert not _edit(composer).hasFocus()
