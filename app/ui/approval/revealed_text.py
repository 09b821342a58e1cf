"""A read-only text in which nothing is hidden: what a person reads before allowing it."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache
from typing import Final

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFrameFormat,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextEdit, QWidget

from app.approvals.reveal import Run, RunKind, iter_runs, joined
from app.ui.parts.painting import paint_focus_ring
from app.ui.parts.tokens import Token
from app.ui.theme import Theme

# Loose lines have their extra height below the letters; half of it belongs above.
_RAISED_PX: Final = 2
_WANTED_WIDTH: Final = 480
_RING_RADIUS_PX: Final = 3
_CARET_KEYS: Final = tuple(
    key
    for name, key in QKeySequence.StandardKey.__members__.items()
    if name.startswith(("MoveTo", "Select")) and not name.endswith("Page")
)
_FIXED_INKS: Final[dict[RunKind, Token]] = {RunKind.BLANK: "ink-3", RunKind.HIDDEN: "warn"}


class Setting(Enum):
    """How text is set: its side margin in pixels, its line height in per cent, where it wraps.

    Prose wraps between its words, exact text wherever the line ends, so that no blank can pass
    for the end of a line.
    """

    INLINE = (0, 100, QTextOption.WrapMode.WrapAnywhere)
    BOXED = (12, 125, QTextOption.WrapMode.WrapAnywhere)
    PROSE = (0, 100, QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A text with the token of its ink and, if it is a single line, of the ground behind it."""

    runs: Iterable[Run]
    ink: Token = "ink"
    ground: Token | None = None


class RevealedText(QTextEdit):
    """Text in the code font, wrapped and never cut, as high as it needs to be.

    Marks are coloured apart from the text they stand in. Tab leads to it, and arrow keys through
    its letters, so that it can be heard and copied. It does not scroll, and loads nothing. Made by
    an approval card; ends with it.
    """

    caret_moved = Signal()
    """The person went to another letter, which perhaps is out of sight."""

    def __init__(
        self,
        theme: Theme,
        name: str,
        setting: Setting = Setting.INLINE,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._margin_px, self._line_height_percent, wraps = setting.value
        self._room_px = (0, 0)
        self._paragraphs: tuple[Paragraph, ...] = ()
        self._heights: dict[int, int] = {}
        self._twin: QTextDocument | None = None
        self.setAccessibleName(name)
        self.setReadOnly(True)
        self.setAcceptRichText(False)
        self.setAcceptDrops(False)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setTabChangesFocus(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setWordWrapMode(wraps)
        self.viewport().setAutoFillBackground(False)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFont(theme.mono())
        self.document().setDocumentMargin(0)
        theme.changed.connect(self._draw)

    def show_text(self, text: str, *, breaks_lines: bool = True) -> None:
        """Show `text` with everything hidden made visible."""
        self.show_paragraphs([Paragraph(iter_runs(text, breaks_lines=breaks_lines))])

    def show_paragraphs(self, paragraphs: Iterable[Paragraph]) -> None:
        """Show `paragraphs` one below the other."""
        self._paragraphs = tuple(replace(each, runs=joined(each.runs)) for each in paragraphs)
        self._draw()

    def set_room(self, above_px: int, below_px: int) -> None:
        """Leave this much free above the first line and below the last."""
        if self._room_px != (above_px, below_px):
            self._room_px = (above_px, below_px)
            self._draw()

    def hasHeightForWidth(self) -> bool:
        """Say that the height follows from the width."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height of the whole text at this width."""
        if width not in self._heights:
            self._heights[width] = self._measure(width)
        return self._heights[width]

    def sizeHint(self) -> QSize:
        """Ask for a column; how high it is follows from its width alone."""
        return QSize(_WANTED_WIDTH, self.fontMetrics().height())

    def minimumSizeHint(self) -> QSize:
        """Fit any width."""
        return QSize(1, 1)

    def changeEvent(self, event: QEvent) -> None:
        """Measure anew in another font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._forget_heights()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the grounds from edge to edge, then the text on them, and the ring of the focus."""
        if any(paragraph.ground for paragraph in self._paragraphs):
            self._paint_grounds(event.rect())
        super().paintEvent(event)
        if self.hasFocus():
            color = self._theme.color("accent")
            paint_focus_ring(self.viewport(), color, _RING_RADIUS_PX, width_px=1)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to what this text stands in."""
        event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy, or go through the letters; leave every other key to what this text stands in."""
        if event.matches(QKeySequence.StandardKey.Copy):
            super().keyPressEvent(event)
        elif any(event.matches(key) for key in _CARET_KEYS):
            before = self.textCursor()
            super().keyPressEvent(event)
            event.setAccepted(self.textCursor() != before)
            self.caret_moved.emit()
        else:
            event.ignore()

    def _draw(self) -> None:
        self.clear()
        self.document().rootFrame().setFrameFormat(self._frame_format())
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        ink = cache(self._ink)
        for index, paragraph in enumerate(self._paragraphs):
            if index > 0:
                cursor.insertBlock()
            cursor.setBlockFormat(self._block_format())
            for run in paragraph.runs:
                cursor.insertText(run.text, ink(_FIXED_INKS.get(run.kind, paragraph.ink)))
        cursor.endEditBlock()
        # Who comes here begins at the beginning.
        self.moveCursor(QTextCursor.MoveOperation.Start)
        self._forget_heights()

    def _frame_format(self) -> QTextFrameFormat:
        frame_format = QTextFrameFormat()
        above_px, below_px = self._room_px
        frame_format.setTopMargin(above_px)
        frame_format.setBottomMargin(below_px)
        frame_format.setLeftMargin(self._margin_px)
        frame_format.setRightMargin(self._margin_px)
        return frame_format

    def _block_format(self) -> QTextBlockFormat:
        block_format = QTextBlockFormat()
        # Text that reads from right to left keeps its order among the words of a command.
        block_format.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        proportional = QTextBlockFormat.LineHeightTypes.ProportionalHeight.value
        block_format.setLineHeight(self._line_height_percent, proportional)
        return block_format

    def _ink(self, token: Token) -> QTextCharFormat:
        char_format = QTextCharFormat()
        char_format.setForeground(self._theme.color(token))
        return char_format

    def _forget_heights(self) -> None:
        if self._twin is not None:
            self._twin.deleteLater()
            self._twin = None
        self._heights.clear()
        self.updateGeometry()

    def _paint_grounds(self, area: QRect) -> None:
        painter = QPainter(self.viewport())
        painter.translate(0, -self.verticalScrollBar().value())
        layout = self.document().documentLayout()
        block = self.cursorForPosition(area.topLeft()).block()
        top = layout.blockBoundingRect(block).top() - _RAISED_PX
        while block.isValid() and top < area.bottom() + 1:
            ground = self._paragraphs[block.blockNumber()].ground
            block = block.next()
            below = layout.blockBoundingRect(block).top() if block.isValid() else self.height()
            if ground is not None:
                strip = QRectF(0, top, self.viewport().width(), below - _RAISED_PX - top)
                painter.fillRect(strip, self._theme.color(ground))
            top = below - _RAISED_PX

    def _measure(self, width: int) -> int:
        # The text edit lays its own document out for the width it has, whenever it likes.
        if self._twin is None:
            self._twin = self.document().clone(self)
            self._twin.documentLayout().setPaintDevice(self.viewport())
        self._twin.setTextWidth(width)
        return math.ceil(self._twin.size().height())
