"""The words of a paragraph made harmless: links through the gate, pictures as text."""

import re
from typing import Final

from markdown_it.common.normalize_url import normalizeLink
from markdown_it.token import Token

from app.ui.markdown.links import allowed_link, host_of
from app.ui.markdown.source import RunBreaker

_WORDS: Final = frozenset({"text", "code_inline"})
_ADDRESS: Final = re.compile(
    r"(?<![\w/@.+-])(?:https?://|mailto:)[^\s<>\"`|\\^{}\[\]]+", re.IGNORECASE
)
# A sentence ends with these, and an address seldom.
_SENTENCE_ENDS: Final = ".,;:!?'*_~"
# Further addresses in one paragraph stay words: each costs a little to read.
_ADDRESS_LIMIT: Final = 200
_LONGEST_ADDRESS: Final = 4096


def tame(children: list[Token]) -> list[Token]:
    """Return the tokens with pictures named instead of shown and only open addresses as links."""
    kept: list[Token] = []
    breaker = RunBreaker()
    closing: Token | None = None
    for token in _with_bare_links(children):
        if token.type == "image":
            kept.append(_text(_name_picture(token)))
        elif token.type == "link_open":
            closing = _closed_link(token)
            kept.extend([] if closing else [_open_link(token)])
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
    if len(address) > _LONGEST_ADDRESS:
        return address
    while address[-1] in _SENTENCE_ENDS or (
        address[-1] == ")" and address.count(")") > address.count("(")
    ):
        address = address[:-1]
    return address


def _open_link(token: Token) -> Token:
    token.attrs = {"href": token.attrs["href"]}
    return token


def _closed_link(token: Token) -> Token | None:
    """Return what stands at the end of a link that may not be followed: where it points to."""
    address = str(token.attrs.get("href", ""))
    if allowed_link(address):
        return None
    return _text("" if token.markup == "autolink" or not address else f" ({address})")


def _name_picture(token: Token) -> str:
    host = host_of(str(token.attrs.get("src", "")))
    return f"[image: {host}]" if host else "[image]"


def _text(content: str) -> Token:
    return Token("text", "", 0, content=RunBreaker().feed(content))
