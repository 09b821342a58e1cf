"""Long texts in portions: all of them, in their order, none larger than is quickly laid out."""

import pytest

from app.approvals.visible_text import TextRun, iter_runs
from app.ui.approval.revealed_text import (
    PORTION_CHARACTERS,
    RevealedParagraph,
    TextChunks,
    diff_paragraphs,
)
from tests.support.read_from_card import text_of

_MOST_CHARACTERS = PORTION_CHARACTERS + 1_100


def _taken(portions: TextChunks) -> list[tuple[RevealedParagraph, ...]]:
    taken = []
    while portions.is_left:
        taken.append(portions.take())
    return taken


def _runs(portion: tuple[RevealedParagraph, ...]) -> tuple[TextRun, ...]:
    return tuple(run for paragraph in portion for run in paragraph.runs)


@pytest.mark.security(4)
@pytest.mark.parametrize("piece", ["x", "a\u202e", "a\n", "\t x ", "e\u0301\u0301", "\U0001f600"])
def test_portions_taken_together_are_the_text(piece: str) -> None:
    text = piece * (30_000 // len(piece))
    portions = _taken(TextChunks([RevealedParagraph(iter_runs(text))]))
    runs = [_runs(portion) for portion in portions]

    assert "".join(map(text_of, runs)) == text
    assert len(portions) > 1
    assert max(sum(len(run.text) for run in part) for part in runs) <= _MOST_CHARACTERS


def test_no_portion_begins_with_a_mark_of_the_letter_before() -> None:
    text = "x" * (PORTION_CHARACTERS - 41) + "e\u0301" * 9
    portions = _taken(TextChunks([RevealedParagraph(iter_runs(text))]))

    assert [_runs(portion)[0].text[0] for portion in portions] == ["x", "e"]


def test_lines_of_a_change_keep_their_grounds_across_portions() -> None:
    diff = "@@ line 1 @@\n" + "".join(f"+{'y' * 900}\n-\n" for _ in range(30))
    lines = [line for portion in _taken(TextChunks(diff_paragraphs(diff))) for line in portion]

    grounds = [line.ground for line in lines]
    assert grounds[:3] == [None, "added", "removed"]
    text = "".join(run.text for line in lines for run in line.runs)
    assert text == diff.replace("\n", "")
