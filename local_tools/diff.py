"""Make the diff of two texts, read the new text back from a diff, and count its lines."""

import difflib
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

_CONTEXT_LINES: Final = 3
# Beyond these a line-by-line comparison takes seconds; the whole block then counts as changed.
_COMPARED_LINES_LIMIT: Final = 5_000
_EQUAL_PAIRS_LIMIT: Final = 20_000
_POPULAR_FROM_LINES: Final = 200

_NO_LINE_END: Final = "\\ no line end"

_Opcode: TypeAlias = tuple[str, int, int, int, int]


def change_text(old: str, new: str) -> str:
    """Return a unified diff whose headings say which lines of the new text follow.

    Complete: every line that changes is there. Lines end at line feeds only, so that other
    line ends stay visible as characters.
    """
    if old == new:
        return "(no change)"
    old_lines, new_lines = _lines(old), _lines(new)
    rows: list[str] = []
    for group in _groups(old_lines, new_lines):
        rows.append(_heading(group))
        rows.extend(_rows(group, old_lines, new_lines))
    return "\n".join(rows)


def shown_new_text(diff: str) -> str:
    """Return what a diff of `change_text` shows of the new text, unchanged lines included.

    It is the whole new text only when nothing of it lies between or behind the groups; the caller
    compares.
    """
    shown: list[str] = []
    is_new = False
    for row in diff.split("\n"):
        if row.startswith(("+", " ")):
            shown.append(f"{row[1:]}\n")
        elif row == _NO_LINE_END and is_new:
            shown[-1] = shown[-1].removesuffix("\n")
        is_new = row.startswith(("+", " "))
    return "".join(shown)


def line_counts(diff: str) -> tuple[int, int]:
    """Return how many lines a diff of `change_text` adds and removes."""
    starts = Counter(row[:1] for row in diff.split("\n") if not row.startswith("@@"))
    return starts["+"], starts["-"]


def _lines(text: str) -> list[str]:
    if not text:
        return []
    lines = text.split("\n")
    if lines[-1] == "":
        return lines[:-1]
    # Kept with the line, so that a missing line end is a difference like any other.
    lines[-1] += f"\n{_NO_LINE_END}"
    return lines


def _groups(old: Sequence[str], new: Sequence[str]) -> Iterator[list[_Opcode]]:
    before, after = _common(old, new)
    skipped = max(before - _CONTEXT_LINES, 0)
    middle_old = old[skipped : len(old) - max(after - _CONTEXT_LINES, 0)]
    middle_new = new[skipped : len(new) - max(after - _CONTEXT_LINES, 0)]
    if _is_costly(middle_old, middle_new):
        old_end, new_end = skipped + len(middle_old), skipped + len(middle_new)
        yield [("replace", skipped, old_end, skipped, new_end)]
        return
    matcher = difflib.SequenceMatcher(None, middle_old, middle_new)
    for group in matcher.get_grouped_opcodes(_CONTEXT_LINES):
        yield [
            (tag, a + skipped, b + skipped, c + skipped, d + skipped) for tag, a, b, c, d in group
        ]


def _is_costly(old: Sequence[str], new: Sequence[str]) -> bool:
    if max(len(old), len(new)) > _COMPARED_LINES_LIMIT:
        return True
    # difflib leaves lines that make up more than one per cent of a text out of account.
    most = len(new) // 100 + 1 if len(new) >= _POPULAR_FROM_LINES else len(new)
    counts = Counter(new)
    return sum(counts[line] for line in old if counts[line] <= most) > _EQUAL_PAIRS_LIMIT


def _common(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    limit = min(len(old), len(new))
    start = 0
    while start < limit and old[start] == new[start]:
        start += 1
    end = 0
    while end < limit - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return start, end


def _heading(group: Sequence[_Opcode]) -> str:
    first, last = group[0][3] + 1, group[-1][4]
    if last < first:
        return f"@@ after line {last} @@"
    return f"@@ line {first} @@" if first == last else f"@@ lines {first}–{last} @@"


def _rows(group: Sequence[_Opcode], old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    for tag, old_from, old_to, new_from, new_to in group:
        if tag == "equal":
            yield from (f" {line}" for line in new[new_from:new_to])
            continue
        yield from (f"-{line}" for line in old[old_from:old_to])
        yield from (f"+{line}" for line in new[new_from:new_to])
