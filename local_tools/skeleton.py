"""Compute skeletons after UTS 39: texts that look alike have the same skeleton.

The table of look-alike characters is loaded at the first character that is not ASCII.
`BLANK_RANGES` are characters that look like nothing at all.
"""

import unicodedata
from functools import cache
from pathlib import Path
from typing import Final

TABLE: Final = Path(__file__).resolve().parent.parent / "resources" / "unicode" / "confusables.txt"
# The rows of the table for ASCII, so that plain names need not load the table.
_OF_ASCII: Final = str.maketrans(
    {'"': "''", "%": "º/₀", "0": "O", "1": "l", "I": "l", "`": "'", "m": "rn", "|": "l"}
)

BLANK_RANGES: Final = (
    (0x034F, 0x034F),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x2065, 0x2065),
    (0x2800, 0x2800),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFFC),
    (0x16FE4, 0x16FE4),
    (0x1D159, 0x1D159),
    (0xE0000, 0xE0FFF),
)
"""Characters, first and last, assigned as letters, marks or symbols, and drawn as nothing or as a
blank. U+FFFC among them stands for an embedded object."""


def skeleton(text: str) -> str:
    """Return the skeleton of a text: equal for texts that look alike; not for display."""
    if text.isascii():
        return text.translate(_OF_ASCII)
    letters = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFD", letters.translate(_table()))


def look_of(name: str) -> str:
    """Return the skeleton of a name; styled letters (bold, circled …) count as plain ones."""
    return skeleton(unicodedata.normalize("NFKC", name))


@cache
def plain_letters(letter: str) -> str:
    """Return the ASCII look-alike of a character that is not ASCII; empty if it has none."""
    looks = skeleton(letter)
    return looks if not letter.isascii() and looks.isascii() else ""


@cache
def _table() -> dict[int, str]:
    table: dict[int, str] = {}
    for line in TABLE.read_text(encoding="ascii").splitlines():
        if not line.startswith("#"):
            prototype, _, letters = line.partition(";")
            looks = "".join(chr(int(number, 16)) for number in prototype.split())
            table.update((int(number, 16), looks) for number in letters.split())
    return table
