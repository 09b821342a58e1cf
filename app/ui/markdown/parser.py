"""`parse_blocks` and `parse_words` turn Markdown into tokens: first the blocks, then their words.

`whole_code` finds the whole of a code block that is shown in part. `LinkDefinitions` holds what a
text defines by name: the addresses of links, and the numbers of notes. The rest extends the parser.
Footnotes are read where they stand and numbered in that order. Of tables, no more is read than can
be laid out at once. A list item that begins with a box is a task.
"""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.common.utils import normalizeReference
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block.table import table
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.footnote.index import footnote_def

from app.ui.markdown.formula_rules import add_formulas
from app.ui.markdown.inlines import sanitize_inlines
from app.ui.markdown.sanitize import break_runs, note_address, show_hidden

# Names of links and notes alike end at their bracket, unless it is escaped.
_IN_BRACKETS: Final = re.compile(r"\[((?:[^\[\]\\]|\\.)+)\]", re.DOTALL)

References = dict[str, dict[str, Any]]


@dataclass(slots=True)
class LinkDefinitions:
    """The first definition of each name; a note that repeats a name takes a number, too.

    `pages` are the pages of the manual that the text may link to: none for untrusted text.
    """

    references: References = field(default_factory=dict)
    notes: dict[str, int] = field(default_factory=dict)
    note_count: int = 0
    pages: frozenset[str] = frozenset()

    def copy(self) -> "LinkDefinitions":
        """Return a copy, to be added to."""
        references, notes = dict(self.references), dict(self.notes)
        return LinkDefinitions(references, notes, self.note_count, self.pages)

    def meanings(self) -> dict[str, str]:
        """Return the meaning of each name."""
        addresses = {name: str(found["href"]) for name, found in self.references.items()}
        return addresses | {_of_note(name): str(number) for name, number in self.notes.items()}


def definitions_in(source: str) -> frozenset[str] | None:
    """Return the names that a text may use, as keys of `meanings`; None if they are unclear."""
    found = set()
    for label in _IN_BRACKETS.findall(source):
        # In a quote, the ">" of the next line would be taken for a part of the name.
        if "\n" in label:
            return None
        found.add(_of_note(label[1:]) if label[0] == "^" else normalizeReference(label))
    return frozenset(found)


def _of_note(name: str) -> str:
    # The line break tells notes from links, whose names have none once normalised.
    return f"\n{name}"


NOTES_KEY: Final = "notes"
"""The key in the parser's `env` of the numbers of notes, by name."""

_MARK: Final = re.compile(r"\[\^([^\s\]]{1,100})\]")


def add_footnotes(parser: MarkdownIt) -> None:
    """Add notes and references to them to the parser."""
    ends = ["paragraph", "reference", "blockquote"]
    parser.block.ruler.before("reference", "footnote", _read_note, {"alt": ends})
    parser.inline.ruler.before("link", "footnote", _read_mark)


def label_of_note(tokens: list[Token]) -> str | None:
    """Return the name of the note that a top-level block is, or None if it is no note."""
    is_note = tokens[0].type == "footnote_reference_open"
    return str(tokens[0].meta["label"]) if is_note else None


