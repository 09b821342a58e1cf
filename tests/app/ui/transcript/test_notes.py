"""A note is gone to and come back from, by mouse, by keyboard, and by screen reader."""

from typing import Final

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.ui.transcript.hit_targets import FromNote, HitTarget, ToNote
from tests.app.ui.transcript.conftest import Show
from tests.support.transcript_fixtures import Shown, replied

_BETWEEN: Final = "\n\n".join(f"Paragraph {number}." for number in range(80))
_TEXT: Final = (
    f"First[^a], again[^a].\n\n{_BETWEEN}\n\nLast[^a] and[^b].\n\n"
    "[^a]: As *they* say.\n\n    And more.\n\n[^b]: Or not."
)


def _mark(shown: Shown, number: int) -> HitTarget:
    """Return what refers to a note, in the window."""
    marks = [t for t in shown.targets("r") if t.action == ToNote(number, _piece(t))]
    return next(mark for mark in marks if _is_seen(shown, mark))


def _piece(target: HitTarget) -> int:
    return target.action.from_piece if isinstance(target.action, ToNote) else -1


def _is_seen(shown: Shown, target: HitTarget) -> bool:
    top = shown.placed("r").top + target.box.top()
    return 0 <= top <= shown.view.viewport().height() - target.box.height()


def _way_back(shown: Shown, number: int) -> HitTarget:
    return next(t for t in shown.targets("r") if t.action == FromNote(number))


def test_click_goes_to_a_note_and_back_to_where_it_came_from(show: Show) -> None:
    shown = show([replied("r", _TEXT)])
    shown.view.verticalScrollBar().setValue(0)
    shown.settle()

    shown.click("r", _mark(shown, 1))
    back = _way_back(shown, 1)
    assert _is_seen(shown, back)
    assert not any(_is_seen(shown, t) for t in shown.targets("r") if _piece(t) == 0)
    shown.click("r", back)
    assert _piece(_mark(shown, 1)) == 0

    # The same note is referred to further down, too.
    shown.view.jump_to_latest()
    shown.settle()
    shown.click("r", _mark(shown, 1))
    shown.click("r", _way_back(shown, 1))
    assert _piece(_mark(shown, 1)) == 81


def test_keyboard_goes_to_a_note_and_back_and_each_is_said(show: Show, qtbot: QtBot) -> None:
    shown = show([replied("q", "Before."), replied("r", _TEXT)])
    shown.view.verticalScrollBar().setValue(0)
    shown.settle()
    said: list[str] = []
    shown.view._announcer.announced.connect(said.append)
    shown.view.setFocus()

    qtbot.keyClick(shown.view, Qt.Key.Key_Tab)
    qtbot.keyClick(shown.view, Qt.Key.Key_Return)
    target = shown.view._focus.target
    assert target
    assert target.action == FromNote(1)
    assert _is_seen(shown, target)
    assert shown.view._current_message.index == 1
    qtbot.keyClick(shown.view, Qt.Key.Key_Return)
    assert shown.view._focus.target
    assert shown.view._focus.target.action == ToNote(1, 0)
    qtbot.keyClick(shown.view, Qt.Key.Key_Tab)
    qtbot.keyClick(shown.view, Qt.Key.Key_Tab)

    assert said == ["1. As they say.", "First[1], again[1]."]


def test_note_can_be_pressed_while_the_reply_grows(show: Show, qtbot: QtBot) -> None:
    text = "See[^a].\n\n[^a]: The note.\n\n"
    shown = show([replied("r", text, streams=True)])
    mark = _mark(shown, 1)
    point = shown.point("r", mark.box.center().x(), mark.box.center().y())

    qtbot.mousePress(shown.view.viewport(), Qt.MouseButton.LeftButton, pos=point)
    shown.replace(replied("r", text + "Another paragraph\n\nand one more", streams=True))
    shown.settle()
    qtbot.mouseRelease(shown.view.viewport(), Qt.MouseButton.LeftButton, pos=point)

    assert shown.view._focus.target == _way_back(shown, 1)


def test_note_that_nothing_refers_to_leads_nowhere(show: Show) -> None:
    shown = show([replied("r", "Words.\n\n[^a]: Unused.")])

    assert shown.targets("r") == []
