"""The way from parsed Markdown to blocks to draw: one for live text, history and export."""

from dataclasses import dataclass, field

from markdown_it.token import Token

from app.ui.markdown.blocks import Block, Place
from app.ui.markdown.code_text import make_code
from app.ui.markdown.flatten import Flattener
from app.ui.markdown.footnotes import label_of_note
from app.ui.markdown.names import Names
from app.ui.markdown.parser import DEPTH_LIMIT, Parsed, parse_words
from app.ui.markdown.tasks import mark_tasks


@dataclass(slots=True)
class Rendered:
    """The blocks of one top-level block; those of a note stand at the end of the whole text."""

    blocks: list[Block] = field(default_factory=list)
    is_note: bool = False


def render_parsed(parsed: Parsed, notes_before: int) -> list[Rendered]:
    """Return the blocks of each top-level block of `parsed`.

    Args:
        parsed: A text, or a stretch of one.
        notes_before: How many notes there are before it.
    """
    lines = parsed.source.split("\n")
    rendered: list[Rendered] = []
    number = notes_before
    for tokens in parsed.top_blocks():
        is_note = label_of_note(tokens) is not None
        number += is_note
        first, end = tokens[0].map or (0, 0)
        source = "\n".join(lines[first:end])
        blocks = _render_one(tokens, source, parsed.names, number if is_note else None)
        rendered.append(Rendered(blocks, is_note))
    return rendered


def _render_one(tokens: list[Token], source: str, names: Names, note: int | None) -> list[Block]:
    # The parser drops what is nested deeper than it goes; as written nothing is lost.
    if any(token.level >= DEPTH_LIMIT - 1 for token in tokens):
        return [make_code(source, "", Place())]
    mark_tasks(tokens)
    parse_words(tokens, names)
    flattener = Flattener(note)
    flattener.add(tokens)
    return flattener.blocks
