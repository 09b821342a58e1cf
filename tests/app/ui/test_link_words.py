"""Words that read like an address are compared with where the link leads."""

import pytest

from app.ui.link_dialog import other_address


@pytest.mark.security(76)
@pytest.mark.parametrize(
    ("words", "address", "said"),
    [
        ("https://bank.example", "https://other.example", "https://bank.example"),
        ("log in at bank.example.", "https://other.example", "bank.example"),
        ("bank.example https://o.example", "https://o.example", "bank.example"),
        ("b\u200bank.example", "https://other.example", "bank.example"),
        ("bank\u3002example", "https://other.example", "bank.example"),
        ("apple.com", "https://xn--pple-43d.com", "apple.com"),
        ("https://a.example/safe", "https://a.example/other", "https://a.example/safe"),
        ("ada@a.example", "mailto:eve@b.example", "ada@a.example"),
        ("ada@a.example", "https://a.example", "ada@a.example"),
        ("https://b.example", "mailto:ada@b.example", "https://b.example"),
        ("192.168.0.1", "https://other.example", "192.168.0.1"),
        ("bank.md", "https://other.example/?bank.md", "bank.md"),
    ],
)
def test_words_of_another_address_are_named(words: str, address: str, said: str) -> None:
    assert other_address(words, address) == said


@pytest.mark.parametrize(
    ("words", "address"),
    [
        ("the manual", "https://a.example"),
        ("", "https://a.example"),
        ("https://a.example/", "https://a.example"),
        ("www.a.example", "https://a.example/b"),
        ("a.example/long/pa…", "https://a.example/long/path?x=1"),
        ("\u0430pple.com", "https://xn--pple-43d.com"),
        ("ada@a.example", "mailto:ada@a.example"),
        ("a.example/@ada", "https://a.example/@ada"),
        ("see README.md", "https://a.example/x/README.md"),
        ("version 3.14, e.g. here", "https://a.example"),
    ],
)
def test_words_that_name_the_same_or_nothing_are_left_alone(words: str, address: str) -> None:
    assert other_address(words, address) == ""


def test_long_words_are_read_in_no_time() -> None:
    for words in ("a." * 100_000, "@" * 100_000, "a@" * 50_000, "a-" * 100_000, "://" * 50_000):
        assert len(other_address(words, "https://x.example")) < 1000
