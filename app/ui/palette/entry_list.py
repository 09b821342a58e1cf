"""`EntryList` shows the entries of the palette, one of them current; it never takes the keyboard.

`EntryDelegate` paints them, with a caption above the first of each group.
"""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import (
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPointF,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QListView, QStyledItemDelegate, QStyleOptionViewItem

from app.ui.palette.entries import PaletteEntry, caption_of
from app.ui.theme import Theme
from app.ui.widgets.accessible import tell_current
from app.ui.widgets.fonts import Weight
from app.ui.widgets.labels import title_line
from app.ui.widgets.marked_text import MarkedPen, MarkedText
from app.ui.widgets.painting import POINTED_AT, Pen, paint_round_ground
from app.viewmodels.rows import ROW_ROLE, Index, RowsModel

_INSET_PX: Final = 6
_SIDE_PX: Final = 14
_ICON_PX: Final = 16
_TEXT_LEFT_PX: Final = 38
_PADDING_PX: Final = 8
_GAP_PX: Final = 16
_CAPTION_ABOVE_PX: Final = 13
_CAPTION_BELOW_PX: Final = 4


class EntryDelegate(QStyledItemDelegate):
    """Paints a `PaletteEntry`: icon, text with the letters that fit in bold, and a hint at the end.

    Made by the palette; ends with it.
    """

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def caption_height(self, index: Index) -> int:
        """Return the height of the caption above this row, or 0 if there is none."""
        if not self._caption(index):
            return 0
        height = self._caption_pen().line_height()
        return round(height + self._theme.px(_CAPTION_ABOVE_PX + _CAPTION_BELOW_PX))

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the height of a row, with its caption; the width is the list's."""
        height = round(self._pen().line_height() + 2 * self._theme.px(_PADDING_PX))
        return QSize(0, height + self.caption_height(index))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint the caption, if there is one, and the row."""
        entry: PaletteEntry = index.data(ROW_ROLE)
        px = self._theme.px
        room = QRectF(option.rect).adjusted(px(_INSET_PX), 0, -px(_INSET_PX), 0)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if caption := self._caption(index):
            line = room.adjusted(px(_SIDE_PX), px(_CAPTION_ABOVE_PX), -px(_SIDE_PX), 0)
            line.setHeight(self._caption_pen().line_height())
            self._caption_pen().write(painter, line, caption)
            room.adjust(0, self.caption_height(index), 0, 0)
        paint_round_ground(painter, room, self._theme, option.state & ~POINTED_AT)
        self._write(painter, room.adjusted(px(_SIDE_PX), 0, -px(_SIDE_PX), 0), entry)
        painter.restore()

    def _write(self, painter: QPainter, room: QRectF, entry: PaletteEntry) -> None:
        ratio = painter.device().devicePixelRatioF()
        px = self._theme.px
        icon = self._theme.pixmap(entry.icon, "ink-2", px(_ICON_PX), ratio)
        painter.drawPixmap(QPointF(room.left(), room.center().y() - px(_ICON_PX) / 2), icon)
        hint = self._hint_pen()
        # The text matters more than the hint: the hint gets less than half of the row.
        hint_width = min(hint.width_of(entry.hint) + 1, room.width() * 0.45)
        end = QRectF(room.right() - hint_width, room.top(), hint_width, room.height())
        hint.write_at_end(painter, end, entry.hint)
        width = room.width() - px(_TEXT_LEFT_PX - _SIDE_PX) - hint_width - px(_GAP_PX)
        text = MarkedText(entry.text, entry.marks, self._pen(), width)
        left = room.left() + px(_TEXT_LEFT_PX - _SIDE_PX)
        text.draw(painter, QPointF(left, room.top() + px(_PADDING_PX)))

    def _caption(self, index: Index) -> str:
        entry: PaletteEntry = index.data(ROW_ROLE)
        above = index.model().index(index.row() - 1, 0)
        if above.isValid() and above.data(ROW_ROLE).group is entry.group:
            return ""
        return caption_of(entry.group)

    def _pen(self) -> MarkedPen:
        ink = self._theme.color("ink")
        return MarkedPen(self._theme.font(), ink, ink)

    def _hint_pen(self) -> Pen:
        return Pen(self._theme.font("small"), self._theme.color("ink-3"))

    def _caption_pen(self) -> Pen:
        return Pen(self._theme.font("caption", Weight.DemiBold), self._theme.color("ink-3"))


def spoken_entry(entry: PaletteEntry) -> str:
    """Return what a screen reader says of an entry."""
    parts = (caption_of(entry.group), title_line(entry.text), entry.hint)
    return ", ".join(part for part in parts if part)


_BELOW_PX = 8
# Tell screen readers once the list is quiet: each letter replaces the entries several times.
_TOLD_AFTER_MS = 120


class EntryList(QListView):
    """Shows entries; the pointer and `step` say which is current. Made by the palette."""

    clicked_on = Signal(object)
    """An entry was clicked; argument: the `PaletteEntry`."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._rows: RowsModel[PaletteEntry] = RowsModel(
            lambda entry: entry.text, spoken_of=spoken_entry
        )
        self._rows.setParent(self)
        self._was_moved = False
        # The focus stays in the line above, so screen readers do not follow the list by themselves.
        self._telling = QTimer(self, singleShot=True, interval=_TOLD_AFTER_MS)
        self._telling.timeout.connect(self._on_telling_timeout)
        self.setModel(self._rows)
        self.setItemDelegate(EntryDelegate(theme, self))
        self.setAccessibleName(self.tr("Results"))
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setViewportMargins(0, 0, 0, _BELOW_PX)
        self.entered.connect(self._on_entered)
        self.clicked.connect(self._on_clicked)
        theme.changed.connect(self.viewport().update)

    @property
    def current(self) -> PaletteEntry | None:
        """The current entry; None when there is no entry at all."""
        entry = self.currentIndex().data(ROW_ROLE) if self.currentIndex().isValid() else None
        return entry if isinstance(entry, PaletteEntry) else None

    def height_within(self, limit: int) -> int:
        """Return the height of as many whole rows as `limit` has room for, at least of one."""
        height = _BELOW_PX
        for row in range(self._rows.rowCount()):
            row_height = self.sizeHintForRow(row)
            if row and height + row_height > limit:
                break
            height += row_height
        return height

    def begin(self) -> None:
        """Make the first entry current, whatever comes, until the user moves."""
        self._was_moved = False
        if self._rows.rowCount():
            self._make_current(0)

    def show_entries(self, entries: Sequence[PaletteEntry]) -> None:
        """Show these; an entry that somebody went to stays current if it is among them."""
        if tuple(entries) == tuple(self._rows.rows):
            return
        before = self.current if self._was_moved else None
        self._rows.replace_all(tuple(entries))
        keys = [entry.key for entry in entries]
        self._was_moved = before is not None and before.key in keys
        if entries:
            self._make_current(keys.index(before.key) if before and self._was_moved else 0)
        if self.isVisible():
            self._telling.start()

    def step(self, by: int) -> None:
        """Go `by` entries down; past an end it goes on at the other, a page stops there."""
        count = self._rows.rowCount()
        if count:
            row = self.currentIndex().row() + by
            self._go_to(row % count if abs(by) == 1 else max(0, min(row, count - 1)))

    def _go_to(self, row: int) -> None:
        self._was_moved = True
        self._make_current(row)
        self._telling.start()

    def _make_current(self, row: int) -> None:
        index = self._rows.index(row)
        flag = QItemSelectionModel.SelectionFlag.ClearAndSelect
        self.selectionModel().setCurrentIndex(index, flag)
        self.scrollTo(index)

    def _on_telling_timeout(self) -> None:
        if self.isVisible():
            tell_current(self)

    def _on_entered(self, index: QModelIndex) -> None:
        self._was_moved = True
        flag = QItemSelectionModel.SelectionFlag.ClearAndSelect
        self.selectionModel().setCurrentIndex(index, flag)

    def _on_clicked(self, index: QModelIndex) -> None:
        self.clicked_on.emit(index.data(ROW_ROLE))
