"""`ModelList` lists the models to choose for a chat, with a search field.

`ModelDelegate` paints one: name, provider, capabilities, context window, price and state, and a
tick if it is chosen; in a narrow list most of it in one line.
"""

from typing import Final

from PySide6.QtCore import (
    QAbstractItemModel,
    QPointF,
    QRectF,
    QSize,
    QSortFilterProxyModel,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QFocusEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app.ui.theme import Theme
from app.ui.widgets.buttons import IconLabel, push_button
from app.ui.widgets.choice_list import ChoiceList
from app.ui.widgets.empty_place import EmptyPlace
from app.ui.widgets.fields import FilterField
from app.ui.widgets.flow_layout import FlowLayout
from app.ui.widgets.fonts import Weight
from app.ui.widgets.labels import one_line, plain_label, short_name
from app.ui.widgets.painting import PaintedParagraph, Pen, paint_round_ground
from app.ui.widgets.stylesheet import Token
from app.viewmodels.chat.model_choice import ModelOption, state_words
from app.viewmodels.rows import ROW_ROLE, Index

_INSET_PX: Final = 4
_PADDING_PX: Final = 8
_NONE_HEIGHT_PX: Final = 188
# So many models are laid out anew within the time of a key.
_FEW: Final = 500
_ABOVE_PX: Final = 5
_TICK_PX: Final = 16
_GAP_PX: Final = 6
_REASON_LINES: Final = 2
# More does not fit into one line of any list.
_MEASURED_CHARS: Final = 200
SCROLL_BAR_PX: Final = 12
"""The room that texts leave for the scroll bar of a long list."""
# Narrower than this there are no columns.
_COLUMNS_PX: Final = 600
_ICON_PX: Final = 16
_CAN_PX: Final = 3 * _ICON_PX + 2 * _GAP_PX
_WINDOW_PX: Final = 62
_PRICE_PX: Final = 134
_STATE_PX: Final = 122
_BETWEEN_PX: Final = 14
_DOT_PX: Final = 7


class ModelDelegate(QStyledItemDelegate):
    """Paints `ModelOption`s as wide as their list. Made by the list; ends with it."""

    def __init__(self, theme: Theme, view: QListView) -> None:
        super().__init__(view)
        self._theme = theme
        self._view = view
        self._chosen: str | None = None
        self._heights: tuple[float, float] | None = None
        theme.changed.connect(self._on_theme_changed)

    def choose(self, model: str | None) -> None:
        """Set the model that is ticked at the next paint."""
        self._chosen = model

    def is_chosen(self, model: ModelOption) -> bool:
        """Return whether this model is the one ticked."""
        return self._chosen in {model.model, model.single_id}

    def caption_height(self, index: Index) -> float:
        """Return the height of the caption above the first row of a group."""
        return self._line_heights[1] + _GAP_PX if self._begins_group(index) else 0

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the size for the name and its details, or why it cannot be chosen."""
        width = self._view.viewport().width()
        return QSize(width, self.row_height(index, width))

    def row_height(self, index: Index, width: int) -> int:
        """Return the height of a row in a list of this width."""
        # All of a list are asked whenever it changes, and there may be thousands.
        model: ModelOption = index.data(ROW_ROLE)
        name, details = self._line_heights
        if not model.is_available:
            details *= self._reason_lines(model, width)
        return round(name + details + self.caption_height(index) + 2 * _ABOVE_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one row, and above the first of a group its caption."""
        model: ModelOption = index.data(ROW_ROLE)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        room = QRectF(option.rect).adjusted(_INSET_PX, 1, -_INSET_PX, -1)
        caption = self.caption_height(index)
        if caption:
            self._write_captions(painter, self._inside(room), model, is_first=not index.row())
        room.setTop(room.top() + caption)
        paint_round_ground(painter, room, self._theme, option.state)
        self._write(painter, self._inside(room), model)
        painter.restore()

    def _begins_group(self, index: Index) -> bool:
        group: str = index.data(ROW_ROLE).group
        if not index.row():
            return bool(group)
        before: ModelOption = index.model().index(index.row() - 1, 0).data(ROW_ROLE)
        return group != before.group

    def _inside(self, room: QRectF) -> QRectF:
        return room.adjusted(_PADDING_PX, _ABOVE_PX - 1, -_PADDING_PX, 0)

    def _write_captions(
        self, painter: QPainter, room: QRectF, model: ModelOption, *, is_first: bool
    ) -> None:
        pen = self._small()
        line = QRectF(room.left(), room.top() - 2, room.width(), pen.line_height())
        pen.write(painter, line, one_line(model.group))
        if not (is_first and self._has_columns):
            return
        can, window, price, state = self._columns(line)
        pen.write_at_end(painter, can, self.tr("Features"))
        pen.write_at_end(painter, window, self.tr("Context"))
        pen.write_at_end(painter, price, self.tr("In / out per 1M tokens"))
        pen.write(painter, state, self.tr("Status"))

    def _write(self, painter: QPainter, room: QRectF, model: ModelOption) -> None:
        pen = self._name_pen(model)
        line = QRectF(room.left(), room.top(), room.width(), pen.line_height())
        if self._has_columns:
            self._write_columns(painter, line, model)
            line.setWidth(self._columns(line)[0].left() - line.left() - _BETWEEN_PX)
        else:
            self._draw_dot(painter, QRectF(line.right() - _DOT_PX, line.top(), 0, 0), model)
            line.setWidth(line.width() - _DOT_PX - _GAP_PX)
        name = short_name(model.display_name)
        pen.write(painter, line.adjusted(0, 0, -_TICK_PX - _GAP_PX, 0), name)
        if self.is_chosen(model):
            end = min(line.left() + pen.width_of(name) + _GAP_PX, line.right() - _TICK_PX)
            self._draw(painter, "check", QPointF(end, line.top() + 1), "accent")
        below = QRectF(line.left(), line.bottom(), room.width(), self._small().line_height())
        if not model.is_available:
            start = QPointF(room.left(), line.bottom())
            width = self._view.viewport().width()
            self._reason(model, width).write(painter, start, self._reason_width(width))
        elif self._has_columns:
            below.setWidth(line.width())
            self._small().write(painter, below, one_line(model.where))
        else:
            self._small().write(painter, below, one_line(model.details))

    def _write_columns(self, painter: QPainter, line: QRectF, model: ModelOption) -> None:
        can, window, price, state = self._columns(line)
        ink: Token = "ink-2" if model.is_available else "ink-3"
        abilities = (model.can_see, model.has_thinking, model.has_tools)
        for place, (has_it, icon) in enumerate(zip(abilities, ABILITY_ICONS, strict=True)):
            if has_it:
                left = can.left() + self._theme.px(place * (_ICON_PX + _GAP_PX))
                self._draw(painter, icon, QPointF(left, line.top() + 2), ink)
        pen = Pen(self._theme.font("small"), self._theme.color(ink))
        pen.write_at_end(painter, window, model.window)
        pen.write_at_end(painter, price, model.price)
        self._draw_dot(painter, state, model)
        state.setLeft(state.left() + _DOT_PX + _GAP_PX)
        is_bad = model.state == "unavailable"
        pen = Pen(self._theme.font("small"), self._theme.color("bad" if is_bad else "ink-2"))
        pen.write(painter, state, state_words(model))

    def _draw_dot(self, painter: QPainter, room: QRectF, model: ModelOption) -> None:
        """Draw how the model is: full and green, hollow, or red."""
        line_height = self._name_pen(model).line_height()
        dot = QRectF(room.left(), room.top() + (line_height - _DOT_PX) / 2, _DOT_PX, _DOT_PX)
        colour = self._theme.color(
            "bad" if model.state == "unavailable" else "good" if model.state == "ready" else "ink-3"
        )
        painter.setPen(QPen(colour, 1.4))
        painter.setBrush(Qt.BrushStyle.NoBrush if model.state == "loadable" else colour)
        painter.drawEllipse(dot)

    def _draw(self, painter: QPainter, icon: str, at: QPointF, ink: Token) -> None:
        ratio = painter.device().devicePixelRatioF()
        painter.drawPixmap(at, self._theme.pixmap(icon, ink, self._theme.px(_ICON_PX), ratio))

    @property
    def _has_columns(self) -> bool:
        return self._fits_columns(self._view.viewport().width())

    def _fits_columns(self, width: int) -> bool:
        return width >= self._theme.px(_COLUMNS_PX)

    def _columns(self, line: QRectF) -> tuple[QRectF, QRectF, QRectF, QRectF]:
        """Return where stands what a model can, its window, its price and its state."""
        px = self._theme.px
        right = line.right()
        rooms = []
        for width in (_STATE_PX, _PRICE_PX, _WINDOW_PX, _CAN_PX):
            rooms.append(QRectF(right - px(width), line.top(), px(width), line.height()))
            right -= px(width + _BETWEEN_PX)
        state, price, window, can = rooms
        return can, window, price, state

    def _name_pen(self, model: ModelOption) -> Pen:
        ink = self._theme.color("ink" if model.is_available else "ink-3")
        return Pen(self._theme.font("secondary", Weight.DemiBold), ink)

    def _small(self) -> Pen:
        return Pen(self._theme.font("small"), self._theme.color("ink-2"))

    @property
    def _line_heights(self) -> tuple[float, float]:
        """The heights of a line with a name, and of one below it."""
        if self._heights is None:
            name = Pen(self._theme.font("secondary", Weight.DemiBold), self._theme.color("ink"))
            self._heights = name.line_height(), self._small().line_height()
        return self._heights

    def _on_theme_changed(self) -> None:
        self._heights = None

    def _reason_lines(self, model: ModelOption, width: int) -> int:
        """Count the lines of a reason without laying it out, which takes far longer."""
        if len(model.details) > _MEASURED_CHARS:
            return _REASON_LINES
        needed = self._small().width_of(one_line(model.details))
        return 1 if needed < self._reason_width(width) else _REASON_LINES

    def _reason(self, model: ModelOption, width: int) -> PaintedParagraph:
        words = one_line(model.details)
        return PaintedParagraph(words, self._small(), self._reason_width(width), _REASON_LINES)

    def _reason_width(self, width: int) -> float:
        room = width - 2 * (_INSET_PX + _PADDING_PX)
        if not self._fits_columns(width):
            return room - SCROLL_BAR_PX
        return self._columns(QRectF(0, 0, room, 0))[0].left() - _BETWEEN_PX


ABILITY_ICONS: Final = ("eye", "brain", "wrench")
"""The icons of what a model can: it sees, thinks, uses tools."""


class _GroupedList(ChoiceList):
    """A list in which the words above a group are no part of its first row."""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Pass over a press on the words above a group."""
        index = self.indexAt(event.position().toPoint())
        delegate = self.itemDelegate()
        if index.isValid() and isinstance(delegate, ModelDelegate):
            top = self.visualRect(index).top()
            if event.position().y() < top + delegate.caption_height(index):
                return
        super().mousePressEvent(event)


class ModelList(QWidget):
    """Lists `ModelOption`s, or says why there are none. Made by the picker; ends with it."""

    chosen = Signal(object)
    """A model was chosen; argument: its `ModelOption`."""
    left = Signal()
    """Esc was pressed, with nothing searched for."""
    resized = Signal()
    """Another height is wanted."""
    download_requested = Signal()
    """A model file should be downloaded: the settings offer some."""
    file_requested = Signal()
    """A model file should be opened."""
    key_requested = Signal()
    """A provider's key should be added: the settings take it."""

    def __init__(self, models: QAbstractItemModel, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._shown = QSortFilterProxyModel(self)
        self._shown.setSourceModel(models)
        self._shown.setFilterRole(Qt.ItemDataRole.AccessibleTextRole)
        self._shown.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._words = FilterField(theme, self.tr("Search models"))
        # Esc clears it; a button would be one more Tab stop in the popup.
        self._words.setClearButtonEnabled(False)
        self._words.textChanged.connect(self._on_words_changed)
        self._searching = QTimer(self, singleShot=True, interval=0)
        self._searching.timeout.connect(self._search)
        self._words.passed.connect(self._on_words_passed)
        self._words.returnPressed.connect(self._on_return_pressed)
        self._list = _GroupedList(self._shown, theme)
        self._list.setAccessibleName(self.tr("Models"))
        self._delegate = ModelDelegate(theme, self._list)
        self._list.setItemDelegate(self._delegate)
        self._list.chosen.connect(self.chosen)
        self._list.left.connect(self.left)
        self._none = EmptyPlace(theme, "cpu")
        self._none.acted.connect(self._words.clear)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(_GAP_PX)
        column.addWidget(self._words)
        column.addWidget(self._none, 1)
        column.addWidget(self._list, 1)
        column.addWidget(self._make_foot())
        models.modelReset.connect(self._on_models_reset)
        self._on_models_reset()

    @property
    def search(self) -> QWidget:
        """The line that searches the models, which may be given another place."""
        return self._words

    @property
    def has_rows(self) -> bool:
        """Whether there is any model to search."""
        return self._shown.sourceModel().rowCount() > 0

    def show_ways(self, *, is_local: bool) -> None:
        """Offer to add models where the service runs on this computer."""
        for way in self._ways:
            way.setVisible(is_local)

    def show_chosen(self, model: str | None) -> None:
        """Show which model is chosen; None for the default."""
        self._delegate.choose(model)
        self._list.viewport().update()

    def begin(self) -> None:
        """Forget what was searched for, and go to the chosen model."""
        self._words.clear()
        self._end_searching()
        self._go_to_chosen()

    def wanted_height(self, most_rows: int, width: int) -> int:
        """Return the height for this many rows at most, at a width."""
        foot = self._foot.heightForWidth(width) + _GAP_PX
        # All of them count, whatever is searched for.
        models = self._shown.sourceModel()
        if models.rowCount() == 0:
            return self._theme.px(_NONE_HEIGHT_PX) + foot
        indexes = (models.index(row, 0) for row in range(min(models.rowCount(), most_rows)))
        return sum(self._delegate.row_height(index, width) for index in indexes) + foot

    def focusInEvent(self, _event: QFocusEvent) -> None:
        """Pass the keyboard on to the search or the list, as nothing else here takes keys."""
        self.take_focus()

    def take_focus(self) -> None:
        """Give the keyboard to the search, if there is anything to search."""
        target: QWidget = self._words if self.has_rows else self._list
        target.setFocus()

    def _make_foot(self) -> QWidget:
        """Make the line below the list: how to add models, and what the icons mean."""
        theme = self._theme
        download = push_button(self.tr("Download a model…"), "link", theme)
        download.clicked.connect(self.download_requested)
        file = push_button(self.tr("Open a model file…"), "link", theme)
        file.clicked.connect(self.file_requested)
        key = push_button(self.tr("Add a key…"), "link", theme)
        key.clicked.connect(self.key_requested)
        self._ways = (download, file, key)
        self._foot = QWidget()
        flow = FlowLayout(self._foot, spacing_px=4)
        flow.add(*self._ways)
        flow.add_gap()
        words = (self.tr("sees images"), self.tr("thinks"), self.tr("uses tools"))
        for icon, meaning in zip(ABILITY_ICONS, words, strict=True):
            pair = QWidget()
            row = QHBoxLayout(pair)
            row.setContentsMargins(4, 0, 4, 0)
            row.setSpacing(4)
            row.addWidget(IconLabel(icon, theme, "ink-2", _ICON_PX))
            row.addWidget(plain_label(meaning, theme, size="small", ink="ink-2"))
            flow.add(pair)
        return self._foot

    def _on_models_reset(self) -> None:
        self._show_rows_or_why_none()
        self._go_to_chosen()
        self.resized.emit()

    def _go_to_chosen(self) -> None:
        rows = range(self._shown.rowCount())
        chosen = (row for row in rows if self._delegate.is_chosen(self._row(row)))
        self._list.go_to(next(chosen, 0))

    def _show_rows_or_why_none(self) -> None:
        has_any = self._shown.rowCount() > 0
        if self._shown.sourceModel().rowCount():
            words = self.tr("No matching models")
            self._none.show_words(words, "", self.tr("Clear search"))
        else:
            words = self.tr("The service chooses the model")
            self._none.show_words(words, self.tr("The service’s agents may use different models."))
        self._list.setVisible(has_any)
        self._none.setVisible(not has_any)

    def _row(self, number: int) -> ModelOption:
        row: ModelOption = self._shown.index(number, 0).data(ROW_ROLE)
        return row

    def _search(self) -> None:
        self._shown.setFilterFixedString(self._words.text())
        self._show_rows_or_why_none()
        # To the first row: a step past the end stops there.
        self._list.step(-self._shown.rowCount())

    def _end_searching(self) -> None:
        """Show what was found of the words, if that is still to be done."""
        if self._searching.isActive():
            self._searching.stop()
            self._search()

    def _on_words_changed(self) -> None:
        if self._shown.sourceModel().rowCount() <= _FEW:
            self._search()
        else:
            # Letters that are typed while thousands are laid out are searched for together.
            self._searching.start()

    def _on_words_passed(self) -> None:
        self._end_searching()
        self._list.setFocus()

    def _on_return_pressed(self) -> None:
        self._end_searching()
        self._list.choose_current()
