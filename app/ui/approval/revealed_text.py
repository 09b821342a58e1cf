"""`RevealedText` shows read-only text that hides nothing, for a person to read before allowing it.

`DiffView` shows the changes of a file in it, line by line: removed, added, unchanged. `TextChunks`
yields a long text in portions that are laid out quickly. `ViewedRanges` records which parts of
a long text have been on screen, so that none is allowed unseen.
"""

import math
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cache
from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent, QRect, QRectF, QSize, Qt, Signal
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

from app.approvals.visible_text import RunKind, TextRun, iter_runs, joined
from app.ui.theme import Theme
from app.ui.widgets.focus_ring import has_ring
from app.ui.widgets.painting import paint_focus_ring
from app.ui.widgets.stylesheet import Token

# Loose lines have their extra height below the letters; half of it belongs above.
_RAISED_PX: Final = 2
_WANTED_WIDTH: Final = 480
_RING_RADIUS_PX: Final = 3
_CARET_KEYS: Final = tuple(
    key
    for name, key in QKeySequence.StandardKey.__members__.items()
    if name.startswith(("MoveTo", "Select")) and not name.endswith("Page")
)
RUN_INKS: Final[dict[RunKind, Token]] = {RunKind.BLANK: "ink-3", RunKind.HIDDEN: "warn"}
"""The inks of marks that stand among the text."""


class Setting(Enum):
    """How text is set: its side margin in pixels, its line height in per cent, where it wraps.

    Prose wraps between its words, exact text wherever the line ends, so that no blank can pass
    for the end of a line.
    """

    INLINE = (0, 100, QTextOption.WrapMode.WrapAnywhere)
    BOXED = (12, 125, QTextOption.WrapMode.WrapAnywhere)
    PROSE = (0, 100, QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)


@dataclass(frozen=True, slots=True)
class RevealedParagraph:
    """A text with the token of its ink and, if it is a single line, of the ground behind it."""

    runs: Iterable[TextRun]
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
        self._paragraphs: tuple[RevealedParagraph, ...] = ()
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
        self.show_paragraphs([RevealedParagraph(iter_runs(text, breaks_lines=breaks_lines))])

    def show_paragraphs(self, paragraphs: Iterable[RevealedParagraph]) -> None:
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
        if has_ring(self):
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
        # Laid out once at the end, instead of after each run.
        cursor.beginEditBlock()
        # One format for each ink: a diff may have thousands of runs.
        ink = cache(self._ink)
        for index, paragraph in enumerate(self._paragraphs):
            if index > 0:
                cursor.insertBlock()
            cursor.setBlockFormat(self._block_format())
            for run in paragraph.runs:
                cursor.insertText(run.text, ink(RUN_INKS.get(run.kind, paragraph.ink)))
        cursor.endEditBlock()
        # Keyboard focus starts at the beginning of the text.
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
        # Measure on a copy: the text edit lays its own document out for its present width at will.
        if self._twin is None:
            self._twin = self.document().clone(self)
            # Or fonts would be measured for another resolution than they are drawn in.
            self._twin.documentLayout().setPaintDevice(self.viewport())
        self._twin.setTextWidth(width)
        return math.ceil(self._twin.size().height())


_GROUNDS: Final[dict[str, Token]] = {"+": "added", "-": "removed"}
_NOTE_STARTS: Final = ("@@", "\\")
# The notes of `local_tools.diff`: no line of a text begins as they do in a diff.
_HEADING: Final = re.compile(r"@@ (after line|lines?) (\d+)(?:–(\d+))? @@")
_NO_LINE_END: Final = "\\ no line end"


class DiffView(RevealedText):
    """A unified diff with added and removed lines on their own ground, nothing hidden or cut.

    Made by an approval card; ends with it.
    """

    def show_diff(self, diff: str) -> None:
        """Show `diff`, whose lines end in a line feed; any other control is written out."""
        self.show_paragraphs(diff_paragraphs(diff))


def diff_paragraphs(diff: str) -> Iterator[RevealedParagraph]:
    """Yield the lines of a diff as they are drawn."""
    is_in_hunk = False
    for line in diff.removesuffix("\n").split("\n"):
        # Before the first hunk, `---` and `+++` name files and are no changes.
        is_in_hunk = is_in_hunk or line.startswith("@@")
        if not is_in_hunk or line.startswith(_NOTE_STARTS):
            yield RevealedParagraph(iter_runs(_note(line), breaks_lines=False), ink="ink-3")
        else:
            runs = iter_runs(line, breaks_lines=False)
            yield RevealedParagraph(runs, ground=_GROUNDS.get(line[:1]))


