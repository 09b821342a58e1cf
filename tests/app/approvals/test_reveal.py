"""What is shown for approval hides nothing and stands for exactly one text."""

import re
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.approvals.visible_text import RunKind, TextRun, escape_invisible, reveal_runs
from tests.support.clocks import within_own_time
from tests.support.read_from_card import text_of

_LISTED = [
    *(0x3164, 0x115F, 0x1160, 0xFFA0, 0x2800, 0x034F, 0x17B4, 0x17B5, 0x1D159),
    *range(0xFE00, 0xFE10),
    *range(0xE0100, 0xE01F0),
    *range(0x180B, 0x1810),
]


def _of_categories(*categories: str) -> list[int]:
    every = range(sys.maxunicode + 1)
    return [code for code in every if unicodedata.category(chr(code)) in categories]


@pytest.mark.security(6)
@pytest.mark.parametrize(
    "codes",
    [
        pytest.param(_LISTED, id="printable to Python, drawn as nothing"),
        pytest.param([0xE0001, *range(0xE0020, 0xE0080)], id="tags"),
        pytest.param([0xE000, 0xF8FF, 0xFDD0, 0x0378, 0x10FFFF], id="private and unassigned"),
        pytest.param([0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x3000], id="other blanks"),
        pytest.param([0xFFFC], id="embedded object"),
    ],
)
def test_hidden_characters_are_written_as_their_code(codes: list[int]) -> None:
    _assert_written_as_their_code(codes)


@pytest.mark.security(6)
def test_format_characters_separators_and_surrogates_are_written_as_their_code() -> None:
    _assert_written_as_their_code(_of_categories("Cf", "Zl", "Zp", "Cs"))


def _assert_written_as_their_code(codes: list[int]) -> None:
    for code in codes:
        assert escape_invisible(f"a{chr(code)}b") == f"a‹U+{code:04X}›b"


@pytest.mark.security(6)
@pytest.mark.security(7)
def test_controls_are_written_out_and_only_line_breaks_break_lines() -> None:
    for code in _of_categories("Cc"):
        shown = escape_invisible(f"a{chr(code)}b")
        assert chr(code) not in shown.replace("↵\n", "")
        assert re.fullmatch(r"a(‹U\+[0-9A-F]{4}›|‹CR›|→|↵\n)b", shown)


@pytest.mark.security(4)
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a   b", "a   b"),
        ("a    b", "a····b"),
        ("ls" + " " * 200 + "; rm -rf ~", "ls·×200; rm -rf ~"),
        ("ls" + "\n" * 500 + "rm", "ls↵×500\nrm"),
        ("a\tb", "a→b"),
        ("a \t \tb", "a·→·→b"),
        ("ls\r\nrm", "ls‹CR›↵\nrm"),
        ("ls\rrm", "ls‹CR›rm"),
        ("one\ntwo\n", "one↵\ntwo↵\n"),
    ],
)
def test_white_space_that_could_hide_words_is_marked(text: str, shown: str) -> None:
    assert escape_invisible(text) == shown


def test_marks_of_many_line_breaks_are_no_text() -> None:
    kinds = {run.text: run.kind for run in reveal_runs("a" + "\n" * 500 + "b")}
    assert kinds["↵×500\n"] is RunKind.BLANK


def test_a_name_stays_on_one_line() -> None:
    assert escape_invisible("/home/ada/\nx", breaks_lines=False) == "/home/ada/↵x"


@pytest.mark.security(6)
def test_a_typed_escape_cannot_imitate_ours() -> None:
    assert escape_invisible("‹U+202E›") == "‹U+2039›U+202E›"


@pytest.mark.security(6)
def test_piled_up_and_striking_marks_are_written_out() -> None:
    assert escape_invisible("e\u0301") == "e\u0301"
    assert escape_invisible("e" + "\u0301" * 5) == "e\u0301\u0301\u0301‹U+0301›‹U+0301›"
    assert escape_invisible("a\u0336b") == "a‹U+0336›b"


def test_ordinary_writing_is_left_alone() -> None:
    text = "Grüße, 東京, Ελλάδα, 🎉 – “done”…"
    assert reveal_runs(text) == (TextRun(text, RunKind.TEXT),)


@pytest.mark.security(4)
@pytest.mark.security(6)
@pytest.mark.security(9)
@given(st.text(st.characters(exclude_categories=()) | st.sampled_from("  \t\n\r·→↵×‹›9")))
def test_shown_text_represents_exactly_one_input(text: str) -> None:
    assert text_of(reveal_runs(text)) == text


@pytest.mark.parametrize(
    "piece", ["x", " \t", "a\n", "\u202e", "a\u202e", "e\u0301", "\u0301", "\r"]
)
@within_own_time(5.0)
def test_a_hundred_thousand_letters_are_revealed_at_once(piece: str) -> None:
    text = piece * (100_000 // len(piece))

    assert text_of(reveal_runs(text)) == text
