"""`ModelList` offers the models that a chat may be answered by, and a line to search them.

`ModelDelegate` paints one: its name, where it runs, how much it takes and what it costs, and a tick
if it is chosen.
"""

from typing import Final

from PySide6.QtCore import (
    QAbstractItemModel,
    QObject,
    QPointF,
    QRectF,
    QSize,
    QSortFilterProxyModel,
    Qt,
    Signal,
)
from PySide6.QtGui import QFocusEvent, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QVBoxLayout, QWidget

from app.ui.theme import Theme
from app.ui.widgets.choice_list import ChoiceList
from app.ui.widgets.fields import FilterField
from app.ui.widgets.fonts import Weight
from app.ui.widgets.labels import one_line, plain_label, short_name
from app.ui.widgets.painting import PaintedParagraph, Pen, paint_round_ground
from app.viewmodels.chat.model_choice import ModelOption
from app.viewmodels.rows import ROW_ROLE, Index

_INSET_PX: Final = 4
_PADDING_PX: Final = 8
_TICK_PX: Final = 16
_GAP_PX: Final = 6
_REASON_LINES: Final = 2
SCROLL_BAR_PX: Final = 12
"""The room that texts leave for the scroll bar of a long list."""
# With so few, all are seen at once.
_MOST_WITHOUT_SEARCH: Final = 7


