"""Where people work: the sidebar, the chat or the first page, and the right panel."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QByteArray, QTimer, Signal
from PySide6.QtGui import QAction, QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from app.ui.chat_page import ChatPage
from app.ui.columns import Columns
from app.ui.commands import CommandGroup, Commands
from app.ui.exchange.desk import ExchangeDesk
from app.ui.folding import Folding
from app.ui.ground import ColumnWidths, OpenSides
from app.ui.notice_bar import NoticeBar
from app.ui.panel.right_panel import RightPanel
from app.ui.parts.surfaces import set_surface
from app.ui.regions import Region, Regions
from app.ui.search_desk import SearchDesk
from app.ui.setup.first_run import FirstRun
from app.ui.sidebar.chat_list_desk import ChatListDesk
from app.ui.sidebar.sidebar import Sidebar
from app.ui.theme import Theme
from app.viewmodels.settings.states import ProjectRow
from app.viewmodels.states import BannerView
from app.viewmodels.window import WindowViewModels


class Workbench(QWidget):
    """Puts the parts side by side and joins them to their view models. Made by the window.

    `panel` is the one at the right: skills, tools and activity.
    """

    settings_requested = Signal()
    """The settings should open."""
    window_requested = Signal(str)
    """A chat should open in a window of its own; argument: its id."""
    log_requested = Signal()
    """The settings should open at the log."""
    projects_requested = Signal()
    """The settings should open at the projects."""
    link_confirmed = Signal(str)
    """The person wants to open this address; argument: the address."""

    def __init__(self, theme: Theme, models: WindowViewModels) -> None:
        super().__init__()
        self._models = models
        self._sidebar = Sidebar(models.conversations, theme)
        self._chat_page = ChatPage(theme, models.chat, models.catalog, models.approval)
        self._first_run = FirstRun(theme)
        self._first_page = QWidget()
        self._banners = (self._chat_page.banner, NoticeBar(theme))
        self.panel: Final = RightPanel(models.catalog, models.chat.tools, models.activity, theme)
        self._centre = QStackedWidget()
        self._splitter = Columns(theme)
        self._desk = ExchangeDesk(self, theme, models)
        self._search_desk = SearchDesk(self._sidebar.search, self._chat_page, models)
        self._list_desk = ChatListDesk(self._sidebar, models)
        self._list_commands: Sequence[QAction] = ()
        self._folding = Folding(theme, self)
        self._folding.panel_fitted.connect(self._show_panel)
        self._folding.sidebar_fitted.connect(self._show_sidebar)
        self._lay_out()
        self._join_sidebar()
        self._search_desk.opened.connect(self.take_focus)
        self._sidebar.search.left.connect(self.take_focus)
        self._join_chat()
        self._join_first_run()

    def show_banner(self, banner: BannerView | None) -> None:
        """Shows a sentence above the chat and the first page, or takes it away."""
        for bar in self._banners:
            bar.show_banner(banner)

    def add_to(self, commands: Commands) -> None:
        """Adds what can be done with the list of chats; it can be done while that is here."""
        before = set(commands.all)
        sides = Region(self._sidebar), Region(self._first_page), Region(self.panel)
        Regions(self, (sides[0], *self._chat_page.regions, *sides[1:])).add_to(commands)
        self._sidebar.add_to(commands)
        self._desk.add_to(commands)
        self._chat_page.add_to(commands)
        self.panel.add_to(commands)
        commands.add(
            "toggle-sidebar",
            self.tr("Show or hide the list of chats"),
            self._toggle_sidebar,
            group=CommandGroup.VIEW,
            keys="Ctrl+B",
            icon="panel-left",
        )
        self._list_commands = [c.action for c in commands.all if c not in before]

    def take_focus(self) -> None:
        """Brings the keyboard to the composer."""
        self._chat_page.take_focus()

    def open_chat(self, conversation_id: str) -> None:
        """Opens a chat, with the keyboard in its composer."""
        self._models.chat.open(conversation_id)
        self.take_focus()

    def show_search_keys(self, keys: str) -> None:
        """Says in the field over the chats which keys lead there."""
        self._sidebar.search.show_keys(keys)

    def disturb_card(self) -> None:
        """Something lay over the whole window: no click that was meant for it answers a card."""
        self._chat_page.disturb_card()

    def search_chats(self) -> None:
        """Brings the keyboard to the search over the list of chats, unfolding it if need be."""
        if self._chat_page.isVisible():
            self._choose_sidebar(is_open=True)
            self._sidebar.search.take_focus()

    def begin_chat(self) -> None:
        """Begins a new chat, unless another page hides what would become of the open one."""
        if self._chat_page.isVisible():
            self._models.archive.close()
            self._models.chat.open("")
            self.take_focus()

    def arrangement(self) -> QByteArray:
        """Returns how wide the parts are, for `arrange`."""
        return self._splitter.saveState()

    def arrange(self, arrangement: QByteArray) -> None:
        """Makes the parts as wide as they were, as soon as there is a width to divide."""
        self._splitter.arrange(arrangement)

    @property
    def sides(self) -> OpenSides:
        """Which sides are there where there is room for them."""
        return self._folding.sides

    def show_sides(self, sides: OpenSides) -> None:
        """Shows these sides from now on where there is room for them."""
        self._folding.want(sides)

    def widths(self) -> ColumnWidths:
        """Returns how wide the columns at the sides are now."""
        sidebar, panel = (
            0 if part.isHidden() else part.width() for part in (self._sidebar, self.panel)
        )
        return ColumnWidths(sidebar, panel)

    def showEvent(self, event: QShowEvent) -> None:
        """Lets the list of chats be acted on."""
        super().showEvent(event)
        for action in self._list_commands:
            action.setEnabled(True)

    def hideEvent(self, event: QHideEvent) -> None:
        """Lets nobody act on a list that another page hides."""
        super().hideEvent(event)
        for action in self._list_commands:
            action.setEnabled(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Folds the sides away where there is no room for them, and back."""
        super().resizeEvent(event)
        self._folding.look()
        self._splitter.begin()

    def _lay_out(self) -> None:
        self._centre.addWidget(self._chat_page)
        set_surface(self._first_page, "bg")
        column = QVBoxLayout(self._first_page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._banners[-1])
        column.addWidget(self._first_run, 1)
        self._centre.addWidget(self._first_page)
        for number, (part, stretch) in enumerate(
            ((self._sidebar, 0), (self._centre, 1), (self.panel, 0))
        ):
            self._splitter.addWidget(part)
            self._splitter.setStretchFactor(number, stretch)
            self._splitter.setCollapsible(number, False)
        self._splitter.setHandleWidth(1)
        outside = QVBoxLayout(self)
        outside.setContentsMargins(0, 0, 0, 0)
        outside.setSpacing(0)
        outside.addWidget(self._splitter)

    def _join_sidebar(self) -> None:
        sidebar, models = self._sidebar, self._models
        sidebar.chat_chosen.connect(self._on_sidebar_chat_chosen)
        sidebar.window_requested.connect(self.window_requested)
        sidebar.new_chat_requested.connect(self._on_sidebar_new_chat_requested)
        sidebar.unfold_requested.connect(self._on_header_sidebar_requested)
        sidebar.settings_requested.connect(self.settings_requested)
        sidebar.export_requested.connect(self._desk.export_here)
        models.archive.opened.connect(self._show_project)
        models.archive.closed.connect(self._show_project)
        models.connection.status_changed.connect(self._show_project)
        projects = models.setup.projects
        projects.changed.connect(self._on_projects_changed)
        sidebar.project_menu.chosen.connect(projects.switch)
        sidebar.project_menu.settings_requested.connect(self.projects_requested)
        sidebar.project_menu.show_projects(projects.rows)
        self._show_project()

    def _join_chat(self) -> None:
        page, models = self._chat_page, self._models
        page.header.panel_toggled.connect(self._choose_panel)
        page.header.sidebar_requested.connect(self._on_header_sidebar_requested)
        page.archive_note.left.connect(models.archive.close)
        page.header.export_requested.connect(self._desk.export_open)
        page.import_requested.connect(self._desk.choose_import)
        models.chat.opened.connect(page.header.show_open)
        page.settings_requested.connect(self.settings_requested)
        page.link_confirmed.connect(self.link_confirmed)
        for bar in self._banners:
            bar.retry_requested.connect(models.connection.retry)
            bar.settings_requested.connect(self.projects_requested)
            bar.details_requested.connect(self.log_requested)
        self.panel.wanted.connect(self._choose_panel)
        page.tools_requested.connect(self.panel.show_tools)

    def _join_first_run(self) -> None:
        first_run, setup, connection = self._first_run, self._models.setup, self._models.connection
        connection.setup_needed.connect(self._on_connection_setup_needed)
        first_run.local_chosen.connect(setup.use_local)
        first_run.hosted_chosen.connect(setup.use_hosted)
        first_run.offline_chosen.connect(setup.use_offline)
        first_run.look_requested.connect(setup.look_for_models)
        first_run.postponed.connect(self._show_chat)
        first_run.postponed.connect(connection.postpone)
        setup.first_run_changed.connect(first_run.show_state)
        setup.finished.connect(self._show_chat)
        first_run.show_state(setup.first_run)

    def _show_chat(self) -> None:
        if self._centre.currentWidget() is not self._chat_page:
            self._turn_to(self._chat_page)
            self._show_panel(self._folding.has_panel)
        self.take_focus()

    def _choose_panel(self, is_open: bool) -> None:
        self._folding.note_panel(is_open)
        if not self._folding.has_room_for_both:
            # One side at a time; the other comes back to its place.
            self._show_sidebar(self._folding.has_sidebar and not is_open)
        self._show_panel(is_open)

    def _choose_sidebar(self, is_open: bool) -> None:
        self._folding.note_sidebar(is_open)
        if is_open and not self._folding.has_room_for_both:
            self._show_panel(is_open=False)
        self._show_sidebar(is_open)

    def _turn_to(self, page: QWidget) -> None:
        """Show another page; whoever calls says where the keyboard goes then."""
        # Of a window that is not in front yet, too.
        focus: QWidget | None = self.window().focusWidget()
        if focus is not None and self._centre.isAncestorOf(focus):
            # Else it would go to whatever comes next, and a screen reader would say what that is.
            focus.clearFocus()
        self._centre.setCurrentWidget(page)

    def _show_panel(self, is_open: bool) -> None:
        is_chat = self._centre.currentWidget() is self._chat_page
        self.panel.setVisible(is_open and is_chat)
        # How wide it is then is known only once it is laid out.
        QTimer.singleShot(0, self._splitter, self._splitter.leave_middle)
        self._chat_page.header.show_panel(is_open)

    def _show_sidebar(self, is_open: bool) -> None:
        self._sidebar.setVisible(is_open)
        self._chat_page.header.show_sidebar(is_open)

    def _toggle_sidebar(self) -> None:
        self._choose_sidebar(is_open=self._sidebar.isHidden())

    def _show_project(self) -> None:
        is_archive = self._models.archive.is_open
        now = self._models.setup.projects.now
        status = self._models.connection.status
        name = now.name if now else status.name
        self._sidebar.show_project(self.tr("Imported chats") if is_archive else name)
        # A project of somebody else's service has one name, at the head and at the foot.
        self._sidebar.show_status(replace(status, name=name) if now and now.address else status)

    def _on_projects_changed(self, rows: Sequence[ProjectRow]) -> None:
        self._sidebar.project_menu.show_projects(rows)
        self._show_project()

    def _on_connection_setup_needed(self) -> None:
        self._turn_to(self._first_page)
        self._first_run.take_focus()
        self.panel.hide()
        self._models.setup.look_for_models()

    def _on_sidebar_chat_chosen(self, conversation_id: str) -> None:
        self._models.chat.open(conversation_id)
        self.take_focus()

    def _on_sidebar_new_chat_requested(self) -> None:
        self._models.archive.close()
        self._models.chat.open("")
        self.take_focus()

    def _on_header_sidebar_requested(self) -> None:
        self._choose_sidebar(is_open=True)
