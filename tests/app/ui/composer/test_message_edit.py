"""The box: keys and input methods, growth, what may be pasted and dropped into it."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QMimeData, QObject, QPoint, QRect, Qt, QUrl
from PySide6.QtGui import (
    QDragEnterEvent,
    QDropEvent,
    QImage,
    QInputMethodEvent,
    QPaintEvent,
    QRegion,
)
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.ui.composer.composer import Composer
from tests.support.approval_dock_fixtures import CHAT
from tests.support.clocks import within_own_time
from tests.support.composer_fixtures import Given, edit_of, press, type_into, words_of

_NO_MODIFIER = Qt.KeyboardModifier.NoModifier
_MEGABYTE = 1_000_000


class _Painted(QObject):
    """What of a widget was painted anew since this was made."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._region = QRegion()
        widget.installEventFilter(self)

    def covers(self, part: QRect) -> bool:
        """Whether all of this part was."""
        return QRegion(part).subtracted(self._region).isEmpty()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QPaintEvent):
            self._region = self._region.united(event.region())
        return super().eventFilter(watched, event)


def test_enter_sends_what_was_typed(composer: Composer, given: Given) -> None:
    type_into(composer, "Hello")
    press(composer, Qt.Key.Key_Return)

    assert given.messages == ["Hello"]


