"""The short ways that freezing takes find what the long ones would."""

import ast
import dis
from collections.abc import Iterator
from pathlib import Path
from types import CodeType

import pytest
from freeze import short_ways
from freeze.build_environment import LOCKS

# More names than the argument of one instruction can tell apart.
MANY = "".join(f"name_{number} = {number}\n" for number in range(300))
NAMES = f"""
{MANY}
del name_0, name_299
class Kind:
    shape = 1
    def grow(self):
        global grown
        grown = local = [item for item in self.items]
        def within():
            global deep
            deep = lambda: (walrus := 1)
def drop():
    global grown
    del grown
import os.path as place
"""
IMPORTS = """
import a
async def f(x=lambda: 0):
    async with x as y:
        import b
    async for z in y:
        import c
    else:
        from .d import e
class C:
    try:
        import g
    except ImportError:
        import h
    else:
        import i
    finally:
        import j
    while x:
        match x:
            case [1, _] if y:
                from ..k import *
            case _:
                import l as if_needed
if (m := n):
    import o
elif p:
    import q
else:
    with r: import s
try:
    import t
except* ImportError:
    import u
"""


class Noted:
    """Names as they are told, with what happens to them."""

    def __init__(self) -> None:
        self.told: list[tuple[str, str]] = []

    def add_global_attr(self, name: str) -> None:
        self.told.append(("STORE", name))

    def remove_global_attr_if_found(self, name: str) -> None:
        self.told.append(("DELETE", name))


class Imports(ast.NodeVisitor):
    """The imports that are visited."""

    def __init__(self) -> None:
        self.found: list[ast.stmt] = []

    def visit_Import(self, node: ast.Import) -> None:
        self.found.append(node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        self.found.append(node)


class ShortImports(Imports):
    generic_visit = short_ways.visit_statements


def told_by_python(code: CodeType) -> Iterator[tuple[str, str]]:
    """What names code changes, by Python's own reading of each instruction."""
    for instruction in dis.get_instructions(code):
        what, _, where = instruction.opname.partition("_")
        if what in {"STORE", "DELETE"} and where in {"NAME", "GLOBAL"}:
            yield what, instruction.argval
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from told_by_python(constant)


def test_they_are_taken_with_the_pyinstaller_that_is_locked() -> None:
    """Where this fails, compare a build by the long ways with one by these, then say so there."""
    assert f"\npyinstaller=={short_ways.COMPARED_WITH} " in LOCKS[1].read_text(encoding="utf-8")


def test_names_are_found_as_python_reads_code() -> None:
    noted, code = Noted(), compile(NAMES, "names.py", "exec")
    short_ways.note_names(noted, code)
    assert noted.told == list(told_by_python(code))
    assert {
        ("STORE", "name_299"),
        ("DELETE", "name_299"),
        ("STORE", "deep"),
        ("DELETE", "grown"),
    } < {*noted.told}


def test_imports_are_found_in_every_statement_in_their_order() -> None:
    tree, short, long = ast.parse(IMPORTS), ShortImports(), Imports()
    short.visit(tree)
    long.visit(tree)
    assert short.found == long.found
    assert len(short.found) == IMPORTS.count("import ")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of packages none of which may be imported."""
    for name in ("one/__init__", "one/b", "one/a", "one/sub/__init__", "one/sub/deep", "b"):
        path = tmp_path / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("raise SystemExit", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def long_way(*_: object) -> list[str]:
    return ["found the long way"]


@pytest.mark.usefixtures("site")
def test_what_is_in_a_package_is_found_without_importing_it() -> None:
    found = short_ways.submodules(long_way, "one")
    assert found == ["one", "one.a", "one.b", "one.sub", "one.sub.deep"]
    assert (
        short_ways.submodules(long_way, "one", filter=lambda name: "sub" not in name) == found[:3]
    )
    assert short_ways.submodules(long_way, "one.sub") == found[3:]


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize("name", ["one.a", "one.a.b", "none", "none.b", "sys"])
def test_what_is_no_package_in_a_folder_is_asked_for_the_long_way(name: str) -> None:
    assert short_ways.submodules(long_way, name) == long_way()


def test_a_file_is_found_without_importing_its_module(site: Path) -> None:
    def asked(name: str) -> str:
        return f"asked for {name}"

    assert short_ways.file_of(asked, "one.sub.deep") == str(site / "one" / "sub" / "deep.py")
    assert short_ways.file_of(asked, "one") == str(site / "one" / "__init__.py")
    assert short_ways.file_of(asked, "one.none") == "asked for one.none"
