"""The sidebar: the project, its chats, and how the connection is."""

from collections.abc import Callable, Sequence
from datetime import datetime

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from app.chat.conversation_rows import ConversationRow
from app.error_text import ErrorText
from app.settings import ChatOrder
from app.ui.commands import CommandGroup, Commands
from app.ui.parts.buttons import icon_button
from app.ui.parts.fonts import Weight
from app.ui.parts.labels import plain_label
from app.ui.parts.low_area import LowArea
from app.ui.parts.surfaces import hairline, set_surface
from app.ui.parts.words import spoken
from app.ui.sidebar.chat_actions import ChatActions
from app.ui.sidebar.conversation_list import ConversationList
from app.ui.sidebar.delete_bar import DeleteBar
from app.ui.sidebar.project_menu import ProjectMenu
from app.ui.sidebar.search_pane import SearchPane
from app.ui.sidebar.seen_rows import SeenRows
from app.ui.sidebar.status_foot import StatusFoot
from app.ui.theme import Theme
from app.viewmodels.dates import local_now
from app.viewmodels.rows import RowsModel
from app.viewmodels.sidebar.deletion import Deletion
from app.viewmodels.states import StatusView

SIDEBAR_WIDTH_PX = 272
_LEAST_WIDTH_PX = 180


class Sidebar(QWidget):
    """Lists the `ConversationRow`s of `model`, and says what should be done with them.

    Deleting is asked about in the sidebar itself; only then `delete_requested` is emitted.
    `show_open` says which chat is open. Made by the window.
    """

    chat_chosen = Signal(str)
    """A chat should open; argument: its id."""
    window_requested = Signal(str)
    """A chat should open in a window of its own; argument: its id."""
    new_chat_requested = Signal()
    """A new chat should begin."""
    delete_requested = Signal(object)
    """Chats should be deleted for ever, which was confirmed; argument: their ids."""
    export_requested = Signal(object)
    """Chats should be exported; argument: their ids."""
    pin_requested = Signal(object, bool)
    """Chats should stand in front, or no longer; arguments: their ids, whether they should."""
    order_requested = Signal(str)
    """The list should be in another order; argument: a `ChatOrder`."""
    untitled_seen = Signal(object)
    """Chats without a title are seen; argument: their ids."""
    unfold_requested = Signal()
    """Something is to be seen here, and the sidebar is away."""
    settings_requested = Signal()
    """The settings should open."""

    def __init__(
        self,
        model: RowsModel[ConversationRow],
        theme: Theme,
        now: Callable[[], datetime] = local_now,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        set_surface(self, "side")
        self._model = model
        self._theme = theme
        self.project_menu = ProjectMenu(theme)
        self._new_chat = icon_button("square-pen", self.tr("New chat"), theme)
        self._list = ConversationList(model, theme, now)
        self._actions = ChatActions(self._list, theme)
        self._problem = plain_label("", theme, size="small", ink="bad", wraps=True)
        self._problem.setContentsMargins(20, 4, 16, 8)
        self._delete_bar = DeleteBar(theme)
        set_surface(self._delete_bar, "side")
        self._foot = StatusFoot(theme)
        self._is_archive = self._needs_key = False
        self._empty_words = (
            plain_label("", theme, weight=Weight.Medium, wraps=True),
            plain_label("", theme, size="small", ink="ink-2", wraps=True),
        )
        self._pages = QStackedWidget()
        self.search = SearchPane(theme, now, self._pages)
        self._lay_out()
        self._connect()
        self._show_page()
        self.show_problem(None)

    def sizeHint(self) -> QSize:
        """Returns the width that the design gives the sidebar."""
        return QSize(SIDEBAR_WIDTH_PX, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Returns a width at which names can still be told apart."""
        hint = super().minimumSizeHint()
        return hint.expandedTo(QSize(self._theme.px(_LEAST_WIDTH_PX), 0))

    def show_project(self, name: str) -> None:
        """Shows whose chats these are."""
        self.project_menu.show_name(name)

    def show_open(self, conversation_id: str) -> None:
        """Marks the open chat; an empty id marks none."""
        self._list.show_open(conversation_id)

    def show_order(self, order: ChatOrder) -> None:
        """Shows which order the list is in."""
        self._actions.show_order(order)

    def show_archive(self, *, is_archive: bool) -> None:
        """Shows whether these chats are kept on this computer alone."""
        self._is_archive = is_archive
        self._say_empty()
        self._delete_bar.show_archive(is_archive=is_archive)
        self._actions.show_archive(is_archive=is_archive)

    def show_deletion(self, deletion: Deletion) -> None:
        """Says how a deletion goes on."""
        self._delete_bar.show_deletion(deletion)

    def add_to(self, commands: Commands) -> None:
        """Adds what can be done with chats to the commands of the window."""
        self._actions.add_to(commands)
        commands.add(
            "switch-project",
            self.tr("Switch project"),
            self.project_menu.open,
            group=CommandGroup.PROGRAM,
            icon="server",
        )

    def show_status(self, view: StatusView) -> None:
        """Shows at the foot how the connection is."""
        self._needs_key = view.needs_key
        self._say_empty()
        self._foot.show_status(view)

    def show_problem(self, words: ErrorText | None) -> None:
        """Says what went wrong with the list or a deletion; None takes that back."""
        self._problem.setText(spoken(words) if words else "")
        self._problem.setVisible(words is not None)

    def _lay_out(self) -> None:
        header = QHBoxLayout()
        header.setContentsMargins(16, 0, 11, 0)
        header.addWidget(self.project_menu, 1)
        header.addWidget(self._new_chat)
        self._pages.addWidget(self._list)
        self._pages.addWidget(self._make_empty())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(header)
        column.addWidget(self.search, 1)
        column.addWidget(self._problem)
        column.addWidget(LowArea(self._theme, self._delete_bar, self))
        column.addWidget(hairline())
        column.addWidget(self._foot)

    def _make_empty(self) -> LowArea:
        page = QFrame()
        column = QVBoxLayout(page)
        column.setContentsMargins(20, 12, 16, 12)
        column.setSpacing(4)
        for label in self._empty_words:
            column.addWidget(label)
        column.addStretch(1)
        self._say_empty()
        set_surface(page, "side")
        return LowArea(self._theme, page, self._pages)

    def _say_empty(self) -> None:
        title, words = self._empty_words
        if self._is_archive:
            title.setText(self.tr("No imported chats yet"))
            words.setText(self.tr("What you import is listed here."))
        elif self._needs_key:
            # Nobody should take for lost what the service has.
            title.setText(self.tr("The chats of this project need its key"))
            words.setText(self.tr("They are listed once you have entered it; none are kept here."))
        else:
            title.setText(self.tr("No chats yet"))
            words.setText(self.tr("What you ask first becomes a chat here."))

    def _connect(self) -> None:
        self._new_chat.clicked.connect(self.new_chat_requested)
        self._actions.opened.connect(self.chat_chosen)
        self._actions.window_asked.connect(self.window_requested)
        SeenRows(self._list).untitled_seen.connect(self.untitled_seen)
        self._actions.view_asked.connect(self._on_actions_view_asked)
        self._actions.pin_asked.connect(self.pin_requested)
        self._actions.order_asked.connect(self.order_requested)
        self._actions.export_asked.connect(self.export_requested)
        self._actions.delete_asked.connect(self._on_actions_delete_asked)
        self._delete_bar.confirmed.connect(self._on_delete_bar_confirmed)
        self._delete_bar.export_asked.connect(self.export_requested)
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

    def _on_actions_delete_asked(self, rows: Sequence[ConversationRow]) -> None:
        self.show_problem(None)
        self._delete_bar.ask(rows)

    def _on_actions_view_asked(self) -> None:
        if self.isHidden():
            self.unfold_requested.emit()

    def _on_delete_bar_confirmed(self, conversation_ids: Sequence[str]) -> None:
        self._list.setFocus(Qt.FocusReason.OtherFocusReason)
        self.delete_requested.emit(conversation_ids)

    def _on_delete_bar_dismissed(self) -> None:
        self._list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_model_changed(self) -> None:
        self._show_page()
        ids = {row.conversation_id for row in self._model.rows}
        self._delete_bar.drop_all_but(ids.__contains__)
