"""Read Word, PowerPoint and Excel files with their Python libraries; run no macro or formula."""

import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from typing import Final, TypeVar

from lxml import etree

from local_tools.attachments.document import (
    DocumentLine,
    FileError,
    FileFault,
    PartedText,
    row_text,
)
from local_tools.attachments.zip_documents import opened_package
from local_tools.errors import ToolError

_CELLS_LIMIT: Final = 5_000_000
_COLUMNS_LIMIT: Final = 256

# What the libraries raise about damaged or hostile files.
_FAILURES: Final = (
    *(ArithmeticError, AssertionError, AttributeError, EOFError, LookupError, OSError),
    *(RuntimeError, SyntaxError, TypeError, ValueError),
    *(etree.LxmlError, zipfile.BadZipFile, zlib.error),
)

T = TypeVar("T")


def opened_by(name: str, open_file: Callable[[], T]) -> T:
    """Open a possibly damaged or hostile file; turn whatever the library raises into `FileError`.

    Raises:
        FileError: It cannot be read.
    """
    try:
        with warnings.catch_warnings():
            # A warning about the contents of a user's file is no fault of this program.
            warnings.simplefilter("ignore")
            return open_file()
    except ToolError:
        raise
    except MemoryError as exc:
        raise FileError(name, FileFault.TOO_LARGE) from exc
    except _FAILURES as exc:
        raise FileError(name, FileFault.BROKEN) from exc


def open_docx(name: str, data: bytes) -> PartedText:
    """Open a Word document: paragraphs and tables in their order.

    Raises:
        FileError: It cannot be read.
    """
    opened_package(name, data).close()
    text = opened_by(name, lambda: "\n".join(_docx_lines(data)))
    return PartedText("Word document", "", ("",), (text,))


def _docx_lines(data: bytes) -> Iterator[str]:
    # Word documents are the most frequent of what is attached, and still rare.
    import docx  # noqa: PLC0415
    from docx.table import Table  # noqa: PLC0415

    for item in docx.Document(BytesIO(data)).iter_inner_content():
        if isinstance(item, Table):
            for row in item.rows:
                # A cell over several columns comes once for each.
                cells = list({id(cell._tc): cell.text for cell in row.cells}.values())  # noqa: SLF001
                yield row_text(cells)
            continue
        style = "" if item.style is None else item.style.name or ""
        level = style.removeprefix("Heading ")
        mark = "#" * int(level) + " " if level != style and level in "123456" else ""
        yield mark + item.text


def open_pptx(name: str, data: bytes) -> PartedText:
    """Open a presentation: text, tables and notes of each slide.

    Raises:
        FileError: It cannot be read.
    """
    opened_package(name, data).close()
    return opened_by(name, lambda: _slides(data))


def _slides(data: bytes) -> PartedText:
    import pptx  # noqa: PLC0415

    titles, texts = [], []
    for slide in pptx.Presentation(BytesIO(data)).slides:
        title = slide.shapes.title
        titles.append("" if title is None else " ".join(title.text_frame.text.split()))
        lines = list(_shape_lines(slide.shapes))
        frame = slide.notes_slide.notes_text_frame if slide.has_notes_slide else None
        if frame is not None and frame.text.strip():
            lines += ["Notes:", frame.text.strip()]
        texts.append("\n".join(lines))
    return PartedText("PowerPoint presentation", "slide", titles, texts)


def _shape_lines(shapes: object) -> Iterator[str]:
    left = list(reversed(list(shapes)))  # type: ignore[call-overload]  # any kind of its shapes
    while left:
        shape = left.pop()
        if getattr(shape, "shapes", None) is not None:
            left += reversed(list(shape.shapes))
        elif getattr(shape, "has_table", False):
            yield from (row_text([cell.text for cell in row.cells]) for row in shape.table.rows)
        elif getattr(shape, "has_text_frame", False) and shape.text_frame.text.strip():
            yield shape.text_frame.text.replace("\v", "\n")


def open_xlsx(name: str, data: bytes) -> "Workbook":
    """Open a workbook with its last computed values; evaluate no formula and follow no link.

    Raises:
        FileError: It cannot be read.
    """
    opened_package(name, data).close()
    return opened_by(name, lambda: Workbook(name, data))


class Workbook:
    """An Excel workbook, read row by row. Made for one call, ends with its process."""

    format_name: Final = "Excel workbook"
    unit: Final = "sheet"

    def __init__(self, name: str, data: bytes) -> None:
        import openpyxl  # noqa: PLC0415

        self._name = name
        self._book = openpyxl.load_workbook(
            BytesIO(data), read_only=True, data_only=True, keep_links=False, keep_vba=False
        )
        self.titles: Final[Sequence[str]] = tuple(self._book.sheetnames)

    def lines(self, part: int) -> Iterator[DocumentLine]:
        """Yield the rows that are not empty, with their numbers.

        Raises:
            FileError: The sheet is damaged, or has too many cells.
        """
        sheet = self._book[self.titles[part]]
        if not hasattr(sheet, "reset_dimensions"):
            yield DocumentLine(1, "(a chart)")
            return
        # The size that a sheet states is whatever its writer put there, so rows are counted.
        sheet.reset_dimensions()
        rows = opened_by(self._name, lambda: iter(sheet.iter_rows(values_only=True)))
        cells, number = 0, 0
        while (row := opened_by(self._name, lambda: next(rows, None))) is not None:
            number, cells = number + 1, cells + 1 + len(row)
            if cells > _CELLS_LIMIT:
                yield DocumentLine(number, f"[not read beyond {_CELLS_LIMIT:,} cells]")
                return
            if text := row_text(row[:_COLUMNS_LIMIT]):
                yield DocumentLine(number, text)
