"""The way from parsed Markdown to blocks to draw: one for live text, history and export."""

from typing import Final

from markdown_it.token import Token

from app.ui.markdown.blocks import Block, LeftOut, Place
from app.ui.markdown.code_text import make_code
from app.ui.markdown.flatten import Flattener
from app.ui.markdown.parser import DEPTH_LIMIT, Parsed, References, parse_blocks, parse_words
from app.ui.markdown.tables import cut_tables
from app.ui.markdown.tasks import mark_tasks

BLOCK_LIMIT: Final = 64 * 1024
"""Of a longer block only so many characters are shown."""

LINE_LIMIT: Final = 2000
"""Of a block of more lines, such as a list, only so many are shown."""

_CODE: Final = frozenset({"fence", "code_block"})


def render_parsed(parsed: Parsed) -> list[list[Block]]:
    """Return the blocks of each top-level block of `parsed`."""
    lines = parsed.source.split("\n")
    return [_render_one(tokens, lines, parsed.references) for tokens in parsed.top_blocks()]


def _render_one(tokens: list[Token], lines: list[str], references: References) -> list[Block]:
    first, end = tokens[0].map or (0, 0)
    source = "\n".join(lines[first:end])
    shown = source if tokens[0].type in _CODE else _cut(source, lines[first:end], tokens[0])
    if len(shown) == len(source):
        return _render_whole(tokens, source, references)
    blocks: list[Block] = []
    for part in parse_blocks(shown, references).top_blocks():
        blocks.extend(_render_whole(part, shown, references))
    return [*blocks, LeftOut(len(source) - len(shown))]


def _cut(source: str, lines: list[str], opening: Token) -> str:
    # Tables are cut by their cells.
    if opening.type != "table_open" and len(lines) > LINE_LIMIT:
        source = "\n".join(lines[:LINE_LIMIT])
    if len(source) <= BLOCK_LIMIT:
        return source
    # A break near the limit is the better place to cut.
    cut = source.rfind("\n", BLOCK_LIMIT // 2, BLOCK_LIMIT)
    return source[: cut if cut > 0 else BLOCK_LIMIT]


def _render_whole(tokens: list[Token], source: str, references: References) -> list[Block]:
    # The parser drops what is nested deeper than it goes; as written nothing is lost.
    if any(token.level >= DEPTH_LIMIT - 1 for token in tokens):
        return [make_code(source, "", Place())]
    tokens = cut_tables(tokens)
    mark_tasks(tokens)
    parse_words(tokens, references)
    flattener = Flattener()
    flattener.add(tokens)
    return flattener.blocks
