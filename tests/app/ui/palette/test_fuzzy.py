"""What a few letters fit."""

import pytest

from app.ui.palette.entries import fuzzy_match


@pytest.mark.parametrize(
    ("letters", "text", "bold"),
    [
        ("rel", "Tidy the release notes", ["rel"]),
        ("rel", "Restart the local service", ["Re", "l"]),
        ("nc", "New chat", ["N", "c"]),
        ("new ch", "New chat", ["New", "ch"]),
        ("chat new", "New chat", ["New", "chat"]),
        ("RÉL", "release", ["rel"]),
        ("rel", "Rélease", ["Rél"]),
        ("2", "Chat 2", ["2"]),
        ("", "Anything", []),
    ],
)
def test_letters_fit_where_words_begin(letters: str, text: str, bold: list[str]) -> None:
    found = fuzzy_match(letters, text)

    assert found is not None
    assert [text[first:last] for first, last in found.marks] == bold


@pytest.mark.parametrize(
    ("letters", "text"),
    [
        ("rel", "Barrel"),
        ("ler", "release"),
        ("rell", "release"),
        ("x", ""),
        ("new zoo", "New chat"),
    ],
)
def test_letters_that_begin_no_word_fit_nothing(letters: str, text: str) -> None:
    assert fuzzy_match(letters, text) is None


def test_fewest_pieces_are_chosen() -> None:
    found = fuzzy_match("rel", "rest easily later: release")

    assert found is not None
    assert (found.pieces, found.start) == (1, 19)
