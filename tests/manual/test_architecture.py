"""What `app/ARCHITECTURE.md` cites is there: every path, and every name in the sources."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.support.style import product_files

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "app" / "ARCHITECTURE.md").read_text(encoding="utf-8")
_BLOCK = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
_PLACES = ("app", "local_server", "local_tools", "packaging", "resources", "tests")
# The parts that whoever follows a recipe puts in: `NAME_row.py`.
_PLACEHOLDER = re.compile(r"NAME|CODE|FOLDER")
_ENDINGS = (".md", ".py", ".qm", ".svg", ".toml")
# Of Qt, Python, pydantic-ai and the specification.
_OTHER_NAMES = {*_PLACES, "Model", "QObject", "TYPE_CHECKING", "dataChanged", "message_stop"}
_NAME = re.compile(r"[\w.]*[A-Z_.]\w*")


def _quoted() -> Iterator[str]:
    """Yield what the text has as code, but for commands, sentences and placeholders."""
    for text in re.findall(r"`([^`]+)`", _BLOCK.sub("", TEXT)):
        if not re.search(r"\s", text) and not _PLACEHOLDER.search(text):
            yield text.removeprefix("@").rstrip("=")


def _names_in(file: Path) -> Iterator[str]:
    """Yield every name that a file of ours defines; of a class, its methods and fields likewise."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(name=name):
                yield name
                yield from (f"{name}.{inner}" for inner in _members_of(node))
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                yield name


def _members_of(node: ast.ClassDef) -> Iterator[str]:
    for inner in node.body:
        match inner:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name


@cache
def _known() -> frozenset[str]:
    others = [
        file for place in ("packaging", "tests/support") for file in (ROOT / place).rglob("*.py")
    ]
    return frozenset(name for file in (*product_files(ROOT), *others) for name in _names_in(file))


def test_every_path_leads_to_a_file_or_folder() -> None:
    paths = [text for text in _quoted() if text.partition("/")[0] in _PLACES and "/" in text]
    assert len(paths) > 100
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_every_bare_file_name_is_one_in_the_repository() -> None:
    names = {path.name for place in _PLACES for path in (ROOT / place).rglob("*.*")}
    bare = [text for text in _quoted() if "/" not in text and text.endswith((".py", ".md"))]
    assert [name for name in bare if name not in names] == []


def test_every_name_is_defined_in_the_sources() -> None:
    names = [text for text in _quoted() if _NAME.fullmatch(text) and not text.endswith(_ENDINGS)]
    assert len(names) > 80
    assert [name for name in names if name not in _known() | _OTHER_NAMES] == []


def test_every_package_of_the_three_programs_is_in_the_plan() -> None:
    plan = re.findall(r"^```\n(app/.*?)^```", TEXT, re.DOTALL | re.MULTILINE)[0]
    words = set(re.findall(r"[\w/]+", plan))
    packages = [path for place in _PLACES[:3] for path in (ROOT / place).glob("*/__init__.py")]
    assert len(packages) > 25
    assert [path.parent.name for path in packages if path.parent.name not in words] == []


def test_the_text_has_at_most_3500_words() -> None:
    assert len(TEXT.split()) <= 3500
