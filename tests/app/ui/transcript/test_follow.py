"""The view follows a reply at the end, and lets go at the first turn upwards."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from app.chat.items import Action, Item
from app.ui.transcript.hit_targets import Choose
from tests.app.ui.transcript.conftest import Show
from tests.support.transcript_fixtures import Shown, asked, replied

_VERSIONS = (Action.OLDER_VERSION, Action.NEWER_VERSION)
_LINES = "A line of the reply.\n\n"


def _long_chat() -> list[Item]:
    return [asked("q", "question"), replied("r", _LINES * 60, streams=True)]


def _turn_wheel(shown: Shown, steps: int) -> None:
    viewport = shown.view.viewport()
    center = QPointF(viewport.rect().center())
    event = QWheelEvent(
        center,
        viewport.mapToGlobal(center),
        QPoint(),
        QPoint(0, 120 * steps),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(viewport, event)


def _is_at_end(shown: Shown) -> bool:
    bar = shown.view.verticalScrollBar()
    return bar.value() == bar.maximum()


def test_growing_reply_is_followed(show: Show) -> None:
    shown = show(_long_chat())

    shown.replace(replied("r", _LINES * 80, streams=True))
    shown.settle()

    assert _is_at_end(shown)
    assert shown.view.follows_end


def test_new_rows_are_followed(show: Show) -> None:
    shown = show(_long_chat())

    shown.add(asked("q2", "and then"), replied("r2", _LINES * 3))
    shown.settle()

    assert shown.placed("r2").row.height > 0
    assert _is_at_end(shown)


def test_scrolling_up_stops_following_and_nothing_visible_moves(show: Show) -> None:
    shown = show(_long_chat())

    _turn_wheel(shown, 1)
    top = shown.placed("r").top
    shown.replace(replied("r", _LINES * 200, streams=True))
    shown.settle()

    assert not shown.view.follows_end
    assert shown.placed("r").top == top


@pytest.mark.parametrize("key", [Qt.Key.Key_Up, Qt.Key.Key_PageUp, Qt.Key.Key_Home])
def test_key_upwards_lets_go(key: Qt.Key, show: Show, qtbot: QtBot) -> None:
    shown = show(_long_chat())

    qtbot.keyClick(shown.view, key)

    assert not shown.view.follows_end
    assert not _is_at_end(shown)


def test_dragging_the_bar_lets_go_before_it_moves(show: Show) -> None:
    shown = show(_long_chat())

    shown.view.verticalScrollBar().sliderPressed.emit()

    assert not shown.view.follows_end


def test_coming_back_to_the_end_follows_again(show: Show, qtbot: QtBot) -> None:
    shown = show(_long_chat())
    _turn_wheel(shown, 3)

    _turn_wheel(shown, -10)
    assert shown.view.follows_end

    qtbot.keyClick(shown.view, Qt.Key.Key_Home)
    qtbot.keyClick(shown.view, Qt.Key.Key_End)
    assert shown.view.follows_end


def test_button_goes_back_to_the_latest(show: Show, qtbot: QtBot) -> None:
    shown = show(_long_chat())
    button = shown.view.findChild(QPushButton)
    assert isinstance(button, QPushButton)
    assert not button.isVisible()

    _turn_wheel(shown, 2)
    assert button.isVisible()
    assert button.accessibleName() == "Jump to latest"
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)

    assert _is_at_end(shown)
    assert shown.view.follows_end
    assert not button.isVisible()


def test_chat_that_fits_is_followed_whatever_the_wheel_does(show: Show) -> None:
    shown = show([asked("q", "short"), replied("r", "text", streams=True)])

    _turn_wheel(shown, 3)
    shown.replace(replied("r", _LINES * 60, streams=True))
    shown.settle()

    assert _is_at_end(shown)


def test_keys_move_the_window(show: Show, qtbot: QtBot) -> None:
    shown = show(_long_chat())
    bar = shown.view.verticalScrollBar()

    qtbot.keyClick(shown.view, Qt.Key.Key_Home)
    assert bar.value() == 0
    qtbot.keyClick(shown.view, Qt.Key.Key_PageDown)
    page = bar.value()
    assert page > 400
    qtbot.keyClick(shown.view, Qt.Key.Key_Down)
    assert bar.value() > page
    qtbot.keyClick(shown.view, Qt.Key.Key_PageUp)
    assert bar.value() < page


def test_many_changes_at_once_are_one_layout(show: Show, qtbot: QtBot) -> None:
    shown = show(_long_chat())
    arranged: list[int] = []
    shown.view.verticalScrollBar().rangeChanged.connect(lambda *_: arranged.append(1))

    for count in range(61, 261):
        shown.replace(replied("r", _LINES * count, streams=True))
    shown.settle()
    qtbot.waitUntil(lambda: bool(arranged), timeout=20_000)

    # The text is read in a few stretches, and each may move the end.
    assert len(arranged) <= 6


def test_own_message_scrolls_into_view_from_anywhere(show: Show) -> None:
    shown = show(_long_chat())
    _turn_wheel(shown, 3)
    shown.settle()
    assert not shown.view.follows_end

    shown.add(asked("q2", "and now this"))
    shown.settle()

    assert _is_at_end(shown)
    assert shown.view.follows_end


def test_selecting_upwards_stops_following(show: Show, qtbot: QtBot) -> None:
    shown = show(_long_chat())
    viewport = shown.view.viewport()

    qtbot.mousePress(viewport, Qt.MouseButton.LeftButton, pos=QPoint(200, 400))
    qtbot.mouseMove(viewport, QPoint(60, 300))
    top = shown.placed("r").top
    shown.replace(replied("r", _LINES * 80, streams=True))
    shown.settle()

    assert not shown.view.follows_end
    assert shown.placed("r").top == top
    qtbot.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=QPoint(60, 300))


def test_message_that_the_keyboard_is_at_stays_in_the_window(show: Show, qtbot: QtBot) -> None:
    shown = show([asked("q", "question"), replied("r", "short", streams=True)])
    qtbot.keyClick(shown.view, Qt.Key.Key_K)
    qtbot.keyClick(shown.view, Qt.Key.Key_K)

    shown.replace(replied("r", _LINES * 80, streams=True))
    shown.settle()

    assert shown.placed("q").top == 24
    assert not shown.view.follows_end


def _version(question: str, lines: int) -> list[Item]:
    shared: list[Item] = [asked("a", "First"), replied("a:0", _LINES * 20)]
    return [*shared, replace(asked("b", question), version_count=2), replied("b:0", _LINES * lines)]


@pytest.mark.parametrize("other_lines", [40, 80])
def test_other_version_is_shown_at_the_same_place(other_lines: int, show: Show) -> None:
    shown = show(_version("One", 60))
    shown.view.offer(_VERSIONS)
    shown.view.keyboard.go_to_message(2)
    shown.settle()
    top = shown.placed("b").top
    arrow = next(one for one in shown.targets("b") if one.action == Choose(Action.OLDER_VERSION))

    shown.click("b", arrow)
    # As a chat that is not loaded yet: its rows come later.
    shown.model.replace_all([])
    shown.view.keeper.return_to_noted()
    shown.items = []
    shown.add(*_version("Uno", other_lines))
    shown.settle()

    assert shown.placed("b").top == top
    assert not shown.view.follows_end


def test_keyboard_stays_at_the_arrow_of_versions(show: Show, qtbot: QtBot) -> None:
    shown = show(_version("One", 60))
    shown.view.offer(_VERSIONS)
    shown.settle()
    chosen: list[object] = []
    shown.view.action_chosen.connect(lambda _key, action: chosen.append(action))
    shown.view.keyboard.go_to_message(2)
    while chosen != [Action.OLDER_VERSION]:
        qtbot.keyClick(shown.view, Qt.Key.Key_Tab)
        chosen.clear()
        qtbot.keyClick(shown.view, Qt.Key.Key_Return)

    shown.model.replace_all(_version("Uno", 40))
    shown.view.keeper.return_to_noted()
    shown.settle()
    qtbot.keyClick(shown.view, Qt.Key.Key_Return)

    assert chosen == [Action.OLDER_VERSION, Action.OLDER_VERSION]
