"""`Sidebar` shows the project, its chats, and the state of the connection.

`ProjectMenu` is its head: the program's name or, of several projects, the one whose chats these
are, and the menu that leads to another.
`StatusFoot` is its foot: the service, the state of the connection, and the button for settings.
`SeenRows` reports which chats without a title are in view.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QActionGroup, QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from app.chat.conversation_rows import ConversationRow
from app.common.error_messages import ErrorMessage
from app.config.settings import ChatOrder
from app.ui.commands import CommandGroup, Commands
from app.ui.sidebar.chat_actions import ChatActions
from app.ui.sidebar.conversation_list import ConversationList
from app.ui.sidebar.delete_bar import DeleteBar
from app.ui.sidebar.grouped_list import GroupedList
from app.ui.sidebar.search_pane import SearchPane
from app.ui.theme import Theme
from app.ui.widgets.accessible import announce
from app.ui.widgets.buttons import icon_button
from app.ui.widgets.column import ShrinkingScrollArea
from app.ui.widgets.empty_place import EmptyPlace
from app.ui.widgets.fonts import Weight
from app.ui.widgets.labels import (
    button_text,
    one_line,
    plain_label,
    set_plain_tooltip,
    short_name,
    spoken,
)
from app.ui.widgets.marks import ProjectBadge, StatusDot, colour_ink
from app.ui.widgets.menus import make_menu
from app.ui.widgets.scaling import hold_size
from app.ui.widgets.stylesheet import Token
from app.ui.widgets.surfaces import HEADER_HEIGHT_PX, hairline, set_surface
from app.viewmodels.dates import local_now
from app.viewmodels.rows import RowsModel
from app.viewmodels.settings.projects import ProjectRow
from app.viewmodels.sidebar.conversation_list import DeletionView
from app.viewmodels.states import Dot, StatusView


class ProjectMenu(QWidget):
    """Shows the project's mark and name, and opens the menu of all.

    While there is only one, it shows the program's name alone. Made by the sidebar.
    """

    chosen = Signal(str)
    """Another project should be opened; argument: its id."""
    settings_requested = Signal()
    """The settings of the projects should open."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._project = ""
        self._is_only_one = True
        self._is_archive = False
        self._mark = ProjectBadge(theme)
        self._name = plain_label("", theme, size="title", weight=Weight.DemiBold, elides=True)
        self._name.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self._test = plain_label(self.tr("Test"), theme, size="caption", ink="warn")
        self._button = icon_button("chevrons-up-down", self.tr("Switch connection"), theme)
        self._button.clicked.connect(self.open)
        self._menu = make_menu(self, self.tr("Connections"), theme)
        self._group = QActionGroup(self._menu)
        self._group.triggered.connect(self._on_group_triggered)
        self._test.hide()
        self._show_head()
        hold_size(self, height_px=HEADER_HEIGHT_PX)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        for part in (self._mark, self._name, self._test, self._button):
            row.addWidget(part)
        row.addStretch(1)

    def show_name(self, name: str, *, is_archive: bool = False) -> None:
        """Show whose chats these are; the only connection is not named, but an archive is."""
        self._project = one_line(name)
        self._is_archive = is_archive
        self._show_head()

    def show_projects(self, rows: Sequence[ProjectRow]) -> None:
        """Offer these projects, and mark the one at work."""
        now = next((row for row in rows if row.is_now), None)
        self._is_only_one = len(rows) <= 1
        self._show_head()
        self._mark.setVisible(now is not None and not self._is_only_one)
        if now:
            self._mark.show_ink(colour_ink(now.colour))
        self._test.setVisible(now is not None and now.is_test)
        self._menu.clear()
        for action in self._group.actions():
            self._group.removeAction(action)
            action.deleteLater()
        for row in rows:
            name = self.tr("{project} (test)") if row.is_test else "{project}"
            text = button_text(name.format(project=row.name))
            action = QAction(text, self._menu, checkable=True)
            action.setData(row.project_id)
            action.setChecked(row.is_now)
            self._group.addAction(action)
            self._menu.addAction(action)
        self._menu.addSeparator()
        self._menu.addAction(self.tr("Manage connections…"), self.settings_requested.emit)

    def open(self) -> None:
        """Open the menu."""
        self._menu.popup(self.mapToGlobal(QPoint(0, self.height())))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Open the menu wherever the head is clicked."""
        if event.button() is Qt.MouseButton.LeftButton and not self._is_only_one:
            self.open()

    def _show_head(self) -> None:
        is_named = self._is_archive or not self._is_only_one
        self._name.setText(self._project if is_named else "Parley")
        self._button.setVisible(not self._is_only_one)
        self._button.setAccessibleDescription(self._project)

    def _on_group_triggered(self, action: QAction) -> None:
        self.chosen.emit(str(action.data()))


# Rows that only pass by while somebody scrolls are not looked at.
_LOOK_MS: Final = 400


class SeenRows(QObject):
    """Looks at what a list paints, once it has stood still. Made by the sidebar; ends with it."""

    untitled_seen = Signal(object)
    """Chats without a title stand in the window; argument: their ids, from above."""

    def __init__(self, view: GroupedList) -> None:
        super().__init__(view)
        self._view = view
        self._timer = QTimer(self, singleShot=True, interval=_LOOK_MS)
        self._timer.timeout.connect(self._on_timer_timeout)
        view.verticalScrollBar().valueChanged.connect(self._timer.stop)
        view.viewport().installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Note that something was painted."""
        if event.type() is QEvent.Type.Paint and not self._timer.isActive():
            self._timer.start()
        return False

    def _on_timer_timeout(self) -> None:
        untitled = tuple(
            row.conversation_id
            for row in self._view.rows_in_view()
            if not row.title and row.message_count
        )
        if untitled:
            self.untitled_seen.emit(untitled)


