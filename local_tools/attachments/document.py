"""The interface of attached documents: parts (pages, slides, sheets) with numbered lines.

A PDF has pages, a presentation slides, a book chapters, a workbook sheets; any other file is one
part. Lines are produced lazily, so that of a long document only the requested part is parsed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

from local_tools.errors import ToolError

# Longer lines are split into several, which are numbered on.
LINE_LIMIT_CHARS: Final = 4_000


class FileKind(StrEnum):
    """The type of a file, by its contents; by its name where the contents do not tell."""

    TEXT = "text"
    CSV = "csv"
    HTML = "html"
    PDF = "pdf"
    DOCX = "docx"
    PPTX = "pptx"
    XLSX = "xlsx"
    ODF = "odf"
    EPUB = "epub"
    IMAGE = "image"


class FileFault(StrEnum):
    """Why a file cannot be read at all."""

    UNKNOWN = "unknown"
    """Its type is not supported."""
    LOCKED = "locked"
    """It needs a password."""
    BROKEN = "broken"
    TOO_LARGE = "too_large"
    """Unpacked, it would exceed the limits."""
    OLD_OFFICE = "old_office"
    """It has the binary format of Office before 2007 (`.doc`, `.xls`, `.ppt`)."""
    HEIC = "heic"
    """It is a HEIC or AVIF image, which is not decoded here."""
    NO_FILE = "no_file"
    """It is a folder, a pipe or a device."""
    EMPTY = "empty"
    OVER_LIMIT = "over_limit"
    """It is larger than `ATTACHMENT_LIMIT_BYTES`."""
    UNREADABLE = "unreadable"
    SLOW = "slow"
    """It could not be read in time, as from a network drive that does not answer."""


_WORDS: Final = {
    FileFault.UNKNOWN: "{name} is of no kind that can be read here.",
    FileFault.LOCKED: "{name} is locked with a password, so it cannot be read.",
    FileFault.BROKEN: "{name} is damaged, so it cannot be read.",
    FileFault.TOO_LARGE: "{name} would become too large once unpacked, so it is not read.",
    FileFault.OLD_OFFICE: "{name} is of an old kind of Office file, which is not read here.",
    FileFault.HEIC: "{name} is a HEIC image, which cannot be opened here.",
    FileFault.NO_FILE: "{name} is no file.",
    FileFault.EMPTY: "{name} is empty.",
    FileFault.OVER_LIMIT: "{name} is too large.",
    FileFault.UNREADABLE: "{name} cannot be read.",
    FileFault.SLOW: "{name} could not be read in time.",
}


class FileError(ToolError):
    """A file cannot be read at all; `fault` says why."""

    def __init__(self, name: str, fault: FileFault) -> None:
        super().__init__(_WORDS[fault].format(name=name))
        self.fault: Final = fault


@dataclass(frozen=True, slots=True)
class DocumentLine:
    """A line or row; numbers start at 1 in each part, empty lines are left out but counted."""

    number: int
    text: str


class Document(Protocol):
    """An opened document. Made for one call, in the worker, and ends with that process."""

    @property
    def format_name(self) -> str:
        """The name of the format for people, such as "PDF"."""

    @property
    def unit(self) -> str:
        """The English word for a part ("page"); empty if there is only one part."""

    @property
    def titles(self) -> Sequence[str]:
        """The titles of the parts, in order; an empty string for a part without one."""

    def lines(self, part: int) -> Iterator[DocumentLine]:
        """Yield the lines of a part; parts are numbered from 0.

        Raises:
            FileError: The part is damaged.
        """


@dataclass(frozen=True, slots=True)
class PartedText:
    """A document whose parts are strings in memory."""

    format_name: str
    unit: str
    titles: Sequence[str]
    texts: Sequence[str]

    def lines(self, part: int) -> Iterator[DocumentLine]:
        """Yield the lines of a text."""
        yield from text_lines(self.texts[part])


def text_lines(text: str) -> Iterator[DocumentLine]:
    """Yield the lines of a text; a line that is too long is split into several numbered lines."""
    number = 0
    for line in text.splitlines():
        for start in range(0, max(1, len(line)), LINE_LIMIT_CHARS):
            number += 1
            yield DocumentLine(number, line[start : start + LINE_LIMIT_CHARS])


def row_text(cells: Sequence[object]) -> str:
    """Return the cells of a row on one line; empty ones at its end are left out."""
    words = [_cell_text(cell) for cell in cells]
    while words and not words[-1]:
        words.pop()
    return " | ".join(words)


def _cell_text(cell: object) -> str:
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    return " ".join(str(cell).split())
