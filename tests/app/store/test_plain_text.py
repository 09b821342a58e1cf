"""Words of Markdown as a list of hits shows them."""

import pytest

from app.store.plain_text import without_markdown
from app.store.search_terms import parse_terms
from tests.support.clocks import within_own_time


@pytest.mark.parametrize(
    ("markdown", "words"),
    [
        ("## The **last** release", "The last release"),
        ("a ***very*** *fine* __old__ _boat_ ~~not~~", "a very fine old boat not"),
        ("**bold with *more* in it**", "bold with more in it"),
        ("see [the list](https://example.com/a_(b)?q=1 'title') now", "see the list now"),
        ("![A boat](boat.png) [![x](y.png)](z)", "A boat x"),
        ("[text][ref]\n\n[ref]: https://example.com", "text"),
        ("- one\n* two\n- [x] three", "• one • two • three"),
        ("> ### quoted\n> words", "quoted words"),
        ("| a | **b** |\n|---|:-:|\n| c | d |", "a b c d"),
        ("before\n\n---\n\nafter", "before after"),
        ("said[^1] so\n\n[^1]: indeed", "said so indeed"),
        ("<https://example.com/a>", "https://example.com/a"),
        ("**`a_b_c(*x)`** and `**kw`", "a_b_c(*x) and **kw"),
        ("```python\nx = a*b*c # **no**\n```\n**yes**", "x = a*b*c # **no** yes"),
        (
            "snake_case_name, 2 * 3 * 4, C# and a[0][1]",
            "snake_case_name, 2 * 3 * 4, C# and a[0][1]",
        ),
        ("x\0y `a` **b**", "xy a b"),
    ],
)
def test_signs_are_left_out_and_words_stay(markdown: str, words: str) -> None:
    assert " ".join(without_markdown(markdown).split()) == words


@pytest.mark.parametrize(
    "sign",
    [
        *("*", "_", "`", "[", "](", "|", "> ", "# ", "~~", "![a](", "* a", "\n-"),
        *(" ", "-", "- ", "a`", "[^", '[a](b "', "[a](b(", "[a](b()"),
    ],
)
@pytest.mark.parametrize("begins", ["", "[a]("])
def test_many_signs_take_no_longer_than_their_number(begins: str, sign: str) -> None:
    # Growing with the square of them, it would take half a minute.
    with within_own_time(5):
        without_markdown(f"{begins}{sign * 30_000}!")


def test_word_that_stands_in_an_address_alone_is_still_shown() -> None:
    excerpt = parse_terms("flamingo").excerpt("Look [here](https://example.com/flamingo) for it.")

    assert [excerpt.text[a:b] for a, b in excerpt.marks] == ["flamingo"]


def test_excerpt_names_what_is_attached_without_the_signs_for_the_model() -> None:
    text = "The last window\n\n[image: window.png]\n\n[attachment: a (2).pdf (PDF, 12 bytes)]"

    assert parse_terms("last").excerpt(text).text == "The last window window.png a (2).pdf"
    assert "[image:" in parse_terms("image").excerpt(text).text


def test_excerpt_marks_the_hits_after_removing_markup() -> None:
    text = "## Boats\n\n" + "and " * 40 + "the **last** [release](https://example.com) is here"

    excerpt = parse_terms("last release").excerpt(text)

    assert "the last release is here" in excerpt.text
    assert [excerpt.text[a:b] for a, b in excerpt.marks] == ["last", "release"]
