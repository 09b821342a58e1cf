"""What Debian and its relatives say of the licence of a library, in the file that they require.

The file tells of a whole source package, of which a library is a part. Its form:
https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from freeze.component import Statement

DOCS: Final = Path("/usr/share/doc")
_FORM: Final = "/copyright-format/1.0"
# A field goes on in lines that begin with a space.
_FIELD: Final = re.compile(r"^(?P<name>[\w-]+):(?P<value>.*(?:\n[ \t].*)*)", re.MULTILINE)
# "libssl3t64" and "libbz2-1.0" have a number of their interface.
_INTERFACE: Final = re.compile(r"-?[\d.]+(?:t64)?$")
_GNU: Final = re.compile(r"(?P<name>A?GPL|LGPL|GFDL)-(?P<version>\d+(?:\.\d+)?)(?P<later>\+?)")


def statements_of(package: str, docs: Path = DOCS) -> tuple[Statement, ...]:
    """What the copyright file of a package says of the licence of its library.

    Nothing where there is none, or none that programs can read.

    Args:
        package: Its name, as "libssl3".
        docs: Where the files of all packages are.
    """
    try:
        text = (docs / package / "copyright").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ()
    head, *paragraphs = _paragraphs(text)
    if _FORM not in head.get("format", ""):
        return ()
    folder = _INTERFACE.sub("", package)
    wanted = ("*", f"{folder}/*", f"src/{folder}/*")
    said: tuple[Statement, ...] = ()
    # The last that fits holds.
    for paragraph in paragraphs:
        fitting = [each for each in paragraph.get("files", "").split() if each in wanted]
        words = paragraph.get("license", "").partition("\n")[0].strip()
        if fitting and words:
            source = f"usr/share/doc/{package}/copyright, Files: {fitting[-1]}"
            said = (Statement(source, words, _expression(words)),)
    return said


def _paragraphs(text: str) -> Iterator[Mapping[str, str]]:
    for paragraph in re.split(r"\n(?:[ \t]*\n)+", text):
        yield {match["name"].lower(): match["value"] for match in _FIELD.finditer(paragraph)}


def _expression(words: str) -> str:
    """What SPDX would call it; it need not be anything that SPDX has."""
    return " ".join(_name(word) for word in words.split())


def _name(word: str) -> str:
    if word.lower() == "expat":
        return "MIT"
    if match := _GNU.fullmatch(word):
        version = match["version"] if "." in match["version"] else f"{match['version']}.0"
        return f"{match['name']}-{version}-{'or-later' if match['later'] else 'only'}"
    return word
