"""The sidebar: the project, its chats, and how the connection is."""

from collections.abc import Callable
from datetime import datetime

from PySide6.QtCore import QAbstractItemModel, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from app.chat.conversations import ConversationRow
from app.error_text import ErrorText
from app.ui.parts.buttons import icon_button
from app.ui.parts.fonts import Weight
from app.ui.parts.labels import one_line, plain_label
from app.ui.parts.surfaces import HEADER_HEIGHT_PX, hairline, set_surface
from app.ui.parts.words import spoken
from app.ui.sidebar.conversation_list import ConversationList
from app.ui.sidebar.delete_bar import DeleteBar
from app.ui.sidebar.search_pane import SearchPane
from app.ui.sidebar.status_foot import StatusFoot
from app.ui.theme import Theme
from app.viewmodels.rows import ROW_ROLE
from app.viewmodels.states import StatusView

SIDEBAR_WIDTH_PX = 272
_LEAST_WIDTH_PX = 200


def local_now() -> datetime:
    """Return the time with the time zone of this computer."""
    return datetime.now().astimezone()


class Sidebar(QWidget):
    """Lists the `ConversationRow`s that `model` gives under `ROW_ROLE`, newest first.

    Deleting is asked about in the sidebar itself; only then `delete_requested` is emitted.
    `show_open` says which chat is open. Made by the window.
    """

    chat_chosen = Signal(str)
    """A chat should open; argument: its id."""
    new_chat_requested = Signal()
    """A new chat should begin."""
    delete_requested = Signal(str)
    """A chat should be deleted for ever, which was confirmed; argument: its id."""
    settings_requested = Signal()
    """The settings should open."""

    def __init__(
        self,
        model: QAbstractItemModel,
        theme: Theme,
        now: Callable[[], datetime] = local_now,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        set_surface(self, "side")
        self.setMinimumWidth(_LEAST_WIDTH_PX)
        self._model = model
        self._theme = theme
        self._project = plain_label("", theme, size="title", weight=Weight.DemiBold, elides=True)
        self._new_chat = icon_button("square-pen", self.tr("New chat"), theme)
        self._list = ConversationList(model, theme, now)
        self._problem = plain_label("", theme, size="small", ink="bad", wraps=True)
        self._problem.setContentsMargins(20, 4, 16, 8)
        self._delete_bar = DeleteBar(theme)
        self._foot = StatusFoot(theme)
        self._pages = QStackedWidget()
        self.search = SearchPane(theme, now, self._pages)
        self._lay_out()
        self._connect()
        self._show_page()
        self.show_problem(None)

    def sizeHint(self) -> QSize:
        """Returns the width that the design gives the sidebar."""
        return QSize(SIDEBAR_WIDTH_PX, super().sizeHint().height())

    def show_project(self, name: str) -> None:
        """Shows whose chats these are."""
        self._project.setText(one_line(name))

    def show_open(self, conversation_id: str) -> None:
        """Marks the open chat; an empty id marks none."""
        self._list.show_open(conversation_id)

    def show_status(self, view: StatusView) -> None:
        """Shows at the foot how the connection is."""
        self._foot.show_status(view)

    def show_problem(self, words: ErrorText | None) -> None:
        """Says what went wrong with the list or a deletion; None takes that back."""
        self._problem.setText(spoken(words) if words else "")
        self._problem.setVisible(words is not None)

    def _lay_out(self) -> None:
        header = QHBoxLayout()
        header.setContentsMargins(16, 0, 11, 0)
        self._project.setFixedHeight(HEADER_HEIGHT_PX)
        header.addWidget(self._project, 1)
        header.addWidget(self._new_chat)
        self._pages.addWidget(self._list)
        self._pages.addWidget(self._make_empty())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(header)
        column.addWidget(self.search, 1)
        column.addWidget(self._problem)
        column.addWidget(self._delete_bar)
        column.addWidget(hairline())
        column.addWidget(self._foot)

    def _make_empty(self) -> QFrame:
        page = QFrame()
        column = QVBoxLayout(page)
        column.setContentsMargins(20, 12, 16, 12)
        column.setSpacing(4)
        column.addWidget(plain_label(self.tr("No chats yet"), self._theme, weight=Weight.Medium))
        words = self.tr("What you ask first becomes a chat here.")
        column.addWidget(plain_label(words, self._theme, size="small", ink="ink-2", wraps=True))
        column.addStretch(1)
        return page

    def _connect(self) -> None:
        self._new_chat.clicked.connect(self.new_chat_requested)
        self._list.chosen.connect(self.chat_chosen)
        self._list.delete_asked.connect(self._on_list_delete_asked)
        self._delete_bar.confirmed.connect(self.delete_requested)
        self._delete_bar.dismissed.connect(self._on_delete_bar_dismissed)
        self._foot.settings_requested.connect(self.settings_requested)
        for signal in (
            self._model.rowsInserted,
            self._model.rowsRemoved,
            self._model.modelReset,
        ):
            signal.connect(self._on_model_changed)

    def _show_page(self) -> None:
        self._pages.setCurrentIndex(0 if self._model.rowCount() else 1)

    def _on_list_delete_asked(self, row: ConversationRow) -> None:
        self.show_problem(None)
        self._delete_bar.ask(row)

    def _on_delete_bar_dismissed(self) -> None:
        self._list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_model_changed(self) -> None:
        self._show_page()
        if self._delete_bar.conversation_id and not self._is_listed(
            self._delete_bar.conversation_id
        ):
            self._delete_bar.dismiss()

    def _is_listed(self, conversation_id: str) -> bool:
        rows = (self._model.index(row, 0) for row in range(self._model.rowCount()))
        return any(row.data(ROW_ROLE).conversation_id == conversation_id for row in rows)