_HEIGHT_PX: Final = 48
_INKS: Final[dict[Dot, Token]] = {Dot.GOOD: "good", Dot.WARN: "warn", Dot.BAD: "bad"}


class StatusFoot(QWidget):
    """Shows a `StatusView` in one line. Made by the sidebar."""

    settings_requested = Signal()
    """The settings should open."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        hold_size(self, height_px=_HEIGHT_PX)
        self._was_lost = self._was_good = False
        self._dot = StatusDot(theme, "warn")
        self._name = plain_label("", theme, size="secondary", ink="ink-2", elides=True)
        self._name.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self._test = plain_label(self.tr("test key"), theme, size="caption", ink="warn")
        self._words = plain_label("", theme, size="secondary", ink="ink-3", elides=True)
        settings = icon_button("settings", self.tr("Settings"), theme)
        settings.clicked.connect(self.settings_requested)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 0, 11, 0)
        row.setSpacing(8)
        row.addWidget(self._dot)
        row.addWidget(self._name)
        row.addWidget(self._test)
        row.addWidget(self._words, 1)
        row.addWidget(settings)
        self._test.hide()

    def show_status(self, view: StatusView) -> None:
        """Show how it is going."""
        self._dot.show_ink(_INKS[view.dot])
        self._name.setText(short_name(view.name))
        self._words.setText(view.words)
        self._test.setVisible(view.is_test)
        summary = ": ".join(filter(None, (self._name.text(), view.words)))
        self.setAccessibleName(summary)
        set_plain_tooltip(self, summary)
        self._announce_return(view.dot, summary)

    def _announce_return(self, dot: Dot, summary: str) -> None:
        """Announce a connection that is back; its loss is announced where that is shown."""
        is_good = dot is Dot.GOOD
        if is_good and self._was_lost:
            announce(self, summary)
        # Connecting for the first time does not count as lost.
        self._was_lost = not is_good and (self._was_good or self._was_lost or dot is Dot.BAD)
        self._was_good = is_good


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
    """Chats should be deleted permanently, which was confirmed; argument: their ids."""
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
        self._is_archive = self._needs_key = self._is_answered = False
        self._empty = EmptyPlace(theme)
        self._pages = QStackedWidget()
        self.search = SearchPane(theme, now, self._pages)
        self._lay_out()
        self._connect()
        self._show_page()
        self.show_problem(None)

    def sizeHint(self) -> QSize:
        """Return the width that the design gives the sidebar."""
        return QSize(SIDEBAR_WIDTH_PX, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Return a width at which names can still be told apart."""
        hint = super().minimumSizeHint()
        return hint.expandedTo(QSize(self._theme.px(_LEAST_WIDTH_PX), 0))

    def show_project(self, name: str, *, is_archive: bool = False) -> None:
        """Show whose chats these are: a project's name, or that they are imported."""
        self.project_menu.show_name(name, is_archive=is_archive)

    def show_open(self, conversation_id: str) -> None:
        """Mark the open chat; an empty id marks none."""
        self._list.show_open(conversation_id)

    def show_order(self, order: ChatOrder) -> None:
        """Show which order the list is in."""
        self._actions.show_order(order)

    def show_archive(self, *, is_archive: bool) -> None:
        """Show whether these chats are kept on this computer alone."""
        self._is_archive = is_archive
        self._say_empty()
        self._show_page()
        self._delete_bar.show_archive(is_archive=is_archive)
        self._actions.show_archive(is_archive=is_archive)

    def show_deletion(self, deletion: DeletionView) -> None:
        """Say how a deletion goes on."""
        self._delete_bar.show_deletion(deletion)

    def add_to(self, commands: Commands) -> None:
        """Add what can be done with chats to the commands of the window."""
        self._actions.add_to(commands)
        commands.add(
            "switch-project",
            self.tr("Switch connection"),
            self.project_menu.open,
            group=CommandGroup.PROGRAM,
            icon="server",
        )

    def show_status(self, view: StatusView) -> None:
        """Show at the foot how the connection is."""
        self._needs_key = view.needs_key
        self._is_answered = view.dot is not Dot.WARN
        self._say_empty()
        self._show_page()
        self._foot.show_status(view)

    def show_problem(self, words: ErrorMessage | None) -> None:
        """Say what went wrong with the list or a deletion; None takes that back."""
        self._problem.setText(spoken(words) if words else "")
        self._problem.setVisible(words is not None)

    def _lay_out(self) -> None:
        header = QHBoxLayout()
        header.setContentsMargins(16, 0, 11, 0)
        header.addWidget(self.project_menu, 1)
        header.addWidget(self._new_chat)
        self._pages.addWidget(self._list)
        self._pages.addWidget(self._empty)
        self._say_empty()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(header)
        column.addWidget(self.search, 1)
        column.addWidget(self._problem)
        column.addWidget(ShrinkingScrollArea(self._theme, self._delete_bar, self))
        column.addWidget(hairline())
        column.addWidget(self._foot)

    def _say_empty(self) -> None:
        # No action here: `EmptyChat` beside the list offers what to do without a chat.
        show = self._empty.show_words
        if self._is_archive:
            show(self.tr("No imported chats yet"), self.tr("Imported chats appear here."))
        elif self._needs_key:
            # Say that the chats are still on the service, so that nobody thinks they are lost.
            words = self.tr("No chats from this connection are stored on this computer.")
            show(self.tr("Enter the key to see your chats"), words, self.tr("Open settings"))
        else:
            show(self.tr("No chats yet"), self.tr("Your chats appear here."))

    def _connect(self) -> None:
        self._new_chat.clicked.connect(self.new_chat_requested)
        self._empty.acted.connect(self.settings_requested)
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
        # Until the service has answered, it is unknown whether there are chats.
        is_empty = not self._model.rowCount() and (self._is_answered or self._is_archive)
        self._pages.setCurrentIndex(1 if is_empty else 0)

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
