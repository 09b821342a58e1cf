"""`FormulaPiece` shows a formula that stands alone: its source at first, then its picture.

`FormulaDrawer` draws formulas in a thread, one after the other, and caches them.
"""

import threading
from collections import OrderedDict
from queue import Empty, SimpleQueue
from typing import Final

from PySide6.QtCore import QObject, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QFontInfo
from PySide6.QtSvg import QSvgRenderer

from app.ui.markdown.blocks import Formula
from app.ui.markdown.formulas import DRAWN_LIMIT, EM, LARGER, Drawing, draw, may_be_drawn
from app.ui.transcript.blocks.pieces import TextPiece
from app.ui.transcript.blocks.text_box import TextBox
from app.ui.transcript.painting import PaintContext, TranscriptStyle
from app.ui.transcript.selection import TextRange

# Polled: the drawing thread knows no QObject, which may be gone when its picture is ready.
_POLL_MS: Final = 30
_KEPT: Final = 500


class _DrawQueue:
    """The queues between window and drawing thread; the thread ends when its queue is empty."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._wanted: list[str] = []
        self._is_working = False
        self.done: SimpleQueue[tuple[str, Drawing | None]] = SimpleQueue()

    def add(self, source: str) -> None:
        with self._lock:
            self._wanted.append(source)
            if not self._is_working:
                self._is_working = True
                # A daemon: a formula that is being drawn does not hold up the end of the program.
                threading.Thread(target=self._work, name="formulas", daemon=True).start()

    def clear(self) -> None:
        with self._lock:
            self._wanted.clear()

    def _work(self) -> None:
        try:
            while (source := self._next()) is not None:
                self.done.put((source, draw(source)))
        finally:
            with self._lock:
                self._is_working = False

    def _next(self) -> str | None:
        with self._lock:
            # Under one lock with `add`: what is added now is seen here, or starts another thread.
            self._is_working = bool(self._wanted)
            return self._wanted.pop(0) if self._wanted else None


class FormulaDrawer(QObject):
    """Draws formulas in a thread and keeps their pictures.

    One for a view; ends with it, and its thread a moment later at most.
    """

    drawn = Signal()
    """More formulas have a picture now, or never will have one."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._queue = _DrawQueue()
        self._ready: OrderedDict[str, Drawing | None] = OrderedDict()
        self._waiting: set[str] = set()
        self._timer = QTimer(self)
        self._timer.setInterval(_POLL_MS)
        self._timer.timeout.connect(self._on_timer_timeout)
        self.destroyed.connect(self._queue.clear)

    @property
    def is_idle(self) -> bool:
        """Whether every formula that was requested is drawn or refused."""
        return not self._waiting

    def picture(self, source: str) -> Drawing | None:
        """Return the picture of a formula; None when there is none yet, or never will be.

        The first to ask for it begins its drawing.
        """
        if source in self._ready:
            self._ready.move_to_end(source)
            return self._ready[source]
        if source not in self._waiting and may_be_drawn(source):
            self._waiting.add(source)
            self._queue.add(source)
            self._timer.start()
        return None

    def _on_timer_timeout(self) -> None:
        has_new_picture = False
        while (found := self._next_result()) is not None:
            source, drawing = found
            self._ready[source] = drawing
            self._waiting.discard(source)
            has_new_picture = True
        while len(self._ready) > _KEPT:
            self._ready.popitem(last=False)
        if not self._waiting:
            self._timer.stop()
        if has_new_picture:
            self.drawn.emit()

    def _next_result(self) -> tuple[str, Drawing | None] | None:
        try:
            return self._queue.done.get_nowait()
        except Empty:
            return None


_EDGE_PX: Final = 4


