"""Tables, of which no more is read than can be laid out at once."""

from typing import Final

from markdown_it.rules_block import StateBlock
from markdown_it.rules_block.table import table

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
    """Go to where the table ends, without reading the cells."""
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
