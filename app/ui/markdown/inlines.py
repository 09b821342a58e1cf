"""The words of a paragraph made harmless: links through the gate, pictures as text."""

from typing import Final

from markdown_it.token import Token

from app.ui.markdown.links import allowed_link, host_of
from app.ui.markdown.source import RunBreaker

_WORDS: Final = frozenset({"text", "code_inline"})


def tame(children: list[Token]) -> list[Token]:
    """Return the tokens with pictures named instead of shown and only open addresses as links."""
    kept: list[Token] = []
    breaker = RunBreaker()
    closing: Token | None = None
    for token in children:
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
