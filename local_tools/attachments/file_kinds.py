"""Detect the type of a file by its first bytes, and open it accordingly."""

import csv
import gzip
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from io import BytesIO, StringIO
from typing import Final

from local_tools.attachments.document import (
    Document,
    FileError,
    FileFault,
    FileKind,
    PartedText,
    row_text,
)
from local_tools.canonical import clean_text

_PDF_BYTES: Final = 1024
_SAID_BYTES: Final = 100
_GZIP: Final = b"\x1f\x8b"
_GZIP_NAME: Final = re.compile(r"(?i)\.gz$")
_UNPACKED_LIMIT_BYTES: Final = 64 * 1024 * 1024
_PACKAGE: Final = b"PK\x03\x04"
_OLD_OFFICE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED: Final = "EncryptedPackage".encode("utf-16-le")
_IMAGES: Final = (
    b"\x89PNG\r\n\x1a\n",
    b"\xff\xd8\xff",
    b"GIF87a",
    b"GIF89a",
    b"BM",
    b"II*\0",
    b"MM\0*",
)
_HEIC_BRANDS: Final = frozenset(
    {b"heic", b"heix", b"heim", b"heis", b"hevc", b"mif1", b"msf1", b"avif", b"avis"}
)
_MARKS: Final = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_OFFICE: Final = {
    "word/document.xml": FileKind.DOCX,
    "ppt/presentation.xml": FileKind.PPTX,
    "xl/workbook.xml": FileKind.XLSX,
}
_CSV_NAME: Final = re.compile(r"(?i)\.(?:csv|tsv)$")
_HTML_NAME: Final = re.compile(r"(?i)\.x?html?$")
_SAMPLE_CHARS: Final = 16_384
_DELIMITERS: Final = ",;\t|"
# Control characters that text does not contain; in random bytes every eighth is one.
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_CONTROLS_SHARE: Final = 0.01


def kind_of(name: str, data: bytes) -> FileKind:
    """Return the type of a file by its contents; the name only tells text formats apart.

    Raises:
        FileError: The type is not supported.
    """
    return _kind(name, *unpacked(name, data))


def _kind(shown: str, name: str, data: bytes) -> FileKind:
    """Return the type of unpacked contents; `shown` is what the file is called."""
    if b"%PDF-" in data[:_PDF_BYTES]:
        return FileKind.PDF
    if _is_image(data):
        return FileKind.IMAGE
    if _is_heic(data):
        raise FileError(shown, FileFault.HEIC)
    if data.startswith(_PACKAGE):
        return _package_kind(shown, data)
    if data.startswith(_OLD_OFFICE):
        is_locked = _ENCRYPTED in data
        raise FileError(shown, FileFault.LOCKED if is_locked else FileFault.OLD_OFFICE)
    decoded(shown, data)
    return _kind_of_text(name)


def unpacked(name: str, data: bytes) -> tuple[str, bytes]:
    """Return a file that gzip has packed as it was before, with its name; any other as it is.

    Raises:
        FileError: It is damaged, or would unpack to more than the limit.
    """
    if not data.startswith(_GZIP):
        return name, data
    try:
        with gzip.GzipFile(fileobj=BytesIO(data)) as packed:
            inner = packed.read(_UNPACKED_LIMIT_BYTES + 1)
    except (OSError, EOFError, zlib.error) as exc:
        raise FileError(name, FileFault.BROKEN) from exc
    if len(inner) > _UNPACKED_LIMIT_BYTES:
        raise FileError(name, FileFault.TOO_LARGE)
    if not inner:
        raise FileError(name, FileFault.EMPTY)
    return _GZIP_NAME.sub("", name), inner


def text_kind(name: str, data: bytes) -> FileKind | None:
    """Return which kind of text a file is; None of anything that a worker has to look at."""
    is_other = _is_image(data) or _is_heic(data) or data.startswith((_PACKAGE, _OLD_OFFICE))
    if is_other or b"%PDF-" in data[:_PDF_BYTES]:
        return None
    try:
        decoded(name, data)
    except FileError:
        return None
    return _kind_of_text(name)


def _is_image(data: bytes) -> bool:
    return data.startswith(_IMAGES) or (data[:4] == b"RIFF" and data[8:12] == b"WEBP")


def _is_heic(data: bytes) -> bool:
    return data[4:8] == b"ftyp" and data[8:12] in _HEIC_BRANDS


