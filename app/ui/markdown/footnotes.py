"""Notes that a text refers to by name: read where they stand, numbered in that order."""

import re
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.footnote.index import footnote_def

from app.ui.markdown.note_links import note_address

NOTES_KEY: Final = "notes"
"""Where the numbers of notes stand by their names, in what the parser is given."""

_MARK: Final = re.compile(r"\[\^([^\s\]]{1,100})\]")


def add_footnotes(parser: MarkdownIt) -> None:
    """Let the parser read notes and what refers to them."""
    ends = ["paragraph", "reference", "blockquote"]
    parser.block.ruler.before("reference", "footnote", _read_note, {"alt": ends})
    parser.inline.ruler.before("link", "footnote", _read_mark)


def label_of_note(tokens: list[Token]) -> str | None:
    """Return the name of the note that a top-level block is, or None if it is no note."""
    is_note = tokens[0].type == "footnote_reference_open"
    return str(tokens[0].meta["label"]) if is_note else None


def _read_note(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    # One in a list or a quote is words: it would be torn out of its place.
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
