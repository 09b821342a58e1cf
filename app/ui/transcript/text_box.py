"""A stretch of text laid out at a width: the only place where documents are made."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QByteArray, QPointF, QRectF, Qt, QUrl
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QFont,
    QPalette,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextOption,
    QTextTable,
)

from app.ui.markdown.mirroring import begins_right_to_left, mirror_columns
from app.ui.markdown.safe_html import SafeHtml
from app.ui.markdown.source import BREAK_MARK, RUN_LIMIT, break_runs
from app.ui.parts.tokens import Token
from app.ui.transcript.brush import Brush
from app.ui.transcript.decoration import CODE_SHEET, Decoration, x_in_line
from app.ui.transcript.look import Look
from app.ui.transcript.spots import Span

# To the left of letters that go leftwards, a caret needs as much.
_CARET_ROOM_PX: Final = 12
_FIXED_HEIGHT: Final = QTextBlockFormat.LineHeightTypes.FixedHeight.value
_BREAKS: Final = str.maketrans({"\u2029": "\n", "\u2028": "\n", BREAK_MARK: None})


@dataclass(frozen=True, slots=True)
class PlacedLink:
    """A link: its address, the words that stand for it, and where they are, line by line."""

    address: str
    words: str
    boxes: tuple[QRectF, ...]


class _InertDocument(QTextDocument):
    """A document that never loads anything, whatever its text names."""

    def loadResource(self, _kind: int, _name: QUrl | str) -> QByteArray:
        """Gives nothing."""
        return QByteArray()


class TextBox:
    """Text in one document: measured, painted, and asked what is where.

    Lines are `line_px` high whatever letters they hold. Code goes from left to right, whatever
    letters it begins with; without `breaks_lines`, lines are as long as they are. Made by a row
    or a piece of one, and let go with it or when it is far from the window.
    """

    def __init__(
        self,
        look: Look,
        font: QFont,
        line_px: int,
        *,
        is_code: bool = False,
        breaks_lines: bool = True,
    ) -> None:
        self._look = look
        self._line_px = line_px
        self._document = _InertDocument()
        self._document.setUndoRedoEnabled(False)
        self._document.setDocumentMargin(0)
        self._document.setDefaultFont(font)
        self._document.setDefaultStyleSheet(CODE_SHEET)
        self._document.setDefaultTextOption(_option(is_code=is_code, breaks_lines=breaks_lines))
        # Letters sit at the foot of a line of fixed height; half of what is spare goes below.
        self._rise = (line_px - _natural_height(font)) / 2
        self._decoration = Decoration(self._document)
        self._is_mirrored = False

    @property
    def document(self) -> QTextDocument:
        """The document, to be coloured or read."""
        return self._document

    @property
    def length(self) -> int:
        """The number of positions."""
        return self._document.characterCount() - 1

    def show_html(self, html: SafeHtml) -> None:
        """Show markup; links and code in it are dressed as the theme has them."""
        self._show_markup(str(html))

    def show_table(self, html: SafeHtml) -> None:
        """Show a table over the whole width, its first column where its text begins."""
        look, markup = self._look, str(html)
        self._is_mirrored = begins_right_to_left(markup)
        if self._is_mirrored:
            markup = mirror_columns(markup)
        above, between, below = look.scaled(3), look.scaled(14), look.scaled(5)
        sides = (0, below, between) if self._is_mirrored else (between, below, 0)
        self._document.setDefaultStyleSheet(
            f"th, td {{ border-bottom: 1px solid {look.color('line').name()};"
            f" padding: {above}px {sides[0]}px {sides[1]}px {sides[2]}px; }}"
            "th { font-weight: 600; text-align: left; }" + CODE_SHEET
        )
        self._show_markup(markup.replace("<table>", '<table cellspacing="0" width="100%">', 1))

    @property
    def table(self) -> QTextTable | None:
        """The table, if that is what is shown."""
        frame = next(iter(self._document.rootFrame().childFrames()), None)
        return frame if isinstance(frame, QTextTable) else None

    @property
    def is_mirrored(self) -> bool:
        """Whether it is a table that begins on the right."""
        return self._is_mirrored

    @property
    def columns(self) -> Sequence[int]:
        """The numbers of the columns in the order of reading."""
        count = self.table.columns() if self.table else 0
        return range(count - 1, -1, -1) if self._is_mirrored else range(count)

    def _show_markup(self, markup: str) -> None:
        self._document.setHtml(markup)
        self._space_lines(0)
        if "<a " in markup or "<code>" in markup:
            self._decoration.dress(self._look)

    def show_plain(self, text: str) -> None:
        """Show text as it is."""
        self._document.setPlainText(break_runs(text))
        self._space_lines(0)

    def append_plain(self, text: str) -> None:
        """Show more text after what is shown."""
        last = self._document.lastBlock()
        first = last.blockNumber()
        cursor = QTextCursor(last)
        keep = QTextCursor.MoveMode.MoveAnchor
        if last.length() + len(text) > RUN_LIMIT:
            # A line that grows long is broken where it would be, had it come at once.
            text = last.text().replace(BREAK_MARK, "") + text
            keep = QTextCursor.MoveMode.KeepAnchor
        cursor.movePosition(QTextCursor.MoveOperation.End, keep)
        cursor.insertText(break_runs(text))
        self._space_lines(first)

    def set_width(self, width: float) -> None:
        """Lay the text out at this width."""
        if self._document.textWidth() != width:
            self._document.setTextWidth(width)
        self._decoration.forget_boxes()

    @property
    def height(self) -> float:
        """How high the text is at its width."""
        return self._document.size().height()

    @property
    def content_width(self) -> float:
        """How wide the longest line is, laid out as it is now."""
        return self._document.idealWidth()

    @property
    def has_broken_lines(self) -> bool:
        """Whether a line goes on in the next one."""
        return self.height > (self._document.blockCount() + 0.5) * self._line_px

    def natural_width(self, limit: float) -> float:
        """Return how wide the text wants to be, at most `limit`; lays it out at that width."""
        self.set_width(limit)
        width = min(limit, self._document.idealWidth() + 1)
        self.set_width(width)
        return width

    def paint(self, brush: Brush, origin: QPointF, ink: Token, span: Span | None) -> None:
        """Draw what is visible of the text, its top left corner at `origin`."""
        painter = brush.painter
        context = QAbstractTextDocumentLayout.PaintContext()
        palette = context.palette
        palette.setColor(QPalette.ColorRole.Text, self._look.color(ink))
        context.palette = palette
        if span:
            context.selections = [self._selection(span)]
        top = brush.top - origin.y()
        painter.save()
        painter.translate(origin.x(), origin.y() - self._rise)
        clip = QRectF(0, top, self._document.size().width(), brush.bottom - brush.top)
        if painter.hasClipping():
            # Of a wide table, cells that are not seen are not drawn at all.
            seen = painter.clipBoundingRect()
            clip.setLeft(max(clip.left(), seen.left()))
            clip.setRight(min(clip.right(), seen.right()))
        context.clip = clip
        self._decoration.paint(painter, self._look)
        self._document.documentLayout().draw(painter, context)
        painter.restore()

    def position_at(self, point: QPointF) -> int:
        """Return the position nearest to `point`."""
        layout = self._document.documentLayout()
        lowered = QPointF(point.x(), point.y() + self._rise)
        return max(0, layout.hitTest(lowered, Qt.HitTestAccuracy.FuzzyHit))

    def end_box(self, position: int | None = None) -> QRectF:
        """Return where a letter after this position, or after the last one, would stand."""
        block = self._document.findBlock(self.length if position is None else position)
        place = self._document.documentLayout().blockBoundingRect(block)
        layout = block.layout()
        line = layout.lineAt(layout.lineCount() - 1)
        if not line.isValid():
            return QRectF(place.left(), place.top(), 0, self._line_px)
        x = place.left() + x_in_line(line, block.length() - 1)
        if block.textDirection() == Qt.LayoutDirection.RightToLeft:
            x -= _CARET_ROOM_PX
        return QRectF(x, place.top() + line.y() - self._rise, 0, line.height())

    @property
    def plain(self) -> str:
        """The text with one letter of UTF-16 for each position."""
        return self._document.toPlainText()

    @property
    def rise(self) -> float:
        """How far the letters are drawn above where the document has them."""
        return self._rise

    def links(self) -> list[PlacedLink]:
        """Return the links."""
        found = []
        for link in self._decoration.links:
            boxes = self._decoration.boxes_of(link.span_first, link.span_last)
            words = self.text(Span(link.span_first, link.span_last))
            if boxes:
                placed = tuple(box.translated(0, -self._rise) for box in boxes)
                found.append(PlacedLink(link.address, words, placed))
        return found

    def text(self, span: Span) -> str:
        """Return the characters as a person reads them."""
        cursor = self._cursor(span)
        return cursor.selectedText().translate(_BREAKS)

    def word_at(self, position: int) -> Span:
        """Return the word around a position."""
        cursor = QTextCursor(self._document)
        cursor.setPosition(min(position, self.length))
        cursor.select(QTextCursor.SelectionType.WordUnderCursor)
        return Span(cursor.selectionStart(), cursor.selectionEnd())

    @property
    def is_right_to_left(self) -> bool:
        """Whether the text begins on the right."""
        return self._document.begin().textDirection() == Qt.LayoutDirection.RightToLeft

    def _space_lines(self, first_block: int) -> None:
        cursor = QTextCursor(self._document.findBlockByNumber(first_block))
        cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        spaced = QTextBlockFormat()
        spaced.setLineHeight(self._line_px, _FIXED_HEIGHT)
        cursor.mergeBlockFormat(spaced)

    def _cursor(self, span: Span) -> QTextCursor:
        cursor = QTextCursor(self._document)
        cursor.setPosition(min(span.first, self.length))
        cursor.setPosition(min(span.last, self.length), QTextCursor.MoveMode.KeepAnchor)
        return cursor

    def _selection(self, span: Span) -> QAbstractTextDocumentLayout.Selection:
        selection = QAbstractTextDocumentLayout.Selection()
        selection.cursor = self._cursor(span)
        marked = QTextCharFormat()
        marked.setBackground(self._look.color("accent"))
        marked.setForeground(self._look.color("on-accent"))
        selection.format = marked
        return selection


def _option(*, is_code: bool, breaks_lines: bool) -> QTextOption:
    modes = QTextOption.WrapMode
    option = QTextOption()
    option.setWrapMode(modes.WrapAtWordBoundaryOrAnywhere if breaks_lines else modes.NoWrap)
    if is_code:
        option.setTextDirection(Qt.LayoutDirection.LeftToRight)
    return option


def _natural_height(font: QFont) -> float:
    probe = QTextDocument()
    probe.setDocumentMargin(0)
    probe.setDefaultFont(font)
    return probe.size().height()