def _kind_of_text(name: str) -> FileKind:
    if _CSV_NAME.search(name):
        return FileKind.CSV
    return FileKind.HTML if _HTML_NAME.search(name) else FileKind.TEXT


def open_document(name: str, data: bytes) -> Document:
    """Open a file as a document.

    Raises:
        FileError: It contains no text, cannot be read, or would take too much memory.
    """
    try:
        inner_name, inner = unpacked(name, data)
        return _opener(_kind(name, inner_name, inner))(name, inner)
    except MemoryError as exc:
        raise FileError(name, FileFault.TOO_LARGE) from exc


def _opener(kind: FileKind) -> Callable[[str, bytes], Document]:
    """Return what opens a kind of file; each library takes its time to be imported."""
    if kind is FileKind.PDF:
        from local_tools.attachments.pdf_document import Pdf  # noqa: PLC0415

        return Pdf
    if kind in _OFFICE.values():
        from local_tools.attachments import office  # noqa: PLC0415

        if kind is FileKind.XLSX:
            return office.open_xlsx
        return office.open_docx if kind is FileKind.DOCX else office.open_pptx
    if kind in (FileKind.ODF, FileKind.EPUB):
        from local_tools.attachments import zip_documents  # noqa: PLC0415

        return zip_documents.open_odf if kind is FileKind.ODF else zip_documents.open_epub
    return _OPENERS[kind]


def _open_html(name: str, data: bytes) -> PartedText:
    from local_tools.web.page import page_text  # noqa: PLC0415

    decoded(name, data)
    page = page_text(data, "text/html", "", "")
    return PartedText("web page", "", (page.title,), (page.text,))


def _open_table(name: str, data: bytes) -> PartedText:
    return PartedText("table", "", ("",), (_table_text(decoded(name, data)),))


def _open_text(name: str, data: bytes) -> PartedText:
    return PartedText("text", "", ("",), (decoded(name, data),))


def _refuse_image(name: str, data: bytes) -> PartedText:
    del data
    raise FileError(name, FileFault.UNKNOWN)


_OPENERS: Final[Mapping[FileKind, Callable[[str, bytes], PartedText]]] = {
    FileKind.HTML: _open_html,
    FileKind.CSV: _open_table,
    FileKind.TEXT: _open_text,
    FileKind.IMAGE: _refuse_image,
}


def decoded(name: str, data: bytes) -> str:
    """Return the text of a file.

    Raises:
        FileError: It is not text.
    """
    mark = next((encoding for sign, encoding in _MARKS if data.startswith(sign)), "")
    text = ""
    for encoding in (mark,) if mark else ("utf-8", "cp1252"):
        try:
            text = data.decode(encoding)
        except UnicodeError:
            continue
        break
    odd = len(_CONTROLS.findall(text[:_SAMPLE_CHARS]))
    if (data and not text) or "\0" in text or odd > _CONTROLS_SHARE * min(len(text), _SAMPLE_CHARS):
        raise FileError(name, FileFault.UNKNOWN)
    return clean_text(text)


def _package_kind(name: str, data: bytes) -> FileKind:
    try:
        with zipfile.ZipFile(BytesIO(data)) as package:
            names = frozenset(package.namelist())
            said = _beginning(package, "mimetype") if "mimetype" in names else b""
    except (zipfile.BadZipFile, zlib.error, ValueError, OSError, EOFError, RuntimeError) as exc:
        raise FileError(name, FileFault.BROKEN) from exc
    if said.startswith(b"application/vnd.oasis.opendocument."):
        return FileKind.ODF
    if said.startswith(b"application/epub+zip"):
        return FileKind.EPUB
    for path, kind in _OFFICE.items():
        if path in names:
            return kind
    raise FileError(name, FileFault.UNKNOWN)


def _beginning(package: zipfile.ZipFile, name: str) -> bytes:
    # Its bounds are not checked yet: a member may unpack to more than all memory.
    with package.open(name) as member:
        return member.read(_SAID_BYTES)


def _table_text(text: str) -> str:
    try:
        dialect = csv.Sniffer().sniff(text[:_SAMPLE_CHARS], _DELIMITERS)
    except csv.Error:
        return text
    try:
        return "\n".join(_rows(text, dialect))
    except csv.Error:
        return text


def _rows(text: str, dialect: type[csv.Dialect]) -> Iterator[str]:
    for row in csv.reader(StringIO(text), dialect):
        yield row_text(row)
