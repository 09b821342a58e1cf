"""Cards come one after the other, and are answered by mouse or by keys alone."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QTextEdit,
)
from pytestqt.qtbot import QtBot

from app.ui.approval.answer_button import DoubleClickGuard
from app.ui.approval.call_card import CardBody
from app.viewmodels.approval.call_texts import CardView
from tests.support.approval_dock_fixtures import CHAT, ApprovalDockFixture
from tests.support.cards import SHORT_CARD, another_card, long_card
from tests.support.widgets import AT_ONCE_MS, FOR_EVER_MS, double_clicks_within

_NONE = Qt.KeyboardModifier.NoModifier


def test_a_card_is_allowed_by_keys_alone(stage: ApprovalDockFixture) -> None:
    stage.show(SHORT_CARD)
    stage.key(Qt.Key.Key_F6)
    stage.tab_to("Allow once")
    stage.arm()
    stage.key(Qt.Key.Key_Space)

    assert stage.answers == [("allowed", "call-1", 1)]


def test_a_long_card_is_read_and_allowed_by_keys_alone(stage: ApprovalDockFixture) -> None:
    stage.show(long_card(80))
    stage.key(Qt.Key.Key_F6)
    for _ in range(40):
        stage.key(Qt.Key.Key_PageDown)
    stage.tab_to("Allow once")
    stage.arm()
    stage.key(Qt.Key.Key_Return)

    assert [answer[0] for answer in stage.answers] == ["allowed"]


def test_a_card_is_denied_with_a_reason_by_keys_alone(stage: ApprovalDockFixture) -> None:
    stage.show(SHORT_CARD)
    stage.key(Qt.Key.Key_F6)
    stage.tab_to("Deny…")
    stage.arm()
    stage.key(Qt.Key.Key_Space)
    stage.keys([(Qt.Key.Key_N, _NONE), (Qt.Key.Key_O, _NONE)])
    stage.arm()
    stage.key(Qt.Key.Key_Return)

    assert stage.answers == [("denied", "call-1", 1, "no")]


def test_a_card_is_denied_without_a_reason_by_two_clicks(stage: ApprovalDockFixture) -> None:
    stage.show(SHORT_CARD)
    stage.arm()
    stage.click(stage.point(stage.answer("Deny…")))
    stage.settle()
    stage.click(stage.point(stage.answer("Deny")))
    too_early = list(stage.answers)
    stage.arm()
    stage.click(stage.point(stage.answer("Deny")))

    assert too_early == []
    assert stage.answers == [("denied", "call-1", 1, "")]


def test_esc_gives_up_the_denial_and_stops_nothing(
    stage: ApprovalDockFixture, qtbot: QtBot
) -> None:
    stage.composer.show_state(replace(CHAT, is_busy=True, is_asking=True))
    stage.show(SHORT_CARD)
    stage.arm()
    stage.click(stage.point(stage.answer("Deny…")))
    stage.settle()
    with qtbot.assertNotEmitted(stage.composer.stop_requested):
        stage.key(Qt.Key.Key_Escape)

    assert stage.answer("Allow once").isVisible()
    assert stage.answers == []


def test_the_next_card_moves_the_keyboard_off_the_answers(stage: ApprovalDockFixture) -> None:
    stage.show(another_card(1))
    stage.key(Qt.Key.Key_F6)
    stage.tab_to("Allow once")
    stage.show(another_card(2))

    focus = QApplication.focusWidget()
    assert isinstance(focus, CardBody)


def test_the_keyboard_is_given_back_when_the_last_card_goes(
    stage: ApprovalDockFixture, qtbot: QtBot
) -> None:
    stage.show(SHORT_CARD)
    stage.key(Qt.Key.Key_F6)
    with qtbot.waitSignal(stage.dock.emptied, timeout=20_000):
        stage.show()


@pytest.mark.parametrize("height", [480, 700, 1000])
def test_the_dock_is_at_most_half_as_high_as_the_window(
    height: int, stage: ApprovalDockFixture
) -> None:
    stage.show(long_card(300))
    stage.window.resize(760, height)
    stage.settle()

    assert stage.dock.height() <= height // 2
    assert stage.answer("Deny…").isVisible()
    assert stage.dock.rect().contains(
        stage.answer("Deny…").mapTo(stage.dock, stage.answer("Deny…").rect().bottomRight())
    )


def test_several_cards_say_which_one_is_shown(stage: ApprovalDockFixture) -> None:
    stage.show(*(replace(another_card(n), position=n, total=3) for n in (1, 2, 3)))

    assert "1 of 3" in [label.text() for label in stage.dock.findChildren(QLabel)]


def test_every_control_has_a_name(stage: ApprovalDockFixture) -> None:
    stage.show(SHORT_CARD)
    kinds = (QAbstractButton, QLineEdit, QTextEdit, QPlainTextEdit, CardBody)
    controls = [
        widget
        for kind in kinds
        for parent in (stage.dock, stage.composer)
        for widget in parent.findChildren(kind)
    ]

    for control in controls:
        interface = QAccessible.queryAccessibleInterface(control)
        assert interface.text(QAccessible.Text.Name), control


@pytest.mark.parametrize("card", [SHORT_CARD, long_card(8), long_card(300)])
def test_a_card_is_as_high_at_first_as_it_stays(card: CardView, stage: ApprovalDockFixture) -> None:
    stage.dock.show_cards([card])
    first = stage.dock.geometry()
    stage.settle()

    assert stage.dock.geometry() == first


def _come_under(at: QPoint, stage: ApprovalDockFixture) -> list[str]:
    """Let a button come to where the card was; returns what is noted of its presses."""
    below = QPushButton("What was below", stage.window)
    pressed: list[str] = []
    below.pressed.connect(lambda: pressed.append("pressed"))
    stage.show()
    below.setGeometry(at.x() - 20, at.y() - 10, 40, 20)
    below.show()
    return pressed


def test_the_second_half_of_a_double_click_presses_nothing_that_comes_under_it(
    stage: ApprovalDockFixture,
) -> None:
    stage.show(SHORT_CARD)
    stage.arm()
    at = stage.point(stage.answer("Allow once"))
    with double_clicks_within(FOR_EVER_MS):
        stage.click(at)
    pressed = _come_under(at, stage)
    stage.click(at)
    QTest.mouseDClick(stage.window.windowHandle(), Qt.MouseButton.LeftButton, pos=at)

    assert stage.answers == [("allowed", "call-1", 1)]
    assert pressed == []


def test_card_that_appears_under_a_click_can_be_clicked_after_the_double_click_time(
    stage: ApprovalDockFixture, qtbot: QtBot
) -> None:
    stage.show(SHORT_CARD)
    stage.arm()
    at = stage.point(stage.answer("Allow once"))
    with double_clicks_within(AT_ONCE_MS):
        stage.click(at)
    pressed = _come_under(at, stage)
    qtbot.waitUntil(lambda: not stage.window.findChildren(DoubleClickGuard), timeout=20_000)
    stage.click(at)

    assert stage.answers == [("allowed", "call-1", 1)]
    assert pressed == ["pressed"]


def test_a_card_that_has_room_does_not_scroll(stage: ApprovalDockFixture) -> None:
    # Some of these paths need a line more beside a scroll bar than without one.
    for length in range(70, 90):
        stage.show(another_card(length))
        facts = (("Path", "/" + "x" * length), ("Words", "one\ntwo"))
        stage.show(replace(SHORT_CARD, request_id=f"call-{length}", facts=facts))
        body = stage.dock.findChildren(CardBody)[0]
        assert body.viewport().width() == body.width(), length
        assert stage.answer("Allow once").isEnabled()
