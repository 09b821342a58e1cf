"""The two-way check between the specification's rows and the tests that pin them.

The rows of `security` marks stand in app/CONTRIBUTING.md: each mark has to name one, and each of
those about tools has to be named.

Marks are read from the files, so that it does not matter which tests were chosen to run.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.spec import ROWS

_TESTS = Path(__file__).parent


# Approval, files and processes; fetching pages; copying code; what attacks on all that had reached.
_ATTACKED = range(87, 105)
_DEFENDED = frozenset(map(str, (*range(1, 51), 72, 73, 79, *_ATTACKED)))


@cache
def _pinned_rows() -> dict[str, dict[str, set[str]]]:
    """Each row that a mark names, with the files that name it, by mark; every file is read once.

    The trees are not kept: whoever looks for garbage would walk through them again and again.
    """
    pinned: dict[str, dict[str, set[str]]] = {"spec": {}, "security": {}}
    for path in sorted(_TESTS.rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        if "pytest.mark.s" in text:
            for mark, row in marked_rows(ast.parse(text), *pinned):
                pinned[mark].setdefault(row, set()).add(path.relative_to(_TESTS).as_posix())
    return pinned


def pinned_rows(mark: str = "spec") -> dict[str, set[str]]:
    """Each row that a mark names, with the files that name it."""
    return _pinned_rows()[mark]


def marked_rows(tree: ast.AST, *marks: str) -> Iterator[tuple[str, str]]:
    """Yield the arguments of every `pytest.mark.spec(…)` or such, which have to be plain."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        mark = node.func.attr
        if mark in marks and ast.unparse(node.func) == f"pytest.mark.{mark}":
            for argument in node.args:
                assert isinstance(argument, ast.Constant), ast.unparse(node)
                yield mark, str(argument.value)


def test_every_attack_on_tools_and_their_approval_is_tried_by_a_test() -> None:
    missing = sorted(_DEFENDED - set(pinned_rows("security")), key=int)
    assert not missing, f"{len(missing)} rows without a test: {missing}"


def test_every_mark_of_security_names_a_row_of_the_table_of_threats() -> None:
    text = (_TESTS.parent / "app" / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \|", text, re.MULTILINE)
    assert len(rows) == len(set(rows))
    unknown = {row: files for row, files in pinned_rows("security").items() if row not in rows}
    assert not unknown


def test_every_row_of_the_specification_is_pinned_by_a_test() -> None:
    missing = sorted(set(ROWS) - set(pinned_rows()))
    assert not missing, f"{len(missing)} rows without a test: {missing}"


def test_every_mark_names_a_row_that_exists() -> None:
    unknown = {row: files for row, files in pinned_rows().items() if row not in ROWS}
    assert not unknown


def test_a_mark_is_found_wherever_it_stands() -> None:
    text = """
pytestmark = [pytest.mark.anyio, pytest.mark.spec("a")]
@pytest.mark.spec("b", "c")
async def test_x(): ...
@pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.spec("d"))])
def test_y(x): ...
"""
    assert {row for _, row in marked_rows(ast.parse(text), "spec")} == {"a", "b", "c", "d"}
