"""Selecting text over several messages, by mouse and by keyboard, and copying it."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.chat.items import CallState, Handover, Item, ToolCall
from local_tools.ledger.steps import Decider
from tests.app.ui.transcript.conftest import Show
from tests.support.transcript_fixtures import Shown, asked, replied

_LEFT = Qt.MouseButton.LeftButton
_SHIFT = Qt.KeyboardModifier.ShiftModifier
_CONTROL = Qt.KeyboardModifier.ControlModifier


def _chat() -> list[Item]:
    return [
        asked("q", "What now?"),
        replied("r", "First of all.\n\nThen **the rest**."),
        Handover("h", "Coder", "Writer"),
        replied("s", "At last.", name="Writer"),
    ]


def _point(shown: Shown, key: str, piece: int, position: int) -> QPoint:
    """Where a letter stands in the window."""
    text = shown.placed(key).row.text_box(piece)
    assert text
    caret = text.caret(position)
    return shown.point(key, caret.x(), caret.center().y())


def _drag(shown: Shown, start: QPoint, end: QPoint) -> None:
    viewport = shown.view.viewport()
    QTest.mousePress(viewport, _LEFT, pos=start)
    QTest.mouseMove(viewport, (start + end) / 2)
    QTest.mouseMove(viewport, end)
    QTest.mouseRelease(viewport, _LEFT, pos=end)


@pytest.mark.parametrize("is_upwards", [False, True])
def test_dragging_selects_over_several_messages(show: Show, is_upwards: bool) -> None:
    shown = show(_chat())
    ends = [_point(shown, "q", 0, 5), _point(shown, "s", 0, 2)]

    _drag(shown, *(reversed(ends) if is_upwards else ends))

    assert shown.copied() == "now?\n\nFirst of all.\nThen the rest.\n\nAt"


def test_shift_click_selects_from_where_the_selection_began(show: Show, qtbot: QtBot) -> None:
    shown = show(_chat())
    viewport = shown.view.viewport()
    qtbot.mouseClick(viewport, _LEFT, pos=_point(shown, "r", 0, 6))

    qtbot.mouseClick(viewport, _LEFT, _SHIFT, pos=_point(shown, "s", 0, 2))
    assert shown.copied() == "of all.\nThen the rest.\n\nAt"

    qtbot.mouseClick(viewport, _LEFT, _SHIFT, pos=_point(shown, "q", 0, 5))
    assert shown.copied() == "now?\n\nFirst "


def test_dragging_out_of_the_window_scrolls_while_the_pointer_rests(
    show: Show, qtbot: QtBot
) -> None:
    shown = show([replied(str(i), f"Message {i}.\n\n" * 6) for i in range(40)])
    shown.view.verticalScrollBar().setValue(0)
    viewport = shown.view.viewport()
    QTest.mousePress(viewport, _LEFT, pos=QPoint(200, 300))

    QTest.mouseMove(viewport, QPoint(200, viewport.height() + 90))

    qtbot.waitUntil(lambda: shown.view.verticalScrollBar().value() > 1000, timeout=20_000)
    QTest.mouseRelease(viewport, _LEFT, pos=QPoint(200, viewport.height() + 90))
    after = shown.view.verticalScrollBar().value()
    assert len(shown.copied()) > 300
    assert shown.view.verticalScrollBar().value() == after


def test_selected_messages_are_copied_as_markdown_with_their_speakers(
    show: Show, qtbot: QtBot
) -> None:
    shown = show(_chat())
    _drag(shown, _point(shown, "q", 0, 0), _point(shown, "s", 0, 2))

    shown.view.clipboard.copy_markdown()
    qtbot.waitUntil(lambda: not shown.view.clipboard.is_busy, timeout=20_000)

    assert QGuiApplication.clipboard().text() == (
        "**You**\n\nWhat now?\n\n**Coder**\n\nFirst of all.\n\nThen **the rest**.\n\n"
        "Coder handed over to Writer\n\n**Writer**\n\nAt"
    )


def test_whole_chat_is_copied_as_markdown(show: Show, qtbot: QtBot) -> None:
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
    shown = show([asked("q", "*go*"), call, *(replied(str(i), f"**{i}**") for i in range(300))])

    with qtbot.waitSignal(shown.view.clipboard.copied, timeout=20_000):
        shown.view.clipboard.copy_chat()

    copied = QGuiApplication.clipboard().text()
    assert copied.startswith("**You**\n\n*go*\n\nRun ls")
    assert copied.endswith("**Coder**\n\n**299**")
    assert shown.view.laid_out_rows < 100


def test_second_select_all_selects_the_whole_chat(show: Show, qtbot: QtBot) -> None:
    shown = show(_chat())
    for _ in range(2):
        qtbot.keyClick(shown.view, Qt.Key.Key_A, _CONTROL)

    assert shown.copied().startswith("What now?\n\nFirst of all.")


def test_caret_selects_letters_words_lines_and_messages(show: Show, qtbot: QtBot) -> None:
    shown = show(_chat())
    view = shown.view
    for _ in range(4):
        qtbot.keyClick(view, Qt.Key.Key_K)

    qtbot.keyClick(view, Qt.Key.Key_Right, _SHIFT)
    assert shown.copied() == "W"
    qtbot.keyClick(view, Qt.Key.Key_Right, _SHIFT | _CONTROL)
    assert shown.copied() == "What "
    qtbot.keyClick(view, Qt.Key.Key_End, _SHIFT)
    assert shown.copied() == "What now?"
    qtbot.keyClick(view, Qt.Key.Key_Down, _SHIFT)
    assert shown.copied() == "What now?"
    for _ in range(6):
        qtbot.keyClick(view, Qt.Key.Key_Right, _SHIFT)
    assert shown.copied() == "What now?\n\nFirst "
    qtbot.keyClick(view, Qt.Key.Key_Down, _SHIFT)
    assert shown.copied().startswith("What now?\n\nFirst of all.\nThen")
    qtbot.keyClick(view, Qt.Key.Key_End, _SHIFT | _CONTROL)
    assert shown.copied().endswith("At last.")
    qtbot.keyClick(view, Qt.Key.Key_Home, _SHIFT | _CONTROL)
    # Nothing is marked any more: the message itself is meant.
    assert shown.copied() == "What now?"
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert shown.copied() == "nothing"


def test_selection_stays_where_it_is_when_rows_come_above(show: Show) -> None:
    shown = show(_chat())
    _drag(shown, _point(shown, "r", 0, 0), _point(shown, "s", 0, 2))
    before = shown.copied()

    shown.add_first(asked("older", "older"))
    shown.settle()
    assert shown.copied() == before

    shown.remove(0, 3)
    shown.settle()
    assert shown.copied() == "nothing"
