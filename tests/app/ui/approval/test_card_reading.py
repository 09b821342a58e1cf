"""Nothing is allowed that was not wholly on screen."""

import random
from dataclasses import replace

import pytest
from PySide6.QtCore import QLocale, QPoint, Qt
from PySide6.QtWidgets import (
    QLabel,
    QScrollArea,
    QTextEdit,
)

from app.ui.approval.call_card import CardBody
from app.ui.approval.revealed_text import PORTION_CHARACTERS
from app.ui.theme import Theme
from tests.support.approval_dock_fixtures import ApprovalDockFixture
from tests.support.cards import DIFF, SHORT_CARD, long_card
from tests.support.read_from_card import values_on


def _lines_on_screen(stage: ApprovalDockFixture) -> set[tuple[int, int, int]]:
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


def _all_lines(stage: ApprovalDockFixture) -> set[tuple[int, int, int]]:
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
@pytest.mark.parametrize(
    "seed", [*range(5), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(5, 40))]
)
def test_allow_waits_until_every_line_was_on_screen(seed: int, stage: ApprovalDockFixture) -> None:
    choose = random.Random(seed)  # noqa: S311 - a seed makes the test the same each time
    stage.window.resize(choose.randint(720, 1100), choose.randint(480, 900))
    words = [choose.choice(("a", "ж ", "\n", "word ", "\t", "x" * 90)) for _ in range(900)]
    preview = choose.choice(("", DIFF * 9))
    stage.show(
        replace(
            SHORT_CARD,
            facts=(("Words", "".join(words)),),
            preview_text=preview,
            preview_kind="diff" if preview else "none",
        )
    )
    seen = _lines_on_screen(stage)
    while not stage.answer("Allow once").isEnabled():
        stage.click(stage.point(stage.answer("Scroll to the end to allow")))
        stage.settle()
        seen |= _lines_on_screen(stage)

    assert seen == _all_lines(stage)
    for text in stage.dock.findChildren(CardBody)[0].findChildren(QTextEdit):
        assert text.viewport().height() >= text.document().size().height()


@pytest.mark.security(4)
def test_jumping_to_the_end_is_not_reading(stage: ApprovalDockFixture) -> None:
    stage.show(long_card(200))
    stage.arm()
    bar = stage.dock.findChildren(QScrollArea)[0].verticalScrollBar()
    bar.setValue(bar.maximum())
    stage.arm()
    stage.click(stage.point(stage.answer("Allow once")))

    assert not stage.answer("Allow once").isEnabled()
    assert stage.answers == []


@pytest.mark.security(4)
def test_changed_text_must_be_scrolled_through_again(stage: ApprovalDockFixture) -> None:
    stage.show(long_card(60))
    _read(stage)
    was_enabled = stage.answer("Allow once").isEnabled()
    stage.show(long_card(61))

    assert was_enabled
    assert not stage.answer("Allow once").isEnabled()


def _read(stage: ApprovalDockFixture) -> None:
    bar = stage.dock.findChildren(QScrollArea)[0].verticalScrollBar()
    while bar.value() < bar.maximum():
        bar.setValue(bar.value() + bar.pageStep())
        stage.settle()


@pytest.mark.security(4)
def test_a_long_input_says_its_length(stage: ApprovalDockFixture) -> None:
    stage.show(long_card(200))

    labels = [label.text() for label in stage.dock.findChildren(QLabel)]
    assert f"{QLocale().toString(1689)} characters, 200 lines" in labels


@pytest.mark.security(6)
def test_a_path_with_a_look_alike_letter_is_warned_about(stage: ApprovalDockFixture) -> None:
    stage.show(replace(SHORT_CARD, facts=(("Path", "/home/\u0430da/notes"),)))

    labels = [label.text() for label in stage.dock.findChildren(QLabel)]
    words = "“\u0430da” mixes letters of different alphabets. It can be mistaken for “ada”."
    assert words in labels


@pytest.mark.security(5)
def test_every_label_of_a_card_is_plain_text(stage: ApprovalDockFixture) -> None:
    stage.show(replace(SHORT_CARD, question="<b>Allowed</b>", source_words="<br>" * 50))

    assert {label.textFormat() for label in stage.dock.findChildren(QLabel)} == {
        Qt.TextFormat.PlainText
    }


@pytest.mark.parametrize("piece", ["x", "a\u202e"])
def test_the_largest_input_is_shown_without_freezing(
    piece: str, stage: ApprovalDockFixture
) -> None:
    text = piece * (262_144 // len(piece))
    stage.show(replace(SHORT_CARD, facts=(("Path", text[:4096]), ("Words", text))))

    assert stage.answer("Deny…").isVisible()
    assert not stage.answer("Allow once").isEnabled()
    texts = stage.dock.findChildren(CardBody)[0].findChildren(QTextEdit)
    laid_out = sum(text.document().characterCount() for text in texts)
    assert laid_out < 4 * PORTION_CHARACTERS, "the rest waits until the reader gets there"


@pytest.mark.security(4)
def test_the_end_of_a_long_text_is_there_to_be_read_and_must_be(
    stage: ApprovalDockFixture, theme: Theme
) -> None:
    long = "a\u202e" * 1500 + "\n" * 2 + "x" * 9000 + "the end"
    facts = (("Words", long), ("More", "one\ntwo"))
    stage.show(replace(SHORT_CARD, facts=facts))
    bar = stage.dock.findChildren(QScrollArea)[0].verticalScrollBar()
    bar.setValue(bar.maximum())
    stage.settle()
    was_enabled_by_a_jump = stage.answer("Allow once").isEnabled()
    while not stage.answer("Allow once").isEnabled():
        stage.click(stage.point(stage.answer("Scroll to the end to allow")))
        stage.settle()

    assert not was_enabled_by_a_jump
    assert bar.value() == bar.maximum(), "nothing comes after what was read"
    values = values_on(stage.dock, theme)
    assert (values["Words"], values["More"]) == (long, "one\ntwo")


def test_many_facts_are_added_as_the_reader_gets_there(stage: ApprovalDockFixture) -> None:
    facts = tuple((f"Number {number}", "1") for number in range(20_000))
    stage.show(replace(SHORT_CARD, facts=facts))

    texts = stage.dock.findChildren(CardBody)[0].findChildren(QTextEdit)
    assert len(texts) < 200
    assert not stage.answer("Allow once").isEnabled()


def test_a_whole_text_stands_under_the_change_and_a_long_command_over_it(
    stage: ApprovalDockFixture,
) -> None:
    facts = (("Words", "one\ntwo"), ("Command", "x" * 500), ("Folder", "/home/ada"))
    stage.show(replace(SHORT_CARD, facts=facts, preview_kind="diff", preview_text=DIFF))

    texts = stage.dock.findChildren(CardBody)[0].findChildren(QTextEdit)
    below = sorted(texts, key=lambda text: text.mapTo(stage.window, QPoint(0, 0)).y())
    names = [text.accessibleName() for text in below]
    assert names == ["Tool", "Folder", "Command", "What would change", "Words"]
