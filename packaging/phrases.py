"""The phrases that people read, as they stand in the sources.

Python's own parser finds them, since Qt's loses every plural whose number is a name
(its lupdate takes only numbers written out for numbers there).
"""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

# How many arguments come before the number that decides between singular and plural.
_BEFORE_NUMBER: Final = {"tr": 2, "translate": 3}
_MARKS: Final = frozenset({"tr", "translate", "QT_TRANSLATE_NOOP"})
_TOOLS: Final = "Tools"
# What a tool says of itself in its decorator, for people to read.
_TOOL_WORDS: Final = ("title", "question")
# The one place that looks up words which were marked elsewhere.
_LOOK_UP: Final = "i18n.py"


@dataclass(frozen=True, order=True)
class Phrase:
    """One phrase of the interface.

    Attributes:
        context: What Qt looks it up under: the class, or the word that stands beside it.
        text: The English words.
        is_plural: A number decides which form is shown, and `%n` stands for it.
    """

    context: str
    text: str
    is_plural: bool = False


class Unreadable(Exception):
    """A phrase is not written down as it is shown, so that nobody could translate it."""


def read_phrases(files: Iterable[Path]) -> set[Phrase]:
    """Read every phrase of these Python files.

    Raises:
        Unreadable: a phrase is put together at run time; the message has its place.
    """
    found: set[Phrase] = set()
    for file in files:
        if file.name == _LOOK_UP:
            continue
        tree = ast.parse(file.read_text(encoding="utf-8"))
        found.update(_phrases(tree, "", file.name))
    return found


def _phrases(node: ast.AST, class_name: str, file_name: str) -> Iterator[Phrase]:
    if isinstance(node, ast.ClassDef):
        class_name = node.name
    if isinstance(node, ast.Call):
        name = _called(node)
        if name in _MARKS and not _is_a_painter(node, name):
            yield _phrase(node, name, class_name, f"{file_name}:{node.lineno}")
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        yield from _words_of_tool(node)
    for child in ast.iter_child_nodes(node):
        yield from _phrases(child, class_name, file_name)


def _words_of_tool(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Phrase]:
    """Yield the title and the question of a tool, and what its docstring says that it does."""
    marks = [one for one in function.decorator_list if isinstance(one, ast.Call)]
    for keyword in (word for mark in marks if _called(mark) == "tool" for word in mark.keywords):
        if keyword.arg not in _TOOL_WORDS or not isinstance(keyword.value, ast.Constant):
            continue
        yield Phrase(_TOOLS, str(keyword.value.value))
        if keyword.arg == "title":
            summary = (ast.get_docstring(function) or "").split("\n\nArgs:")[0]
            yield Phrase(_TOOLS, " ".join(summary.split()))


def _called(call: ast.Call) -> str:
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _is_a_painter(call: ast.Call, name: str) -> bool:
    """Painters and text have a `translate` as well; theirs is given no words."""
    return name == "translate" and not any(
        isinstance(word, ast.JoinedStr)
        or (isinstance(word, ast.Constant) and isinstance(word.value, str))
        for word in call.args[:2]
    )


def _phrase(call: ast.Call, name: str, class_name: str, place: str) -> Phrase:
    words = call.args[:1] if name == "tr" else call.args[:2]
    texts = [
        word.value
        for word in words
        if isinstance(word, ast.Constant) and isinstance(word.value, str)
    ]
    if len(texts) != len(words):
        raise Unreadable(f"{place}: write the words themselves there: {ast.unparse(call)}")
    context, text = (class_name, texts[0]) if name == "tr" else texts
    is_plural = name in _BEFORE_NUMBER and len(call.args) > _BEFORE_NUMBER[name]
    if is_plural != ("%n" in text) or any(keyword.arg == "n" for keyword in call.keywords):
        raise Unreadable(f"{place}: a number stands as %n and as the last argument: {text!r}")
    return Phrase(context, text, is_plural)
