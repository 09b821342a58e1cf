"""Text from elsewhere is made fit to be laid out, and hidden characters are written out."""

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.ui.markdown.sanitize import (
    BREAK_MARK,
    RUN_LIMIT,
    RunBreaker,
    break_runs,
    clean_source,
    show_hidden,
)


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("a\r\nb\rc\u2028d", "a\nb\nc\nd"),
        ("a\x00b\x1bc", "a\ufffdb\ufffdc"),
        ("\ufdd0\ufdd1\ufffc", "\ufffd\ufffd\ufffd"),
        ("\ud83d\ude00", "😀"),
        ("\ud83d", "\ufffd"),
        ("a" + "\u0301" * 50, "a" + "\u0301" * 4),
        ("tab\tand e\u0301", "tab\tand e\u0301"),
    ],
)
def test_source_keeps_what_texts_are_made_of(text: str, cleaned: str) -> None:
    assert clean_source(text) == cleaned


@given(st.lists(st.text(alphabet="ab\r\u0301\ud83d\ude00\x00 ", max_size=12), max_size=6))
def test_lines_cleaned_one_by_one_are_the_text_cleaned_at_once(lines: list[str]) -> None:
    text = "\n".join(lines)

    head, brk, tail = text.rpartition("\n")
    assert clean_source(head + brk) + clean_source(tail) == clean_source(text)


@pytest.mark.security(7)
@pytest.mark.parametrize(
    "sequence",
    [
        *(f"\x1b[{order}" for order in ("31m", "0K", "2J", "1;1H", "?25l", "6n", "1A", "8m")),
        *(f"\x9b{order}" for order in ("31m", "2J", "H", "9D", "?1049h")),
        *(f"\x1b]{order}\x07" for order in ("0;title", "52;c;aGk=", "8;;http://h", "4;1;#000")),
        *("\x1b]8;;http://h\x1b\\", "\x1bP+q544e\x1b\\", "\x1b_apc\x1b\\", "\x1b^pm\x1b\\"),
        *("\x1bc", "\x1b7", "\x1b(0", "\x90x\x9c", "\x9d0;x\x9c"),
        *("\x08\x08", "\x7f", "\x0e", "\x05"),
    ],
)
def test_terminal_sequences_are_shown_and_not_obeyed(sequence: str) -> None:
    shown = show_hidden(f"a{sequence}b")

    assert all(character.isprintable() for character in shown)
    assert shown.count("‹U+") == sum(not c.isprintable() for c in sequence)


@pytest.mark.security(79)
def test_hidden_characters_in_code_are_written_out() -> None:
    categories = ("Cc", "Cf", "Zl", "Zp")
    every = map(chr, range(sys.maxunicode + 1))
    hidden = [sign for sign in every if unicodedata.category(sign) in categories]
    drawn_as_nothing = "\u3164\u115f\u1160\uffa0\u2800\u034f\u17b4\u17b5\U0001d159\u00a0"
    assert len(hidden) > 160 + 60
    for sign in [*hidden, *drawn_as_nothing]:
        shown = show_hidden(f"a{sign}b")
        is_break = len(f"a{sign}b".splitlines()) == 2 and shown == "a\nb"
        assert sign == "\t" or is_break or shown == f"a‹U+{ord(sign):04X}›b", hex(ord(sign))


def test_code_keeps_tabs_breaks_letters_and_pictures() -> None:
    text = "\tif ä:\n    print('👩\u200d💻 ❤\ufe0f')"

    assert show_hidden(text) == text


@pytest.mark.security(77)
def test_long_runs_get_places_to_break() -> None:
    broken = break_runs("x" * 2000 + " short")

    assert max(len(run) for run in broken.split(BREAK_MARK)) <= RUN_LIMIT + len(" short")
    assert broken.replace(BREAK_MARK, "") == "x" * 2000 + " short"
    assert break_runs("word " * 500) == "word " * 500


@given(st.lists(st.text(alphabet="x ", max_size=700), max_size=8))
def test_no_run_over_several_pieces_stays_unbroken(pieces: list[str]) -> None:
    breaker = RunBreaker()

    whole = "".join(breaker.feed(piece) for piece in pieces)

    assert whole.replace(BREAK_MARK, "") == "".join(pieces)
    runs = whole.replace(" ", BREAK_MARK).split(BREAK_MARK)
    assert max(map(len, runs)) <= 2 * RUN_LIMIT
