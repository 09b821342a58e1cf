"""Nothing is answered by accident: whatever asks, keys and clicks that were meant for others."""

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractButton

from app.approvals.queue import PendingRelease
from app.approvals.result_review import review_result
from app.ui.approval.answer_button import AnswerButton
from app.viewmodels.approval.approval import pending_result_view
from tests.support.approval_dock_fixtures import ApprovalDockFixture
from tests.support.cards import PAUSE, RULE, RULE_CARD, SHORT_CARD, long_card
from tests.support.figures import Tell

_NONE = Qt.KeyboardModifier.NoModifier
_KEYS: Final = (
    *((key, _NONE) for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)),
    *((key, _NONE) for key in (Qt.Key.Key_Y, Qt.Key.Key_N, Qt.Key.Key_Up, Qt.Key.Key_Tab)),
    *((key, Qt.KeyboardModifier.AltModifier) for key in (Qt.Key.Key_A, Qt.Key.Key_D)),
    (Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier),
)
_TYPED: Final = tuple(key for key in _KEYS if key[0] is not Qt.Key.Key_Tab)
_STEP_S: Final = 0.005
# The last of these comes just before an answer would count.
_STEPS_UNARMED: Final = 119
_STEPS_TYPED: Final = 81

Appear = Callable[[ApprovalDockFixture, int], None]


def _card(stage: ApprovalDockFixture, number: int) -> None:
    stage.show(replace(SHORT_CARD, request_id=f"call-{number}", generation=number))


def _long(stage: ApprovalDockFixture, number: int) -> None:
    stage.show(replace(long_card(60), request_id=f"call-{number}", generation=number))


def _rule_page(stage: ApprovalDockFixture, number: int) -> None:
    _with_rules(stage, number)
    stage.dock.show_rule(replace(RULE, request_id=f"call-{number}", generation=number))


def _edit_page(stage: ApprovalDockFixture, number: int) -> None:
    card = replace(RULE_CARD, typed="{", problem="This is no JSON.")
    stage.show(replace(card, request_id=f"call-{number}", generation=number))


def _reason_page(stage: ApprovalDockFixture, number: int) -> None:
    _with_rules(stage, number)
    _open(stage, "Deny…")


def _answer_page(stage: ApprovalDockFixture, number: int) -> None:
    _with_rules(stage, number)
    _open(stage, "Answer instead…")


def _pause(stage: ApprovalDockFixture, number: int) -> None:
    stage.dock.show_pause(replace(PAUSE, generation=number))


def _held_result(stage: ApprovalDockFixture, number: int) -> None:
    place, shown = ("c1", f"t{number}"), ("Read file", "a.env")
    held = review_result(
        None, "password = hunter22hunter22", "{}", is_failure=False, place=place, shown=shown
    )
    assert held is not None
    stage.dock.show_pending_result(pending_result_view(PendingRelease(held, number)))


def _with_rules(stage: ApprovalDockFixture, number: int) -> None:
    stage.show(replace(RULE_CARD, request_id=f"call-{number}", generation=number))


def _open(stage: ApprovalDockFixture, name: str) -> None:
    """Do what the person wants; what comes next is meant for something else again."""
    stage.settle()
    stage.arm()
    stage.click(stage.point(stage.answer(name)))


_KINDS: Final[tuple[Appear, ...]] = (
    *(_card, _long, _rule_page, _edit_page, _reason_page, _answer_page, _pause, _held_result),
)


def _end_pages(stage: ApprovalDockFixture) -> None:
    stage.dock.show_rule(None)
    stage.dock.show_pause(None)
    stage.dock.show_pending_result(None)


class _Clumsy:
    """Somebody whose hands are busy elsewhere when something asks."""

    def __init__(self, stage: ApprovalDockFixture) -> None:
        self._stage = stage
        self._choose = random.Random(1)  # noqa: S311 - a seed makes the test the same each time
        self.keys = 0
        self.clicks = 0

    def meets(self, kind: Appear, number: int, share: float) -> None:
        """Something appears under keys and clicks, and then under typing in the composer."""
        stage = self._stage
        kind(stage, number)
        stage.settle()
        for _ in range(_STEPS_UNARMED):
            stage.clock.advance(_STEP_S)
            if self._choose.random() < share:
                self._hit()
        stage.composer.take_focus()
        for _ in range(_STEPS_TYPED):
            stage.clock.advance(_STEP_S)
            if self._choose.random() < share:
                self._press(_TYPED)
        self.goes(number)

    def _hit(self) -> None:
        if self._choose.random() < 0.5:
            self._press(_KEYS)
            return
        self.clicks += 1
        self._stage.click(self._choose.choice(self._places()))

    def _press(self, keys: tuple[tuple[Qt.Key, Qt.KeyboardModifier], ...]) -> None:
        self.keys += 1
        self._stage.keys([self._choose.choice(keys)])

    def _places(self) -> list[QPoint]:
        """Return the middle of every button that asks, and somewhere else in the dock."""
        stage, dock = self._stage, self._stage.dock
        somewhere = QPoint(
            self._choose.randrange(dock.width()), self._choose.randrange(dock.height())
        )
        buttons = [one for one in dock.findChildren(QAbstractButton) if one.isVisible()]
        return [*map(stage.point, buttons), dock.mapTo(stage.window, somewhere)]

    def goes(self, number: int) -> None:
        """Remove what asked; now and then put another one in its place at once."""
        stage = self._stage
        _end_pages(stage)
        if number % 3:
            stage.show()


def _all_answers(stage: ApprovalDockFixture) -> list[tuple[object, ...]]:
    answers, dock = stage.answers, stage.dock
    for given in (dock.stopped, dock.sent, dock.kept_back):
        given.connect(lambda *_what: answers.append(("released or stopped",)))
    return answers


@pytest.mark.security(1)
@pytest.mark.parametrize(
    ("appearances", "share"),
    [
        (2 * len(_KINDS), 0.08),
        pytest.param(500, 1.0, marks=[pytest.mark.long, pytest.mark.timeout(1800)]),
    ],
)
def test_keys_and_clicks_meant_for_something_else_answer_nothing(
    appearances: int, share: float, stage: ApprovalDockFixture, tell: Tell
) -> None:
    answers, clumsy = _all_answers(stage), _Clumsy(stage)

    for number in range(1, appearances + 1):
        clumsy.meets(_KINDS[number % len(_KINDS)], number, share)

    tell(
        f"answers by accident, {appearances} appearances of {len(_KINDS)} kinds, "
        f"{clumsy.keys:,} keys and {clumsy.clicks:,} clicks: {len(answers)}"
    )
    assert answers == []


@pytest.mark.security(3)
@pytest.mark.parametrize(
    "swaps", [16, pytest.param(200, marks=[pytest.mark.long, pytest.mark.timeout(600)])]
)
def test_card_that_appears_during_a_click_is_not_answered(
    swaps: int, stage: ApprovalDockFixture, tell: Tell
) -> None:
    answers, choose = _all_answers(stage), random.Random(3)  # noqa: S311 - the same each time
    for number in range(1, 2 * swaps, 2):
        before, after = choose.choices(_KINDS, k=2)
        before(stage, number)
        stage.settle()
        stage.arm()
        buttons = [one for one in stage.dock.findChildren(AnswerButton) if one.isVisible()]
        at = stage.point(choose.choice(buttons))
        stage.press(at)
        _end_pages(stage)
        stage.show()
        after(stage, number + 1)
        stage.settle()
        stage.arm()
        stage.release(at)
        _end_pages(stage)

    tell(f"wrong answers, {swaps} swaps between press and release: {len(answers)}")
    assert answers == []
