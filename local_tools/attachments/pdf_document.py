"""PDF files by pdfium: the text of each page."""

from collections.abc import Iterator, Sequence
from typing import Final

import pypdfium2
import pypdfium2.raw

from local_tools.attachments.document import DocumentLine, FileError, FileFault, text_lines


class Pdf:
    """A PDF file whose pages are read when they are asked for. Made for one call."""

    format_name: Final = "PDF"
    unit: Final = "page"

    def __init__(self, name: str, data: bytes) -> None:
        """Open a file.

        Raises:
            FileError: It is damaged, or locked with a password.
        """
        self._name = name
        try:
            self._pdf = pypdfium2.PdfDocument(data)
        except pypdfium2.PdfiumError as exc:
            is_locked = exc.err_code == pypdfium2.raw.FPDF_ERR_PASSWORD
            raise FileError(name, FileFault.LOCKED if is_locked else FileFault.BROKEN) from exc
        if not len(self._pdf):
            raise FileError(name, FileFault.BROKEN)
        self.titles: Final[Sequence[str]] = ("",) * len(self._pdf)

    def lines(self, part: int) -> Iterator[DocumentLine]:
        """Yield the lines of a page; a page that is only a picture has none."""
        try:
            page = self._pdf[part]
            text_page = page.get_textpage()
            text = text_page.get_text_range()
        except pypdfium2.PdfiumError:
            # One damaged page keeps nobody from reading the others.
            yield DocumentLine(1, "(this page is damaged)")
            return
        text_page.close()
        page.close()
        yield from text_lines(text.replace("\ufffe", "").replace("\r\n", "\n"))
