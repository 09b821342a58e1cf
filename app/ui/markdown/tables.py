"""Tables cut to what can be laid out at once, before the words in them are read."""

from typing import Final

from markdown_it.token import Token

_CELL_LIMIT: Final = 1000
_COLUMN_LIMIT: Final = 60
LEFT_OUT_KEY: Final = "left_out"
_OUTLINE: Final = frozenset({"table_open", "thead_close", "tbody_close", "table_close"})


def cut_tables(tokens: list[Token]) -> list[Token]:
    """Return the tokens without the rows of tables that are too long, or all of too wide ones.

    The opening token of a table says in its `meta` how many characters are left out.
    """
    kept: list[Token] = []
    table: Token | None = None
    columns = rows = 0
    for index, token in enumerate(tokens):
        if token.type == "table_open":
            table, columns, rows = token, _count_columns(tokens, index), 0
        rows += token.type == "tr_open"
        fits = columns <= _COLUMN_LIMIT and rows * columns <= _CELL_LIMIT
        if table is None or fits or token.type in _OUTLINE:
            kept.append(token)
        else:
            table.meta[LEFT_OUT_KEY] = table.meta.get(LEFT_OUT_KEY, 0) + len(token.content)
        if token.type == "table_close":
            table = None
    return kept


def _count_columns(tokens: list[Token], table: int) -> int:
    columns = 0
    for index in range(table, len(tokens)):
        if tokens[index].type == "thead_close":
            break
        columns += tokens[index].type == "th_open"
    return columns
