"""Draws a call in the Activity panel: how it stands, what it is, and who decided."""

from typing import Final

from PySide6.QtCore import QObject, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.ui.parts.call_icons import CALL_ICONS
from app.ui.parts.fonts import Weight
from app.ui.parts.labels import one_line
from app.ui.parts.painting import Paragraph, Pen
from app.ui.parts.row_ground import paint_flat_ground
from app.ui.theme import Theme
from app.viewmodels.rows import ROW_ROLE, Index
from app.viewmodels.tools.activity_words import ActivityRow

_PADDING_PX: Final = 16
_TOP_PX: Final = 10
_ICON_PX: Final = 16
_TEXT_X: Final = 39
_TARGET_LIMIT: Final = 200
_WORDS_LINES: Final = 3
_SHORT_PART: Final = 12


class ActivityDelegate(QStyledItemDelegate):
    """Paints `ActivityRow`s, which are higher where there is more to say of the call.

    Made by the list of calls; ends with it.
    """

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Returns the room for title, target and however many lines the words take."""
        view: QWidget = option.widget
        # Beside a scroll bar there is less room.
        width = (view.viewport() if isinstance(view, QAbstractScrollArea) else view).width()
        lines = self._title().line_height() + self._target().line_height()
        lines += self._said(index.data(ROW_ROLE), width).height
        return QSize(width, round(lines + 2 * self._theme.px(_TOP_PX)))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paints one row and the line under it."""
        rect, px = QRectF(option.rect), self._theme.px
        painter.save()
        paint_flat_ground(painter, rect, self._theme, option.state)
        row = index.data(ROW_ROLE)
        # What is about nothing in particular has a line less, in the middle.
        lower = 0 if row.target else self._target().line_height() / 2
        self._write(painter, rect.adjusted(0, px(_TOP_PX) + lower, 0, 0), row)
        painter.restore()

    def _write(self, painter: QPainter, rect: QRectF, row: ActivityRow) -> None:
        px, title = self._theme.px, self._title()
        line = QRectF(rect.left() + px(_TEXT_X), rect.top(), rect.width(), title.line_height())
        line.setRight(rect.right() - px(_PADDING_PX))
        icon, ink = CALL_ICONS[row.state]
        side = px(_ICON_PX)
        ratio = painter.device().devicePixelRatio()
        top = line.center().y() - side / 2
        pixmap = self._theme.pixmap(icon, ink, side, ratio)
        painter.drawPixmap(QPointF(rect.left() + px(_PADDING_PX), round(top)), pixmap)
        title.write(painter, line, one_line(row.title, _TARGET_LIMIT))
        if row.target:
            target = self._target()
            line.translate(0, line.height())
            line.setHeight(target.line_height())
            # Of a long path the end says most.
            shown = QFontMetricsF(target.font).elidedText(
                one_line(row.target, _TARGET_LIMIT), Qt.TextElideMode.ElideMiddle, line.width()
            )
            target.write(painter, line, shown)
        line.translate(0, line.height())
        self._said(row, rect.width()).write(painter, line.topLeft(), line.width())

    def _said(self, row: ActivityRow, width: float) -> Paragraph:
        """The words of a row in a list of this width."""
        room = width - self._theme.px(_TEXT_X) - self._theme.px(_PADDING_PX)
        return Paragraph(_kept_together(row.words), self._words(), room, _WORDS_LINES)

    def _title(self) -> Pen:
        return Pen(self._theme.font("secondary", Weight.DemiBold), self._theme.color("ink"))

    def _target(self) -> Pen:
        return Pen(self._theme.mono(), self._theme.color("ink-2"))

    def _words(self) -> Pen:
        return Pen(self._theme.font("small"), self._theme.color("ink-3"))


def _kept_together(words: str) -> str:
    """Words that break behind a dot, and in none of the short parts between two dots."""
    parts = words.split(" · ")
    blank = "\N{NO-BREAK SPACE}"
    whole = (p.replace(" ", blank) if len(p) <= _SHORT_PART else p for p in parts)
    return f"{blank}· ".join(whole)
