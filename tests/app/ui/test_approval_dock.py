"""Consent is given on purpose: by eyes that saw everything and a hand that had time to stop."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QLocale, QPoint, Qt
from PySide6.QtGui import QAccessible, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QTextEdit,
)
from pytestqt.qtbot import QtBot

from app.ui.card_body import CardBody
from app.ui.theme import Theme
from tests.support.approval_stage import CHAT, ApprovalStage
from tests.support.cards import DIFF, SHORT_CARD, another_card, long_card

_NONE = Qt.KeyboardModifier.NoModifier
_TYPED = (
    (Qt.Key.Key_Return, _NONE),
    (Qt.Key.Key_Enter, _NONE),
    (Qt.Key.Key_Space, _NONE),
    (Qt.Key.Key_Y, _NONE),
    (Qt.Key.Key_A, Qt.KeyboardModifier.AltModifier),
    (Qt.Key.Key_D, Qt.KeyboardModifier.AltModifier),
    (Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier),
    (Qt.Key.Key_Up, _NONE),
)
_KEY_INTERVAL_S = 0.005


@pytest.fixture
def stage(theme: Theme, qtbot: QtBot) -> Iterator[ApprovalStage]:
    made = ApprovalStage(theme)
    qtbot.addWidget(made.window)
    with qtbot.waitActive(made.window):
        made.window.show()
        made.window.activateWindow()
    made.composer.take_focus()
    yield made
    made.window.close()


def _type_over_cards(stage: ApprovalStage, appearances: int, keys_each: int) -> None:
    choose = random.Random(1)  # noqa: S311 - a seed makes the test the same each time
    for number in range(appearances):
        stage.show(another_card(number))
        for key in choose.choices(_TYPED, k=keys_each):
            stage.keys([key])
            stage.clock.advance(_KEY_INTERVAL_S)
        if number % 3 == 0:
            stage.show()


@pytest.mark.security(1)
def test_typing_in_the_composer_answers_no_card(stage: ApprovalStage) -> None:
    _type_over_cards(stage, appearances=20, keys_each=20)

    assert stage.answers == []


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.security(1)
def test_typing_over_500_cards_answers_none(stage: ApprovalStage) -> None:
    _type_over_cards(stage, appearances=500, keys_each=200)

    assert stage.answers == []


@pytest.mark.security(1)
def test_typing_goes_on_in_the_composer_while_cards_come_and_go(stage: ApprovalStage) -> None:
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
def test_tab_and_space_at_typing_speed_answer_nothing(stage: ApprovalStage) -> None:
    stage.show(SHORT_CARD)
    stage.arm()
    for _ in range(30):
        for key in (Qt.Key.Key_Backtab, Qt.Key.Key_Space, Qt.Key.Key_Return):
            stage.key(key)
            stage.clock.advance(_KEY_INTERVAL_S)

    assert stage.answers == []


@pytest.mark.security(1)
def test_no_answer_is_a_default_or_has_a_short_cut(stage: ApprovalStage) -> None:
    stage.show(SHORT_CARD)

    for button in stage.dock.findChildren(QPushButton):
        assert not button.isDefault()
        assert not button.autoDefault()
        assert button.shortcut().isEmpty()
        assert not button.hasFocus()


@pytest.mark.security(2)
@pytest.mark.parametrize("name", ["Allow once", "Deny…"])
def test_a_click_counts_600_ms_after_the_card_appeared_and_not_before(
    name: str, stage: ApprovalStage
) -> None:
    counted = []
    for delay_ms in range(0, 1001, 10):
        stage.show()
        stage.show(another_card(delay_ms + 1))
        stage.clock.advance(delay_ms / 1000)
        stage.click(stage.point(stage.answer(name)))
        has_reason_field = stage.dock.findChildren(QLineEdit)[0].isVisible()
        if stage.answers or has_reason_field:
            counted.append(delay_ms)
        stage.answers.clear()

    assert counted == list(range(600, 1001, 10))


def _resize_window(stage: ApprovalStage) -> None:
    stage.window.resize(740, 860)


def _grow_composer(stage: ApprovalStage) -> None:
    stage.composer.set_text("one\ntwo\nthree")


def _another_joins(stage: ApprovalStage) -> None:
    stage.show(replace(SHORT_CARD, total=2), another_card(2))


def _content_changes(stage: ApprovalStage) -> None:
    stage.show(replace(SHORT_CARD, generation=2, input_text="{}"))


def _hide_and_show(stage: ApprovalStage) -> None:
    stage.show()
    stage.show(SHORT_CARD)


def _focus_arrives(stage: ApprovalStage) -> None:
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
def test_whatever_moves_or_changes_the_card_starts_the_wait_anew(
    disturb: Callable[[ApprovalStage], None], stage: ApprovalStage
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
def test_a_card_that_takes_the_place_of_another_during_a_click_is_not_answered(
    stage: ApprovalStage,
) -> None:
    for number in range(1, 41, 2):
        stage.show(another_card(number))
        stage.arm()
        at = stage.point(stage.answer("Allow once"))
        stage.press(at)
        stage.show(another_card(number + 1))
        stage.arm()
        stage.release(at)

    assert stage.answers == []


@pytest.mark.security(3)
def test_an_answer_names_the_call_and_the_generation_that_were_shown(stage: ApprovalStage) -> None:
    stage.show(another_card(7))
    stage.arm()
    stage.click(stage.point(stage.answer("Allow once")))

    assert stage.answers == [("allowed", "call-7", 7)]


def test_a_card_is_answered_once(stage: ApprovalStage) -> None:
    stage.show(SHORT_CARD)
    stage.arm()
    for _ in range(3):
        stage.click(stage.point(stage.answer("Allow once")))

    assert len(stage.answers) == 1


def _lines_on_screen(stage: ApprovalStage) -> set[tuple[int, int, int]]:
    """Each line of text that is wholly in view: text, block and line number."""
    body = stage.dock.findChildren(CardBody)[0]
    seen = set()
    for number, text in enumerate(body.findChildren(QTextEdit)):
        block = text.document().begin()
        while block.isValid():
            top = text.document().documentLayout().blockBoundingRect(block).top()
            for line_number in range(block.layout().lineCount()):
                line = block.layout().lineAt(line_number)
                middle = QPoint(0, round(top + line.y() + line.height() / 2))
                y = text.mapTo(body.viewport(), middle).y()
                if 0 <= y < body.viewport().height():
                    seen.add((number, block.blockNumber(), line_number))
            block = block.next()
    return seen


def _all_lines(stage: ApprovalStage) -> set[tuple[int, int, int]]:
    texts = stage.dock.findChildren(CardBody)[0].findChildren(QTextEdit)
    blocks = [
        (number, text.document().findBlockByNumber(index))
        for number, text in enumerate(texts)
        for index in range(text.document().blockCount())
    ]
    return {
        (number, block.blockNumber(), line)
        for number, block in blocks
        for line in range(block.layout().lineCount())
    }


@pytest.mark.security(4)
@pytest.mark.parametrize("seed", range(8))
def test_allow_waits_until_every_line_was_on_screen(seed: int, stage: ApprovalStage) -> None:
    choose = random.Random(seed)  # noqa: S311 - a seed makes the test the same each time
    stage.window.resize(choose.randint(720, 1100), choose.randint(480, 900))
    words = [choose.choice(("a", "ж ", "\n", "word ", "\t", "x" * 90)) for _ in range(900)]
    preview = choose.choice(("", DIFF * 9))
    stage.show(
        replace(
            SHORT_CARD,
            input_text="".join(words),
            preview_text=preview,
            preview_kind="diff" if preview else "none",
        )
    )
    seen = _lines_on_screen(stage)
    while not stage.answer("Allow once").isEnabled():
        stage.click(stage.point(stage.answer("Scroll through all of it to allow")))
        stage.settle()
        seen |= _lines_on_screen(stage)

    assert seen == _all_lines(stage)
    for text in stage.dock.findChildren(CardBody)[0].findChildren(QTextEdit):
        assert text.viewport().height() >= text.document().size().height()


@pytest.mark.security(4)
def test_jumping_to_the_end_is_not_reading(stage: ApprovalStage) -> None:
    stage.show(long_card(200))
    stage.arm()
    bar = stage.dock.findChildren(QScrollArea)[0].verticalScrollBar()
    bar.setValue(bar.maximum())
    stage.arm()
    stage.click(stage.point(stage.answer("Allow once")))

    assert not stage.answer("Allow once").isEnabled()
    assert stage.answers == []


@pytest.mark.security(4)
def test_what_was_read_must_be_read_again_when_it_changes(stage: ApprovalStage) -> None:
    stage.show(long_card(60))
    _read(stage)
    was_enabled = stage.answer("Allow once").isEnabled()
    stage.show(long_card(61))

    assert was_enabled
    assert not stage.answer("Allow once").isEnabled()


def _read(stage: ApprovalStage) -> None:
    bar = stage.dock.findChildren(QScrollArea)[0].verticalScrollBar()
    while bar.value() < bar.maximum():
        bar.setValue(bar.value() + bar.pageStep())
        stage.settle()


@pytest.mark.security(4)
def test_a_long_input_says_its_length(stage: ApprovalStage) -> None:
    stage.show(long_card(200))

    labels = [label.text() for label in stage.dock.findChildren(QLabel)]
    assert f"{QLocale().toString(1689)} characters, 200 lines" in labels


@pytest.mark.security(6)
def test_a_path_with_a_look_alike_letter_is_warned_about(stage: ApprovalStage) -> None:
    stage.show(replace(SHORT_CARD, facts=(("Path", "/home/\u0430da/notes"),)))

    labels = [label.text() for label in stage.dock.findChildren(QLabel)]
    assert "“\u0430da” mixes letters of different alphabets." in labels


def test_a_card_is_allowed_by_keys_alone(stage: ApprovalStage) -> None:
    stage.show(SHORT_CARD)
    stage.key(Qt.Key.Key_F6)
    stage.key(Qt.Key.Key_Tab)
    stage.arm()
    stage.key(Qt.Key.Key_Space)

    assert stage.answers == [("allowed", "call-1", 1)]


@pytest.mark.security(1)
@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Space])
def test_a_key_that_is_still_held_down_answers_nothing(key: Qt.Key, stage: ApprovalStage) -> None:
    stage.show(SHORT_CARD)
    stage.key(Qt.Key.Key_F6)
    stage.key(Qt.Key.Key_Tab)
    stage.arm()
    allow = stage.answer("Allow once")
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease) * 3:
        QApplication.sendEvent(allow, QKeyEvent(kind, key, _NONE, "", True))

    assert allow.hasFocus()
    assert stage.answers == []


def test_a_long_card_is_read_and_allowed_by_keys_alone(stage: ApprovalStage) -> None:
    stage.show(long_card(80))
    stage.key(Qt.Key.Key_F6)
    for _ in range(40):
        stage.key(Qt.Key.Key_PageDown)
    stage.key(Qt.Key.Key_Tab)
    stage.arm()
    stage.key(Qt.Key.Key_Return)

    assert [answer[0] for answer in stage.answers] == ["allowed"]


def test_a_card_is_denied_with_a_reason_by_keys_alone(stage: ApprovalStage) -> None:
    stage.show(SHORT_CARD)
    stage.key(Qt.Key.Key_F6)
    stage.key(Qt.Key.Key_Tab)
    stage.key(Qt.Key.Key_Tab)
    stage.arm()
    stage.key(Qt.Key.Key_Space)
    stage.keys([(Qt.Key.Key_N, _NONE), (Qt.Key.Key_O, _NONE)])
    stage.arm()
    stage.key(Qt.Key.Key_Return)

    assert stage.answers == [("denied", "call-1", 1, "no")]


def test_a_card_is_denied_without_a_reason_by_two_clicks(stage: ApprovalStage) -> None:
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


def test_esc_gives_up_the_denial_and_stops_nothing(stage: ApprovalStage, qtbot: QtBot) -> None:
    stage.composer.show_state(replace(CHAT, is_busy=True, is_asking=True))
    stage.show(SHORT_CARD)
    stage.arm()
    stage.click(stage.point(stage.answer("Deny…")))
    stage.settle()
    with qtbot.assertNotEmitted(stage.composer.stop_requested):
        stage.key(Qt.Key.Key_Escape)

    assert stage.answer("Allow once").isVisible()
    assert stage.answers == []


def test_the_next_card_moves_the_keyboard_off_the_answers(stage: ApprovalStage) -> None:
    stage.show(another_card(1))
    stage.key(Qt.Key.Key_F6)
    stage.key(Qt.Key.Key_Tab)
    stage.show(another_card(2))

    focus = QApplication.focusWidget()
    assert isinstance(focus, CardBody)


def test_the_keyboard_is_given_back_when_the_last_card_goes(
    stage: ApprovalStage, qtbot: QtBot
) -> None:
    stage.show(SHORT_CARD)
    stage.key(Qt.Key.Key_F6)
    with qtbot.waitSignal(stage.dock.emptied, timeout=5000):
        stage.show()


@pytest.mark.parametrize("height", [480, 700, 1000])
def test_the_dock_is_at_most_half_as_high_as_the_window(height: int, stage: ApprovalStage) -> None:
    stage.show(long_card(300))
    stage.window.resize(760, height)
    stage.settle()

    assert stage.dock.height() <= height // 2
    assert stage.answer("Deny…").isVisible()
    assert stage.dock.rect().contains(
        stage.answer("Deny…").mapTo(stage.dock, stage.answer("Deny…").rect().bottomRight())
    )


def test_several_cards_say_which_one_is_shown(stage: ApprovalStage) -> None:
    stage.show(*(replace(another_card(n), position=n, total=3) for n in (1, 2, 3)))

    assert "1 of 3" in [label.text() for label in stage.dock.findChildren(QLabel)]


@pytest.mark.security(5)
def test_every_label_of_a_card_is_plain_text(stage: ApprovalStage) -> None:
    stage.show(replace(SHORT_CARD, question="<b>Allowed</b>", source_words="<br>" * 50))

    assert {label.textFormat() for label in stage.dock.findChildren(QLabel)} == {
        Qt.TextFormat.PlainText
    }


def test_every_control_has_a_name(stage: ApprovalStage) -> None:
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
