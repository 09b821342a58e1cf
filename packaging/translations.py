"""The languages of the window: their files from the phrases in the sources, by Qt's own programs.

`resources/translations` has one `.ts` a language, which people edit (Qt Linguist opens them), and
beside it the `.qm` that the window loads. Both are kept in the repository, so that a checkout runs
without a step of making; a test holds them together.
"""

import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from checkout import ROOT, VENV
from phrases import Phrase, Unreadable, read_phrases
from processes import Failed, run

FOLDER: Final = ROOT / "resources" / "translations"
# English has words in its file only where a number decides between two forms.
PLURALS_ONLY: Final = "en"
_UNFINISHED: Final = '<translation type="unfinished"'
LANGUAGES: Final = {"de": "de_DE", PLURALS_ONLY: "en_US"}


def sources() -> list[Path]:
    """Return the files whose phrases people read."""
    return [file for name in ("app", "local_tools") for file in sorted((ROOT / name).rglob("*.py"))]


def renew() -> None:
    """Brings every `.ts` up to date with the sources, and makes every `.qm` from it.

    Raises:
        Failed: a phrase in the sources cannot be read, or one of Qt's programs failed.
    """
    try:
        found = read_phrases(sources())
    except Unreadable as fault:
        raise Failed(str(fault)) from fault
    for language in LANGUAGES:
        update(FOLDER, language, found)
        compile_to(ts_file(FOLDER, language), FOLDER / f"parley_{language}.qm")


def unfinished() -> dict[str, int]:
    """How many phrases each `.ts` has no finished words for."""
    files = [ts_file(FOLDER, language) for language in LANGUAGES]
    return {file.name: file.read_text(encoding="utf-8").count(_UNFINISHED) for file in files}


def ts_file(folder: Path, language: str) -> Path:
    """Where the words of a language are edited."""
    return folder / f"parley_{language}.ts"


def update(folder: Path, language: str, found: Iterable[Phrase]) -> None:
    """Add what is new to the `.ts` in `folder`, and drops what the sources no longer say."""
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


def _line(phrase: Phrase) -> str:
    """Return the phrase as lupdate reads it, whatever way it stands in the sources."""
    context, text = repr(phrase.context), repr(phrase.text)
    if phrase.is_plural:
        return f'translate({context}, {text}, "", 2)\n'
    return f"QT_TRANSLATE_NOOP({context}, {text})\n"


def _qt_program(name: str) -> Path:
    """A program that PySide6 brings; its own starter in Python would need no display either."""
    places = sorted(VENV.glob(f"lib/python*/site-packages/PySide6/{name}"))
    places += sorted(VENV.glob(f"Lib/site-packages/PySide6/{name}.exe"))
    if not places:
        raise Failed(f"PySide6 has no {name} in {VENV}.")
    return places[0]
