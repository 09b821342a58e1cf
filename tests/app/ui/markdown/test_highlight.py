"""Code is read line by line, and each stretch is said once in the colour of a token."""

import pytest

from app.ui.markdown.blocks import HighlightRange
from app.ui.markdown.highlight import highlight_lines

_CODE = '''import os

def slowest(path, top=10):
    """Two
    lines"""
    return sorted(path, reverse=True)  # why'''


def test_python_has_its_colours() -> None:
    lines = list(highlight_lines(_CODE, "python"))

    assert lines[0] == [HighlightRange(0, 6, "code-keyword")]
    assert lines[1] == []
    assert HighlightRange(4, 7, "code-name") in lines[2]
    assert HighlightRange(22, 2, "code-number") in lines[2]
    assert {stretch.ink for stretch in lines[3] + lines[4]} == {"code-string"}
    assert lines[5][-1] == HighlightRange(39, 5, "code-comment")
    assert len(lines) == 6


@pytest.mark.parametrize(
    "language", ["", "no-such-language", "\u202e", "a" * 1000, "../x", "(a+)+$"]
)
def test_unknown_language_has_none(language: str) -> None:
    assert list(highlight_lines("x = 1", language)) == []


@pytest.mark.parametrize(
    "language", ["python", "bash", "json", "html", "diff", "js", "rust", "sql"]
)
def test_every_line_is_given_back(language: str) -> None:
    text = "a\n\n  <b> {\n'open\n"

    assert len(list(highlight_lines(text, language))) == text.count("\n") + 1


def test_very_long_line_stays_plain() -> None:
    assert list(highlight_lines("x = '" + "a" * 1000 + "'", "python")) == [[]]
