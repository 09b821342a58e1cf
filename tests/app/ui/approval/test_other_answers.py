"""Answers beside yes and no: another input, an answer instead, a rule, and going on."""

from dataclasses import replace

import pytest
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QScrollArea,
)

from app.ui.approval.answer_button import InteractionDelay
from app.ui.approval.call_answers import CardAnswers, InputEdit
from app.ui.approval.call_card import CardBody
from app.ui.approval.dock import ApprovalDock
from tests.support.approval_dock_fixtures import ApprovalDockFixture
from tests.support.cards import PAUSE, RULE, RULE_CARD, SHORT_CARD, long_card
from tests.support.widgets import child


def pressed(stage: ApprovalDockFixture, name: str) -> None:
    """Click an answer that has stood still for long enough."""
    stage.settle()
    stage.arm()
    stage.click(stage.point(stage.answer(name)))
    stage.settle()


def test_an_input_is_edited_and_nothing_is_allowed_by_that(stage: ApprovalDockFixture) -> None:
    stage.show(RULE_CARD)

    pressed(stage, "Edit")
    edit = child(stage.dock, InputEdit)
    assert edit.toPlainText() == RULE_CARD.input_text
    edit.setPlainText('{"argv": ["true"]}')
    pressed(stage, "Review change")

    assert stage.answers == [("edited", "call-1", 1, '{"argv": ["true"]}')]


def test_refused_answer_stays_in_the_field_with_the_reason(
    stage: ApprovalDockFixture,
) -> None:
    stage.show(RULE_CARD)
    mend = replace(RULE_CARD, generation=2, typed="{", problem="The input is not valid JSON.")

    stage.show(mend)

    edit = child(stage.dock, InputEdit)
    assert edit.isVisible()
    assert edit.toPlainText() == "{"
    stage.show(another := replace(RULE_CARD, generation=3))
    assert not edit.isVisible()
    assert edit.toPlainText() == another.input_text


def test_the_keyboard_comes_back_to_a_card_whose_input_was_changed(
    stage: ApprovalDockFixture,
) -> None:
    stage.dock.emptied.connect(stage.composer.take_focus)
    stage.show(RULE_CARD)
    for generation, problem in ((2, "The input is not valid JSON."), (3, "")):
        stage.dock.take_focus()
        if generation == 2:
            pressed(stage, "Edit")
        pressed(stage, "Review change")

        # While the input is looked at, nothing is asked.
        stage.show()
        stage.show(replace(RULE_CARD, generation=generation, typed="{", problem=problem))

        goal = child(stage.dock, InputEdit) if problem else child(stage.dock, CardBody)
        assert goal.hasFocus()


def test_a_card_that_was_not_changed_here_takes_no_keyboard(stage: ApprovalDockFixture) -> None:
    stage.dock.emptied.connect(stage.composer.take_focus)
    stage.show(RULE_CARD)
    stage.dock.take_focus()
    pressed(stage, "Edit")
    pressed(stage, "Review change")

    stage.show()
    stage.show(replace(SHORT_CARD, request_id="call-2"))

    focus = QApplication.focusWidget()
    assert focus is not None
    assert not stage.dock.isAncestorOf(focus)


def test_an_answer_instead_needs_words(stage: ApprovalDockFixture) -> None:
    stage.show(SHORT_CARD)

    pressed(stage, "Answer instead…")
    assert not stage.answer("Answer").isEnabled()
    line = next(line for line in stage.dock.findChildren(QLineEdit) if line.isVisible())
    line.setText("  Half past four ")
    pressed(stage, "Answer")

    assert stage.answers == [("answered", "call-1", 1, "Half past four")]


def test_a_tool_is_denied_for_the_rest_of_the_chat(stage: ApprovalDockFixture) -> None:
    stage.show(SHORT_CARD)

    pressed(stage, "Deny…")
    pressed(stage, "Deny this tool in this chat")

    assert stage.answers == [("forbidden", "call-1", 1, "")]


@pytest.mark.parametrize("name", ["Deny…", "Answer instead…"])
def test_a_card_that_says_little_needs_no_scroll_bar_for_its_answers(
    stage: ApprovalDockFixture, name: str
) -> None:
    stage.show(replace(SHORT_CARD, facts=()))

    pressed(stage, name)

    areas = stage.dock.findChildren(QScrollArea)
    assert [area.verticalScrollBar().maximum() for area in areas if area.isVisible()] == [0, 0]


