"""Update the window's translation files from the phrases in the sources, with Qt's tools.

Python's parser finds the phrases, since Qt's lupdate loses every plural whose number is a variable
(it accepts only literals there).

`resources/translations` has one `.ts` per language, which people edit (in Qt Linguist), and the
`.qm` that the window loads. Both are in the repository, so that a checkout runs without a build
step; a test checks that they match.
"""

import ast
import re
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from checkout import ROOT, VENV
from processes import Failed, run

FOLDER: Final = ROOT / "resources" / "translations"
# The English file has only plurals; all other phrases are English in the sources already.
PLURALS_ONLY: Final = "en"
_UNFINISHED: Final = '<translation type="unfinished"'
LANGUAGES: Final = {"de": "de_DE", PLURALS_ONLY: "en_US"}

# How many arguments come before the number that decides between singular and plural.
_BEFORE_NUMBER: Final = {"tr": 2, "translate": 3}
_MARKS: Final = frozenset({"tr", "translate", "QT_TRANSLATE_NOOP"})
_TOOLS: Final = "Tools"
# What a tool says of itself in its decorator, for people to read.
_TOOL_WORDS: Final = ("title", "question")
_INCLUDED: Final = "Included"
_INCLUDED_WORDS: Final = re.compile(r"^\s*(?:description|display-name):(?P<text>.+)$", re.MULTILINE)
# The one place that looks up words which were marked elsewhere.
_LOOK_UP: Final = "i18n.py"


@dataclass(frozen=True, order=True)
class Phrase:
    """One phrase of the interface.

    Attributes:
        context: The Qt translation context: the class, or the name given beside the phrase.
        text: The English text.
        is_plural: It has plural forms, with `%n` for the number.
    """

    context: str
    text: str
    is_plural: bool = False


class Unreadable(Exception):
    """A phrase is not written down as it is shown, so that nobody could translate it."""


def sources() -> list[Path]:
    """Return the files whose phrases people read."""
    return [file for name in ("app", "local_tools") for file in sorted((ROOT / name).rglob("*.py"))]


def included() -> set[Phrase]:
    """Return what people read of the agents and skills that ship: names and descriptions."""
    files = [*(ROOT / "resources" / "agents").glob("*.md")]
    files += (ROOT / "resources" / "skills").glob("*/SKILL.md")
    return {
        Phrase(_INCLUDED, match["text"].strip())
        for file in files
        for match in _INCLUDED_WORDS.finditer(file.read_text(encoding="utf-8").split("---")[1])
    }


def renew() -> None:
    """Update every `.ts` from the sources, and make every `.qm` from it.

    Raises:
        Failed: a phrase in the sources cannot be read, or one of Qt's programs failed.
    """
    try:
        found = read_phrases(sources()) | included()
    except Unreadable as fault:
        raise Failed(str(fault)) from fault
    for language in LANGUAGES:
        update(FOLDER, language, found)
        compile_to(ts_file(FOLDER, language), FOLDER / f"parley_{language}.qm")


def unfinished() -> dict[str, int]:
    """Return how many phrases each `.ts` has no finished words for."""
    files = [ts_file(FOLDER, language) for language in LANGUAGES]
    return {file.name: file.read_text(encoding="utf-8").count(_UNFINISHED) for file in files}


def ts_file(folder: Path, language: str) -> Path:
    """Return where the words of a language are edited."""
    return folder / f"parley_{language}.ts"


def update(folder: Path, language: str, found: Iterable[Phrase]) -> None:
    """Add what is new to the `.ts` in `folder`, and drop what the sources no longer say."""
    plurals = ["-pluralonly"] if language == PLURALS_ONLY else []
    with tempfile.TemporaryDirectory() as passing:
        listed = Path(passing) / "phrases.py"
        listed.write_text("".join(map(_line, sorted(found))), encoding="utf-8")
        run(
            [
                _qt_program("lupdate"),
                *("-locations", "none", "-no-obsolete", "-sort-messages", "-silent"),
                *("-disable-heuristic", "similartext", "-source-language", "en"),
                *("-target-language", LANGUAGES[language], *plurals),
                *(listed, "-ts", ts_file(folder, language)),
            ],
            doing="Collecting the phrases",
        )


def compile_to(ts: Path, qm: Path) -> None:
    """Make the file that the window loads."""
    run([_qt_program("lrelease"), "-silent", ts, "-qm", qm], doing=f"Compiling {ts.name}")


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


def _line(phrase: Phrase) -> str:
    """Return the phrase as lupdate reads it, whatever way it stands in the sources."""
    context, text = repr(phrase.context), repr(phrase.text)
    if phrase.is_plural:
        return f'translate({context}, {text}, "", 2)\n'
    return f"QT_TRANSLATE_NOOP({context}, {text})\n"


def _qt_program(name: str) -> Path:
    """Return a program that PySide6 brings; its own starter in Python needs no display either."""
    places = sorted(VENV.glob(f"lib/python*/site-packages/PySide6/{name}"))
    places += sorted(VENV.glob(f"Lib/site-packages/PySide6/{name}.exe"))
    if not places:
        raise Failed(f"PySide6 has no {name} in {VENV}.")
    return places[0]


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
    """Return whether a `translate` is that of a painter or a text, which is given no words."""
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
