"""Words that look like other words are named."""

import pytest

from app.approvals.look_alikes import Doubt, Finding, find_look_alikes
from tests.support.own_time import within_own_time


@pytest.mark.security(6)
@pytest.mark.parametrize(
    ("name", "doubt", "word"),
    [
        ("/home/\u0430da/notes", Doubt.MIXED_ALPHABETS, "\u0430da"),
        ("/home/\u0430\u0441\u0435/notes", Doubt.OTHER_ALPHABET, "\u0430\u0441\u0435"),
        ("/usr/bin/\uff52\uff4d", Doubt.DRESSED_UP, "\uff52\uff4d"),
        ("/tmp/\ufb01le", Doubt.DRESSED_UP, "\ufb01le"),
        ("/tmp/\u05d0\u05d1/1", Doubt.RIGHT_TO_LEFT, "\u05d0\u05d1"),
    ],
)
def test_a_name_that_looks_like_another_is_doubted(name: str, doubt: Doubt, word: str) -> None:
    assert find_look_alikes(name, is_name=True) == (Finding(doubt, word),)


@pytest.mark.parametrize(
    "name",
    ["/home/ada/notes", "/home/ada/Grüße", "/home/ada/東京の2番", "/home/ada/Москва", "/d/e\u0301"],
)
def test_an_honest_name_is_not_doubted(name: str) -> None:
    assert find_look_alikes(name, is_name=True) == ()


@pytest.mark.security(6)
def test_prose_is_doubted_only_for_words_of_two_alphabets_or_dressed_up_ones() -> None:
    prose = "\u0430 \u05d0 \u2026 12 m\u00b2 p\u0430ssword p\u0430ssword"
    assert find_look_alikes(prose) == (Finding(Doubt.MIXED_ALPHABETS, "p\u0430ssword"),)


@pytest.mark.parametrize("text", ["x" * 262_144, "\u0430x" * 131_072, "x \u0430" * 87_381])
@within_own_time(10.0)
def test_a_quarter_of_a_megabyte_is_looked_through_at_once(text: str) -> None:
    assert len(find_look_alikes(text, is_name=True)) <= 2
