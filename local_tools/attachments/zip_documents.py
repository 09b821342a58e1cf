"""Open zip packages within limits of size, and read the XML documents in them: ODF and EPUB."""

import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import PurePosixPath
from typing import Final
from urllib.parse import unquote
from xml.etree.ElementTree import Element, ParseError

from defusedxml import ElementTree
from defusedxml.common import DefusedXmlException

from local_tools.attachments.document import FileError, FileFault, PartedText, row_text
from local_tools.web.page import page_text

_ENTRIES_LIMIT: Final = 10_000
_UNPACKED_LIMIT_BYTES: Final = 256 * 1024 * 1024
# A zip bomb has a higher ratio: XML of tables shrinks to a fiftieth at best. Small files are none.
_RATIO_LIMIT: Final = 200
_RATIO_FROM_BYTES: Final = 16 * 1024 * 1024
_XML_LIMIT_BYTES: Final = 32 * 1024 * 1024
_REPEATED_CELLS_LIMIT: Final = 200
_CHAPTERS_LIMIT: Final = 2_000
# Python refuses to read numbers of thousands of digits.
_DIGITS: Final = 9
_TEXT: Final = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_TABLE: Final = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_DRAW: Final = "{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}"
_ODF_NAMES: Final = {
    "text": "document",
    "spreadsheet": "spreadsheet",
    "presentation": "presentation",
}


def opened_package(name: str, data: bytes) -> zipfile.ZipFile:
    """Open a zip file if its contents stay within the limits.

    Raises:
        FileError: It is damaged, encrypted, or would unpack to more than the limit.
    """
    try:
        package = zipfile.ZipFile(BytesIO(data))
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as exc:
        raise FileError(name, FileFault.BROKEN) from exc
    entries = package.infolist()
    unpacked = sum(entry.file_size for entry in entries)
    is_bomb = unpacked > _RATIO_FROM_BYTES and unpacked > _RATIO_LIMIT * len(data)
    if len(entries) > _ENTRIES_LIMIT or unpacked > _UNPACKED_LIMIT_BYTES or is_bomb:
        raise FileError(name, FileFault.TOO_LARGE)
    if any(entry.flag_bits & 1 for entry in entries):
        raise FileError(name, FileFault.LOCKED)
    return package


def open_odf(name: str, data: bytes) -> PartedText:
    """Open a text, spreadsheet or presentation of OpenDocument.

    Raises:
        FileError: It cannot be read.
    """
    with opened_package(name, data) as package:
        if b"encryption-data" in _member(name, package, "META-INF/manifest.xml", may_lack=True):
            raise FileError(name, FileFault.LOCKED)
        kind = _member(name, package, "mimetype", may_lack=True).decode("ascii", "replace")
        root = _xml(name, _member(name, package, "content.xml"))
    format_name = f"OpenDocument {_ODF_NAMES.get(kind.rpartition('.')[2].strip(), 'file')}"
    if "spreadsheet" in kind:
        sheets = list(root.iter(f"{_TABLE}table"))
        titles = [sheet.get(f"{_TABLE}name", "") for sheet in sheets]
        return PartedText(format_name, "sheet", titles, [_odf_text(sheet) for sheet in sheets])
    if "presentation" in kind:
        slides = list(root.iter(f"{_DRAW}page"))
        titles = [slide.get(f"{_DRAW}name", "") for slide in slides]
        return PartedText(format_name, "slide", titles, [_odf_text(slide) for slide in slides])
    return PartedText(format_name, "", ("",), (_odf_text(root),))


