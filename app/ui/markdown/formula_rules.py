r"""Formulas in a text: `$…$` and `\(…\)` among the words, `$$…$$` and `\[…\]` as a block.

A block has its lines for itself; `$$…$$` and `\[…\]` with words before or behind them are read
like the formulas among the words. Those stay as they are written: they are only recognised so that
their signs are not taken for Markdown.
"""

import re
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

FORMULA: Final = "formula"
"""The type of the token of a formula that is a block."""

_LENGTH_LIMIT: Final = 1000

_CLOSING: Final = {"$": "$", "$$": "$$", r"\(": r"\)", r"\[": r"\]"}
# Amounts of money: a number, and later words without anything that formulas are made of.
_AMOUNT: Final = re.compile(r"\d[^\\^_={}]*\s[^\\^_={}]*[^\W\d]{2}[^\\^_={}]*")
# The opening of a formula that is a block; other text that begins with two dollars is about money.
_OPENING: Final = re.compile(r"(\$\$|\\\[)[ \t]*(?=$|[^$]*(?:\\|[=^_{]|\$\$[ \t]*$))")
# Without one of these and without blanks inside, `\[…\]` are brackets: a source, a box, a remark.
_SIGN: Final = re.compile(r"[\\^_={}+<>]")


def add_formulas(parser: MarkdownIt) -> None:
    """Add formulas to the parser."""
    ends = ["paragraph", "reference", "blockquote", "list"]
    parser.block.ruler.before("fence", FORMULA, _read_block, {"alt": ends})
    parser.inline.ruler.before("escape", FORMULA, _read_inline)


def _read_inline(state: StateInline, silent: bool) -> bool:
    opening = state.src[state.pos : state.pos + 2]
    if opening[:1] == "$" and opening != "$$":
        opening = "$"
    if opening not in _CLOSING:
        return False
    start = state.pos + len(opening)
    end = _find_end(state, start, _CLOSING[opening])
    content = state.src[start:end] if end >= 0 else ""
    if not content.strip() or (opening == "$" and not _is_formula(state, start, end)):
        return False
    if opening == r"\[" and not _is_no_remark(content):
        return False
    after = end + len(opening)
    if not silent:
        state.push("text", "", 0).content = state.src[state.pos : after]
    state.pos = after
    return True


def _find_end(state: StateInline, start: int, closing: str) -> int:
    return _end_in(state.src, closing, start, min(state.posMax, start + _LENGTH_LIMIT))


def _end_in(text: str, closing: str, start: int, limit: int) -> int:
    end = text.find(closing, start, limit)
    while end > start and text[end - 1] == "\\":
        end = text.find(closing, end + 1, limit)
    return end


def _is_no_remark(content: str) -> bool:
    """Return whether the text between two brackets is meant as a formula."""
    return bool(_SIGN.search(content)) or (content[0].isspace() and content[-1].isspace())


def _is_formula(state: StateInline, start: int, end: int) -> bool:
    """Return whether the text between two single dollars is meant as a formula."""
    source, content = state.src, state.src[start:end]
    before = source[start - 2 : start - 1] if start > 1 else ""
    touches_word = before.isalnum() or before == "$" or source[end + 1 : end + 2].isalnum()
    has_blank_edge = content != content.strip()
    return not (touches_word or has_blank_edge or _AMOUNT.fullmatch(content))


def _read_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read a formula to its end, or to the first blank line if it has none."""
    if state.is_code_block(start):
        return False
    first = _line_of(state, start)
    opening = _OPENING.match(first)
    if opening is None:
        return False
    closing = _CLOSING[opening[1]]
    lines = [first[opening.end(1) :]]
    line = start + 1
    while _end_in(lines[-1], closing, 0, len(lines[-1])) < 0 and _goes_on(state, line, end):
        lines.append(_line_of(state, line))
        line += 1
    content = "\n".join(lines)
    at = _end_in(content, closing, 0, len(content))
    formula, behind = content[: max(at, 0)], content[at + len(closing) :]
    if formula.strip() and (behind or not (opening[1] == "$$" or _is_no_remark(formula))):
        return False
    if silent:
        return True
    state.line = line
    if formula.strip():
        _push_formula(state, start, formula.strip())
    else:
        _push_words(state, start, state.getLines(start, line, state.blkIndent, False).strip())
    return True


def _line_of(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]].rstrip()


def _goes_on(state: StateBlock, line: int, end: int) -> bool:
    """Return whether a formula without an end has this line, too."""
    if line >= end or state.isEmpty(line) or state.sCount[line] < state.blkIndent:
        return False
    # Another formula begins here. Stopping also keeps the cost linear where many have no end.
    return not _line_of(state, line).startswith(r"\[")


def _push_formula(state: StateBlock, start: int, content: str) -> None:
    token = state.push(FORMULA, "", 0)
    token.content, token.map, token.block = content, [start, state.line], True


def _push_words(state: StateBlock, start: int, content: str) -> None:
    opening = state.push("paragraph_open", "p", 1)
    words = state.push("inline", "", 0)
    words.content, words.children = content, []
    opening.map = words.map = [start, state.line]
    state.push("paragraph_close", "p", -1)
