"""An approval card for those who hear it: everything is said, and reached by Tab."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QWidget

from app.ui.approval.call_card import ApprovalCard, CardBody
from app.ui.approval.revealed_text import RevealedText
from tests.support.announcements import announced, reader_listening
from tests.support.approval_dock_fixtures import ApprovalDockFixture
from tests.support.cards import DIFF, PAUSE, RULE, RULE_CARD, SHORT_CARD, long_card

_CARD = replace(
    SHORT_CARD,
    facts=(("Command", "git st\u202eatus"), ("Folder", "/home/ada/notes")),
    note="You were asked this before.",
    preview_kind="diff",
    preview_text=DIFF,
)


def _told(widget: QWidget | None) -> str:
    assert widget is not None
    interface = QAccessible.queryAccessibleInterface(widget)
    kinds = QAccessible.Text.Name, QAccessible.Text.Description
    return "\n".join(interface.text(kind) for kind in kinds)


@pytest.mark.security(4)
def test_the_call_is_said_when_the_keyboard_comes_to_the_card(stage: ApprovalDockFixture) -> None:
    stage.show(_CARD)
    stage.key(Qt.Key.Key_F6)

    said = _told(QApplication.focusWidget())

    parts = (
        "Run a program on this computer?",
        "Command: git st‹U+202E›atus",
        "Folder: /home/ada/notes",
        "Tool: run_command",
        "included with Parley; its own process; not sandboxed yet",
        "runs a program",
        "You were asked this before.",
        "What would change: @@ lines 1–3 @@\n",
        "-made export faster (3x)",
    )
    places = [said.find(part) for part in parts]
    assert -1 not in places, said
    assert places == sorted(places)


def test_why_no_rule_can_be_made_of_a_call_is_reported(stage: ApprovalDockFixture) -> None:
    stage.show(replace(_CARD, no_rule_words="only in this chat’s folder"))
    stage.key(Qt.Key.Key_F6)

    said = _told(QApplication.focusWidget())

    assert "Always allow: only in this chat’s folder" in said.split("\n")


@pytest.mark.security(6)
def test_a_name_in_the_question_hides_nothing_from_who_hears_the_card(
    stage: ApprovalDockFixture,
) -> None:
    stage.show(replace(SHORT_CARD, question="Run “a\u2800b\u202e” on this computer?"))

    said = [_told(card).partition("\n")[0] for card in stage.dock.findChildren(ApprovalCard)]

    assert said == ["Run “a‹U+2800›b‹U+202E›” on this computer?"]


@pytest.mark.security(4)
def test_words_that_only_look_like_others_are_reported(stage: ApprovalDockFixture) -> None:
    stage.show(replace(SHORT_CARD, facts=(("Command", "gіt"),)))
    stage.key(Qt.Key.Key_F6)

    assert "“gіt” mixes letters of different alphabets." in _told(QApplication.focusWidget())


@pytest.mark.security(4)
def test_screen_reader_hears_asker_and_warnings_with_any_number_of_facts(
    stage: ApprovalDockFixture,
) -> None:
    facts = tuple((f"fact {number}", "gіt") for number in range(30))
    stage.show(replace(_CARD, facts=facts))
    stage.key(Qt.Key.Key_F6)

    said = _told(QApplication.focusWidget())

    assert "fact 19: " in said
    assert "fact 20: " not in said
    for part in ("Tool: run_command", "runs a program", "“gіt” mixes", "-made export faster"):
        assert part in said
    assert said.endswith("Press Tab to hear the rest.")


def test_tab_leads_through_every_fact_and_then_to_the_answers(stage: ApprovalDockFixture) -> None:
    stage.show(_CARD)
    stage.key(Qt.Key.Key_F6)

    passed = stage.tab_to("Allow once")

    assert passed == [
        "Tool",
        "Source: included with Parley; its own process; not sandboxed yet",
        "Command",
        "Folder",
        "",  # A note has no name but its own words.
        "What would change",
    ]
    stage.keys([(Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)])
    assert isinstance(QApplication.focusWidget(), CardBody)


def test_a_fact_is_read_letter_by_letter_and_its_keys_answer_nothing(
    stage: ApprovalDockFixture,
) -> None:
    stage.show(_CARD)
    stage.key(Qt.Key.Key_F6)
    for _ in range(3):
        stage.key(Qt.Key.Key_Tab)
    command = QApplication.focusWidget()
    assert isinstance(command, RevealedText)
    places = []
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_End, Qt.Key.Key_Home):
        stage.key(key)
        places.append(command.textCursor().position())
    stage.arm()
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Space):
        stage.key(key)

    assert places == [1, 2, len("git st‹U+202E›atus"), 0]
    assert command.toPlainText() == "git st‹U+202E›atus"
    assert stage.answers == []


@pytest.mark.security(4)
def test_line_with_the_caret_scrolls_into_view(stage: ApprovalDockFixture) -> None:
    stage.show(long_card(60))
    was_read = stage.answer("Allow once").isEnabled()
    stage.key(Qt.Key.Key_F6)
    stage.tab_to("Words")
    for _ in range(60):
        stage.key(Qt.Key.Key_Down)
        stage.settle()

    assert not was_read
    assert stage.answer("Allow once").isEnabled()


def test_screen_reader_hears_the_beginning_and_length_of_a_long_text(
    stage: ApprovalDockFixture,
) -> None:
    stage.show(long_card(200))
    stage.key(Qt.Key.Key_F6)

    said = _told(QApplication.focusWidget())

    assert "200 lines" in said
    assert "Press Tab to hear the rest." in said
    assert len(said) < 1_000


def test_a_rule_is_reported_with_what_it_would_have_let_through(stage: ApprovalDockFixture) -> None:
    stage.show(RULE_CARD)
    stage.dock.show_rule(RULE)
    stage.settle()
    stage.key(Qt.Key.Key_F6)

    said = _told(QApplication.focusWidget())

    for words in (RULE.question, RULE.effect_words, RULE.words, RULE.trial_words):
        assert said.count(words) == 1, words


def test_a_pause_is_reported_with_its_reason(stage: ApprovalDockFixture) -> None:
    stage.dock.show_pause(PAUSE)
    stage.settle()
    stage.key(Qt.Key.Key_F6)

    assert _told(QApplication.focusWidget()) == f"{PAUSE.question}\n{PAUSE.words}"


def test_a_rule_says_by_itself_what_trying_it_has_led_to(stage: ApprovalDockFixture) -> None:
    stage.show(RULE_CARD)
    stage.key(Qt.Key.Key_F6)
    stage.dock.show_rule(replace(RULE, trial_words="", is_trying=True))
    stage.settle()
    before = _told(QApplication.focusWidget())

    with reader_listening():
        stage.dock.show_rule(RULE)
        stage.dock.show_rule(RULE)
        heard = announced(stage.window)

    # A description that changed under the keyboard would be read from its beginning again.
    assert _told(QApplication.focusWidget()) == before
    assert heard == [RULE.trial_words]


def test_scrolling_to_the_end_by_key_leads_to_no_answer(stage: ApprovalDockFixture) -> None:
    stage.show(long_card(60))

    reached = stage.scroll_by_key("Scroll to the end to allow")

    assert isinstance(reached, RevealedText)
    assert stage.answers == []
    stage.key(Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is stage.answer("Allow once")
