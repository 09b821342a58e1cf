"""`ResultText` shows a waiting result as it would be sent and records what was on screen.

`show_result` writes the result out for reading; the `ShownResult` it returns says which characters
of the result stand where in the document.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import (
    QResizeEvent,
    QShowEvent,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit

from app.ui.approval.revealed_text import ViewedRanges
from app.ui.markdown.sanitize import show_hidden
from app.ui.theme import Theme
from app.ui.widgets.stylesheet import Token
from app.viewmodels.approval.approval import SecretView

# Qt takes seconds to lay out an endless line: a longer one continues below, after this sign.
_LINE_CHARS: Final = 512
GOES_ON: Final = "↪ "
_LINE: Final = re.compile(r"[^\n]*\n?")


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of a result: its characters, and the positions in the document that show it.

    Attributes:
        number: The number of the secret that it belongs to; None for other text.
        is_masked: Whether the document shows a mark in its place.
    """

    start: int
    end: int
    first: int
    last: int
    number: int | None = None
    is_masked: bool = False


@dataclass(frozen=True, slots=True)
class ShownResult:
    """A result as it would leave, as text for a document, and where everything in it stands."""

    text: str
    segments: tuple[Segment, ...]

    def between(self, first: int, last: int) -> Sequence[Segment]:
        """Return the segments that some of these positions of the document show."""
        begin = bisect_right(self.segments, first, key=lambda segment: segment.last)
        end = bisect_right(self.segments, last - 1, key=lambda segment: segment.first)
        return self.segments[begin:end]

    def position_of(self, character: int) -> int:
        """Return where in the document this character, or what stands in its place, is shown."""
        at = bisect_right(self.segments, character, key=lambda segment: segment.start) - 1
        return self.segments[max(0, at)].first if self.segments else 0


def show_result(
    text: str, secrets: Sequence[SecretView], opened: frozenset[int], part: tuple[int, int]
) -> ShownResult:
    """Write out what would leave of `text`; nothing in it is hidden or left out."""
    shown: list[str] = []
    segments: list[Segment] = []
    at = column = 0
    for start, end, number in _stretches(secrets, part):
        is_masked = number is not None and number not in opened
        mark = secrets[number].mark if is_masked and number is not None else ""
        pieces = [(start, end, show_hidden(mark))] if is_masked else _pieces(text, start, end)
        for first, last, written in pieces:
            column = 0 if written.endswith("\n") else column + len(written)
            if column >= _LINE_CHARS and last < part[1]:
                shown.append(f"{written}\n{GOES_ON}")
                column = 0
            else:
                shown.append(written)
            length = _length(shown[-1])
            segments.append(Segment(first, last, at, at + length, number, is_masked))
            at += length
    return ShownResult("".join(shown), tuple(segments))


def _stretches(
    secrets: Sequence[SecretView], part: tuple[int, int]
) -> Iterator[tuple[int, int, int | None]]:
    """Yield what lies between secrets, and the secrets, as far as they are in the part."""
    at, last = part
    for number, secret in enumerate(secrets):
        start, end = max(secret.start, part[0]), min(secret.end, part[1])
        if start >= end:
            continue
        if at < start:
            yield at, start, None
        yield start, end, number
        at = end
    if at < last:
        yield at, last, None


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """Yield the lines of a stretch, long ones in pieces, and how each is written."""
    stretch = text[start:end]
    is_plain = show_hidden(stretch) == stretch
    for line in _LINE.finditer(text, start, end):
        for first in range(line.start(), line.end(), _LINE_CHARS):
            last = min(line.end(), first + _LINE_CHARS)
            yield first, last, text[first:last] if is_plain else show_hidden(text[first:last])


