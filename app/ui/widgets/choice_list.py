"""`ChoiceList` is a list in which a click or Enter chooses the current row.

`ChoicePopup` is a searchable popup for more choices than a menu can hold.
"""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import (
    QAbstractItemModel,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPoint,
    QRect,
    QRectF,
    QSize,
    QSortFilterProxyModel,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app.ui.theme import Theme
from app.ui.widgets.fields import FilterField
from app.ui.widgets.labels import one_line
from app.ui.widgets.menus import round_window
from app.ui.widgets.painting import Pen, paint_round_ground
from app.ui.widgets.screen_fit import fitted
from app.ui.widgets.surfaces import RoundedFrame
from app.viewmodels.rows import ROW_ROLE, Index, RowsModel

_ENTER_KEYS: Final = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})


class ChoiceList(QListView):
    """Shows rows, one of them current; a search field may move through them by `step`.

    The row that a delegate paints and a choice names is the model's `ROW_ROLE`. Made by the
    widget that shows it; ends with it.
    """

    chosen = Signal(object)
    """A row was clicked, or Enter pressed on it; argument: what the row shows."""
    left = Signal()
    """Esc was pressed."""

    def __init__(self, rows: QAbstractItemModel, theme: Theme) -> None:
        super().__init__()
        self.setModel(rows)
        self.setMouseTracking(True)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.clicked.connect(self._choose)
        theme.changed.connect(self._on_theme_changed)

    def step(self, by: int) -> None:
        """Move the current row by `by` rows, within the ends."""
        last = self.model().rowCount() - 1
        if last >= 0:
            self.go_to(max(0, min(self.currentIndex().row() + by, last)))

    def go_to(self, row: int) -> None:
        """Make this row the current one, and scroll to it."""
        index = self.model().index(row, 0)
        flag = QItemSelectionModel.SelectionFlag.ClearAndSelect
        self.selectionModel().setCurrentIndex(index, flag)
        self.scrollTo(index)

    def choose_current(self) -> None:
        """Choose the current row, if there is one."""
        self._choose(self.currentIndex())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose on Enter, and go back to the field on Esc."""
        if event.key() in _ENTER_KEYS:
            self.choose_current()
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _choose(self, index: QModelIndex) -> None:
        if index.isValid():
            self.chosen.emit(index.data(ROW_ROLE))

    def _on_theme_changed(self) -> None:
        # Letters of another size need rows of another height.
        self.scheduleDelayedItemsLayout()
        self.viewport().update()


_WIDTH_PX: Final = 360
_HEIGHT_PX: Final = 340
_MARGIN_PX: Final = 6
_RADIUS_PX: Final = 10
_GAP_PX: Final = 4
_ROW_PX: Final = 30
_PADDING_PX: Final = 10


class _ChoiceDelegate(QStyledItemDelegate):
    """Paints a label as the other lists paint their rows. Made by the popup; ends with it."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        """Return the height of every row."""
        return QSize(0, self._theme.px(_ROW_PX))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one row."""
        room = QRectF(option.rect).adjusted(0, 1, 0, -1)
        padding = self._theme.px(_PADDING_PX)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_round_ground(painter, room, self._theme, option.state)
        pen = Pen(self._theme.font("secondary"), self._theme.color("ink"))
        pen.write(
            painter, room.adjusted(padding, 0, -padding, 0), one_line(index.data(ROW_ROLE)[1])
        )
        painter.restore()


class ChoicePopup(RoundedFrame):
    """Offers values by their labels; typing filters the list. Made by the widget that opens it."""

    chosen = Signal(str)
    """Somebody chose; argument: the value."""

    def __init__(self, theme: Theme, purpose: str, parent: QWidget) -> None:
        super().__init__(theme, _RADIUS_PX, line="line-strong", parent=parent)
        self._theme = theme
        self.setWindowFlags(Qt.WindowType.Popup)
        round_window(self, _RADIUS_PX, theme)
        self._rows: RowsModel[tuple[str, str]] = RowsModel(lambda row: row[1], self)
        self._shown = QSortFilterProxyModel(self)
        self._shown.setSourceModel(self._rows)
        self._shown.setFilterRole(Qt.ItemDataRole.AccessibleTextRole)
        self._shown.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._words = FilterField(theme, self.tr("Search"))
        self._words.setClearButtonEnabled(False)
        self._list = ChoiceList(self._shown, theme)
        self._list.setFont(theme.font("secondary"))
        self._list.setAccessibleName(purpose)
        self._list.setUniformItemSizes(True)
        self._list.setItemDelegate(_ChoiceDelegate(theme, self._list))
        column = QVBoxLayout(self)
        column.setContentsMargins(_MARGIN_PX, _MARGIN_PX, _MARGIN_PX, _MARGIN_PX)
        column.setSpacing(_MARGIN_PX)
        column.addWidget(self._words)
        column.addWidget(self._list, 1)
        self._words.textChanged.connect(self._on_words_changed)
        self._words.passed.connect(self._list.setFocus)
        self._words.returnPressed.connect(self._list.choose_current)
        self._list.chosen.connect(self._on_list_chosen)
        self._list.left.connect(self.hide)

    def open(self, choices: Sequence[tuple[str, str]], value: str, beside: QWidget) -> None:
        """Show these choices below a widget, at the one with this value."""
        self._words.clear()
        self._rows.replace_all(choices)
        row = next((place for place, choice in enumerate(choices) if choice[0] == value), 0)
        size = QSize(self._theme.px(_WIDTH_PX), self._theme.px(_HEIGHT_PX))
        corner = beside.mapToGlobal(QPoint(0, beside.height() + _GAP_PX))
        self.setGeometry(fitted(QRect(corner, size), self.screen().availableGeometry()))
        self.show()
        self._list.go_to(row)
        self._words.setFocus()

    def _on_words_changed(self, words: str) -> None:
        self._shown.setFilterFixedString(words)
        # To the first row that is left, which Enter then chooses.
        self._list.step(-self._shown.rowCount())

    def _on_list_chosen(self, row: tuple[str, str]) -> None:
        self.hide()
        self.chosen.emit(row[0])
