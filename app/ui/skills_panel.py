"""`SkillsPanel` shows the skills of the project, or why none can be shown, in the right panel.

`SkillDelegate` paints a skill: name, version, description and author.
"""

from typing import Final

from PySide6.QtCore import QAbstractItemModel, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QListView,
    QStackedLayout,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app.common.error_messages import ErrorMessage
from app.ui.theme import Theme
from app.ui.widgets.buttons import push_button
from app.ui.widgets.fonts import Weight
from app.ui.widgets.labels import one_line, plain_label, short_name, spoken
from app.ui.widgets.painting import POINTED_AT, PaintedParagraph, Pen, paint_flat_ground
from app.viewmodels.chat.catalog import SkillRow
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
        """Return the room for everything there is to say about the skill."""
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
        """Paint one row and the line under it."""
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

    def _description(self, skill: SkillRow, width: float) -> PaintedParagraph:
        pen = Pen(self._theme.font("small"), self._theme.color("ink-2"))
        return PaintedParagraph(one_line(skill.description), pen, width, _DESCRIPTION_LINES)


class SkillsPanel(QWidget):
    """Lists the `SkillRow`s that `model` gives under `ROW_ROLE`.

    Once loaded without rows it says so; after `show_failure` it says what went wrong until rows
    come or another load begins. Made by the right panel.
    """

    reload_requested = Signal()
    """The skills should be fetched again."""

    def __init__(
        self, model: QAbstractItemModel, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._model = model
        self._theme = theme
        self._has_failed = False
        self._is_loaded = False
        self._list = self._make_list(model)
        self._words = plain_label("", theme, size="secondary", ink="ink-2", wraps=True)
        self._retry = push_button(self.tr("Try again"), "secondary", theme)
        self._retry.clicked.connect(self._on_retry_clicked)
        self._pages = QStackedLayout()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._pages, 1)
        # A QStackedLayout shows its first page at once; without a parent it would open as a window.
        self._pages.addWidget(self._list)
        self._pages.addWidget(self._make_message())
        for signal in (model.rowsInserted, model.rowsRemoved, model.modelReset):
            signal.connect(self._on_model_changed)
        theme.changed.connect(self._list.viewport().update)
        self._show_page()

    def show_skill(self, name: str) -> None:
        """Bring this skill into view, with the keyboard on it."""
        for row in range(self._model.rowCount()):
            index = self._model.index(row, 0)
            if index.data(ROW_ROLE).name == name:
                self._list.setCurrentIndex(index)
                self._list.scrollTo(index)
                self._list.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_failure(self, words: ErrorMessage) -> None:
        """Say why the skills could not be fetched."""
        self._has_failed = True
        self._words.setText(spoken(words))
        self._show_page()

    def show_loaded(self) -> None:
        """Show the rows as what the service has, also when there are none."""
        self._has_failed, self._is_loaded = False, True
        self._show_page()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give each row the height that it needs at this width."""
        super().resizeEvent(event)
        # A list that runs downwards lays out anew by itself only when its height changes.
        self._list.scheduleDelayedItemsLayout()

    def _make_list(self, model: QAbstractItemModel) -> QListView:
        view = QListView()
        view.setModel(model)
        view.setItemDelegate(SkillDelegate(self._theme, view))
        view.setAccessibleName(self.tr("Skills"))
        view.setSelectionMode(QListView.SelectionMode.NoSelection)
        view.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.setResizeMode(QListView.ResizeMode.Adjust)
        return view

    def _make_message(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        column.addWidget(self._words)
        column.addWidget(self._retry, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
        return page

    def _show_page(self) -> None:
        has_rows = self._model.rowCount() > 0
        self._retry.setVisible(self._has_failed)
        if not self._has_failed:
            none = self.tr("This connection has no skills.")
            self._words.setText(none if self._is_loaded else "")
        self._pages.setCurrentIndex(0 if has_rows and not self._has_failed else 1)

    def _on_retry_clicked(self) -> None:
        self._has_failed = False
        self._show_page()
        self.reload_requested.emit()

    def _on_model_changed(self) -> None:
        if self._model.rowCount() > 0:
            self._has_failed = False
        # Another project begins with no rows; `show_loaded` says when there really are none.
        self._is_loaded = False
        self._show_page()
