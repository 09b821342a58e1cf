"""Markup that is drawn was cleaned, whatever it was made from."""

import re

import pytest

from app.ui.markdown.blocks import Prose, TableBlock
from app.ui.markdown.incremental import render
from app.ui.markdown.sanitize import SafeHtml
from tests.support.markup import CLOSED_SCHEMES

_HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '<img src="file:///etc/passwd">',
    "<svg><image href='http://h/x'/></svg>",
    '<p style="background:url(http://h/x)">x</p>',
    "<style>@import 'http://h/x.css'</style>",
    "<iframe src=http://h></iframe>",
    "<object data=file:///etc/passwd>",
    "<link rel=stylesheet href=http://h/x.css>",
    "<base href=http://h/>",
    "<meta http-equiv=refresh content='0;url=http://h'>",
    "<table background='http://h/x.png'><tr><td>x</table>",
    "<body background=file:///x>",
    '<a href="javascript:alert(1)">x</a>',
    '<a href="https://ok" onclick="x()">x</a>',
    '<font color="white" size="1">x</font>',
    '<td width="9999" bgcolor="red">x</td>',
    "<!-- comment --><![CDATA[x]]>",
)
_ALLOWED = ("a", "br", "code", "em", "s", "strong", "table", "tbody", "td", "th", "thead", "tr")


def _tags_of(markup: str) -> set[str]:
    parts = markup.split("<")[1:]
    return {part.lstrip("/").split(">")[0].split(" ")[0].rstrip("/") for part in parts}


@pytest.mark.security(75)
@pytest.mark.parametrize("markup", _HOSTILE)
def test_cleaned_markup_holds_nothing_that_fetches_runs_or_dresses(markup: str) -> None:
    cleaned = str(SafeHtml(markup))

    assert _tags_of(cleaned) <= set(_ALLOWED)
    for word in (
        "src",
        "style",
        "onclick",
        "background",
        "bgcolor",
        "javascript",
        "size=",
        "width",
    ):
        assert word not in cleaned


@pytest.mark.security(75)
@pytest.mark.parametrize("markup", _HOSTILE)
def test_markup_in_a_text_is_shown_as_the_letters_it_is_made_of(markup: str) -> None:
    shown = "".join(str(b.html) for b in render(markup) if isinstance(b, Prose | TableBlock))

    # An address among the letters is a link that says where it leads, and nothing else is there.
    assert _tags_of(shown) <= {"a"}
    assert all(link[1] == link[2] for link in re.findall(r'(<a href="([^"]*)">([^<]*)</a>)', shown))
    assert "&lt;" in shown


@pytest.mark.security(75)
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("![alt](https://h.example/a.png)", "[image: h.example]"),
        ("![alt](//h.example/a.png)", "[image: h.example]"),
        ("![alt](file:///etc/passwd)", "[image]"),
        ("![alt](data:image/png;base64,AAAA)", "[image]"),
        ("![alt][r]\n\n[r]: http://h.example/a", "[image: h.example]"),
        ("[![alt](http://h.example/i)](https://t.example)", "[image: h.example]"),
        ("![![in](http://a.example/i)](http://b.example/i)", "[image: b.example]"),
    ],
)
def test_pictures_become_words(text: str, shown: str) -> None:
    (block,) = render(text)

    assert isinstance(block, Prose)
    assert shown in str(block.html)
    assert "<img" not in str(block.html)


@pytest.mark.security(76)
def test_links_of_other_schemes_are_no_links() -> None:
    for scheme in CLOSED_SCHEMES:
        for address in (f"{scheme}:x", f"{scheme}://h.example/x", f"{scheme.upper()}:x"):
            assert "href" not in str(SafeHtml(f'<a href="{address}">x</a>')), address


def test_equal_markup_compares_equal() -> None:
    assert SafeHtml("<em>a</em>") == SafeHtml("<em>a</em>")
    assert SafeHtml("a") != SafeHtml("b")
    assert len({SafeHtml("a"), SafeHtml("a")}) == 1
