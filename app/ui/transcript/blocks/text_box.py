"""`TextBox` lays out text at a width; all text documents of the transcript are made here.

`PlacedTextBox` is a text box at its place in a row; it maps points to letters and back.
`Decoration` formats links and inline code, and draws the chips around code.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import Final, cast

from PySide6.QtCore import QByteArray, QPointF, QRectF, Qt, QUrl
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QFont,
    QPainter,
    QPalette,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFragment,
    QTextLine,
    QTextOption,
)

from app.ui.markdown.sanitize import BREAK_MARK, RUN_LIMIT, SafeHtml, break_runs, note_number
from app.ui.transcript.painting import PaintContext, TranscriptStyle
from app.ui.transcript.selection import TextRange
from app.ui.widgets.stylesheet import Token

_ROOM_PX: Final = 5
# Where there is no room, as at the beginning of a line.
_NO_ROOM_PX: Final = 2
_CHIP_RADIUS_PX: Final = 5
_CHIP_INSET_PX: Final = 1
_CODE_FAMILY: Final = "monospace"
CODE_SHEET: Final = f"code {{ font-family: {_CODE_FAMILY}; white-space: pre-wrap; }}"
"""Marks inline code in a document, so that it can be found again; its blanks count."""

_ABSOLUTE: Final = QFont.SpacingType.AbsoluteSpacing


@dataclass(frozen=True, slots=True)
class _StyledRange:
    """The range of a link, or of code when `address` is empty."""

    span_first: int
    span_last: int
    address: str = ""


class Decoration:
    """Finds links and code in a document, formats them, and draws the chips.

    Made by the text box whose document it decorates; ends with it.
    """

    def __init__(self, document: QTextDocument) -> None:
        self._document = document
        self._codes: list[_StyledRange] = []
        self._chips: list[QRectF] | None = None
        self.links: list[_StyledRange] = []

    def apply_style(self, style: TranscriptStyle) -> None:
        """Format links and code; once after each new text."""
        self._codes, self.links = [], []
        block = self._document.begin()
        while block.isValid():
            step = block.begin()
            while not step.atEnd():
                self._collect(step.fragment())
                step += 1
            block = block.next()
        for link in self.links:
            self._merge(link.span_first, link.span_last, _link_format(style, link.address))
        for code in self._codes:
            self._format_code(code, style)
        self.clear_boxes()

    def clear_boxes(self) -> None:
        """Drop the measured boxes: the text has another width."""
        self._chips = None

    def boxes_of(self, first: int, last: int) -> list[QRectF]:
        """Return the boxes of the characters from `first` to before `last`, line by line."""
        return boxes_in(self._document, first, last)

    def paint(self, painter: QPainter, style: TranscriptStyle) -> None:
        """Draw the chips."""
        if self._chips is None:
            self._chips = [chip for code in self._codes for chip in self._chips_of(code)]
        for chip in self._chips:
            style.draw_panel(painter, chip, "code-bg", "line", _CHIP_RADIUS_PX)

    def _collect(self, fragment: QTextFragment) -> None:
        first, last = fragment.position(), fragment.position() + fragment.length()
        char_format = fragment.charFormat()
        if char_format.isAnchor() and char_format.anchorHref():
            before = self.links[-1] if self.links else None
            # Qt divides a link where its format changes, as at a bold word.
            if before and before.span_last == first and before.address == char_format.anchorHref():
                first = before.span_first
                self.links.pop()
            self.links.append(_StyledRange(first, last, char_format.anchorHref()))
        if _CODE_FAMILY in (char_format.fontFamilies() or []):
            self._codes.append(_StyledRange(fragment.position(), last))

    def _format_code(self, code: _StyledRange, style: TranscriptStyle) -> None:
        plain = QTextCharFormat()
        plain.setFont(
            style.mono, QTextCharFormat.FontPropertiesInheritanceBehavior.FontPropertiesAll
        )
        self._merge(code.span_first, code.span_last, plain)
        if self._is_mirrored(code):
            return
        # Room for the chip's sides, without characters that a copy would carry along.
        spread = QTextCharFormat()
        spread.setFontLetterSpacingType(_ABSOLUTE)
        spread.setFontLetterSpacing(_ROOM_PX + 1)
        self._merge(code.span_last - 1, code.span_last, spread)
        block = self._document.findBlock(code.span_first)
        if code.span_first > block.position():
            self._merge(code.span_first - 1, code.span_first, spread)
        else:
            indented = QTextBlockFormat()
            indented.setTextIndent(_ROOM_PX)
            QTextCursor(block).mergeBlockFormat(indented)

    def _chips_of(self, code: _StyledRange) -> list[QRectF]:
        boxes = self.boxes_of(code.span_first, code.span_last)
        # Among letters that go leftwards there is no room: the chip keeps to the blanks.
        lefts = [_NO_ROOM_PX] * len(boxes)
        rights = lefts.copy()
        if boxes and not self._is_mirrored(code):
            lefts[0] = _NO_ROOM_PX if self._begins_wrapped_line(code) else _ROOM_PX
            rights[-1] = -1
        return [
            box.adjusted(-left, _CHIP_INSET_PX, right, -_CHIP_INSET_PX)
            for box, left, right in zip(boxes, lefts, rights, strict=True)
        ]

    def _begins_wrapped_line(self, code: _StyledRange) -> bool:
        block = self._document.findBlock(code.span_first)
        first = code.span_first - block.position()
        return first > 0 and block.layout().lineForTextPosition(first).textStart() == first

    def _is_mirrored(self, code: _StyledRange) -> bool:
        block = self._document.findBlock(code.span_first)
        return block.textDirection() == Qt.LayoutDirection.RightToLeft

    def _merge(self, first: int, last: int, char_format: QTextCharFormat) -> None:
        cursor = QTextCursor(self._document)
        cursor.setPosition(first)
        cursor.setPosition(last, QTextCursor.MoveMode.KeepAnchor)
        cursor.mergeCharFormat(char_format)


def _link_format(style: TranscriptStyle, address: str) -> QTextCharFormat:
    char_format = QTextCharFormat()
    char_format.setForeground(style.color("accent"))
    # What leads to a note is in brackets.
    char_format.setFontUnderline(note_number(address) is None)
    return char_format


def x_in_line(line: QTextLine, position: int) -> float:
    """Return the left edge of the letter at a position of the block."""
    # PySide6 returns a tuple, which its type stubs do not say.
    x, _ = cast("tuple[float, int]", line.cursorToX(position))
    return x


def boxes_in(document: QTextDocument, first: int, last: int) -> list[QRectF]:
    """Return the boxes of characters of one paragraph, line by line."""
    block = document.findBlock(first)
    # Before the lines are counted: this has Qt lay the block out, which it does when asked only.
    top_left = document.documentLayout().blockBoundingRect(block).topLeft()
    layout = block.layout()
    boxes = []
    for number in range(layout.lineCount()):
        line = layout.lineAt(number)
        if box := _box_in_line(line, first - block.position(), last - block.position()):
            boxes.append(box.translated(top_left))
    return boxes


def _box_in_line(line: QTextLine, first: int, last: int) -> QRectF | None:
    start, end = line.textStart(), line.textStart() + line.textLength()
    if last <= start or first >= end:
        return None
    one, other = x_in_line(line, max(first, start)), x_in_line(line, min(last, end))
    return QRectF(min(one, other), line.y(), abs(other - one), line.height())


# To the left of letters that go leftwards, a caret needs as much.
_CARET_ROOM_PX: Final = 12
_FIXED_HEIGHT: Final = QTextBlockFormat.LineHeightTypes.FixedHeight.value
_BREAKS: Final = str.maketrans({"\u2029": "\n", "\u2028": "\n", BREAK_MARK: None})


@dataclass(frozen=True, slots=True)
class PlacedLink:
    """A link: its address, its words, and their boxes, line by line."""

    address: str
    words: str
    boxes: tuple[QRectF, ...]


class _InertDocument(QTextDocument):
    """A document that never loads anything, whatever its text names."""

    def loadResource(self, _kind: int, _name: QUrl | str) -> QByteArray:
        """Return nothing."""
        return QByteArray()


class TextBox:
    """Lays out, paints and hit-tests the text of one document.

    Lines are `line_px` high whatever letters they hold. Code goes from left to right, whatever
    letters it begins with; without `breaks_lines`, lines are as long as they are. Made by a row
    or a piece of one, and let go with it or when it is far from the window.
    """

    def __init__(
        self,
        style: TranscriptStyle,
        font: QFont,
        line_px: int,
        *,
        is_code: bool = False,
        breaks_lines: bool = True,
    ) -> None:
        self._style = style
        self._line_px = line_px
        self._document = _InertDocument()
        # An undo stack would keep every piece that a growing reply came in.
        self._document.setUndoRedoEnabled(False)
        self._document.setDocumentMargin(0)
        self._document.setDefaultFont(font)
        self._document.setDefaultStyleSheet(CODE_SHEET)
        self._document.setDefaultTextOption(_option(is_code=is_code, breaks_lines=breaks_lines))
        # Letters sit at the foot of a line of fixed height; half of what is spare goes below.
        self._rise = (line_px - _natural_height(font)) / 2
        self._decoration = Decoration(self._document)

    @property
    def document(self) -> QTextDocument:
        """The document, to be coloured or read."""
        return self._document

    @property
    def length(self) -> int:
        """The number of positions."""
        # Qt counts the end of the last paragraph as a character.
        return self._document.characterCount() - 1

    def show_html(self, html: SafeHtml) -> None:
        """Show markup; links and code in it have the theme's formats."""
        self._show_markup(str(html))

    def _show_markup(self, markup: str) -> None:
        self._document.setHtml(markup)
        self._space_lines(0)
        if "<a " in markup or "<code>" in markup:
            self._decoration.apply_style(self._style)

    def show_plain(self, text: str) -> None:
        """Show text as it is."""
        self._document.setPlainText(break_runs(text))
        self._space_lines(0)

    def show_runs(self, lines: Iterable[Iterable[tuple[str, Token]]]) -> None:
        """Show lines, each made of runs of text with the token of their ink."""
        cursor = QTextCursor(self._document)
        cursor.select(QTextCursor.SelectionType.Document)
        # Laid out once at the end, instead of after each run.
        cursor.beginEditBlock()
        cursor.removeSelectedText()
        ink = cache(self._ink)
        for number, line in enumerate(lines):
            if number:
                cursor.insertBlock()
            for text, token in line:
                cursor.insertText(break_runs(text), ink(token))
        cursor.endEditBlock()
        self._space_lines(0)

    def append_plain(self, text: str) -> None:
        """Append text, as if all text had been shown at once."""
        last = self._document.lastBlock()
        first = last.blockNumber()
        cursor = QTextCursor(last)
        keep = QTextCursor.MoveMode.MoveAnchor
        if last.length() + len(text) > RUN_LIMIT:
            # Break the line again as a whole, where it would be broken had it come at once.
            text = last.text().replace(BREAK_MARK, "") + text
            keep = QTextCursor.MoveMode.KeepAnchor
        cursor.movePosition(QTextCursor.MoveOperation.End, keep)
        cursor.insertText(break_runs(text))
        self._space_lines(first)

    def set_width(self, width: float) -> None:
        """Lay the text out at this width."""
        if self._document.textWidth() != width:
            self._document.setTextWidth(width)
        self._decoration.clear_boxes()

    @property
    def height(self) -> float:
        """The height of the text at its width."""
        return self._document.size().height()

    @property
    def content_width(self) -> float:
        """The width of the longest line, as it is laid out now."""
        return self._document.idealWidth()

    @property
    def has_broken_lines(self) -> bool:
        """Whether a line goes on in the next one."""
        return self.height > (self._document.blockCount() + 0.5) * self._line_px

    def natural_width(self, limit: float) -> float:
        """Lay the text out at the width it wants, at most `limit`; return that width."""
        self.set_width(limit)
        # A pixel more, as Qt rounds: at exactly the ideal width the last word may wrap.
        width = min(limit, self._document.idealWidth() + 1)
        self.set_width(width)
        return width

    def paint(
        self, context: PaintContext, origin: QPointF, ink: Token, span: TextRange | None
    ) -> None:
        """Draw the visible part of the text, its top left corner at `origin`."""
        painter = context.painter
        qt_context = QAbstractTextDocumentLayout.PaintContext()
        palette = qt_context.palette
        palette.setColor(QPalette.ColorRole.Text, self._style.color(ink))
        # PySide returned a copy.
        qt_context.palette = palette
        if span:
            qt_context.selections = [self._selection(span)]
        top = context.top - origin.y()
        painter.save()
        painter.translate(origin.x(), origin.y() - self._rise)
        clip = QRectF(0, top, self._document.size().width(), context.bottom - context.top)
        if painter.hasClipping():
            # Cells of a wide table that are out of sight are not drawn.
            seen = painter.clipBoundingRect()
            clip.setLeft(max(clip.left(), seen.left()))
            clip.setRight(min(clip.right(), seen.right()))
        qt_context.clip = clip
        self._decoration.paint(painter, self._style)
        # Not `drawContents`, which takes neither colours nor selections.
        self._document.documentLayout().draw(painter, qt_context)
        painter.restore()

    def position_at(self, point: QPointF) -> int:
        """Return the position nearest to `point`."""
        layout = self._document.documentLayout()
        lowered = QPointF(point.x(), point.y() + self._rise)
        return max(0, layout.hitTest(lowered, Qt.HitTestAccuracy.FuzzyHit))

    def end_box(self) -> QRectF:
        """Return the box of a letter after the last one."""
        return self.box_after(self.length)

    def box_after(self, position: int) -> QRectF:
        """Return the box of a letter after this position."""
        block = self._document.findBlock(position)
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
        """The pixels that letters are drawn above their place in the document."""
        return self._rise

    def links(self) -> list[PlacedLink]:
        """Return the links."""
        found = []
        for link in self._decoration.links:
            boxes = self._decoration.boxes_of(link.span_first, link.span_last)
            words = self._characters(TextRange(link.span_first, link.span_last))
            if boxes:
                placed = tuple(box.translated(0, -self._rise) for box in boxes)
                found.append(PlacedLink(link.address, words, placed))
        return found

    def text(self, span: TextRange) -> str:
        """Return the characters as a person reads them."""
        return self._characters(span)

    def word_at(self, position: int) -> TextRange:
        """Return the word around a position."""
        cursor = QTextCursor(self._document)
        cursor.setPosition(min(position, self.length))
        cursor.select(QTextCursor.SelectionType.WordUnderCursor)
        return TextRange(cursor.selectionStart(), cursor.selectionEnd())

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

    def _characters(self, span: TextRange) -> str:
        return self._cursor(span).selectedText().translate(_BREAKS)

    def _cursor(self, span: TextRange) -> QTextCursor:
        cursor = QTextCursor(self._document)
        cursor.setPosition(min(span.first, self.length))
        cursor.setPosition(min(span.last, self.length), QTextCursor.MoveMode.KeepAnchor)
        return cursor

    def _ink(self, token: Token) -> QTextCharFormat:
        char_format = QTextCharFormat()
        char_format.setForeground(self._style.color(token))
        return char_format

    def _selection(self, span: TextRange) -> QAbstractTextDocumentLayout.Selection:
        selection = QAbstractTextDocumentLayout.Selection()
        selection.cursor = self._cursor(span)
        char_format = QTextCharFormat()
        char_format.setBackground(self._style.color("accent"))
        char_format.setForeground(self._style.color("on-accent"))
        selection.format = char_format
        return selection


