"""Documents made for a test, whole and hostile; reading one as the program does.

What makes them takes a second to import, which each process of the tests would spend on collecting.
"""

import hashlib
import zipfile
from collections.abc import Mapping
from io import BytesIO, StringIO
from typing import Final

from local_tools.attached_file import AttachmentReference
from local_tools.attachments.file_tools import describe_attachment
from local_tools.canonical import freeze
from local_tools.execution.prepare import CallPlaces, prepare
from local_tools.execution.tool_runner import ToolRunner
from local_tools.outcome import ToolOutcome
from local_tools.tool import AnyTool
from tests.support.tool_calls import built_in

_CHAPTER: Final = "<html><head><title>{title}</title></head><body><p>{text}</p></body></html>"
OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


async def read(name: str, data: bytes, /, **selection: str | bool) -> ToolOutcome:
    """Read an attachment in a worker."""
    return await _run(built_in("read_attachment"), name, data, {"name": name, **selection})


async def describe(name: str, data: bytes) -> ToolOutcome:
    """Have a worker look at a file."""
    return await _run(describe_attachment, name, data, {"file": name})


async def _run(
    tool: AnyTool, name: str, data: bytes, given: Mapping[str, str | bool]
) -> ToolOutcome:
    reference = AttachmentReference(name, hashlib.sha256(data).hexdigest(), len(data))
    call = prepare(tool, freeze(given), CallPlaces(attachments=(reference,)))
    return await ToolRunner().run(call, content=data)


def pdf(*pages: str, unused: bytes = b"", bomb: bytes = b"", is_locked: bool = False) -> bytes:
    """Return a PDF with a line of text on each page.

    Args:
        pages: The lines.
        unused: Contents that no page shows.
        bomb: The contents of one more page, deflated twice.
        is_locked: It wants a password, which nobody knows.
    """
    streams = [f"BT /F1 12 Tf 72 700 Td ({text}) Tj ET".encode("latin-1") for text in pages]
    parts = [(b"", stream) for stream in streams]
    if bomb:
        parts.append((b"/Filter [/FlateDecode /FlateDecode] ", bomb))
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b""]
    kids = []
    for words, stream in parts:
        number = len(objects) + 1
        kids.append(f"{number} 0 R")
        font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
        page = (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {number + 1} 0 R"
            f" /Resources << /Font << /F1 {font} >> >> >>"
        )
        objects.append(page.encode())
        objects.append(_stream(stream, words))
    if unused:
        objects.append(_stream(unused))
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>".encode()
    lock = f"/Filter /Standard /V 1 /R 2 /P -4 /O <{'0a' * 32}> /U <{'0b' * 32}>"
    more = f" /Encrypt << {lock} >> /ID [<00> <00>]" if is_locked else ""
    return _pdf_of(objects, more)


def _stream(data: bytes, words: bytes = b"") -> bytes:
    return b"<< %s/Length %d >>\nstream\n%s\nendstream" % (words, len(data), data)


def _pdf_of(objects: list[bytes], more: str) -> bytes:
    out = bytearray(b"%PDF-1.4\n")
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    out += f"trailer << /Size {size} /Root 1 0 R{more} >>\nstartxref\n{start}\n%%EOF\n".encode()
    return bytes(out)


def word(*paragraphs: str, table: tuple[tuple[str, ...], ...] = ()) -> bytes:
    """Return a Word document with a heading, these paragraphs, and a table."""
    import docx  # noqa: PLC0415

    document = docx.Document()
    document.add_heading("Offer", level=1)
    for text in paragraphs:
        document.add_paragraph(text)
    if table:
        made = document.add_table(rows=0, cols=len(table[0]))
        for values in table:
            for cell, value in zip(made.add_row().cells, values, strict=True):
                cell.text = value
    return _saved(document)


def slides(*texts: tuple[str, str]) -> bytes:
    """Return a presentation with a title and notes on each slide."""
    import pptx  # noqa: PLC0415

    show = pptx.Presentation()
    for title, notes in texts:
        slide = show.slides.add_slide(show.slide_layouts[5])
        assert slide.shapes.title is not None
        slide.shapes.title.text = title
        frame = slide.notes_slide.notes_text_frame
        assert frame is not None
        frame.text = notes
    return _saved(show)


def workbook(**sheets: list[list[object]]) -> bytes:
    """Return a workbook with these sheets."""
    import openpyxl  # noqa: PLC0415

    book = openpyxl.Workbook()
    del book["Sheet"]
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    return _saved(book)


def _saved(document: object) -> bytes:
    out = BytesIO()
    document.save(out)  # type: ignore[attr-defined]  # each of the three has it
    return out.getvalue()


def package(members: dict[str, str | bytes]) -> bytes:
    """Return a zip file with these members."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in members.items():
            made.writestr(name, data)
    return out.getvalue()


def open_document(body: str, kind: str = "text") -> bytes:
    """Return an OpenDocument file whose contents have this body."""
    spaces = " ".join(
        f'xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for short, name in (
            ("office", "office"),
            ("text", "text"),
            ("table", "table"),
            ("draw", "drawing"),
        )
    )
    inside = f"<office:body>{body}</office:body>"
    content = f"<office:document-content {spaces}>{inside}</office:document-content>"
    mimetype = f"application/vnd.oasis.opendocument.{kind}"
    return package({"mimetype": mimetype, "content.xml": content})


def book(*chapters: tuple[str, str]) -> bytes:
    """Return an EPUB with these chapters: title and text."""
    out = StringIO()
    out.write('<package xmlns="http://www.idpf.org/2007/opf"><manifest>')
    for number in range(len(chapters)):
        out.write(f'<item id="c{number}" href="c%20{number}.xhtml"/>')
    out.write("</manifest><spine>")
    for number in range(len(chapters)):
        out.write(f'<itemref idref="c{number}"/>')
    out.write("</spine></package>")
    container = (
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
    )
    pages = {
        f"OEBPS/c {number}.xhtml": _CHAPTER.format(title=title, text=text)
        for number, (title, text) in enumerate(chapters)
    }
    return package(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": container,
            "OEBPS/book.opf": out.getvalue(),
            **pages,
        }
    )