def _read_note(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    # Leave a note inside a list or a quote as text: as a note it would move to the end.
    return (silent or state.level == 0) and footnote_def(state, start, end, silent)


def _read_mark(state: StateInline, silent: bool) -> bool:
    found = _MARK.match(state.src, state.pos, state.posMax)
    number = state.env.get(NOTES_KEY, {}).get(found[1]) if found else None
    if found is None or number is None:
        return False
    if not silent:
        _push_mark(state, number)
    state.pos = found.end()
    return True


def _push_mark(state: StateInline, number: int) -> None:
    state.push("note_open", "a", 1).attrs = {"href": note_address(number)}
    state.push("text", "", 0).content = f"[{number}]"
    state.push("note_close", "a", -1)


_CELL_LIMIT: Final = 1000
_COLUMN_LIMIT: Final = 60
LEFT_OUT_KEY: Final = "left_out"


def read_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read a table; its opening token says in `meta` how many characters of rows are left out.

    What has more columns than can be told apart is no table, and shown as written.
    """
    columns = state.src.count("|", state.bMarks[start], state.eMarks[start])
    if columns > _COLUMN_LIMIT + 1:
        return False
    rows = _CELL_LIMIT // max(1, columns - 1)
    if not table(state, start, min(end, start + 1 + rows), silent):
        return False
    if not silent and state.line == start + 1 + rows:
        _pass_rows(state, start, end)
    return True


def _pass_rows(state: StateBlock, start: int, end: int) -> None:
    """Skip to the end of the table, without reading the cells."""
    first = line = state.line
    while line < end and not _ends_table(state, line, end):
        line += 1
    if line > first:
        token = next(token for token in reversed(state.tokens) if token.type == "table_open")
        behind = min(len(state.src), state.eMarks[line - 1] + 1)
        token.meta[LEFT_OUT_KEY] = behind - state.bMarks[first]
        token.map = [start, line]
        state.line = line


def _ends_table(state: StateBlock, line: int, end: int) -> bool:
    if state.sCount[line] < state.blkIndent or state.isEmpty(line) or state.is_code_block(line):
        return True
    rules = state.md.block.ruler.getRules("blockquote")
    return any(rule(state, line, end, True) for rule in rules)


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
    names: LinkDefinitions = field(default_factory=LinkDefinitions)

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
        """Accept all addresses: `sanitize_inlines` decides later, for links and images apart."""
        return bool(url)


# The blocks are parsed already: this parser handles only the words inside of them.
_PARSER: Final = (
    _Parser("commonmark", {"html": False, "maxNesting": DEPTH_LIMIT})
    .enable(["table", "strikethrough"])
    .disable(["normalize", "block"])
)

_PARSER.block.ruler.at("table", read_table, {"alt": ["paragraph", "reference"]})
add_footnotes(_PARSER)
add_formulas(_PARSER)


def parse_blocks(source: str, names: LinkDefinitions) -> Parsed:
    """Find the blocks of `source`; `names` are the definitions before it."""
    parsed = Parsed(source, names=names.copy())
    env = {"references": parsed.names.references}
    _PARSER.block.parse(source, _PARSER, env, parsed.tokens)
    _number_notes(parsed)
    return parsed


def parse_words(tokens: list[Token], names: LinkDefinitions) -> None:
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


def _parse_inside(tokens: list[Token], names: LinkDefinitions) -> None:
    env = {"references": names.references, NOTES_KEY: names.notes}
    _PARSER.core.process(StateCore("", _PARSER, env, tokens))
    for token in tokens:
        token.children = sanitize_inlines(token.children or [], names.pages)


@lru_cache(4096)
def _short_words(content: str) -> str:
    """Return the markup of words without names, which mean the same in every text.

    Cells and items that are there already are not read again while a table or a list grows.
    """
    token = Token("inline", "", 0, content=content, children=[])
    _parse_inside([token], LinkDefinitions())
    return render_words(token)


def render_words(token: Token) -> str:
    """Return the markup of an inline token, not yet cleaned."""
    return render_tokens([token])


def render_tokens(tokens: list[Token]) -> str:
    """Return the markup of whole blocks, not yet cleaned."""
    markup: str = _PARSER.renderer.render(tokens, _PARSER.options, {})
    return markup


def _is_costly(words: str) -> bool:
    # The time to parse grows with the square of the number of open brackets.
    return len(words) > INLINE_LIMIT or words.count("[") > _BRACKET_LIMIT


def _keep_as_written(token: Token) -> None:
    token.type = "text"
    token.content = break_runs(token.content)


TASK_KEY: Final = "task"
_BOX: Final = re.compile(r"\[([ xX])\][ \t\n]+(?=\S)")


def mark_tasks(tokens: list[Token]) -> None:
    """Move the box at the beginning of an item from its words to the paragraph's `meta`."""
    for index, (item, paragraph) in enumerate(pairwise(tokens)):
        if item.type != "list_item_open" or paragraph.type != "paragraph_open":
            continue
        words = tokens[index + 2]
        if found := _BOX.match(words.content):
            paragraph.meta[TASK_KEY] = "[ ]" if found[1] == " " else "[x]"
            words.content = words.content[found.end() :]


def whole_code(source: str, shown: str) -> str:
    """Return all of a block of code that is shown in part, as it would be shown.

    Args:
        source: The Markdown that it stands in.
        shown: The part, from the beginning of the block.
    """
    parser = MarkdownIt("zero").enable(["fence", "code", "list", "blockquote"])
    for token in parser.parse(source):
        if token.type in ("fence", "code_block"):
            whole = show_hidden(token.content.removesuffix("\n"))
            if whole.startswith(shown):
                return whole
    return shown