def open_epub(name: str, data: bytes) -> PartedText:
    """Open an electronic book; its chapters are the files of its reading order.

    Raises:
        FileError: It cannot be read.
    """
    with opened_package(name, data) as package:
        if "META-INF/encryption.xml" in package.namelist():
            encrypted = _member(name, package, "META-INF/encryption.xml")
            # Fonts may be scrambled in any book; what has keys is locked.
            if b"EncryptedKey" in encrypted:
                raise FileError(name, FileFault.LOCKED)
        container = _xml(name, _member(name, package, "META-INF/container.xml"))
        found = next((item for item in container.iter() if item.tag.endswith("}rootfile")), None)
        path = "" if found is None else found.get("full-path", "")
        book = _xml(name, _member(name, package, path))
        folder = PurePosixPath(path).parent
        chapters = [
            page_text(_member(name, package, str(folder / item), may_lack=True), *_AS_PAGE)
            for item in _reading_order(book)
        ]
    titles = [chapter.title for chapter in chapters]
    return PartedText("EPUB book", "chapter", titles, [chapter.text for chapter in chapters])


_AS_PAGE: Final = ("application/xhtml+xml", "", "")


def _reading_order(book: Element) -> list[str]:
    items = {
        item.get("id"): unquote(item.get("href", ""))
        for item in book.iter()
        if item.tag.endswith("}item")
    }
    order = [item.get("idref") for item in book.iter() if item.tag.endswith("}itemref")]
    return [items[each] for each in order if items.get(each)][:_CHAPTERS_LIMIT]


def _member(name: str, package: zipfile.ZipFile, path: str, *, may_lack: bool = False) -> bytes:
    try:
        with package.open(path) as member:
            # The size in the index cannot be trusted, so reading is limited as well.
            data = member.read(_XML_LIMIT_BYTES + 1)
    except KeyError as exc:
        if may_lack:
            return b""
        raise FileError(name, FileFault.BROKEN) from exc
    except (zipfile.BadZipFile, OSError, EOFError, ValueError, RuntimeError) as exc:
        raise FileError(name, FileFault.BROKEN) from exc
    if len(data) > _XML_LIMIT_BYTES:
        raise FileError(name, FileFault.TOO_LARGE)
    return data


def _xml(name: str, data: bytes) -> Element:
    try:
        root: Element = ElementTree.fromstring(data, forbid_dtd=False)
    except (ParseError, DefusedXmlException, ValueError, RecursionError) as exc:
        raise FileError(name, FileFault.BROKEN) from exc
    return root


def _odf_text(root: Element) -> str:
    return "\n".join(_odf_lines(root))


def _odf_lines(root: Element) -> Iterator[str]:
    """Yield paragraphs, headings and rows in order; without recursion, as nesting is anybody's."""
    left = [root]
    while left:
        item = left.pop()
        if item.tag == f"{_TEXT}h":
            level = item.get(f"{_TEXT}outline-level", "1")
            yield f"{'#' * min(6, _count(level))} {_words(item)}"
        elif item.tag == f"{_TEXT}p":
            yield _words(item)
        elif item.tag == f"{_TABLE}table-row":
            if row := row_text(list(_odf_cells(item))):
                yield row
        elif item.tag != f"{_TEXT}tracked-changes":
            left.extend(reversed(item))


def _odf_cells(row: Element) -> Iterator[str]:
    for cell in row:
        if not cell.tag.startswith(_TABLE):
            continue
        count = _count(cell.get(f"{_TABLE}number-columns-repeated", "1"))
        words = " ".join(_words(item) for item in cell.iter(f"{_TEXT}p"))
        yield from [words] * min(count, _REPEATED_CELLS_LIMIT)


def _count(text: str) -> int:
    """Return the number in an attribute, which may have any length; 1 for what is none."""
    return int(text[:_DIGITS]) if text.isdecimal() else 1


def _words(paragraph: Element) -> str:
    """Return the text of a paragraph with its tabulators and line breaks."""
    words = []
    left: list[Element | str] = [paragraph]
    while left:
        item = left.pop()
        if isinstance(item, str):
            words.append(item)
            continue
        if item.tag == f"{_TEXT}tab":
            words.append("\t")
        elif item.tag in (f"{_TEXT}s", f"{_TEXT}line-break"):
            words.append(" ")
        words.append(item.text or "")
        for child in reversed(item):
            left += [child.tail or "", child]
    return "".join(words)