@pytest.mark.security(4)
def test_a_rule_is_offered_only_when_all_was_seen_and_one_can_be_made(
    stage: ApprovalDockFixture,
) -> None:
    def always() -> QPushButton:
        buttons = stage.dock.findChildren(QPushButton)
        return next(b for b in buttons if b.accessibleName() == "Always allow…")

    stage.show(SHORT_CARD)
    assert not always().isVisible()
    stage.show(replace(long_card(80), rules=RULE_CARD.rules))
    assert not always().isVisible()
    stage.show(RULE_CARD)
    assert always().isVisible()

    menu = child(child(stage.dock, CardAnswers), QMenu)
    assert [action.text() for action in menu.actions()] == list(RULE_CARD.rules)
    menu.actions()[1].trigger()
    menu.triggered.emit(menu.actions()[1])

    assert ("rule", "call-1", 1, 1) in stage.answers


@pytest.mark.security(1, 2)
def _calls_shown(stage: ApprovalDockFixture) -> set[str]:
    """Return which of the past calls can be read on the page."""
    texts = {label.text() for label in stage.dock.rule.findChildren(QLabel) if label.isVisible()}
    return {trial.words for trial in RULE.trials if trial.words in texts}


def test_rule_page_lists_what_was_denied_and_the_other_calls_on_request(
    stage: ApprovalDockFixture,
) -> None:
    every = {trial.words for trial in RULE.trials}
    stage.show(RULE_CARD)
    stage.dock.show_rule(RULE)
    stage.settle()
    assert _calls_shown(stage) == {"write_file private/keys.md"}

    pressed(stage, "Show calls")
    assert _calls_shown(stage) == every
    assert not stage.dock.rule.findChildren(InteractionDelay)[0].is_armed
    pressed(stage, "Hide calls")
    assert _calls_shown(stage) == {"write_file private/keys.md"}

    pressed(stage, "Show calls")
    stage.show(replace(RULE_CARD, generation=2))
    stage.dock.show_rule(replace(RULE, generation=2))
    stage.settle()
    assert _calls_shown(stage) == {"write_file private/keys.md"}


def test_a_rule_is_saved_only_once_its_page_has_stood_still(stage: ApprovalDockFixture) -> None:
    stage.show(RULE_CARD)
    stage.dock.show_rule(RULE)
    stage.settle()

    stage.click(stage.point(stage.answer("Save rule and allow")))
    assert stage.answers == []
    stage.arm()
    stage.dock.show_rule(replace(RULE, exceptions=("private", "drafts")))
    stage.settle()
    stage.click(stage.point(stage.answer("Save rule and allow")))
    assert stage.answers == []
    stage.dock.show_rule(replace(RULE, is_trying=True))
    assert not stage.answer("Save rule and allow").isEnabled()
    stage.dock.show_rule(RULE)
    pressed(stage, "Save rule and allow")

    assert stage.answers == [("saved",)]


def test_the_page_shows_what_was_tried_and_lets_exceptions_be_chosen(
    stage: ApprovalDockFixture,
) -> None:
    added: list[str] = []
    removed: list[str] = []
    stage.show(RULE_CARD)
    stage.dock.exception_added.connect(added.append)
    stage.dock.exception_removed.connect(removed.append)
    stage.dock.show_rule(RULE)
    stage.settle()

    stage.click(stage.point(stage.answer("Remove exception private")))
    stage.click(stage.point(stage.answer("Add exception")))
    line = next(line for line in stage.dock.findChildren(QLineEdit) if line.isVisible())
    line.setText("drafts/")
    question = "In this chat, always allow writing in this folder?"
    stage.dock.show_rule(replace(RULE, question=question, span="chat"))
    assert (line.isVisible(), line.text()) == (True, "drafts/")
    line.returnPressed.emit()

    assert (added, removed) == (["drafts/"], ["private"])
    stage.dock.show_rule(None)
    assert stage.answer("Deny…").isVisible()


def test_a_pause_is_a_question_of_its_own(stage: ApprovalDockFixture) -> None:
    stage.dock.show_pause(PAUSE)
    stage.settle()
    dock = child(stage.window, ApprovalDock)
    assert dock.isVisible()
    stage.dock.show_cards([])
    assert dock.isVisible()

    stage.click(stage.point(stage.answer("Continue")))
    assert stage.answers == []
    pressed(stage, "Continue")

    assert stage.answers == [("resumed", "pause#25", 7)]
    stage.dock.show_pause(None)
    assert not dock.isVisible()
    stage.show(SHORT_CARD)
    assert stage.answer("Deny…").isVisible()


def test_way_back_stands_in_one_place_and_the_card_does_not_jump(
    stage: ApprovalDockFixture,
) -> None:
    stage.show(RULE_CARD)
    stage.settle()
    answers = child(stage.dock, CardAnswers)
    height, ends = answers.height(), set()

    for page in ("Deny…", "Answer instead…", "Edit"):
        pressed(stage, page)
        back = stage.answer("Back")
        ends.add(back.mapTo(answers, back.rect().topRight()).x())
        if page != "Edit":
            assert answers.height() == height, page
        pressed(stage, "Back")

    assert len(ends) == 1