@dataclass(frozen=True, slots=True)
class PlacedTextBox:
    """A text, and its top left corner in coordinates of the row.

    Of a text that is wider than its block only what lies inside `window` is seen. `marker` stands
    beside the first letter, as that of a list's item does, and is copied with it.
    """

    origin: QPointF
    box: TextBox
    window: QRectF | None = None
    marker: str = ""

    def moved(self, x: float, y: float) -> "PlacedTextBox":
        """Return the same text, moved by so many pixels."""
        window = self.window.translated(x, y) if self.window else None
        return replace(self, origin=self.origin + QPointF(x, y), window=window)

    def position_at(self, point: QPointF) -> int:
        """Return the position nearest to `point`."""
        return self.box.position_at(point - self.origin)

    def copied(self, span: TextRange) -> str:
        """Return the characters of a span as a person reads them, with the marker before them."""
        text = self.box.text(span)
        return text if span.first else self.marker + text

    def boxes(self, span: TextRange) -> list[QRectF]:
        """Return the visible boxes of the letters of a span, line by line."""
        document = self.box.document
        found: list[QRectF] = []
        block = document.findBlock(span.first)
        while block.isValid() and block.position() < span.last:
            end = block.position() + block.length() - 1
            found += boxes_in(document, max(span.first, block.position()), min(span.last, end))
            block = block.next()
        placed = [self._in_row(box) for box in found]
        if self.window is None:
            return placed
        seen = [box.intersected(self.window) for box in placed]
        return [box for box in seen if not box.isEmpty()]

    def shows(self, caret: QRectF) -> bool:
        """Return whether a caret is visible."""
        return self.window is None or self.window.left() <= caret.x() <= self.window.right()

    def caret(self, position: int) -> QRectF:
        """Return the box of a caret before a position; it has no width."""
        document = self.box.document
        inside = min(position, self.box.length)
        block = document.findBlock(inside)
        line = block.layout().lineForTextPosition(inside - block.position())
        if not line.isValid():
            return self.box.box_after(inside).translated(self.origin)
        place = document.documentLayout().blockBoundingRect(block)
        left = place.left() + x_in_line(line, inside - block.position())
        return self._in_row(QRectF(left, place.top() + line.y(), 0, line.height()))

    def paragraph_at(self, position: int) -> TextRange:
        """Return the paragraph, or the line of code, around a position."""
        block = self.box.document.findBlock(min(position, self.box.length))
        return TextRange(block.position(), block.position() + block.length() - 1)

    def _in_row(self, box: QRectF) -> QRectF:
        return box.translated(self.origin.x(), self.origin.y() - self.box.rise)


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
