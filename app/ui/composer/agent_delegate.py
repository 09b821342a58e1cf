"""Draws an agent in the picker: its name, what it is good at, and a tick if it is chosen."""

from typing import Final

from PySide6.QtCore import QObject, QPointF, QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from app.ui.parts.fonts import Weight
from app.ui.parts.labels import one_line, short_name
from app.ui.parts.painting import Paragraph, Pen
from app.ui.parts.row_ground import paint_round_ground
from app.ui.theme import Theme
from app.viewmodels.chat.states import AgentRow
from app.viewmodels.rows import ROW_ROLE, Index

_INSET_PX: Final = 4
_PADDING_PX: Final = 8
_TICK_PX: Final = 16
_DESCRIPTION_LINES: Final = 2


class AgentDelegate(QStyledItemDelegate):
    """Paints `AgentRow`s in rows of `width_px`. Made by the picker; ends with it."""

    def __init__(self, theme: Theme, width_px: int, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self._width_px = width_px
        self._chosen_name: str | None = None

    def choose(self, name: str | None) -> None:
        """Ticks this agent from the next painting on."""
        self._chosen_name = name

    def is_chosen(self, agent: AgentRow) -> bool:
        """Whether this agent is the one ticked."""
        return agent.name == self._chosen_name

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        """Returns the room for the name and at most two lines of description."""
        height = self._name_pen().line_height() + self._description(index.data(ROW_ROLE)).height
        return QSize(self._width_px, round(height + 2 * _PADDING_PX))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paints one row."""
        agent: AgentRow = index.data(ROW_ROLE)
        room = QRectF(option.rect).adjusted(_INSET_PX, 1, -_INSET_PX, -1)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_round_ground(painter, room, self._theme, option.state)
        self._write(painter, room.adjusted(_PADDING_PX, _PADDING_PX - 1, -_PADDING_PX, 0), agent)
        painter.restore()

    def _write(self, painter: QPainter, room: QRectF, agent: AgentRow) -> None:
        pen = self._name_pen()
        line = QRectF(room.left(), room.top(), room.width() - _TICK_PX, pen.line_height())
        pen.write(painter, line, short_name(agent.display_name))
        self._description(agent).write(
            painter, QPointF(room.left(), line.bottom()), self._text_width()
        )
        if self.is_chosen(agent):
            ratio = painter.device().devicePixelRatioF()
            tick = self._theme.pixmap("check", "accent", _TICK_PX, ratio)
            painter.drawPixmap(QPointF(room.right() - _TICK_PX, line.top() + 1), tick)

    def _name_pen(self) -> Pen:
        return Pen(self._theme.font("secondary", Weight.DemiBold), self._theme.color("ink"))

    def _description(self, agent: AgentRow) -> Paragraph:
        pen = Pen(self._theme.font("small"), self._theme.color("ink-2"))
        return Paragraph(one_line(agent.description), pen, self._text_width(), _DESCRIPTION_LINES)

    def _text_width(self) -> float:
        return self._width_px - 2 * (_INSET_PX + _PADDING_PX)
