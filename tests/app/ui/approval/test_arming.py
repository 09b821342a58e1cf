"""Consent is given on purpose: typing, stray clicks and cards that change places answer nothing."""

import time
from collections.abc import Callable
from dataclasses import replace
from itertools import count

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QLineEdit,
    QPushButton,
)
from pytestqt.qtbot import QtBot

from app.ui.approval.answer_button import AnswerButton, InteractionDelay
from app.ui.approval.dock import ApprovalDock
from app.ui.theme import Theme
from tests.support.announcements import announced, reader_listening
from tests.support.approval_dock_fixtures import ApprovalDockFixture
from tests.support.cards import SHORT_CARD, another_card, long_card

_NONE = Qt.KeyboardModifier.NoModifier
_KEY_INTERVAL_S = 0.005


@pytest.mark.security(1)
def test_typing_goes_on_in_the_composer_while_cards_come_and_go(stage: ApprovalDockFixture) -> None:
    stage.show(SHORT_CARD)
    stage.arm()
    stage.key(Qt.Key.Key_Y)
    stage.show(another_card(2))
    stage.arm()
    stage.key(Qt.Key.Key_E)
    stage.show()
    stage.key(Qt.Key.Key_S)

    assert stage.composer.text == "yes"


@pytest.mark.security(1)
def test_tab_and_space_at_typing_speed_answer_nothing(stage: ApprovalDockFixture) -> None:
    stage.show(SHORT_CARD)
    stage.arm()
    for _ in range(30):
        for key in (Qt.Key.Key_Backtab, Qt.Key.Key_Space, Qt.Key.Key_Return):
            stage.key(key)
            stage.clock.advance(_KEY_INTERVAL_S)

    assert stage.answers == []


@pytest.mark.security(1)
def test_no_answer_is_a_default_or_has_a_short_cut(stage: ApprovalDockFixture) -> None:
    stage.show(SHORT_CARD)

    for button in stage.dock.findChildren(QPushButton):
        assert not button.isDefault()
        assert not button.autoDefault()
        assert button.shortcut().isEmpty()
        assert not button.hasFocus()


@pytest.mark.security(2)
@pytest.mark.parametrize("name", ["Allow once", "Deny…"])
@pytest.mark.parametrize(
    "delays_ms",
    [
        pytest.param((*range(0, 570, 95), *range(570, 640, 10), 800, 1000), id="around"),
        pytest.param(tuple(range(0, 1001, 10)), id="every 10 ms", marks=pytest.mark.long),
    ],
)
def test_a_click_counts_600_ms_after_the_card_appeared_and_not_before(
    delays_ms: tuple[int, ...], name: str, stage: ApprovalDockFixture
) -> None:
    counted = []
    for delay_ms in delays_ms:
        stage.show()
        stage.show(another_card(delay_ms + 1))
        stage.clock.advance(delay_ms / 1000)
        stage.click(stage.point(stage.answer(name)))
        has_reason_field = stage.dock.findChildren(QLineEdit)[0].isVisible()
        if stage.answers or has_reason_field:
            counted.append(delay_ms)
        stage.answers.clear()

    assert counted == [delay_ms for delay_ms in delays_ms if delay_ms >= 600]


def _resize_window(stage: ApprovalDockFixture) -> None:
    stage.window.resize(740, 860)


def _grow_composer(stage: ApprovalDockFixture) -> None:
    stage.composer.set_text("one\ntwo\nthree")


def _another_joins(stage: ApprovalDockFixture) -> None:
    stage.show(replace(SHORT_CARD, total=2), another_card(2))


def _content_changes(stage: ApprovalDockFixture) -> None:
    stage.show(replace(SHORT_CARD, generation=2, facts=()))


def _hide_and_show(stage: ApprovalDockFixture) -> None:
    stage.show()
    stage.show(SHORT_CARD)


def _focus_arrives(stage: ApprovalDockFixture) -> None:
    stage.dock.take_focus()


@pytest.mark.security(2)
@pytest.mark.parametrize(
    "disturb",
    [
        _resize_window,
        _grow_composer,
        _another_joins,
        _content_changes,
        _hide_and_show,
        _focus_arrives,
    ],
)
def test_moving_or_changing_the_card_restarts_its_arming_time(
    disturb: Callable[[ApprovalDockFixture], None], stage: ApprovalDockFixture
) -> None:
    stage.show(SHORT_CARD)
    stage.arm()
    disturb(stage)
    stage.settle()
    stage.clock.advance(0.59)
    stage.click(stage.point(stage.answer("Allow once")))
    too_early = list(stage.answers)
    stage.clock.advance(0.02)
    stage.click(stage.point(stage.answer("Allow once")))

    assert too_early == []
    assert [answer[0] for answer in stage.answers] == ["allowed"]


