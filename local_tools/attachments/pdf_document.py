"""Read PDF files with pdfium: the text of each page, and a rendered image of it."""

from collections.abc import Iterator, Sequence
from typing import Final

import pypdfium2
import pypdfium2.raw

from local_tools.attached_file import SIDE_LIMIT_PX, ContentImage
from local_tools.attachments.document import DocumentLine, FileError, FileFault, text_lines

_DRAWN_PAGES: Final = 4
# A page may declare a size of almost zero, by which the scale is divided.
_LEAST_SIDE: Final = 8.0


class Pdf:
    """A PDF file; pages are parsed on demand. Made for one call."""

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
        """Yield the lines of a page; a scanned page has none."""
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

    def drawn(self, part: int) -> ContentImage:
        """Render a page, no larger than the limit for images that are sent.

        Raises:
            FileError: The page is damaged.
        """
        from local_tools.attachments.pictures import encode_image  # noqa: PLC0415 - late, heavy

        try:
            page = self._pdf[part]
            longest = max(_LEAST_SIDE, *page.get_size())
            bitmap = page.render(scale=(SIDE_LIMIT_PX - 1) / longest, may_draw_forms=False)
            image = bitmap.to_pil().convert("RGB")
        except (pypdfium2.PdfiumError, ValueError) as exc:
            raise FileError(self._name, FileFault.BROKEN) from exc
        page.close()
        image.thumbnail((SIDE_LIMIT_PX, SIDE_LIMIT_PX))
        return encode_image(f"page-{part + 1}.png", image, is_lossless=True)


def draw_pages(document: Pdf, parts: Sequence[int]) -> tuple[ContentImage, ...]:
    """Render the first of these pages, up to the limit of images in a result."""
    return tuple(document.drawn(part) for part in parts[:_DRAWN_PAGES])