def _length(text: str) -> int:
    """Return how many positions of a document a text takes."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


# Rounding of heights; less of a line than this is not out of sight.
_SPARE_PX: Final = 1.5


class ResultText(QPlainTextEdit):
    """Shows all of a result, with marks in the place of secrets that would not leave.

    It remembers which characters of the result were on screen, and which of them as they are.
    A part can be marked with mouse or keys. Made by the card of a result; ends with it.
    """

    looked = Signal()
    """More of the result has been seen, or another part is marked."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._shown = ShownResult("", ())
        self._on_screen = ViewedRanges()
        self._looked_at = ViewedRanges()
        self._seen_as_is = ViewedRanges()
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setFont(theme.mono())
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setTabChangesFocus(True)
        self.setProperty("field", "code")
        self.setAccessibleName(self.tr("What the assistant would receive"))
        self.verticalScrollBar().valueChanged.connect(self._look)
        self.selectionChanged.connect(self.looked)
        theme.changed.connect(self._colour)

    def begin(self) -> None:
        """Forget what was seen: another result follows."""
        self._looked_at.clear()
        self._seen_as_is.clear()

    def show_result(
        self,
        text: str,
        secrets: Sequence[SecretView],
        opened: frozenset[int],
        part: tuple[int, int],
    ) -> None:
        """Show what would leave, from its top; what was seen of it as it is stays seen."""
        self._shown = show_result(text, secrets, opened, part)
        self._on_screen.clear()
        self.setPlainText(self._shown.text)
        self._look()

    def show_character(self, character: int) -> None:
        """Bring this character of the result, or what stands in its place, to the top."""
        cursor = self.textCursor()
        cursor.setPosition(self._shown.position_of(character))
        self.setTextCursor(cursor)
        self.verticalScrollBar().setValue(cursor.block().firstLineNumber() + _line_in(cursor))

    def first_unseen(self, ranges: Iterable[tuple[int, int]]) -> int | None:
        """Return the first character in these parts that was not yet seen as it is."""
        gaps = (self._seen_as_is.first_gap_in(first, last) for first, last in ranges)
        return next((gap for gap in gaps if gap is not None), None)

    def looked_to(self, part: tuple[int, int]) -> int:
        """Up to which character this part was looked at without a gap, masked or not."""
        gap = self._looked_at.first_gap_in(*part)
        return part[1] if gap is None else gap

    @property
    def marked_part(self) -> tuple[int, int] | None:
        """From where to where the result is marked; whole lines of long ones, whole secrets."""
        cursor = self.textCursor()
        if not cursor.hasSelection():
            return None
        found = self._shown.between(cursor.selectionStart(), cursor.selectionEnd())
        if not found:
            return None
        first = _character(found[0], cursor.selectionStart())
        last = _character(found[-1], cursor.selectionEnd(), is_end=True)
        return (first, last) if first < last else None

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Other lines are on screen."""
        super().resizeEvent(event)
        self._look()

    def showEvent(self, event: QShowEvent) -> None:
        """Note which lines are on screen from the beginning."""
        super().showEvent(event)
        self._look()

    def _look(self) -> None:
        """Note which lines are wholly on screen."""
        if not self.isVisible() or self.window().isMinimized():
            return
        for first, last in self._lines_on_screen():
            self._on_screen.add(first, last)
            for segment in self._shown.between(first, last):
                self._note(segment)
        self._colour()
        self.looked.emit()

    def _note(self, segment: Segment) -> None:
        """Remember a stretch once all of it was on screen."""
        if self._on_screen.first_gap_in(segment.first, segment.last) is None:
            self._looked_at.add(segment.start, segment.end)
            if not segment.is_masked:
                self._seen_as_is.add(segment.start, segment.end)

    def _lines_on_screen(self) -> Iterator[tuple[int, int]]:
        block, bottom = self.firstVisibleBlock(), self.viewport().height() + _SPARE_PX
        offset = self.contentOffset()
        while block.isValid():
            place: QRectF = self.blockBoundingGeometry(block).translated(offset)
            if place.top() > bottom:
                return
            layout, start = block.layout(), block.position()
            for number in range(layout.lineCount()):
                line = layout.lineAt(number)
                top = place.top() + line.y()
                if top >= -_SPARE_PX and top + line.height() <= bottom:
                    is_end = number == layout.lineCount() - 1
                    end = line.textStart() + line.textLength() + is_end
                    yield start + line.textStart(), start + end
            block = block.next()

    def _colour(self) -> None:
        """Set secrets on screen apart: marks in the place of some, others as they would leave."""
        first = self.firstVisibleBlock().position()
        last = self.cursorForPosition(self.viewport().rect().bottomRight()).block()
        found = self._shown.between(first, last.position() + last.length())
        secrets = [self._coloured(segment) for segment in found if segment.number is not None]
        self.setExtraSelections(secrets)

    def _coloured(self, segment: Segment) -> QTextEdit.ExtraSelection:
        ink: Token = "ink-3" if segment.is_masked else "bad"
        selection = QTextEdit.ExtraSelection()
        look = QTextCharFormat()
        look.setForeground(self._theme.color(ink))
        if not segment.is_masked:
            look.setBackground(self._theme.color("bad-soft"))
        cursor = QTextCursor(self.document())
        cursor.setPosition(segment.first)
        cursor.setPosition(segment.last, QTextCursor.MoveMode.KeepAnchor)
        selection.cursor = cursor
        selection.format = look
        return selection


def _line_in(cursor: QTextCursor) -> int:
    line = cursor.block().layout().lineForTextPosition(cursor.positionInBlock())
    return line.lineNumber() if line.isValid() else 0


def _character(segment: Segment, position: int, *, is_end: bool = False) -> int:
    """Return the character at a position; the end of the stretch where signs take more than one."""
    is_plain = not segment.is_masked and segment.last - segment.first == segment.end - segment.start
    if is_plain:
        return min(max(segment.start + position - segment.first, segment.start), segment.end)
    return segment.end if is_end else segment.start