@pytest.mark.security(3)
def test_an_answer_names_the_call_and_the_generation_that_were_shown(
    stage: ApprovalDockFixture,
) -> None:
    stage.show(another_card(7))
    stage.arm()
    stage.click(stage.point(stage.answer("Allow once")))

    assert stage.answers == [("allowed", "call-7", 7)]


def test_a_card_is_answered_once(stage: ApprovalDockFixture) -> None:
    stage.show(SHORT_CARD)
    stage.arm()
    for _ in range(3):
        stage.click(stage.point(stage.answer("Allow once")))

    assert len(stage.answers) == 1


@pytest.mark.security(1)
@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Space])
def test_a_key_that_is_still_held_down_answers_nothing(
    key: Qt.Key, stage: ApprovalDockFixture
) -> None:
    stage.show(SHORT_CARD)
    stage.key(Qt.Key.Key_F6)
    stage.tab_to("Allow once")
    stage.arm()
    allow = stage.answer("Allow once")
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease) * 3:
        QApplication.sendEvent(allow, QKeyEvent(kind, key, _NONE, "", True))

    assert allow.hasFocus()
    assert stage.answers == []


def test_reading_to_the_end_starts_the_wait_anew(stage: ApprovalDockFixture) -> None:
    stage.show(long_card(300))
    stage.arm()
    further = stage.answer("Scroll to the end to allow")
    while further.isVisible():
        stage.click(stage.point(further))
        stage.settle()

    stage.click(stage.point(stage.answer("Allow once")))
    too_early = list(stage.answers)
    stage.arm()
    stage.click(stage.point(stage.answer("Allow once")))

    assert too_early == []
    assert len(stage.answers) == 1


def test_click_that_comes_too_early_shows_that_it_did(stage: ApprovalDockFixture) -> None:
    stage.show(SHORT_CARD)
    deny = stage.answer("Deny…")
    assert isinstance(deny, AnswerButton)
    before = deny.grab().toImage()

    stage.click(stage.point(deny))
    assert deny.says_wait
    assert deny.grab().toImage() != before
    stage.arm()
    stage.dock._card._arming.changed.emit()
    says_wait: bool = deny.says_wait
    assert not says_wait
    assert stage.answers == []


def test_answer_buttons_look_the_same_before_arming(stage: ApprovalDockFixture) -> None:
    stage.show(SHORT_CARD)
    names = ("Allow once", "Deny…")
    before = [stage.answer(name).grab().toImage() for name in names]

    stage.arm()
    stage.dock._card._arming.changed.emit()

    assert [stage.answer(name).grab().toImage() for name in names] == before


def test_key_that_comes_too_early_is_explained_to_eyes_and_ears(
    stage: ApprovalDockFixture,
) -> None:
    stage.show(SHORT_CARD)
    allow = stage.answer("Allow once")
    allow.setFocus()
    before = allow.grab().toImage()

    with reader_listening():
        stage.key(Qt.Key.Key_Return)
        stage.key(Qt.Key.Key_Return)
        heard = announced(allow.window())
    changed = allow.grab().toImage() != before
    stage.arm()
    stage.dock._card._arming.changed.emit()

    assert heard == ["Wait a moment, then press again."]
    assert changed
    assert allow.grab().toImage() == before
    assert stage.answers == []


class _SlowClock:
    """Stands still at first, and then goes behind the timers of the system."""

    def __init__(self) -> None:
        self.goes = False
        self._began = time.monotonic()

    def __call__(self) -> float:
        if not self.goes:
            self._began = time.monotonic()
        return 0.9 * (time.monotonic() - self._began)


def test_answers_get_ready_although_the_timer_is_ahead_of_the_clock(
    theme: Theme, qtbot: QtBot
) -> None:
    clock = _SlowClock()
    dock = ApprovalDock(theme, clock)
    qtbot.addWidget(dock)
    dock.resize(700, 400)
    dock.show_cards([SHORT_CARD])
    deny = next(b for b in dock.findChildren(AnswerButton) if b.accessibleName() == "Deny…")
    qtbot.mouseClick(deny, Qt.MouseButton.LeftButton)
    assert deny.says_wait

    clock.goes = True
    qtbot.waitUntil(lambda: not deny.says_wait, timeout=20_000)


def test_answers_get_ready_at_once_when_all_the_time_went_by_between_two_looks(
    qtbot: QtBot,
) -> None:
    seconds = count()
    holder = QObject()
    arming = InteractionDelay(holder, lambda: next(seconds))
    arming.restart()
    # A timer in the past would bring a warning of Qt, which fails the test.
    with qtbot.waitSignal(arming.changed, timeout=20_000):
        pass
    assert arming.is_armed
