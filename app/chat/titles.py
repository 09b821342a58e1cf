"""A chat's name: made from the first thing that was said in it, or given by the person."""

from typing import Final

from app.store.plain_text import without_markdown

_LIMIT_CHARS: Final = 60
_GIVEN_LIMIT_CHARS: Final = 200
_LOOKED_AT_CHARS: Final = 2000


def title_from(text: str) -> str:
    """One line of at most 60 characters without signs of Markdown, ending at a word if it can."""
    text = text[:_LOOKED_AT_CHARS]
    words = " ".join(without_markdown(text).split()) or " ".join(text.split())
    if len(words) <= _LIMIT_CHARS:
        return words
    head = words[: _LIMIT_CHARS - 1]
    whole = head.rpartition(" ")[0]
    # A single long word is cut where it must be.
    return f"{whole if len(whole) > _LIMIT_CHARS // 2 else head}…"


def given_title(text: str) -> str:
    """What somebody typed as a name, as one line of at most 200 characters."""
    return " ".join(text.split())[:_GIVEN_LIMIT_CHARS].rstrip()
