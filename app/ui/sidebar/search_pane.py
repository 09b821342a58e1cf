"""`SearchPane` is the search of the sidebar: its field, and the hits in place of the list of chats.

`SearchField` is the field over that list, `HitList` shows the hits, and `SearchDelegate` paints
them so that the words that were looked for stand out.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from PySide6.QtCore import (
    QCoreApplication,
    QObject,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QStackedWidget,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app.common.error_messages import ErrorMessage
from app.store.search import TextHit, TitleHit
from app.ui.theme import Theme
from app.ui.widgets.accessible import announce, tell_current
from app.ui.widgets.buttons import IconLabel
from app.ui.widgets.choice_list import ChoiceList
from app.ui.widgets.empty_place import EmptyPlace
from app.ui.widgets.fields import LineEdit
from app.ui.widgets.labels import LINE_LIMIT, plain_label, set_ink, spoken, title_line
from app.ui.widgets.marked_text import MarkedPen, MarkedText
from app.ui.widgets.painting import Pen, paint_round_ground
from app.viewmodels.dates import short_time
from app.viewmodels.rows import ROW_ROLE, Index
from app.viewmodels.sidebar.conversation_list import count_words, untitled_words
from app.viewmodels.sidebar.search import Hit, HitRows, Results

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
        """Return the height of a row in a list as wide as it is now."""
        hit: Hit = index.data(ROW_ROLE)
        height = self._title_pen().line_height()
        if isinstance(hit, TextHit):
            widget: QWidget = option.widget
            room = widget.contentsRect().width() - 2 * self._theme.px(_INSET_PX + _TEXT_INSET_PX)
            height = self._excerpt(hit, room).height
        padding = self._theme.px(2 * _PADDING_PX)
        return QSize(0, round(height + self._hint_pen().line_height() + padding))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one row."""
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


class HitList(ChoiceList):
    """Shows hits, one of them current; a click or Enter opens. Made by the search pane."""

    def __init__(self, rows: HitRows, theme: Theme, now: Callable[[], datetime]) -> None:
        super().__init__(rows, theme)
        self.setItemDelegate(SearchDelegate(theme, now, self))
        self.setAccessibleName(self.tr("Search results"))
        # A click opens the chat, which gets the focus; the list must not take it before.
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)


_FIELD_PADDING_PX: Final = 12
_ICON_ROOM_PX: Final = 22
_STEPS: Final = {
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_PageDown: 8,
    Qt.Key.Key_PageUp: -8,
}


