"""A block of code: its language and a Copy button above it, coloured when there is time."""

from typing import Final

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QTextCharFormat, QTextLayout

from app.ui.markdown.blocks import Code
from app.ui.markdown.highlight import Stretch
from app.ui.transcript.brush import Brush
from app.ui.transcript.colourist import Colourist
from app.ui.transcript.look import RADIUS_PX, Look
from app.ui.transcript.pieces import Piece
from app.ui.transcript.placed_box import PlacedBox
from app.ui.transcript.spots import Span
from app.ui.transcript.targets import CopyText, Target
from app.ui.transcript.text_box import TextBox

_HEADER_PX: Final = 32
_SIDE_PX: Final = 15
_LABEL_SIDE_PX: Final = 13
_TOP_PX: Final = 11
_BOTTOM_PX: Final = 12
_ICON_PX: Final = 14
_V_CENTER: Final = Qt.AlignmentFlag.AlignVCenter


class CodePiece(Piece[Code]):
    """Code on a ground of its own, wrapped when it is wider than the column.

    New lines are appended to what is there; the colours follow a little later.
    """

    def __init__(self, look: Look, block: Code, colourist: Colourist) -> None:
        super().__init__(look, block)
        self._colourist = colourist
        self._text_box: TextBox | None = None
        self._width = 0.0
        self._height = 0

    @property
    def box(self) -> TextBox:
        """The code, made when it is needed."""
        if self._text_box is None:
            self._text_box = TextBox(self._look, self._look.mono, self._look.mono_line_px)
            self._text_box.show_plain(self.block.text)
            self._text_box.set_width(max(1.0, self._width - 2 * _SIDE_PX))
            self._colourist.want(self)
        return self._text_box

    def refresh(self, before: Code) -> None:
        """Append what is new, if that is all that is new."""
        if self._text_box is None or self.block.text == before.text:
            return
        if self.block.text.startswith(before.text):
            self._text_box.append_plain(self.block.text[len(before.text) :])
            self._colourist.want(self)
        else:
            self._text_box = None

    def release(self) -> None:
        """Let the document go."""
        self._text_box = None

    def estimate(self) -> int:
        """Guess by the number of lines."""
        lines = 1 + self.block.text.count("\n")
        return (
            lines * self._look.mono_line_px + self._look.scaled(_HEADER_PX) + _TOP_PX + _BOTTOM_PX
        )

    def measure(self, width: float) -> int:
        """Lay out at this width."""
        self._width = width
        self.box.set_width(max(1.0, width - 2 * _SIDE_PX))
        note = self._look.line_px if self.block.left_out else 0
        self._height = self._body_top + round(self.box.height) + note + _BOTTOM_PX
        return self._height

    def paint(self, brush: Brush, origin: QPointF, span: Span | None) -> None:
        """Draw ground, header and code."""
        painter, look = brush.painter, self._look
        panel = QRectF(origin.x(), origin.y(), self._width, self._height)
        header = look.scaled(_HEADER_PX)
        look.draw_panel(painter, panel, "code-bg", "line", RADIUS_PX)
        look.draw_line(painter, panel.left() + 1, panel.right() - 1, panel.top() + header - 1)
        painter.setFont(look.small)
        painter.setPen(look.color("ink-2"))
        label = QRectF(panel.left() + _LABEL_SIDE_PX, panel.top(), panel.width() / 2, header)
        painter.drawText(label, _V_CENTER | Qt.TextFlag.TextSingleLine, self._title())
        self._paint_copy(brush, origin)
        self.box.paint(
            brush, QPointF(panel.left() + _SIDE_PX, panel.top() + self._body_top), "ink", span
        )
        if self.block.left_out:
            self._paint_left_out(brush, panel)

    def position_at(self, point: QPointF) -> int:
        """Return the position nearest to `point`."""
        return self.box.position_at(point - QPointF(_SIDE_PX, self._body_top))

    def placed_box(self) -> PlacedBox | None:
        """Return the code, which stands below its header."""
        return PlacedBox(QPointF(_SIDE_PX, self._body_top), self.box)

    @property
    def length(self) -> int:
        """The number of positions."""
        return self.box.length

    def text(self, span: Span) -> str:
        """Return characters as they are shown."""
        return self.box.text(span)

    def word_at(self, position: int) -> Span:
        """Return the word around a position."""
        return self.box.word_at(position)

    def targets(self) -> list[Target]:
        """Return the Copy button."""
        name = QCoreApplication.translate("Transcript", "Copy code")
        return [Target(CopyText(self.block.text), self._copy_box(), name)]

    def end_box(self) -> QRectF:
        """Return where the next letter would stand."""
        return self.box.end_box().translated(_SIDE_PX, self._body_top)

    def colour(self, line: int, stretches: list[Stretch]) -> None:
        """Colour a line of the code."""
        if self._text_box is None:
            return
        document = self._text_box.document
        block = document.findBlockByNumber(line)
        ranges = []
        for stretch in stretches:
            part = QTextLayout.FormatRange()
            part.start, part.length = stretch.start, stretch.length
            dress = QTextCharFormat()
            dress.setForeground(self._look.color(stretch.ink))
            part.format = dress
            ranges.append(part)
        layout = block.layout()
        if block.isValid() and (ranges or layout.formats()):
            layout.setFormats(ranges)
            document.markContentsDirty(block.position(), block.length())

    @property
    def is_drawn(self) -> bool:
        """Whether there is a document to colour."""
        return self._text_box is not None

    @property
    def _body_top(self) -> int:
        return self._look.scaled(_HEADER_PX) + _TOP_PX - 1

    def _title(self) -> str:
        return self.block.language or QCoreApplication.translate("Transcript", "code")

    def _copy_words(self, is_done: bool) -> str:
        if is_done:
            return QCoreApplication.translate("Transcript", "Copied")
        return QCoreApplication.translate("Transcript", "Copy")

    def _copy_box(self) -> QRectF:
        words = QFontMetricsF(self._look.small).horizontalAdvance(self._copy_words(False))
        width = words + _ICON_PX + 3 * 7
        header = self._look.scaled(_HEADER_PX)
        return QRectF(self._width - _LABEL_SIDE_PX - width + 7, 4, width, header - 8)

    def _paint_copy(self, brush: Brush, origin: QPointF) -> None:
        target = self.targets()[0].moved(origin.x(), origin.y())
        box = target.box
        is_done = brush.done == target.deed
        icon = QRectF(box.left() + 7, box.center().y() - _ICON_PX / 2, _ICON_PX, _ICON_PX)
        self._look.draw_icon(brush.painter, "check" if is_done else "copy", "ink-2", icon)
        brush.painter.setPen(self._look.color("ink-2"))
        words = box.adjusted(_ICON_PX + 14, 0, 40, 0)
        brush.painter.drawText(words, _V_CENTER, self._copy_words(is_done))
        if brush.focus == target:
            self._look.draw_focus(brush.painter, box)

    def _paint_left_out(self, brush: Brush, panel: QRectF) -> None:
        words = QCoreApplication.translate("Transcript", "{count} more lines are not shown here.")
        box = panel.adjusted(_SIDE_PX, panel.height() - self._look.line_px - 8, 0, -8)
        brush.painter.setFont(self._look.small)
        brush.painter.setPen(self._look.color("ink-2"))
        brush.painter.drawText(box, _V_CENTER, words.format(count=f"{self.block.left_out:,}"))
