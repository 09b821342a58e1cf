"""`sanitize_inlines` makes the parsed words of a paragraph safe to lay out: links and pictures."""

import re
from collections.abc import Set
from typing import Final

from markdown_it.common.normalize_url import normalizeLink
from markdown_it.token import Token

from app.ui.markdown.sanitize import (
    LONGEST_ADDRESS,
    RunBreaker,
    allowed_link,
    host_of,
    page_address,
)

_WORDS: Final = frozenset({"text", "code_inline"})
_ADDRESS: Final = re.compile(
    r"(?<![\w/@.+-])(?:https?://|mailto:)[^\s<>\"`|\\^{}\[\]]+", re.IGNORECASE
)
# A sentence ends with these, and an address seldom.
_SENTENCE_ENDS: Final = ".,;:!?'*_~"
# Further addresses in one paragraph stay plain text: each takes time to parse.
_ADDRESS_LIMIT: Final = 200


def sanitize_inlines(children: list[Token], pages: Set[str] = frozenset()) -> list[Token]:
    """Return the tokens with pictures named instead of shown and only open addresses as links.

    Args:
        children: The words of one paragraph.
        pages: The pages of the manual, by name, that a link may lead to as `name.md`.
    """
    kept: list[Token] = []
    breaker = RunBreaker()
    closing: Token | None = None
    for token in _with_bare_links(children):
        if token.type == "image":
            kept.append(_text(_name_picture(token)))
        elif token.type == "link_open":
            address = _page_of(token, pages)
            closing = None if address else _closed_link(token)
            kept.extend([] if closing else [_open_link(token, address)])
        elif token.type == "link_close":
            kept.append(closing or token)
            closing = None
        else:
            if token.type in _WORDS:
                token.content = breaker.feed(token.content)
            kept.append(token)
    return kept


def _with_bare_links(children: list[Token]) -> list[Token]:
    """Return the tokens with addresses that stand among the words as links."""
    kept: list[Token] = []
    depth = count = 0
    for token in children:
        depth += token.nesting if token.type in {"link_open", "link_close"} else 0
        if token.type != "text" or depth:
            kept.append(token)
            continue
        parts = _link_words(token, _ADDRESS_LIMIT - count)
        count += sum(part.type == "link_open" for part in parts)
        kept.extend(parts)
    return kept


def _link_words(token: Token, limit: int) -> list[Token]:
    text, parts, end = token.content, list[Token](), 0
    for found in _ADDRESS.finditer(text):
        words = _without_sentence_end(found[0])
        address = normalizeLink(words)
        if limit <= 0 or allowed_link(address) is None:
            continue
        limit -= 1
        parts.append(Token("text", "", 0, content=text[end : found.start()]))
        parts.append(Token("link_open", "a", 1, attrs={"href": address}))
        parts.append(Token("text", "", 0, content=words))
        parts.append(Token("link_close", "a", -1))
        end = found.start() + len(words)
    return [*parts, Token("text", "", 0, content=text[end:])] if parts else [token]


def _without_sentence_end(address: str) -> str:
    if len(address) > LONGEST_ADDRESS:
        return address
    while address[-1] in _SENTENCE_ENDS or (
        address[-1] == ")" and address.count(")") > address.count("(")
    ):
        address = address[:-1]
    return address


def _page_of(token: Token, pages: Set[str]) -> str:
    """Return the inner address of the page that a link leads to, or nothing."""
    name = str(token.attrs.get("href", "")).removesuffix(".md")
    return page_address(name) if name in pages else ""


def _open_link(token: Token, page: str) -> Token:
    token.attrs = {"href": page or token.attrs["href"]}
    return token


def _closed_link(token: Token) -> Token | None:
    """Return the end of a link that may not be followed: the address that it points to."""
    address = str(token.attrs.get("href", ""))
    if allowed_link(address):
        return None
    return _text("" if token.markup == "autolink" or not address else f" ({address})")


def _name_picture(token: Token) -> str:
    host = host_of(str(token.attrs.get("src", "")))
    return f"[image: {host}]" if host else "[image]"


def _text(content: str) -> Token:
    return Token("text", "", 0, content=RunBreaker().feed(content))
