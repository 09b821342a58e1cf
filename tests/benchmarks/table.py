"""The rows of a run as a table to be read, and as JSON."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.benchmarks.rows import Figure, Goal, Row


def as_text(machine: Mapping[str, str | int], rows: Sequence[Row], columns: Sequence[str]) -> str:
    """Write the table: medians, and in brackets the lowest and the highest of the rounds.

    A figure whose name is none of `columns` gets a line of its own.
    """
    heads = ("", *columns, "ratio", "goal", "")
    lines = [heads, *(line for row in rows for line in _lines(row, columns))]
    widths = [max(len(line[number]) for line in lines) for number in range(len(heads))]
    written = [
        "  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])]).rstrip()
        for line in lines
    ]
    written.insert(1, "─" * max(map(len, written)))
    notes = [note for row in rows for note in row.notes]
    about = ", ".join(f"{name}: {value}" for name, value in machine.items())
    return "\n".join([about, "", *written, "", *notes]).rstrip()


def as_json(machine: Mapping[str, str | int], rows: Sequence[Row]) -> dict[str, Any]:
    """Give the same as plain values."""
    return {"machine": dict(machine), "rows": [_plain(row) for row in rows]}


def write(
    machine: Mapping[str, str | int], rows: Sequence[Row], columns: Sequence[str], file: Path | None
) -> None:
    """Print the table, and write the figures to `file` if one is given."""
    sys.stdout.write(as_text(machine, rows, columns) + "\n")
    if file is not None:
        file.write_text(json.dumps(as_json(machine, rows), indent=2) + "\n", encoding="utf-8")


def add_options(parser: ArgumentParser, parts: Iterable[str]) -> None:
    """Add what the benchmarks of many parts can be told."""
    parser.add_argument(
        "--only", action="append", choices=list(parts), help="measure only this part; repeatable"
    )
    parser.add_argument(
        "--quick", action="store_true", help="a short run, to see that the benchmark works"
    )
    add_json_option(parser)


def add_json_option(parser: ArgumentParser) -> None:
    """Add where the figures are to be written."""
    parser.add_argument(
        "--json", type=Path, metavar="FILE", help="also write the figures to this file"
    )


def _lines(row: Row, columns: Sequence[str]) -> list[tuple[str, ...]]:
    """Return a row's line, and one for each figure that has no column."""
    ratio = "" if row.ratio is None else f"{row.ratio:.3g}"
    met = {True: "met", False: "NOT MET", None: ""}[row.is_met]
    end = (ratio, "" if row.goal is None else _words(row.goal, row), met)
    others = [name for name in row.figures if name not in columns]
    label = f"{row.name} ({row.unit})" if row.unit else row.name
    cells = [_cell(row.figures.get(column), row.digits) for column in columns]
    if row.subject not in columns:
        cells[0] = _cell(row.figures.get(row.subject), row.digits)
        label = f"{label}, {row.subject}"
        others.remove(row.subject)
    extra = [
        (f"  {name}", _cell(row.figures[name], row.digits), *[""] * (len(columns) + 2))
        for name in others
    ]
    return [(label, *cells, *end), *extra]


def _cell(figure: Figure | None, digits: int) -> str:
    if figure is None:
        return "–"
    middle, low, high = (
        f"{value:,.{digits}f}" for value in (figure.median, figure.low, figure.high)
    )
    return middle if low == high else f"{middle} ({low}–{high})"


def _words(goal: Goal, row: Row) -> str:
    sign = "≥" if goal.is_least else "≤"
    if goal.of == "figure":
        return f"{sign} {goal.limit:g} {row.unit}"
    return f"{sign} {goal.limit:g} × {row.base}"


def _plain(row: Row) -> dict[str, Any]:
    figures = {
        name: {"median": figure.median, "low": figure.low, "high": figure.high}
        for name, figure in row.figures.items()
    }
    goal = None if row.goal is None else _words(row.goal, row)
    plain = {"name": row.name, "unit": row.unit, "figures": figures, "ratio": row.ratio}
    return {**plain, "goal": goal, "is_met": row.is_met, "notes": list(row.notes)}