def test_shift_enter_breaks_the_line(composer: Composer, given: Given) -> None:
    type_into(composer, "one")
    press(composer, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    type_into(composer, "two")
    press(composer, Qt.Key.Key_Enter)

    assert given.messages == ["one\ntwo"]


def test_enter_does_not_send_while_an_input_method_composes(
    composer: Composer, given: Given
) -> None:
    type_into(composer, "a")
    edit = edit_of(composer)
    QApplication.sendEvent(edit, QInputMethodEvent("にほ", []))
    press(composer, Qt.Key.Key_Return)
    while_composing = list(given.messages)
    committed = QInputMethodEvent("", [])
    committed.setCommitString("日本")
    QApplication.sendEvent(edit, committed)
    press(composer, Qt.Key.Key_Return)

    assert while_composing == []
    assert given.messages == ["a日本"]


def test_the_box_grows_to_ten_lines_and_then_scrolls(composer: Composer) -> None:
    edit = edit_of(composer)
    heights = []
    for lines in range(1, 15):
        composer.set_text("\n".join("x" * lines))
        heights.append(edit.height())
    steps = [after - before for before, after in pairwise(heights)]

    assert steps[:9] == [edit.fontMetrics().lineSpacing()] * 9
    assert set(steps[9:]) == {0}
    assert edit.verticalScrollBar().maximum() > 0


def test_other_words_in_the_empty_box_are_painted_as_a_whole(
    composer: Composer, qtbot: QtBot
) -> None:
    edit = edit_of(composer)
    QApplication.processEvents()
    edit.viewport().repaint()
    painted = _Painted(edit.viewport())

    composer.show_state(replace(CHAT, placeholder="Waiting for your decision above"))

    width = edit.fontMetrics().horizontalAdvance(edit.placeholderText())
    words = QRect(0, 0, width, edit.fontMetrics().lineSpacing())
    assert edit.hasFocus()
    qtbot.waitUntil(lambda: painted.covers(words), timeout=20_000)


def test_a_wrapped_line_makes_the_box_grow(composer: Composer) -> None:
    edit = edit_of(composer)
    before = edit.height()
    composer.set_text("word " * 100)

    assert edit.height() > before


@pytest.mark.parametrize(
    "text",
    [
        # What is slowest to lay out: it can be wrapped nowhere.
        "x" * _MEGABYTE,
        pytest.param("word " * (_MEGABYTE // 5), marks=pytest.mark.long),
        pytest.param("line\n" * (_MEGABYTE // 5), marks=pytest.mark.long),
    ],
)
@within_own_time(10.0)
def test_a_megabyte_can_be_pasted_and_typed_after(text: str, composer: Composer) -> None:
    QApplication.clipboard().setText(text)
    press(composer, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    type_into(composer, "!")

    assert composer.text == f"{text}!"


def test_pasted_text_is_plain(composer: Composer) -> None:
    rich = QMimeData()
    rich.setHtml("<b>bold</b>")
    rich.setText("<b>bold</b>")
    QApplication.clipboard().setMimeData(rich)
    press(composer, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)

    assert composer.text == "<b>bold</b>"


def test_pasted_image_is_attached_as_a_file(composer: Composer) -> None:
    handed: list[tuple[str, Callable[[], bytes]]] = []
    composer.content_made.connect(lambda *found: handed.append(found))
    QApplication.clipboard().setImage(QImage(2, 3, QImage.Format.Format_RGB32))
    press(composer, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)

    # Encoded by whoever attaches it, on a thread of its own.
    ((name, make),) = handed
    assert composer.text == ""
    assert name == "Image.png"
    assert QImage.fromData(make()).height() == 3


@pytest.mark.security(123)
@within_own_time(2.0)
def test_text_that_no_message_can_hold_is_attached_as_a_file(composer: Composer) -> None:
    handed: list[tuple[str, bytes]] = []
    composer.content_attached.connect(lambda *found: handed.append(found))
    type_into(composer, "Sum up:")
    QApplication.clipboard().setText("line\n" * _MEGABYTE)
    press(composer, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)

    assert composer.text == "Sum up:"
    assert handed == [("Clipboard.txt", b"line\n" * _MEGABYTE)]


def test_clipboard_without_text_file_or_image_is_refused_with_a_sentence(
    composer: Composer,
) -> None:
    broken = QMimeData()
    broken.setImageData(QImage())
    QApplication.clipboard().setMimeData(broken)
    press(composer, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)

    assert composer.text == ""
    assert "Only text, files and images can be added here." in words_of(composer)


def test_dropped_files_are_handed_on_and_left_where_they_are(
    composer: Composer, given: Given, tmp_path: Path
) -> None:
    dropped = QMimeData()
    dropped.setUrls([QUrl.fromLocalFile(str(tmp_path / name)) for name in ("a.txt", "b.md")])
    actions = Qt.DropAction.MoveAction | Qt.DropAction.CopyAction
    left, at = Qt.MouseButton.LeftButton, QPoint(5, 5)
    event = QDropEvent(at, actions, dropped, left, _NO_MODIFIER)
    viewport = edit_of(composer).viewport()
    QApplication.sendEvent(viewport, QDragEnterEvent(at, actions, dropped, left, _NO_MODIFIER))
    assert "Drop to add" in words_of(composer)
    QApplication.sendEvent(viewport, event)

    assert given.files == [(tmp_path / "a.txt", tmp_path / "b.md")]
    assert event.dropAction() is Qt.DropAction.CopyAction
    assert composer.text == ""
    assert "Drop to add" not in words_of(composer)


def test_files_dropped_beside_the_text_are_taken_too(
    composer: Composer, given: Given, tmp_path: Path
) -> None:
    dropped = QMimeData()
    dropped.setUrls([QUrl.fromLocalFile(str(tmp_path / "a.txt"))])
    action, left, at = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, QPoint(1, 1)
    QApplication.sendEvent(composer, QDragEnterEvent(at, action, dropped, left, _NO_MODIFIER))
    while_over = words_of(composer)
    QApplication.sendEvent(composer, QDropEvent(at, action, dropped, left, _NO_MODIFIER))

    assert given.files == [(tmp_path / "a.txt",)]
    assert "Drop to add" in while_over - words_of(composer)


def test_tab_leaves_the_box(composer: Composer) -> None:
    type_into(composer, "a")
    press(composer, Qt.Key.Key_Tab)

    assert composer.text == "a"
    assert not edit_of(composer).hasFocus()
