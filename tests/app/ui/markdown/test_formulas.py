"""Formulas are told from money, and those among words stay as they are written."""

import pytest

from app.ui.markdown.blocks import Block, Formula, Prose
from app.ui.markdown.incremental import render


def _words(text: str) -> str:
    (block,) = render(text)
    assert isinstance(block, Prose)
    return str(block.html)


@pytest.mark.parametrize(
    "text",
    [
        "It costs $5 or $10.",
        "between $5–$10 a month",
        "$5 and $ 6",
        "US$7 or A$8",
        "from $1,000 per year to $2,000 per year",
        "echo $HOME and $PATH",
        "$ x $ and $$",
        "a \\$5 note$",
    ],
)
def test_money_stays_text(text: str) -> None:
    assert _words(text) == text.replace("\\$", "$")


@pytest.mark.parametrize(
    "text",
    [
        "so $x^2$.",
        r"\(\alpha_1 \le \frac{a+b}{2}\)",
        r"$$a\to b$$ here",
        r"$\unknown{x}$ is kept",
        r"$a*b*c$ and $x_1 + y_1$",
        r"So \[ E = mc^2 \] holds.",
        "So\n\\[ E = mc^2 \\], and",
        r"\[ a_1 \] is less than \[ a_2 \]",
        r"$$a_1$$ is less than $$a_2$$",
    ],
)
def test_formula_among_words_is_shown_as_written(text: str) -> None:
    assert _words(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("`$x^2$` is code", "<code>$x^2$</code> is code"),
        ("$x<b>y</b>$", "$x&lt;b&gt;y&lt;/b&gt;$"),
        ("See\n\\[1\\] and \\[the notes\\].", "See\n[1] and [the notes]."),
    ],
)
def test_text_that_only_looks_like_a_formula_stays_text(text: str, shown: str) -> None:
    assert _words(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "$$\nE = mc^2\n$$",
        "$$E = mc^2$$",
        "\\[\n  E = mc^2\n\\]",
        "\\[ E = mc^2 \\]",
        "$$ E = mc^2\n$$",
    ],
)
def test_formula_of_its_own_is_a_block(text: str) -> None:
    assert render(f"before\n{text}\nafter")[1] == Formula("E = mc^2")


def test_formula_stands_in_its_item() -> None:
    blocks: tuple[Block, ...] = render("1. one\n\n   $$ x = 1 $$\n2. two")

    assert isinstance(blocks[1], Formula)
    assert len(blocks[1].place.rails) == 1


def test_unclosed_formula_ends_where_another_one_begins() -> None:
    lines = [f"\\[ x = {number}" for number in range(60)]
    assert len(render("\n".join(lines))) == len(lines)


@pytest.mark.parametrize("text", ["$$\nx\n\nmore", "$$$ rates\nmore", "$$\n$$", "\\[ x\n"])
def test_formula_without_end_is_shown_as_written(text: str) -> None:
    assert not any(isinstance(block, Formula) for block in render(text))
    assert "$" in _words(text.split("\n\n", maxsplit=1)[0]) or "[" in _words(text)