def _note(line: str) -> str:
    """Return a note of a diff in the language of the window."""
    translate = QCoreApplication.translate
    if line == _NO_LINE_END:
        return f"\\ {translate('DiffView', 'no line break at end of file')}"
    if not (found := _HEADING.fullmatch(line)):
        return line
    kind, first, last = found.groups()
    if last:
        words = translate("DiffView", "lines {first}–{last}")
    elif kind == "line":
        words = translate("DiffView", "line {first}")
    else:
        words = translate("DiffView", "after line {first}")
    return f"@@ {words.format(first=first, last=last)} @@"


PORTION_CHARACTERS: Final = 8_000
# Each costs about as much as so many characters.
_COST_OF_PARAGRAPH: Final = 40
_PIECE_CHARACTERS: Final = 1_000


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of one paragraph."""

    paragraph: RevealedParagraph
    run: TextRun
    is_first: bool


class TextChunks:
    """Yields paragraphs in portions, without omitting any; a long paragraph in several.

    It reads on only when the next portion is taken, so a text costs what is shown of it.
    """

    def __init__(self, paragraphs: Iterable[RevealedParagraph]) -> None:
        self._pieces = _pieces(paragraphs)
        self._next = next(self._pieces, None)

    @property
    def is_left(self) -> bool:
        """Whether there is more to take."""
        return self._next is not None

    def take(self) -> tuple[RevealedParagraph, ...]:
        """Return what comes next, of about `PORTION_CHARACTERS`."""
        taken: list[tuple[RevealedParagraph, list[TextRun]]] = []
        left = PORTION_CHARACTERS
        # Never between a letter and its marks, which would have nothing to sit on.
        while self._next and (left > 0 or _belongs_to_the_letter_before(self._next.run)):
            piece = self._next
            if piece.is_first or not taken:
                taken.append((piece.paragraph, []))
                left -= _COST_OF_PARAGRAPH
            taken[-1][1].append(piece.run)
            left -= len(piece.run.text)
            self._next = next(self._pieces, None)
        if self._next and taken:
            _end_line(taken[-1][1])
        return tuple(RevealedParagraph(tuple(runs), like.ink, like.ground) for like, runs in taken)


def _pieces(paragraphs: Iterable[RevealedParagraph]) -> Iterator[_Piece]:
    for paragraph in paragraphs:
        is_first = True
        for run in paragraph.runs:
            for text in _cut(run):
                yield _Piece(paragraph, TextRun(text, run.kind), is_first)
                is_first = False
        if is_first:
            yield _Piece(paragraph, TextRun("", RunKind.TEXT), is_first)


def _cut(run: TextRun) -> Iterator[str]:
    """Yield pieces of a text; a mark stays whole."""
    if run.kind is not RunKind.TEXT:
        yield run.text
        return
    for start in range(0, len(run.text), _PIECE_CHARACTERS):
        yield run.text[start : start + _PIECE_CHARACTERS]


def _belongs_to_the_letter_before(run: TextRun) -> bool:
    return run.kind is RunKind.TEXT and unicodedata.category(run.text[:1] or " ")[0] == "M"


def _end_line(runs: list[TextRun]) -> None:
    """Take away a line break at the end: the next portion begins a line of its own anyway."""
    runs[-1] = TextRun(runs[-1].text.removesuffix("\n"), runs[-1].kind)


@dataclass(slots=True)
class ViewedRanges:
    """The parts of a column, in pixels or characters from its top, that have been on screen."""

    _parts: list[tuple[int, int]] = field(default_factory=list)

    def add(self, top: int, bottom: int) -> None:
        """Note that everything from `top` to before `bottom` was on screen."""
        if bottom <= top:
            return
        apart = []
        for first, last in self._parts:
            if last < top or first > bottom:
                apart.append((first, last))
            else:
                top, bottom = min(top, first), max(bottom, last)
        self._parts = sorted([*apart, (top, bottom)])

    def first_gap(self, height: int) -> int | None:
        """Return where the first unseen part of a column of `height` begins, or None."""
        return self.first_gap_in(0, height)

    def first_gap_in(self, top: int, bottom: int) -> int | None:
        """Return where the first unseen part between these begins, or None."""
        for first, last in self._parts:
            if first > top:
                break
            top = max(top, last)
        return top if top < bottom else None

    def clear(self) -> None:
        """Forget everything: another text, or the same one laid out differently."""
        self._parts.clear()
