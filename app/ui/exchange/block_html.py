"""Blocks of a message as HTML that can do nothing: no script, no style, nothing to fetch."""

import html
from collections.abc import Iterable, Iterator
from typing import Final

from app.ui.markdown.blocks import (
    Block,
    Code,
    Formula,
    LeftOut,
    Prose,
    Rail,
    RailKind,
    Rule,
    Table,
)
from app.ui.markdown.formula_text import readable
from app.ui.markdown.highlight import Stretch, colour_lines
from app.ui.markdown.safe_html import SafeHtml
from app.ui.markdown.source import BREAK_MARK
from app.ui.parts.tokens import Token

INK_CLASSES: Final[dict[Token, str]] = {
    "code-keyword": "k",
    "code-string": "s",
    "code-number": "n",
    "code-comment": "c",
    "code-name": "f",
}
# The headings of messages are of the second level.
_FIRST_HEADING: Final = 3
_LAST_HEADING: Final = 6


def blocks_html(blocks: Iterable[Block], left_out_words: str) -> Iterator[str]:
    """Yield the markup of each block.

    Args:
        blocks: What a text was parsed to.
        left_out_words: What stands where a block is cut; `{count}` is how much is missing.
    """
    rails: tuple[Rail, ...] = ()
    for block in blocks:
        now, shared = block.place.rails, block.place.shared
        yield _step(rails, now, shared)
        rails = now
        yield from _one(block, left_out_words)
    yield _step(rails, (), 0)


def code_html(text: str, language: str) -> Iterator[str]:
    """Yield code line by line, in colours where its language is known."""
    colours = colour_lines(text, language)
    for number, line in enumerate(text.split("\n")):
        yield ("\n" if number else "") + _coloured(line, next(colours, []))


def _step(before: tuple[Rail, ...], now: tuple[Rail, ...], shared: int) -> str:
    """Leave the levels that have ended and enter those that begin."""
    ended, begun = before[shared:], now[shared:]
    # One item behind another is the next of the same list.
    goes_on = bool(ended and begun) and ended[0].kind is begun[0].kind is RailKind.ITEM
    tags = [_end_of(rail) for rail in reversed(ended[1:] if goes_on else ended)]
    if goes_on:
        tags.append(f"</li><li>{_marker(begun[0])}")
    tags += [_start_of(rail) for rail in (begun[1:] if goes_on else begun)]
    return "".join(tags)


def _start_of(rail: Rail) -> str:
    return "<blockquote>" if rail.kind is RailKind.QUOTE else f"<ul><li>{_marker(rail)}"


def _end_of(rail: Rail) -> str:
    return "</blockquote>" if rail.kind is RailKind.QUOTE else "</li></ul>"


def _marker(rail: Rail) -> str:
    return f'<span class="mark">{html.escape(rail.marker)}</span>'


def _one(block: Block, left_out_words: str) -> Iterator[str]:
    match block:
        case Prose(words, level) if level:
            tag = f"h{min(level + _FIRST_HEADING - 1, _LAST_HEADING)}"
            yield f'<{tag} dir="auto">{_unbroken(words)}</{tag}>\n'
        case Prose(words):
            yield f'<p dir="auto">{_unbroken(words)}</p>\n'
        case Table(cells):
            yield f'<div class="wide">{_unbroken(cells)}</div>\n'
        case Code(text, language, left_out):
            yield "<pre><code>"
            yield from code_html(text, language)
            yield "</code></pre>\n"
            if left_out:
                yield _note(left_out, left_out_words)
        case Formula(source):
            shown = html.escape(readable(source) or source)
            yield f'<p class="formula" dir="ltr">{shown}</p>\n'
        case Rule():
            yield "<hr>\n"
        case LeftOut(count):
            yield _note(count, left_out_words)


def _unbroken(words: SafeHtml) -> str:
    """The markup without the marks that let the window break long words; browsers do it so."""
    return str(words).replace(BREAK_MARK, "")


def _note(count: int, words: str) -> str:
    return f'<p class="note">{html.escape(words.format(count=count))}</p>\n'


def _coloured(line: str, stretches: list[Stretch]) -> str:
    pieces: list[str] = []
    at = 0
    for stretch in stretches:
        pieces.append(html.escape(line[at : stretch.start]))
        at = stretch.start + stretch.length
        words = html.escape(line[stretch.start : at])
        pieces.append(f'<span class="{INK_CLASSES[stretch.ink]}">{words}</span>')
    return "".join([*pieces, html.escape(line[at:])])