class SearchField(LineEdit):
    """One line with a magnifying glass, and the keys that lead there while it is empty.

    The keyboard stays here while arrows go through the hits. Made by the search pane.
    """

    moved = Signal(int)
    """Another hit should be the current one; argument: by how many rows, down is positive."""
    left = Signal()
    """Esc was pressed in the empty field."""

    def __init__(self, theme: Theme, name: str, keys: str = "") -> None:
        super().__init__()
        self._theme = theme
        self.setFont(theme.font("secondary"))
        self.setPlaceholderText(name)
        self.setAccessibleName(name)
        self._icon = IconLabel("search", theme, "ink-3")
        self._hint = plain_label(keys, theme, size="small", ink="ink-3")
        for part in (self._icon, self._hint):
            part.setParent(self)
            # A click on the icon or the keys is one into the field.
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.textChanged.connect(self._place_parts)
        theme.changed.connect(self._place_parts)

    def show_keys(self, keys: str) -> None:
        """Show these keys at the end of the empty field."""
        self._hint.setText(keys)
        self._place_parts()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go through the hits with arrows; Esc empties the field, then leaves it."""
        step = _STEPS.get(Qt.Key(event.key()))
        if step is not None:
            self.moved.emit(step)
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the icon at the beginning and the keys at the end."""
        super().resizeEvent(event)
        self._place_parts()

    def _place_parts(self) -> None:
        px = self._theme.px
        self.setTextMargins(px(_ICON_ROOM_PX), 0, 0, 0)
        self._icon.move(_FIELD_PADDING_PX, (self.height() - self._icon.height()) // 2)
        size = self._hint.sizeHint()
        words = self.fontMetrics().horizontalAdvance(self.placeholderText())
        taken = words + px(_ICON_ROOM_PX) + 2 * _FIELD_PADDING_PX
        self._hint.setVisible(not self.text() and taken + size.width() <= self.width())
        left = self.width() - size.width() - _FIELD_PADDING_PX
        self._hint.setGeometry(
            left, (self.height() - size.height()) // 2, size.width(), size.height()
        )


_FIELD_INSET_PX: Final = 12


class SearchPane(QWidget):
    """Shows `content` until something is typed, then the `Results` that it is told.

    Made by the sidebar; ends with it.
    """

    typed = Signal(str)
    """Something else is looked for; argument: the words, empty for nothing."""
    hit_chosen = Signal(object)
    """A hit should open; argument: the `TitleHit` or `TextHit`."""
    more_requested = Signal()
    """The list of hits has come to its end."""
    left = Signal()
    """Whoever searched is done: the keyboard should go back to the chat."""

    def __init__(self, theme: Theme, now: Callable[[], datetime], content: QWidget) -> None:
        super().__init__()
        self._field = SearchField(theme, self.tr("Search chats"))
        self._content = content
        self._rows = HitRows(self)
        self._words = plain_label("", theme, size="small", ink="ink-3", wraps=True)
        self._words.setContentsMargins(20, 10, 16, 6)
        self._list = HitList(self._rows, theme, now)
        self._none = EmptyPlace(theme, "search")
        self._none.show_words(
            self.tr("No matching chats"),
            self.tr("Titles and all text stored on this computer were searched."),
            self.tr("Clear search"),
        )
        self._none.acted.connect(self._field.clear)
        self._said_of = ""
        self._pages = QStackedWidget()
        self._lay_out()
        self._field.textChanged.connect(self._on_field_text_changed)
        self._field.returnPressed.connect(self._list.choose_current)
        self._field.moved.connect(self._on_field_moved)
        self._field.left.connect(self.left)
        self._list.chosen.connect(self.hit_chosen)
        self._list.left.connect(self.take_focus)
        self._rows.more_requested.connect(self.more_requested)

    def take_focus(self) -> None:
        """Bring the keyboard to the field, with what was typed selected."""
        self._field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._field.selectAll()

    def show_keys(self, keys: str) -> None:
        """Show in the empty field which keys lead there."""
        self._field.show_keys(keys)

    def show_results(self, results: Results) -> None:
        """Show what was found, and how much."""
        self._rows.show(results)
        if not self._field.text().strip() or not results.query:
            return
        set_ink(self._words, "ink-3")
        if results.query != self._said_of:
            self._said_of = results.query
            announce(self._field, self._count_words(results))
        self._words.setText(self._count_words(results))
        self._show_none(is_none=not results.count)
        self._pages.setCurrentIndex(1)
        if results.count and not self._list.currentIndex().isValid():
            self._list.step(0)

    def show_failure(self, words: ErrorMessage) -> None:
        """Say why nothing could be looked for."""
        self._rows.show(Results())
        set_ink(self._words, "bad")
        self._words.setText(spoken(words))
        self._show_none(is_none=False)
        self._pages.setCurrentIndex(1)

    def _lay_out(self) -> None:
        hits = QWidget()
        column = QVBoxLayout(hits)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._words)
        column.addWidget(self._list, 1)
        column.addWidget(self._none, 1)
        self._pages.addWidget(self._content)
        self._pages.addWidget(hits)
        field = QVBoxLayout()
        field.setContentsMargins(_FIELD_INSET_PX, 1, _FIELD_INSET_PX, 6)
        field.addWidget(self._field)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(field)
        whole.addWidget(self._pages, 1)

    def _show_none(self, *, is_none: bool) -> None:
        self._none.setVisible(is_none)
        self._list.setHidden(is_none)
        self._words.setHidden(is_none)

    def _count_words(self, results: Results) -> str:
        if not results.count:
            return self.tr("No matching chats")
        if results.found.has_more:
            return self.tr("More than {count} found").format(count=results.count)
        return self.tr("%n found", "", results.count)

    def _on_field_text_changed(self, text: str) -> None:
        if not text.strip():
            self._pages.setCurrentIndex(0)
        self.typed.emit(text)

    def _on_field_moved(self, by: int) -> None:
        self._list.step(by)
        # The keyboard is in the field: a screen reader would not follow the list.
        tell_current(self._list)
