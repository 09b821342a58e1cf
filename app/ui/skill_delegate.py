"""Draws a skill in the right panel: name, version, description and author."""

from typing import Final

from PySide6.QtCore import QObject, QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.ui.parts.fonts import Weight
from app.ui.parts.labels import one_line, short_name
from app.ui.parts.painting import Paragraph, Pen
from app.ui.parts.row_ground import POINTED_AT, paint_flat_ground
from app.ui.theme import Theme
from app.viewmodels.chat.states import SkillRow
from app.viewmodels.rows import ROW_ROLE, Index

_PADDING_PX: Final = 16
_TOP_PX: Final = 12
_GAP_PX: Final = 8
_DESCRIPTION_LINES: Final = 6
_VERSION_LIMIT: Final = 20
_NO_AUTHOR: Final = "—"


class SkillDelegate(QStyledItemDelegate):
    """Paints `SkillRow`s as wide as the list. Made by the skills panel; ends with it."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Returns the room for everything there is to say about the skill."""
        widget: QWidget = option.widget
        width = widget.contentsRect().width()
        skill: SkillRow = index.data(ROW_ROLE)
        height = (
            self._name_pen().line_height()
            + self._description(skill, width - 2 * _PADDING_PX).height
            + self._hint_pen().line_height()
        )
        return QSize(width, round(height + 2 * _TOP_PX))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paints one row and the line under it."""
        rect = QRectF(option.rect)
        painter.save()
        # A skill is read, not pressed.
        paint_flat_ground(painter, rect, self._theme, option.state & ~POINTED_AT)
        self._write(
            painter, rect.adjusted(_PADDING_PX, _TOP_PX, -_PADDING_PX, 0), index.data(ROW_ROLE)
        )
        painter.restore()

    def _write(self, painter: QPainter, room: QRectF, skill: SkillRow) -> None:
        name, hint = self._name_pen(), self._hint_pen()
        version = one_line(skill.version, _VERSION_LIMIT)
        line = QRectF(room.left(), room.top(), room.width(), name.line_height())
        hint.write_at_end(painter, line, version)
        name.write(
            painter,
            line.adjusted(0, 0, -hint.width_of(version) - _GAP_PX, 0),
            short_name(skill.display_name),
        )
        description = self._description(skill, room.width())
        description.write(painter, line.bottomLeft(), room.width())
        below = line.translated(0, line.height() + description.height)
        below.setHeight(hint.line_height())
        hint.write(painter, below, short_name(skill.author or "") or _NO_AUTHOR)

    def _name_pen(self) -> Pen:
        return Pen(self._theme.font("secondary", Weight.DemiBold), self._theme.color("ink"))

    def _hint_pen(self) -> Pen:
        return Pen(self._theme.font("small"), self._theme.color("ink-3"))

    def _description(self, skill: SkillRow, width: float) -> Paragraph:
        pen = Pen(self._theme.font("small"), self._theme.color("ink-2"))
        return Paragraph(one_line(skill.description), pen, width, _DESCRIPTION_LINES)
