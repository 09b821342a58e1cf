"""A chat's name, made from its first message."""

import pytest

from app.chat.items import title_from


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Hi", "Hi"),
        ("## Plan **the** [garden](https://example.com)", "Plan the garden"),
        ("***", "***"),
        ("  two\n lines \t here ", "two lines here"),
        ("x" * 60, "x" * 60),
        ("x" * 61, "x" * 59 + "…"),
        ("word " * 20, "word word word word word word word word word word word…"),
    ],
)
def test_a_title_is_one_line_that_ends_at_a_word(text: str, title: str) -> None:
    assert title_from(text) == title
    assert len(title) <= 60
