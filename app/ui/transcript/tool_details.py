"""What an open tool row shows: the exact input and output, with nothing hidden in them."""

from typing import Final

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt

from app.chat.items import ToolRow
from app.ui.parts.shown_text import shown_text
from app.ui.transcript.brush import Brush
from app.ui.transcript.decision_words import decision_words
from app.ui.transcript.look import Look
from app.ui.transcript.placed_box import PlacedBox
from app.ui.transcript.spots import Selected, Span, Spot
from app.ui.transcript.text_box import TextBox

_SIDE_PX: Final = 14
_GAP_PX: Final = 10
_INSET_PX: Final = 10


class ToolDetails:
    """Two texts under their names, and a line that says who decided.

    The texts are laid out when they are first shown. Made by a tool row; ends with it.
    """

    def __init__(self, look: Look) -> None:
        self._look = look
        self._texts: tuple[str, str] = ("", "")
        self._boxes: list[TextBox] = []
        self._decided_by = ""
        self._width = 0

    def show(self, item: ToolRow) -> None:
        """Show a later state of the call."""
        self._decided_by = item.decided_by
        texts = (item.input_text, item.output_text)
        if texts != self._texts:
            self._texts = texts
            self._boxes = []

    def set_width(self, width: int) -> None:
        """Lay out at this width."""
        self._width = width
        for box in self._boxes:
            box.set_width(self._text_width)

    @property
    def height(self) -> int:
        """The height of everything."""
        parts = self._label_px + 2 * _INSET_PX + _GAP_PX
        texts = sum(round(box.height) + parts for box in self._laid_out())
        return texts + (self._label_px if self._decided_by else 0) + _GAP_PX

    def paint(self, brush: Brush) -> None:
        """Draw names, texts and the line below."""
        painter, look = brush.painter, self._look
        for index, box in enumerate(self._laid_out()):
            top = self._top_of(index)
            self._paint_words(brush, top - self._label_px, self._name_of(index))
            ground = QRectF(_SIDE_PX, top, self._width - 2 * _SIDE_PX, box.height + 2 * _INSET_PX)
            look.draw_panel(painter, ground, "code-bg", "line", 8)
            span = brush.selected.span_in(index, box.length) if brush.selected else None
            box.paint(brush, QPointF(_SIDE_PX + _INSET_PX, top + _INSET_PX), "ink", span)
        if self._decided_by:
            self._paint_words(
                brush, self.height - self._label_px - _GAP_PX / 2, decision_words(self._decided_by)
            )

    def spot_at(self, point: QPointF) -> Spot | None:
        """Return the place nearest to `point`."""
        boxes = self._laid_out()
        if not boxes:
            return None
        index = sum(point.y() >= self._top_of(i) - self._label_px for i in range(1, len(boxes)))
        origin = QPointF(_SIDE_PX + _INSET_PX, self._top_of(index) + _INSET_PX)
        return Spot(index, boxes[index].position_at(point - origin))

    def word_at(self, spot: Spot) -> Selected:
        """Return the word around a place."""
        word = self._laid_out()[spot.piece].word_at(spot.position)
        return Selected(Spot(spot.piece, word.first), Spot(spot.piece, word.last))

    def all_selected(self) -> Selected | None:
        """Return all texts."""
        boxes = self._laid_out()
        return Selected(Spot(0, 0), Spot(len(boxes) - 1, boxes[-1].length)) if boxes else None

    @property
    def count(self) -> int:
        """How many texts there are."""
        return len(self._laid_out())

    def box_of(self, index: int) -> PlacedBox:
        """Return one of the texts."""
        origin = QPointF(_SIDE_PX + _INSET_PX, self._top_of(index) + _INSET_PX)
        return PlacedBox(origin, self._laid_out()[index])

    def text(self, selected: Selected) -> str:
        """Return what is marked."""
        boxes = enumerate(self._laid_out())
        spans = [(box, selected.span_in(index, box.length)) for index, box in boxes]
        return "\n".join(box.text(span) for box, span in spans if span)

    @property
    def shown_text(self) -> str:
        """Everything, as it is shown."""
        lines = []
        for index, box in enumerate(self._laid_out()):
            lines += [self._name_of(index), box.text(Span(0, box.length))]
        return "\n".join(
            [*lines, *([decision_words(self._decided_by)] if self._decided_by else [])]
        )

    @property
    def _text_width(self) -> float:
        return max(40.0, self._width - 2.0 * (_SIDE_PX + _INSET_PX))

    @property
    def _label_px(self) -> int:
        return self._look.line_px + 2

    def _laid_out(self) -> list[TextBox]:
        """Return the texts there are; what has no text yet is left out."""
        if not self._boxes:
            self._boxes = [self._make_box(text) for text in self._texts if text]
        return self._boxes

    def _make_box(self, text: str) -> TextBox:
        box = TextBox(self._look, self._look.mono, self._look.mono_line_px)
        box.show_plain(shown_text(text))
        box.set_width(self._text_width)
        return box

    def _top_of(self, index: int) -> float:
        parts = self._label_px + 2 * _INSET_PX + _GAP_PX
        above = sum(round(box.height) + parts for box in self._boxes[:index])
        return above + _GAP_PX / 2 + self._label_px

    def _name_of(self, index: int) -> str:
        if index == 0 and self._texts[0]:
            return QCoreApplication.translate("Transcript", "Input")
        return QCoreApplication.translate("Transcript", "Output")

    def _paint_words(self, brush: Brush, top: float, words: str) -> None:
        brush.painter.setFont(self._look.small)
        brush.painter.setPen(self._look.color("ink-2"))
        line = QRectF(_SIDE_PX, top, self._width - 2 * _SIDE_PX, self._label_px)
        brush.painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, words)
