"""Markdown into tokens, in two steps: the blocks of a text, then the words inside of them."""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from app.ui.markdown.footnotes import NOTES_KEY, add_footnotes, label_of_note
from app.ui.markdown.formulas import add_formulas
from app.ui.markdown.inlines import tame
from app.ui.markdown.names import Names
from app.ui.markdown.source import break_runs
from app.ui.markdown.tables import read_table

INLINE_LIMIT: Final = 8 * 1024
"""A paragraph longer than this is shown as it was written."""

_BRACKET_LIMIT: Final = 2000
_SHORT: Final = 200

DEPTH_LIMIT: Final = 20


@dataclass(slots=True)
class Parsed:
    """The tokens of a text, and what it and earlier texts define by name."""

    source: str
    tokens: list[Token] = field(default_factory=list)
    names: Names = field(default_factory=Names)

    def top_blocks(self) -> list[list[Token]]:
        """Return the tokens block by block, outermost blocks only."""
        blocks: list[list[Token]] = []
        for token in self.tokens:
            if token.level == 0 and token.nesting >= 0:
                blocks.append([])
            blocks[-1].append(token)
        return blocks


def _number_notes(parsed: Parsed) -> None:
    for tokens in parsed.top_blocks():
        label = label_of_note(tokens)
        if label is not None:
            parsed.names.note_count += 1
            parsed.names.notes.setdefault(label, parsed.names.note_count)


class _Parser(MarkdownIt):
    def validateLink(self, url: str) -> bool:
        """Lets all addresses pass: one gate decides later, for links and pictures differently."""
        return bool(url)


# The blocks come ready to the core: only the words inside of them are left to do.
_PARSER: Final = (
    _Parser("commonmark", {"html": False, "maxNesting": DEPTH_LIMIT})
    .enable(["table", "strikethrough"])
    .disable(["normalize", "block"])
)

_PARSER.block.ruler.at("table", read_table, {"alt": ["paragraph", "reference"]})
add_footnotes(_PARSER)
add_formulas(_PARSER)


def parse_blocks(source: str, names: Names) -> Parsed:
    """Find the blocks of `source`; `names` are the definitions before it."""
    parsed = Parsed(source, names=names.copy())
    env = {"references": parsed.names.references}
    _PARSER.block.parse(source, _PARSER, env, parsed.tokens)
    _number_notes(parsed)
    return parsed


def parse_words(tokens: list[Token], names: Names) -> None:
    """Parse the words inside `tokens`, in place; links and pictures come out harmless."""
    named: list[Token] = []
    for token in tokens:
        if token.type != "inline":
            continue
        if _is_costly(token.content):
            _keep_as_written(token)
        elif len(token.content) > _SHORT or "[" in token.content:
            named.append(token)
        else:
            token.children = [Token("html_inline", "", 0, content=_short_words(token.content))]
    _parse_inside(named, names)


def _parse_inside(tokens: list[Token], names: Names) -> None:
    env = {"references": names.references, NOTES_KEY: names.notes}
    _PARSER.core.process(StateCore("", _PARSER, env, tokens))
    for token in tokens:
        token.children = tame(token.children or [])


@lru_cache(4096)
def _short_words(content: str) -> str:
    """Return the markup of words without names, which mean the same in every text.

    Cells and items that are there already are not read again while a table or a list grows.
    """
    token = Token("inline", "", 0, content=content, children=[])
    _parse_inside([token], Names())
    return render_words(token)


def render_words(token: Token) -> str:
    """Return the markup of an inline token, not yet cleaned."""
    return render_tokens([token])


def render_tokens(tokens: list[Token]) -> str:
    """Return the markup of whole blocks, not yet cleaned."""
    markup: str = _PARSER.renderer.render(tokens, _PARSER.options, {})
    return markup


def _is_costly(words: str) -> bool:
    # Open brackets cost their square.
    return len(words) > INLINE_LIMIT or words.count("[") > _BRACKET_LIMIT


def _keep_as_written(token: Token) -> None:
    token.type = "text"
    token.content = break_runs(token.content)