class FormulaPiece(TextPiece[Formula]):
    """Shows a formula; its source stays its text, which is copied and found.

    Without `drawer` it stays source: a message has only so many pictures.
    """

    def __init__(
        self, style: TranscriptStyle, block: Formula, drawer: FormulaDrawer | None
    ) -> None:
        super().__init__(style, block)
        self._drawer = drawer
        self._drawing: Drawing | None = None
        self._is_measured = False
        self._renderer: QSvgRenderer | None = None

    @property
    def has_new_picture(self) -> bool:
        """Whether there is a picture since it was laid out."""
        return self._is_measured and self._drawing is None and self._picture() is not None

    def make_box(self) -> TextBox:
        """Make the box of the source."""
        box = TextBox(self._style, self._style.mono, self._style.line_px)
        box.show_plain(self.block.source)
        return box

    def refresh(self, before: Formula) -> None:
        """Make text and picture anew."""
        super().refresh(before)
        self._drawing = self._renderer = None

    def estimate(self) -> int:
        """Guess by the number of lines."""
        return (1 + self.block.source.count("\n")) * self._style.line_px

    @property
    def window(self) -> QRectF | None:
        """The box of the picture: nothing of the text is selected outside of it."""
        return self._picture_box() if self._drawing else None

    def measure(self, width: float) -> int:
        """Lay out at this width: as high as the picture, or as the text without one."""
        height = super().measure(width)
        self._drawing, self._is_measured = self._picture(), True
        return round(self._picture_box().height()) + 2 * _EDGE_PX if self._drawing else height

    def paint(self, context: PaintContext, origin: QPointF, span: TextRange | None) -> None:
        """Draw the picture in the ink of the theme, or the text."""
        if self._drawing is None:
            super().paint(context, origin, span)
            return
        box = self._picture_box().translated(origin)
        if span:
            context.painter.fillRect(box, self._style.color("accent"))
        if self._renderer is None or span:
            ink = self._style.color("on-accent" if span else "ink").name()
            renderer = QSvgRenderer(self._drawing.svg(ink))
            renderer.setAspectRatioMode(Qt.AspectRatioMode.KeepAspectRatio)
            # The ink of a selected formula is for this painting alone.
            self._renderer = None if span else renderer
            renderer.render(context.painter, box)
            return
        self._renderer.render(context.painter, box)

    def release(self) -> None:
        """Drop the document and the renderer."""
        super().release()
        self._renderer = None

    def end_box(self) -> QRectF:
        """Return the box of the next letter."""
        if self._drawing is None:
            return super().end_box()
        box = self._picture_box()
        return QRectF(box.right(), box.top(), 0, box.height())

    def _picture(self) -> Drawing | None:
        return self._drawer.picture(self.block.source) if self._drawer else None

    def _picture_box(self) -> QRectF:
        """Return the box of the picture: in the size of letters, or smaller where space lacks."""
        if self._drawing is None:
            return QRectF()
        size = QFontInfo(self._style.body).pixelSize() * LARGER / EM
        scale = min(size, self._width / self._drawing.width)
        width, height = self._drawing.width * scale, self._drawing.height * scale
        return QRectF(0, _EDGE_PX, width, height)


class FormulaPieces:
    """The formulas of one message, by the numbers of their blocks. Made by its stack."""

    def __init__(self, style: TranscriptStyle, drawer: FormulaDrawer) -> None:
        self._style = style
        self._drawer = drawer
        self._pieces: dict[int, FormulaPiece] = {}

    def make(self, index: int, block: Formula) -> FormulaPiece:
        """Make the piece of a block; it is drawn if not too many before it are."""
        before = sum(other < index for other in self._pieces)
        piece = FormulaPiece(self._style, block, self._drawer if before < DRAWN_LIMIT else None)
        self._pieces[index] = piece
        return piece

    def forget(self, index: int) -> None:
        """Remove a block that is no formula any more."""
        self._pieces.pop(index, None)

    def cut(self, count: int) -> None:
        """Remove the formulas from block `count` on."""
        self._pieces = {index: piece for index, piece in self._pieces.items() if index < count}

    def with_new_pictures(self) -> set[int]:
        """Return the blocks that have a picture since they were laid out."""
        return {index for index, piece in self._pieces.items() if piece.has_new_picture}
