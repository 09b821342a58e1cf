"""Draws the hits of a search: the words that were looked for stand out."""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from PySide6.QtCore import QCoreApplication, QObject, QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.store.search import TextHit, TitleHit
from app.ui.parts.labels import LINE_LIMIT, title_line
from app.ui.parts.marked_text import MarkedPen, MarkedText
from app.ui.parts.painting import Pen
from app.ui.parts.row_ground import paint_round_ground
from app.ui.theme import Theme
from app.viewmodels.dates import short_time
from app.viewmodels.rows import ROW_ROLE, Index
from app.viewmodels.sidebar.chat_words import count_words, untitled_words
from app.viewmodels.sidebar.search_rows import Hit

_INSET_PX: Final = 8
_TEXT_INSET_PX: Final = 12
_PADDING_PX: Final = 6
_GAP_PX: Final = 8
_EXCERPT_LINES: Final = 2


class SearchDelegate(QStyledItemDelegate):
    """Paints a `TitleHit` as the list of chats does, and a `TextHit` as what was said and where.

    `now` gives the time in the user's time zone. Made by the list of hits; ends with it.
    """

    def __init__(self, theme: Theme, now: Callable[[], datetime], parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self._now = now

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Returns the height of a row in a list as wide as it is now."""
        hit: Hit = index.data(ROW_ROLE)
        height = self._title_pen().line_height()
        if isinstance(hit, TextHit):
            widget: QWidget = option.widget
            room = widget.contentsRect().width() - 2 * self._theme.px(_INSET_PX + _TEXT_INSET_PX)
            height = self._excerpt(hit, room).height
        padding = self._theme.px(2 * _PADDING_PX)
        return QSize(0, round(height + self._hint_pen().line_height() + padding))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paints one row."""
        hit: Hit = index.data(ROW_ROLE)
        px = self._theme.px
        room = QRectF(option.rect).adjusted(px(_INSET_PX), 0, -px(_INSET_PX), -1)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_round_ground(painter, room, self._theme, option.state)
        room.adjust(px(_TEXT_INSET_PX), px(_PADDING_PX) - 1, -px(_TEXT_INSET_PX), 0)
        if isinstance(hit, TitleHit):
            self._write_title(painter, room, hit)
        else:
            self._write_text(painter, room, hit)
        painter.restore()

    def _write_title(self, painter: QPainter, room: QRectF, hit: TitleHit) -> None:
        pen = self._title_pen()
        MarkedText(hit.title, hit.marks, pen, room.width()).draw(painter, room.topLeft())
        words = _archived_words() if hit.is_archived else count_words(hit.message_count)
        self._write_hint(painter, room, pen.line_height(), words, hit.updated_at)

    def _write_text(self, painter: QPainter, room: QRectF, hit: TextHit) -> None:
        excerpt = self._excerpt(hit, room.width())
        excerpt.draw(painter, room.topLeft())
        self._write_hint(painter, room, excerpt.height, where_words(hit), hit.said_at)

    def _excerpt(self, hit: TextHit, width: float) -> MarkedText:
        excerpt, pen = hit.excerpt, self._excerpt_pen()
        return MarkedText(excerpt.text, excerpt.marks, pen, width, _EXCERPT_LINES)

    def _write_hint(
        self, painter: QPainter, room: QRectF, below: float, words: str, moment: datetime | None
    ) -> None:
        hint = self._hint_pen()
        line = QRectF(room.left(), room.top() + below, room.width(), hint.line_height())
        time = short_time(moment, self._now()) if moment else ""
        hint.write_at_end(painter, line, time)
        taken = hint.width_of(time) + self._theme.px(_GAP_PX)
        hint.write(painter, line.adjusted(0, 0, -taken, 0), words)

    def _title_pen(self) -> MarkedPen:
        ink = self._theme.color("ink")
        return MarkedPen(self._theme.font(), ink, ink)

    def _excerpt_pen(self) -> MarkedPen:
        theme = self._theme
        return MarkedPen(theme.font("secondary"), theme.color("ink-2"), theme.color("ink"))

    def _hint_pen(self) -> Pen:
        return Pen(self._theme.font("small"), self._theme.color("ink-3"))


def where_words(hit: TextHit, limit: int = LINE_LIMIT) -> str:
    """Return in which chat a message is, in words, with so much of its title."""
    title = title_line(hit.title, limit) or untitled_words()
    if hit.is_archived:
        return QCoreApplication.translate("Search", "in {title}, imported").format(title=title)
    return QCoreApplication.translate("Search", "in {title}").format(title=title)


def _archived_words() -> str:
    return QCoreApplication.translate("Search", "imported")
