"""The same text gives the same blocks, whether it streamed or came at once."""

from itertools import pairwise
from typing import Final

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.ui.markdown.blocks import Block, Code, HorizontalRule, Prose
from app.ui.markdown.incremental import IncrementalMarkdown, ParseLimits, TextLimit, render
from app.ui.markdown.parser import LinkDefinitions, _short_words, parse_blocks
from app.ui.markdown.render import render_parsed
from app.ui.markdown.sanitize import clean_source
from tests.support.markup import MARKUP

_TEXTS: Final = (
    "para\n#\n#foo\n",
    "para\n| a | b |\n|---|---|x\nmore",
    "para\n| a | b |\n|---|---|\n| 1 | 2 |\n\nafter",
    "title\n---\n\ntext\n===\n",
    "[a]: /url\n\"title\nends\" \n\nsee [a] and [b]\n\n[b]: https://b.example 'c'",
    "uses [x] before\n\n- [x] item\n\n[x]: https://x.example\n\nafter [x][]",
    "```py\ncode\n``\n```x\n```\nafter\n~~~\n```\n~~~",
    "  ```\n  in\n ```\n\n```` md\n```\nfenced\n```\n````\nend",
    "- a\n\n  b\n- c\n1. d\n2) e\n\n    code\n\n> q\nlazy\n\nz",
    "- one\n  ```js\n  x\n  ```\n- two",
    "a\r\nb\r\n\r\nc\rd",
    "**bold *both* bold** `co``de` ~~gone~~ <https://a.example> ![i](https://h/x)",
    "\n\n```\n\n \n```\n\n\n# h #\n***\n* * *\n",
    "> - a\n>   b\n> - c\n\n1. x\n\n\n2. y",
    "\ud83d\ude00 e\u0301\u0301 \x00 \u202e",
    "    indented\n\tcode\n\nno\n  \n   two",
    "say[^a] and[^b]\n\n- x[^a]\n[^b]: one[^a]\n\n    more\n[^a]: two\nlazy\n\nend[^c]\n\n[^a]: 2",
    "> q\n[^n]: a\n> r[^n]\n\n[^n]:\n\n[^m]: ```\n    x\n    ```\nz[^m]",
    "costs $5 or $6, $x^2$, \\(\\alpha\\) \\[y\\]\n$$\nx\n$$\nmore\n\\[ a\n= b \\]\n",
    "$$x=1\n# no\n\n- $$ y=2 $$",
    "$$\na\n\nb\n\n$$\n\n> $$\n> c\nd\n$$ e\n$$ f_1$$\n$\n",
)

_PIECES: Final = (
    "a", "b c", "\n", "\n\n", "- ", "* ", "1. ", "2) ", "> ", "#", "# ", "```", "```py", "~~~",
    "    ", "  ", " ", "\t", "|", "|a|b|", "|-|-|", "|--|", "---", "===", "[r]", "[r]: /u",
    "[r]: https://x.y", '"t', 't"', "`", "**", "~~", "![i](https://h/x)", "<https://q.w>", "[x] ",
    "$", "$$", "\\(", "\\)", "\\[", "\\]", "$x$", "$$\n", "=", "^", "[^n]", "[^n]: ", "[^m]:",
    "\\", "&amp;", "\r\n", "\r", "e\u0301", "[r]: <", "- [ ] t", "+", "1", ".",
)  # fmt: skip


def _at_once(text: str) -> list[Block]:
    rendered = render_parsed(parse_blocks(clean_source(text), LinkDefinitions()), 0)
    notes = [block for one in rendered if one.is_note for block in one.blocks]
    words = [block for one in rendered if not one.is_note for block in one.blocks]
    return [*words, HorizontalRule(), *notes] if notes else words


def _read_on(markdown: IncrementalMarkdown, text: str) -> list[Block]:
    assert markdown.update(text)
    while not markdown.is_complete:
        markdown.advance()
    return list(markdown.blocks)


@pytest.mark.security(78)
@pytest.mark.parametrize("text", _TEXTS)
def test_text_gives_the_same_blocks_at_every_split(text: str) -> None:
    markdown = IncrementalMarkdown()

    for end in range(1, len(text) + 1):
        streamed = _read_on(markdown, text[:end])
        assert streamed == list(render(text[:end])), text[:end]
        assert streamed == _at_once(text[:end]), text[:end]


@pytest.mark.security(78)
# A deadline would be a clock: what is long here is a busy machine.
@settings(deadline=None)
@given(st.lists(st.sampled_from(_PIECES), max_size=18).map("".join), st.integers(1, 9))
@example("- [ ] t[x] |[r]: <\r[", 1)
def test_any_text_renders_to_the_same_blocks_whole_or_in_fragments(text: str, step: int) -> None:
    markdown = IncrementalMarkdown()

    for end in [*range(step, len(text), step), len(text)]:
        assert _read_on(markdown, text[:end]) == _at_once(text[:end])


