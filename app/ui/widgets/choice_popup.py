"""`ChoicePopup` lists more choices than a menu can hold, below what opens it, with a search."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QPoint, QRect, QSize, QSortFilterProxyModel, Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.ui.theme import Theme
from app.ui.widgets.choice_list import ChoiceList
from app.ui.widgets.fields import FilterField
from app.ui.widgets.menus import round_window
from app.ui.widgets.screen_fit import fitted
from app.ui.widgets.surfaces import RoundedFrame
from app.viewmodels.rows import RowsModel

_WIDTH_PX: Final = 360
_HEIGHT_PX: Final = 340
_MARGIN_PX: Final = 6
_RADIUS_PX: Final = 10
_GAP_PX: Final = 4


class ChoicePopup(RoundedFrame):
    """Offers values by their words; typing narrows the list. Made by what opens it."""

    chosen = Signal(str)
    """Somebody chose; argument: the value."""

    def __init__(self, theme: Theme, purpose: str, parent: QWidget) -> None:
        super().__init__(theme, _RADIUS_PX, line="line-strong", parent=parent)
        self._theme = theme
        self.setWindowFlags(Qt.WindowType.Popup)
        round_window(self, _RADIUS_PX)
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
        self._list.step(-self._shown.rowCount())

    def _on_list_chosen(self, row: tuple[str, str]) -> None:
        self.hide()
        self.chosen.emit(row[0])
