"""The gate for addresses: pages and mail pass, everything else stays text."""

import re

import pytest

from app.ui.markdown.blocks import Prose
from app.ui.markdown.incremental import IncrementalMarkdown, render
from app.ui.markdown.sanitize import allowed_link
from tests.support.markup import CLOSED_SCHEMES

_ODD = (
    "",
    "/etc/passwd",
    "//evil.example/x",
    "\\\\server\\share",
    "http:",
    "http:///path",
    "https:example.com",
    "https://exa mple.com",
    "https://example.com/\u202egnp.exe",
    "java\nscript:alert(1)",
    " javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "mailto:",
    "mailto://host/x",
    "https://[::1",
    "https://example.com/" + "a" * 5000,
    "C:\\Windows\\system32\\calc.exe",
    "example.com",
    "#part",
    "?q=1",
)


@pytest.mark.security(76)
@pytest.mark.parametrize("scheme", CLOSED_SCHEMES)
def test_other_schemes_stay_text_wherever_they_stand(scheme: str) -> None:
    address = f"{scheme}://host/path"

    assert allowed_link(address) is None
    for text in (f"[words]({address})", f"<{address}>", f"[a]\n\n[a]: {address}"):
        shown = " ".join(str(b.html) for b in render(text) if isinstance(b, Prose))
        assert "<a" not in shown
        assert scheme in shown


@pytest.mark.security(76)
@pytest.mark.parametrize("address", _ODD)
def test_addresses_that_programs_read_differently_are_no_links(address: str) -> None:
    assert allowed_link(address) is None


@pytest.mark.parametrize(
    "address",
    [
        "https://example.com",
        "http://127.0.0.1:8080/x?y=1#z",
        "mailto:ada@example.com",
        "HTTPS://EXAMPLE.COM/",
        "https://xn--e1afmkfd.xn--p1ai/",
    ],
)
def test_pages_and_mail_addresses_are_links(address: str) -> None:
    assert allowed_link(address) == address


def test_host_is_shown_as_it_is_looked_up() -> None:
    (block,) = render("[bank](https://еxample.com/)")

    assert isinstance(block, Prose)
    assert 'href="https://xn--xample-2of.com/"' in str(block.html)


def test_link_that_may_not_be_followed_says_where_it_points_to() -> None:
    (block,) = render("see [the file](file:///etc/passwd) there")

    assert isinstance(block, Prose)
    assert str(block.html) == "see the file (file:///etc/passwd) there"


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("see https://a.example/x_y_z?q=1.", "https://a.example/x_y_z?q=1"),
        ("(http://a.example/b_(c))", "http://a.example/b_(c)"),
        ("write to mailto:ada@example.com, please", "mailto:ada@example.com"),
        ("**https://a.example**", "https://a.example"),
        ("https://еxample.com/", "https://xn--xample-2of.com/"),
    ],
)
def test_address_among_words_is_a_link(text: str, address: str) -> None:
    (block,) = render(text)

    assert isinstance(block, Prose)
    assert str(block.html).count("<a ") == 1
    assert f'href="{address}"' in str(block.html)


@pytest.mark.security(76)
@pytest.mark.parametrize(
    "text", ["xhttps://a.example", "https://", "`https://a.example`", "ftp://a.example"]
)
def test_words_that_only_look_like_an_address_are_no_link(text: str) -> None:
    (block,) = render(text)

    assert isinstance(block, Prose)
    assert "<a " not in str(block.html)


@pytest.mark.security(76)
def test_address_in_the_words_of_a_link_leads_where_the_link_does() -> None:
    (block,) = render("[https://bank.example](https://other.example)")

    assert isinstance(block, Prose)
    assert str(block.html) == '<a href="https://other.example">https://bank.example</a>'


@pytest.mark.security(77)
def test_only_so_many_addresses_in_a_paragraph_are_links() -> None:
    (block,) = render("http://a.bc " * 500)

    assert isinstance(block, Prose)
    assert str(block.html).count("<a ") == 200


@pytest.mark.security(76)
@pytest.mark.parametrize("address", ["chats.md", "chats", "page:chats"])
def test_a_text_of_others_leads_to_no_page_of_the_manual(address: str) -> None:
    shown = " ".join(str(b.html) for b in render(f"[words]({address})") if isinstance(b, Prose))

    assert "<a" not in shown
    assert "words" in shown


def test_a_page_of_the_manual_leads_to_the_pages_that_there_are() -> None:
    markdown = IncrementalMarkdown(pages=frozenset({"chats"}))
    markdown.update("[a](chats.md), [b](others.md), [c](page:others) and [d](https://example.com)")
    markdown.advance()
    [block] = markdown.blocks

    assert isinstance(block, Prose)
    assert re.findall(r'href="([^"]+)"', str(block.html)) == ["page:chats", "https://example.com"]