def test_blocks_before_the_tail_are_not_made_again() -> None:
    markdown = IncrementalMarkdown()
    text = "one\n\ntwo\n\nthree\n\nfo"
    before = _read_on(markdown, text)

    markdown.update(text + "ur")
    changed = markdown.advance()

    assert changed >= 2
    assert all(old is new for old, new in zip(before[:changed], markdown.blocks, strict=False))


def test_open_fence_is_read_on_from_its_last_line() -> None:
    markdown = IncrementalMarkdown()
    _read_on(markdown, "```py\n" + "x = 1\n" * 1000)

    _read_on(markdown, "```py\n" + "x = 1\n" * 1000 + "y")

    (code,) = markdown.blocks
    assert isinstance(code, Code)
    assert code.text.endswith("x = 1\ny")


def test_name_defined_at_the_end_makes_a_link_at_the_beginning() -> None:
    markdown = IncrementalMarkdown()
    text = "see [docs]\n\nmore\n\nand more\n\n"
    _read_on(markdown, text)

    first, *_ = _read_on(markdown, text + "[docs]: https://docs.example\n")

    assert isinstance(first, Prose)
    assert 'href="https://docs.example"' in str(first.html)


def test_long_text_comes_in_stretches() -> None:
    markdown = IncrementalMarkdown()
    text = "A paragraph of some words.\n\n" * 3000
    markdown.update(text)

    markdown.advance()

    assert not markdown.is_complete
    assert 0 < len(markdown.blocks) < 1500
    assert 0 < markdown.unread < len(text)
    assert _read_on(markdown, text) == _at_once(text)


@pytest.mark.security(77)
def test_many_short_paragraphs_come_in_small_stretches() -> None:
    markdown = IncrementalMarkdown()
    markdown.update("a\n\n" * 5000)
    counts = [0]

    while not markdown.is_complete:
        markdown.advance()
        counts.append(len(markdown.blocks))

    assert counts[-1] == 5000
    assert max(after - before for before, after in pairwise(counts)) <= 260


def test_long_table_over_several_stretches_is_one_table() -> None:
    text = "|a|b|\n|-|-|\n" + "|1|2|\n" * 400 + "\nafter\n\n" + "para\n\n" * 4000

    assert list(render(text)) == _at_once(text)


@pytest.mark.security(78)
def test_markup_gives_the_same_blocks_at_every_split() -> None:
    for markup in MARKUP:
        markdown = IncrementalMarkdown()
        text = f"- {markup}\n\nx"
        for end in range(1, len(text) + 1):
            assert _read_on(markdown, text[:end]) == list(render(text[:end])), text[:end]


def test_other_text_is_not_taken_for_a_continuation() -> None:
    markdown = IncrementalMarkdown()
    _read_on(markdown, "abc")

    assert not markdown.update("abd")


_TINY: Final = ParseLimits(TextLimit(4, 40), TextLimit(6, 60))


def _read_in_steps(text: str, step: int, limits: ParseLimits) -> list[Block]:
    markdown = IncrementalMarkdown(limits)
    blocks: list[Block] = []
    for end in [*range(step, len(text), step), len(text)]:
        blocks = _read_on(markdown, text[:end])
    return blocks


@pytest.mark.security(78)
# A deadline would be a clock: what is long here is a busy machine.
@settings(deadline=None)
@given(st.lists(st.sampled_from(_PIECES), max_size=60).map("".join), st.integers(1, 40))
@example("- a\n" * 20 + "\nafter\n\n12. b\n\n12 c", 1)
@example("\n\n```" + "a" * 70 + "\nb", 1)
@example("\n" * 9 + "```\nb", 1)
@example("[r]:\n" * 7 + "/u\n\n" + "> x\n" * 9 + "\n[^n]: y\n[^n]\n", 1)
def test_blocks_are_cut_at_the_same_place_however_the_text_came(text: str, step: int) -> None:
    assert _read_in_steps(text, step, _TINY) == _read_in_steps(text, len(text) + 1, _TINY)


def test_cells_that_are_there_are_not_read_again_while_a_table_grows() -> None:
    markdown = IncrementalMarkdown()
    text = "|a|b|\n|-|-|\n" + "".join(f"|cell {row}|`code {row}`|\n" for row in range(60))
    _short_words.cache_clear()

    for end in range(0, len(text), 40):
        markdown.update(text[:end])
        while not markdown.is_complete:
            markdown.advance()

    # Each cell, and each state in which one was cut.
    assert _short_words.cache_info().misses < 2 * 62 + len(text) / 40


def test_words_that_were_read_before_mean_what_they_mean_here() -> None:
    plain = "see [r] and *more* of $x^2$"
    first, second = render(f"{plain}\n\n[r]: https://a.example"), render(plain)

    assert "https://a.example" in str(first)
    assert "https://a.example" not in str(second)
    assert render("a *b* c") == render("a *b* c")
