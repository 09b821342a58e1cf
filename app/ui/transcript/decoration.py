"""What is drawn under the letters of a text: links in their colour, chips around inline code."""

from dataclasses import dataclass
from typing import Final, cast

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import (
    QFont,
    QPainter,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFragment,
    QTextLine,
)

from app.ui.markdown.note_links import note_number
from app.ui.transcript.look import Look

_ROOM_PX: Final = 5
_CHIP_RADIUS_PX: Final = 5
_CHIP_INSET_PX: Final = 1
_CODE_FAMILY: Final = "monospace"
CODE_SHEET: Final = f"code {{ font-family: {_CODE_FAMILY}; white-space: pre-wrap; }}"
"""Marks inline code in a document, so that it can be found again; its blanks count."""

_ABSOLUTE: Final = QFont.SpacingType.AbsoluteSpacing


@dataclass(frozen=True, slots=True)
class _Marked:
    """A link, or a stretch of code when `address` is empty."""

    span_first: int
    span_last: int
    address: str = ""


class Decoration:
    """Finds links and code in a document, dresses them, and draws what stands under them.

    Made by the text box whose document it decorates; ends with it.
    """

    def __init__(self, document: QTextDocument) -> None:
        self._document = document
        self._codes: list[_Marked] = []
        self._chips: list[QRectF] | None = None
        self.links: list[_Marked] = []

    def dress(self, look: Look) -> None:
        """Give links and code their fonts and colours; once after each new text."""
        self._codes, self.links = [], []
        block = self._document.begin()
        while block.isValid():
            step = block.begin()
            while not step.atEnd():
                self._take_note(step.fragment())
                step += 1
            block = block.next()
        for link in self.links:
            self._merge(link.span_first, link.span_last, _link_format(look, link.address))
        for code in self._codes:
            self._dress_code(code, look)
        self.forget_boxes()

    def forget_boxes(self) -> None:
        """Measure anew: the text has another width."""
        self._chips = None

    def boxes_of(self, first: int, last: int) -> list[QRectF]:
        """Return the places of the characters from `first` to before `last`, line by line."""
        return boxes_in(self._document, first, last)

    def paint(self, painter: QPainter, look: Look) -> None:
        """Draw the chips."""
        if self._chips is None:
            self._chips = [chip for code in self._codes for chip in self._chips_of(code)]
        for chip in self._chips:
            look.draw_panel(painter, chip, "code-bg", "line", _CHIP_RADIUS_PX)

    def _take_note(self, fragment: QTextFragment) -> None:
        first, last = fragment.position(), fragment.position() + fragment.length()
        dress = fragment.charFormat()
        if dress.isAnchor() and dress.anchorHref():
            before = self.links[-1] if self.links else None
            if before and before.span_last == first and before.address == dress.anchorHref():
                first = before.span_first
                self.links.pop()
            self.links.append(_Marked(first, last, dress.anchorHref()))
        if _CODE_FAMILY in (dress.fontFamilies() or []):
            self._codes.append(_Marked(fragment.position(), last))

    def _dress_code(self, code: _Marked, look: Look) -> None:
        plain = QTextCharFormat()
        plain.setFont(
            look.mono, QTextCharFormat.FontPropertiesInheritanceBehavior.FontPropertiesAll
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

    def _chips_of(self, code: _Marked) -> list[QRectF]:
        boxes = self.boxes_of(code.span_first, code.span_last)
        # Among letters that go leftwards there is no room: the chip keeps to the blanks.
        left, right = (-2, 2) if self._is_mirrored(code) else (-_ROOM_PX, -1)
        return [box.adjusted(left, _CHIP_INSET_PX, right, -_CHIP_INSET_PX) for box in boxes]

    def _is_mirrored(self, code: _Marked) -> bool:
        block = self._document.findBlock(code.span_first)
        return block.textDirection() == Qt.LayoutDirection.RightToLeft

    def _merge(self, first: int, last: int, dress: QTextCharFormat) -> None:
        cursor = QTextCursor(self._document)
        cursor.setPosition(first)
        cursor.setPosition(last, QTextCursor.MoveMode.KeepAnchor)
        cursor.mergeCharFormat(dress)


def _link_format(look: Look, address: str) -> QTextCharFormat:
    dress = QTextCharFormat()
    dress.setForeground(look.color("accent"))
    # What leads to a note is in brackets.
    dress.setFontUnderline(note_number(address) is None)
    return dress


def x_in_line(line: QTextLine, position: int) -> float:
    """Return where the letter at a position of the block begins."""
    # The binding gives a pair, and says that it gives an object.
    x, _ = cast("tuple[float, int]", line.cursorToX(position))
    return x


def boxes_in(document: QTextDocument, first: int, last: int) -> list[QRectF]:
    """Return where the characters of one paragraph stand, line by line."""
    block = document.findBlock(first)
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
