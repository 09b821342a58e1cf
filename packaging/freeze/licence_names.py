"""What the licences of parts are called in SPDX, as far as those who know have said it.

Nothing is guessed: words that may mean several licences, such as "BSD", stay the words they are.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from importlib.metadata import PackageMetadata
from pathlib import Path
from typing import Final

from processes import run

from freeze.component import Component, Licence, Statement

# Some have their whole licence where its name belongs.
_LONGEST: Final = 160
# Fields and classifiers that say one thing only; of the classifiers, PEP 639 tells which do.
_CALLED: Final = {
    "apache 2.0": "Apache-2.0",
    "gnu lesser general public license v2 or later (lgplv2+)": "LGPL-2.0-or-later",
    "gplv2-or-later with a special exception which allows to use pyinstaller to build and "
    "distribute non-free programs (including commercial ones)": (
        "GPL-2.0-or-later WITH Bootloader-exception"
    ),
    "isc license": "ISC",
    "mit license": "MIT",
    "mozilla public license 2.0 (mpl 2.0)": "MPL-2.0",
}
_ASK: Final = """
import json, sys
from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression
known = {}
for words in json.load(sys.stdin):
    try:
        known[words] = canonicalize_license_expression(words)
    except InvalidLicenseExpression:
        pass
print(json.dumps(known))
"""


def statements_of(fields: PackageMetadata) -> tuple[Statement, ...]:
    """What a package says of its licence in its metadata, the most precise first."""
    said = []
    for field in ("License-Expression", "License"):
        words = fields[field].strip() if field in fields else ""
        if words and len(words) <= _LONGEST and "\n" not in words:
            said.append(_statement(field, words))
    classifiers = fields.get_all("Classifier") or []
    parts = [line.split(" :: ") for line in classifiers if line.startswith("License :: ")]
    # Of several, none says whether all hold or one may be chosen.
    if names := [name for *_, name in parts if name != "OSI Approved"]:
        said.append(_statement("Classifier", "; ".join(names)))
    return tuple(said)


def _statement(source: str, words: str) -> Statement:
    return Statement(source, words, _CALLED.get(words.lower(), ""))


def settled(components: Iterable[Component], python: Path) -> tuple[Component, ...]:
    """Gives all components, and what is in them, their licences by what was said of them.

    Args:
        components: What is in the program.
        python: One that has `packaging`, which knows the names of SPDX.
    """
    waiting = tuple(components)
    words = {_tried(each) for each in _statements_in(waiting)}
    asked = json.dumps(sorted(words))
    doing = "Asking for the names of licences"
    known = json.loads(run([python, "-I", "-c", _ASK], doing=doing, text=asked))
    return tuple(_settled(component, known) for component in waiting)


def _statements_in(components: Iterable[Component]) -> Iterator[Statement]:
    for component in components:
        yield from component.said
        yield from _statements_in(component.parts)


def _settled(component: Component, known: Mapping[str, str]) -> Component:
    parts = tuple(_settled(part, known) for part in component.parts)
    return replace(component, licence=_licence(component.said, known), parts=parts)


def _licence(said: tuple[Statement, ...], known: Mapping[str, str]) -> Licence:
    for each in said:
        if expression := known.get(_tried(each)):
            return Licence(expression, is_expression=True, source=each.source)
    return next((Licence(each.words, source=each.source) for each in said), Licence())


def _tried(statement: Statement) -> str:
    return statement.expression or statement.words
