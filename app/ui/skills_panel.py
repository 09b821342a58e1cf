"""The first page of the right panel: the skills of the project, or why there are none to see."""

from PySide6.QtCore import QAbstractItemModel, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QListView, QStackedLayout, QVBoxLayout, QWidget

from app.error_text import ErrorText
from app.ui.parts.buttons import push_button
from app.ui.parts.labels import plain_label
from app.ui.parts.words import spoken
from app.ui.skill_delegate import SkillDelegate
from app.ui.theme import Theme
from app.viewmodels.rows import ROW_ROLE


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
        # It shows its first page at once, which would be a window of its own without this panel.
        self._pages.addWidget(self._list)
        self._pages.addWidget(self._make_message())
        for signal in (model.rowsInserted, model.rowsRemoved, model.modelReset):
            signal.connect(self._on_model_changed)
        theme.changed.connect(self._list.viewport().update)
        self._show_page()

    def show_skill(self, name: str) -> None:
        """Brings this skill into view, with the keyboard on it."""
        for row in range(self._model.rowCount()):
            index = self._model.index(row, 0)
            if index.data(ROW_ROLE).name == name:
                self._list.setCurrentIndex(index)
                self._list.scrollTo(index)
                self._list.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_failure(self, words: ErrorText) -> None:
        """Says why the skills could not be fetched."""
        self._has_failed = True
        self._words.setText(spoken(words))
        self._show_page()

    def show_loaded(self) -> None:
        """The rows are what the service has, also when there are none."""
        self._has_failed, self._is_loaded = False, True
        self._show_page()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Gives each row the height that it needs at this width."""
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
            none = self.tr("This project has no skills.")
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
