"""Pages of a PDF that are filled from the top: documents one below the other, cut between lines."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from PySide6.QtCore import (
    QByteArray,
    QFile,
    QFileDevice,
    QIODevice,
    QLocale,
    QMarginsF,
    QRectF,
    QUrl,
)
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QFont,
    QPageLayout,
    QPageSize,
    QPainter,
    QPalette,
    QPdfWriter,
    QTextDocument,
)
from PySide6.QtSvg import QSvgRenderer

INK: Final = "#1d1d1b"
"""The colour of words and formulas."""

_MARGIN_MM: Final = 20.0
_RESOLUTION_DPI: Final = 600
_POINTS_PER_INCH: Final = 72
_FOOTER_PT: Final = 8
_PAD_PT: Final = 6.0
# Countries in which paper is Letter, whatever they measure in.
_LETTER: Final = frozenset(
    {
        QLocale.Country.UnitedStates,
        QLocale.Country.Canada,
        QLocale.Country.Mexico,
        QLocale.Country.Philippines,
        QLocale.Country.Colombia,
        QLocale.Country.Chile,
        QLocale.Country.Venezuela,
    }
)


class InertDocument(QTextDocument):
    """A document that never loads anything, whatever its text names."""

    def loadResource(self, _kind: int, _name: QUrl | str) -> QByteArray:
        """Gives nothing."""
        return QByteArray()


class Paper:
    """A PDF file under way: `with Paper(…) as paper`, then `place` again and again.

    Sizes are in points. Made for one file; leaving the block ends it, and raises `OSError` if not
    everything could be written.
    """

    def __init__(self, path: Path, title: str, font: QFont, page_words: str) -> None:
        self._file = QFile(str(path))
        self._writer = QPdfWriter(self._file)
        self._writer.setResolution(_RESOLUTION_DPI)
        self._writer.setTitle(title)
        self._writer.setCreator("Parley")
        self._writer.setPageLayout(_page_layout())
        self._font = font
        self._page_words = page_words
        self._painter = QPainter()
        self._page = 1
        self._y = 0.0

    def __enter__(self) -> "Paper":
        is_open = self._file.open(QIODevice.OpenModeFlag.WriteOnly)
        if not is_open or not self._painter.begin(self._writer):
            raise OSError(self._file.errorString())
        self._number_page()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_error: object) -> None:
        self._painter.end()
        is_whole = self._file.flush() and self._file.error() is QFileDevice.FileError.NoError
        words = self._file.errorString()
        self._file.close()
        if kind is None and not is_whole:
            raise OSError(words)

    @property
    def width_pt(self) -> float:
        """How wide the text may be."""
        return self._writer.width() / self._px(1)

    def document(self, width_pt: float) -> InertDocument:
        """Make an empty document, to be filled and placed; `width_pt` is how wide it will be."""
        document = InertDocument()
        document.documentLayout().setPaintDevice(self._writer)
        document.setUndoRedoEnabled(False)
        document.setDocumentMargin(0)
        document.setDefaultFont(self._font)
        document.setTextWidth(self._px(width_pt))
        return document

    def skip(self, height_pt: float) -> None:
        """Leave room, except at the top of a page."""
        if self._y > 0:
            self._y += self._px(height_pt)

    def keep_together(self, height_pt: float) -> None:
        """Begin a new page unless so much room is left."""
        if self._y > 0 and self._y + self._px(height_pt) > self._writer.height():
            self._begin_page()

    def place(
        self,
        document: QTextDocument,
        left_pt: float = 0.0,
        *,
        fill: QColor | None = None,
        edges_pt: tuple[float, ...] = (),
    ) -> Iterator[None]:
        """Draw the document below what is there, over as many pages as it takes.

        Args:
            document: Made by `document`.
            left_pt: How far it is moved in.
            fill: What is behind it.
            edges_pt: Where lines stand to the left of it: it is quoted.
        """
        if fill is not None:
            self.skip(_PAD_PT / 2)
        drawn, height = 0.0, document.size().height()
        groups = _groups_of(document)
        while drawn < height:
            room = self._writer.height() - self._y
            end = _cut(groups, drawn, drawn + room, is_page_empty=self._y == 0)
            if end > drawn:
                self._draw(document, (drawn, end), left_pt, fill, edges_pt)
                self._y += end - drawn
                drawn = end
                yield
            if drawn < height - 1:
                self._begin_page()
            else:
                drawn = height
        if fill is not None:
            self.skip(_PAD_PT / 2)

    def place_picture(
        self, svg: bytes, size_pt: tuple[float, float], left_pt: float, edges_pt: tuple[float, ...]
    ) -> None:
        """Draw a picture in the middle, whole: smaller if the page is."""
        wide, high = size_pt
        room = self._px(self.width_pt - left_pt)
        scale = min(1.0, room / self._px(wide), self._writer.height() / self._px(high))
        width, height = self._px(wide) * scale, self._px(high) * scale
        self.keep_together(height / self._px(1))
        left = self._px(left_pt) + (room - width) / 2
        self._draw_edges(height, edges_pt)
        QSvgRenderer(svg).render(self._painter, QRectF(left, self._y, width, height))
        self._y += height

    def _draw_edges(self, height: float, edges_pt: tuple[float, ...]) -> None:
        for edge in edges_pt:
            line = QRectF(self._px(edge), self._y, self._px(1.5), height)
            self._painter.fillRect(line, QColor("#c8c7c2"))

    def _draw(
        self,
        document: QTextDocument,
        part: tuple[float, float],
        left_pt: float,
        fill: QColor | None,
        edges_pt: tuple[float, ...],
    ) -> None:
        painter, (start, end) = self._painter, part
        left, width = self._px(left_pt), document.textWidth()
        if fill is not None:
            box = QRectF(left, self._y, width, end - start)
            wide, high = self._px(_PAD_PT), self._px(_PAD_PT / 2)
            painter.fillRect(box.adjusted(-wide, -high, wide, high), fill)
        self._draw_edges(end - start, edges_pt)
        painter.save()
        painter.translate(left, self._y - start)
        painter.setClipRect(QRectF(0, start, width, end - start))
        context = QAbstractTextDocumentLayout.PaintContext()
        palette = QPalette()
        palette.setColor(QPalette.ColorRole.Text, QColor(INK))
        context.palette = palette
        context.clip = QRectF(0, start, width, end - start)
        document.documentLayout().draw(painter, context)
        painter.restore()

    def _begin_page(self) -> None:
        self._writer.newPage()
        self._page += 1
        self._y = 0.0
        self._number_page()

    def _number_page(self) -> None:
        font = QFont(self._font)
        font.setPointSizeF(_FOOTER_PT)
        self._painter.setFont(font)
        self._painter.setPen(QColor("#5d5c57"))
        words = self._page_words.format(number=self._page)
        width = self._painter.fontMetrics().horizontalAdvance(words)
        below = self._writer.height() + self._px(26)
        self._painter.drawText(int((self._writer.width() - width) / 2), int(below), words)

    def _px(self, points: float) -> float:
        return points * _RESOLUTION_DPI / _POINTS_PER_INCH


def _page_layout() -> QPageLayout:
    is_letter = QLocale().territory() in _LETTER
    size = QPageSize.PageSizeId.Letter if is_letter else QPageSize.PageSizeId.A4
    margins = QMarginsF(_MARGIN_MM, _MARGIN_MM, _MARGIN_MM, _MARGIN_MM)
    return QPageLayout(
        QPageSize(size), QPageLayout.Orientation.Portrait, margins, QPageLayout.Unit.Millimeter
    )


def _groups_of(document: QTextDocument) -> list[tuple[float, float]]:
    """Tops and bottoms of what no cut may go through: lines, with those that stand beside them."""
    layout, lines = document.documentLayout(), list[tuple[float, float]]()
    block = document.begin()
    while block.isValid():
        top = layout.blockBoundingRect(block).top()
        rows = block.layout()
        for number in range(rows.lineCount()):
            rect = rows.lineAt(number).rect()
            lines.append((top + rect.top(), top + rect.bottom()))
        block = block.next()
    groups: list[tuple[float, float]] = []
    for start, end in sorted(lines):
        if groups and start < groups[-1][1] - 1:
            groups[-1] = (groups[-1][0], max(groups[-1][1], end))
        else:
            groups.append((start, end))
    return groups


def _cut(
    groups: list[tuple[float, float]], start: float, limit: float, *, is_page_empty: bool
) -> float:
    """Where a page ends: behind the last group that fits, or through one larger than a page."""
    bottom = groups[-1][1] if groups else start
    if bottom <= limit:
        return max(bottom, start + 1)
    fitting = [end for _, end in groups if start < end <= limit]
    if fitting:
        return fitting[-1]
    return limit if is_page_empty else start
