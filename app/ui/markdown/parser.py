"""Markdown into tokens, in two steps: the blocks of a text, then the words inside of them."""

from dataclasses import dataclass, field
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from app.ui.markdown.inlines import tame
from app.ui.markdown.source import break_runs

INLINE_LIMIT: Final = 16 * 1024
"""A paragraph longer than this is shown as it was written: brackets in it cost their square."""

DEPTH_LIMIT: Final = 20

References = dict[str, dict[str, Any]]


@dataclass(slots=True)
class Parsed:
    """The tokens of a text, and the addresses that it and earlier texts define by name."""

    source: str
    tokens: list[Token] = field(default_factory=list)
    references: References = field(default_factory=dict)

    def top_blocks(self) -> list[list[Token]]:
        """Return the tokens block by block, outermost blocks only."""
        blocks: list[list[Token]] = []
        for token in self.tokens:
            if token.level == 0 and token.nesting >= 0:
                blocks.append([])
            blocks[-1].append(token)
        return blocks


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


def parse_blocks(source: str, references: References) -> Parsed:
    """Find the blocks of `source`; `references` are the definitions before it."""
    parsed = Parsed(source, references=dict(references))
    env = {"references": parsed.references}
    _PARSER.block.parse(source, _PARSER, env, parsed.tokens)
    return parsed


def parse_words(tokens: list[Token], references: References) -> None:
    """Parse the words inside `tokens`, in place; links and pictures come out harmless."""
    for token in tokens:
        if token.type == "inline" and len(token.content) > INLINE_LIMIT:
            _keep_as_written(token)
    ours = [token for token in tokens if token.type == "inline"]
    state = StateCore("", _PARSER, {"references": references}, ours)
    _PARSER.core.process(state)
    for token in ours:
        token.children = tame(token.children or [])


def render_words(token: Token) -> str:
    """Return the markup of an inline token, not yet cleaned."""
    return render_tokens([token])


def render_tokens(tokens: list[Token]) -> str:
    """Return the markup of whole blocks, not yet cleaned."""
    markup: str = _PARSER.renderer.render(tokens, _PARSER.options, {})
    return markup


def _keep_as_written(token: Token) -> None:
    token.type = "text"
    token.content = break_runs(token.content)