class ModelDelegate(QStyledItemDelegate):
    """Paints `ModelOption`s in rows of `width_px` at 100 %. Made by the list; ends with it."""

    def __init__(self, theme: Theme, width_px: int, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self._width_px = width_px
        self._chosen: str | None = None

    def choose(self, model: str | None) -> None:
        """Tick this model from the next painting on."""
        self._chosen = model

    def is_chosen(self, model: ModelOption) -> bool:
        """Return whether this model is the one ticked."""
        return model.model == self._chosen

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the room for the name and its details, or why it cannot be chosen."""
        model: ModelOption = index.data(ROW_ROLE)
        height = self._name_pen(model).line_height() + self._details_height(model)
        return QSize(self._theme.px(self._width_px), round(height + 2 * _PADDING_PX))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one row."""
        model: ModelOption = index.data(ROW_ROLE)
        room = QRectF(option.rect).adjusted(_INSET_PX, 1, -_INSET_PX, -1)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_round_ground(painter, room, self._theme, option.state)
        self._write(painter, room.adjusted(_PADDING_PX, _PADDING_PX - 1, -_PADDING_PX, 0), model)
        painter.restore()

    def _write(self, painter: QPainter, room: QRectF, model: ModelOption) -> None:
        pen = self._name_pen(model)
        line = QRectF(room.left(), room.top(), room.width() - _TICK_PX, pen.line_height())
        pen.write(painter, line, short_name(model.display_name))
        if model.is_available:
            small = self._details_pen()
            below = QRectF(room.left(), line.bottom(), room.width(), small.line_height())
            small.write(painter, below, one_line(model.details))
        else:
            start = QPointF(room.left(), line.bottom())
            self._reason(model).write(painter, start, self._text_width())
        if self.is_chosen(model):
            ratio = painter.device().devicePixelRatioF()
            tick = self._theme.pixmap("check", "accent", _TICK_PX, ratio)
            painter.drawPixmap(QPointF(line.right(), line.top() + 1), tick)

    def _name_pen(self, model: ModelOption) -> Pen:
        ink = self._theme.color("ink" if model.is_available else "ink-3")
        return Pen(self._theme.font("secondary", Weight.DemiBold), ink)

    def _details_pen(self) -> Pen:
        return Pen(self._theme.font("small"), self._theme.color("ink-2"))

    def _details_height(self, model: ModelOption) -> float:
        # Of thousands of models only those are measured that say why they cannot be chosen.
        return (
            self._details_pen().line_height() if model.is_available else self._reason(model).height
        )

    def _reason(self, model: ModelOption) -> PaintedParagraph:
        words = one_line(model.details)
        return PaintedParagraph(words, self._details_pen(), self._text_width(), _REASON_LINES)

    def _text_width(self) -> float:
        return self._theme.px(self._width_px) - 2 * (_INSET_PX + _PADDING_PX) - SCROLL_BAR_PX


class ModelList(QWidget):
    """Shows `ModelOption`s, and says why where there are none. Made by the picker; ends with it."""

    chosen = Signal(object)
    """A model was chosen; argument: its `ModelOption`."""
    left = Signal()
    """Esc was pressed, with nothing searched for."""
    resized = Signal()
    """Another height is wanted."""

    def __init__(self, models: QAbstractItemModel, theme: Theme, width_px: int) -> None:
        super().__init__()
        self._theme = theme
        self._width_px = width_px
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._shown = QSortFilterProxyModel(self)
        self._shown.setSourceModel(models)
        self._shown.setFilterRole(Qt.ItemDataRole.AccessibleTextRole)
        self._shown.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._words = FilterField(theme, self.tr("Search models"))
        # Esc empties it; the popup has no room for another stop of Tab.
        self._words.setClearButtonEnabled(False)
        self._words.textChanged.connect(self._on_words_changed)
        self._words.passed.connect(self._on_words_passed)
        self._words.returnPressed.connect(self._on_return_pressed)
        self._list = ChoiceList(self._shown, theme)
        self._list.setAccessibleName(self.tr("Models"))
        self._delegate = ModelDelegate(theme, width_px, self._list)
        self._list.setItemDelegate(self._delegate)
        self._list.chosen.connect(self.chosen)
        self._list.left.connect(self.left)
        self._why_none = plain_label("", theme, size="small", ink="ink-2", wraps=True)
        self._why_none.setContentsMargins(_PADDING_PX, 0, _PADDING_PX, _PADDING_PX)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(_GAP_PX)
        column.addWidget(self._words)
        column.addWidget(self._why_none, 1, Qt.AlignmentFlag.AlignTop)
        column.addWidget(self._list, 1)
        models.modelReset.connect(self._on_models_reset)
        self._on_models_reset()

    def show_chosen(self, model: str | None) -> None:
        """Show which model is chosen; None for the default."""
        self._delegate.choose(model)
        self._list.viewport().update()

    def begin(self) -> None:
        """Forget what was searched for, and go to the chosen model."""
        self._words.clear()
        self._go_to_chosen()

    def wanted_height(self, most_rows: int) -> int:
        """Return the height for this many rows at most."""
        if self._shown.sourceModel().rowCount() == 0:
            return self._why_none.heightForWidth(self._theme.px(self._width_px))
        rows = range(min(self._shown.rowCount(), most_rows))
        height = sum(self._list.sizeHintForRow(row) for row in rows)
        field = self._words.sizeHint().height() + _GAP_PX
        return height + (field if self._has_search() else 0)

    def focusInEvent(self, _event: QFocusEvent) -> None:
        """Pass the keyboard on to the search, else to the list."""
        target: QWidget = self._words if self._has_search() else self._list
        target.setFocus()

    def _has_search(self) -> bool:
        return self._shown.sourceModel().rowCount() > _MOST_WITHOUT_SEARCH

    def _on_models_reset(self) -> None:
        self._words.setVisible(self._has_search())
        self._show_rows_or_why_none()
        self._go_to_chosen()
        self.resized.emit()

    def _go_to_chosen(self) -> None:
        rows = range(self._shown.rowCount())
        chosen = (row for row in rows if self._delegate.is_chosen(self._row(row)))
        self._list.go_to(next(chosen, 0))

    def _show_rows_or_why_none(self) -> None:
        has_any = self._shown.rowCount() > 0
        self._why_none.setText(
            self.tr("No matching models")
            if self._shown.sourceModel().rowCount()
            else self.tr("The service chooses the model. Its agents may use different ones.")
        )
        self._list.setVisible(has_any)
        self._why_none.setVisible(not has_any)

    def _row(self, number: int) -> ModelOption:
        row: ModelOption = self._shown.index(number, 0).data(ROW_ROLE)
        return row

    def _on_words_changed(self, words: str) -> None:
        self._shown.setFilterFixedString(words)
        self._show_rows_or_why_none()
        self._list.step(-self._shown.rowCount())

    def _on_words_passed(self) -> None:
        self._list.setFocus()

    def _on_return_pressed(self) -> None:
        self._list.choose_current()
