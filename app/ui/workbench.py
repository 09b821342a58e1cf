"""`Workbench` is the main page: the sidebar, the chat or the first-run page, and the right panel.

`Columns` divides the width between these three; `ResponsivePanels` decides which side panels fit.
`SearchController` connects the searches of the sidebar and the palette to the chats that they find.
`ChatListController` carries out actions in the list of chats.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QByteArray, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSplitter, QStackedWidget, QVBoxLayout, QWidget

from app.common.error_messages import ErrorMessage
from app.config.settings import ChatListSettings, ChatOrder, Settings
from app.ui.chat_page import ChatPage
from app.ui.code_files_controller import CodeFilesController
from app.ui.commands import CommandGroup, Commands, Region, Regions
from app.ui.import_export.import_export_controller import ImportExportController
from app.ui.notice_bar import NoticeBar
from app.ui.panel.right_panel import RightPanel
from app.ui.settings.first_run import FirstRun
from app.ui.sidebar.search_pane import SearchPane
from app.ui.sidebar.sidebar import Sidebar
from app.ui.startup_skeleton import ColumnWidths, OpenSides
from app.ui.theme import Theme
from app.ui.transcript.layout import ScrollPlace
from app.ui.widgets.accessible import announce
from app.ui.widgets.labels import spoken, title_line
from app.ui.widgets.motion import cross_fade
from app.ui.widgets.surfaces import set_surface
from app.viewmodels.chat.chat import ChatViewState
from app.viewmodels.chat.model_choice import ModelOption, status_with_model
from app.viewmodels.settings.projects import ProjectRow
from app.viewmodels.states import BannerView
from app.viewmodels.window import WindowViewModels

_SIDEBAR_PX: Final = 272
_PANEL_PX: Final = 300
# With large letters the sides are wider, but leave the middle half.
_MOST_SHARE: Final = 0.5


class Columns(QSplitter):
    """A splitter with the saved widths, or the default ones.

    Of three parts the first and the last are at the sides. Made by the workbench.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._theme = theme
        self._arrangement: QByteArray | None = None
        self._has_begun = False

    def arrange(self, arrangement: QByteArray) -> None:
        """Restore the saved widths."""
        self._arrangement = arrangement
        if self._has_begun:
            self.restoreState(arrangement)

    def begin(self) -> None:
        """Set the initial widths; later calls do nothing."""
        if self._has_begun:
            return
        self._has_begun = True
        if self._arrangement is not None:
            self.restoreState(self._arrangement)
        else:
            sidebar, panel = (self._wide(length) for length in (_SIDEBAR_PX, _PANEL_PX))
            self.setSizes([sidebar, max(0, self.width() - sidebar - panel), panel])

    def leave_middle(self) -> None:
        """Shrink the panel if the middle column would become too narrow in this window."""
        sidebar, middle, panel = self.sizes()
        if self._has_begun and panel > self._most(_PANEL_PX):
            over = panel - self._most(_PANEL_PX)
            self.setSizes([sidebar, middle + over, panel - over])

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Divide the new width among the parts."""
        super().resizeEvent(event)
        self.leave_middle()

    def _wide(self, length_px: int) -> int:
        return min(self._theme.px(length_px), self._most(length_px))

    def _most(self, length_px: int) -> int:
        return max(length_px, int(self.width() * _MOST_SHARE))


# Below these widths at 100 % the panel, and then the sidebar, give way to the chat.
_PANEL_FROM_PX: Final = 1000
_SIDEBAR_FROM_PX: Final = 760


class ResponsivePanels(QObject):
    """Signals when a side panel begins or ceases to fit, and once at the start.

    A panel that the user closes while it fits stays closed at any width. Opening or closing one
    that does not fit holds until the width changes. Made by the workbench.
    """

    panel_fitted = Signal(bool)
    """The right panel should be there or not; argument: whether."""
    sidebar_fitted = Signal(bool)
    """The sidebar should be there or not; argument: whether."""

    def __init__(self, theme: Theme, workbench: QWidget) -> None:
        super().__init__(workbench)
        self._theme = theme
        self._workbench = workbench
        self._sides = OpenSides()
        self._room_before: OpenSides | None = None
        theme.changed.connect(self._on_theme_changed)

    @property
    def sides(self) -> OpenSides:
        """Which sides are wanted; they are shown whenever there is room for them."""
        return self._sides

    @property
    def has_panel(self) -> bool:
        """Whether the right panel is wanted, and can stand beside the chat."""
        return self._room.panel and self._sides.panel

    @property
    def has_sidebar(self) -> bool:
        """Whether the sidebar is wanted, and can stand beside the chat."""
        return self._room.sidebar and self._sides.sidebar

    @property
    def has_room_for_both(self) -> bool:
        """Whether the chat can be read between both sides."""
        return self._room.panel

    def want(self, sides: OpenSides) -> None:
        """Show these side panels from now on, if they fit."""
        self._sides = sides
        if self._room_before is not None:
            self._room_before = None
            self.look()

    def note_panel(self, is_open: bool) -> None:
        """Remember that a person opened or closed the right panel."""
        if self._room.panel:
            self._sides = self._sides._replace(panel=is_open)

    def note_sidebar(self, is_open: bool) -> None:
        """Remember that a person opened or closed the sidebar."""
        if self._room.sidebar:
            self._sides = self._sides._replace(sidebar=is_open)

    def look(self) -> None:
        """Compare with the look before: the workbench has another width."""
        now, before = self._room, self._room_before
        self._room_before = now
        if now != before:
            self.panel_fitted.emit(self.has_panel)
            self.sidebar_fitted.emit(self.has_sidebar)

    @property
    def _room(self) -> OpenSides:
        """For which sides there is room."""
        width, px = self._workbench.width(), self._theme.px
        return OpenSides(sidebar=width >= px(_SIDEBAR_FROM_PX), panel=width >= px(_PANEL_FROM_PX))

    def _on_theme_changed(self) -> None:
        if self._room_before is not None:
            self.look()


class SearchController(QObject):
    """Opens what was found, at its message. Made by the workbench; ends with it."""

    opened = Signal()
    """A chat was opened, and the keyboard should go there."""

    def __init__(self, pane: SearchPane, page: ChatPage, models: WindowViewModels) -> None:
        super().__init__(pane)
        self._page = page
        self._models = models
        search = models.search
        pane.typed.connect(search.search)
        pane.hit_chosen.connect(search.choose)
        pane.more_requested.connect(search.find_more)
        search.results_changed.connect(pane.show_results)
        search.failed.connect(pane.show_failure)
        models.conversations.deleted.connect(search.refresh)
        for each in (search, models.palette_search):
            each.hit_opened.connect(self._on_hit_opened)
            each.archived_opened.connect(self._on_archived_opened)

    def _on_hit_opened(self, conversation_id: str, message_id: str, words: str) -> None:
        self._models.archive.close()
        self._models.chat.open(conversation_id)
        self._page.show_message(conversation_id, message_id, words)
        self.opened.emit()

    def _on_archived_opened(self, conversation_id: str, message_id: str, words: str) -> None:
        self._page.show_message(conversation_id, message_id, words)
        self._models.archive.open(conversation_id)
        self.opened.emit()


class ChatListController(QObject):
    """Joins the sidebar's list to the model of conversations and to what the person prefers.

    Made by the workbench; ends with the sidebar.
    """

    def __init__(self, sidebar: Sidebar, models: WindowViewModels) -> None:
        super().__init__(sidebar)
        self._sidebar = sidebar
        self._models = models
        conversations = models.conversations
        sidebar.delete_requested.connect(conversations.delete_all)
        sidebar.untitled_seen.connect(conversations.name)
        sidebar.pin_requested.connect(self._on_sidebar_pin_requested)
        sidebar.order_requested.connect(self._on_sidebar_order_requested)
        conversations.deleted.connect(models.chat.close_deleted)
        conversations.deletion_changed.connect(sidebar.show_deletion)
        conversations.problem_changed.connect(sidebar.show_problem)
        models.archive.failed.connect(sidebar.show_problem)
        models.chat.opened.connect(sidebar.show_open)
        models.archive.opened.connect(self._show_place)
        models.archive.closed.connect(self._show_place)
        models.app.preferences.changed.connect(self._show_order)
        self._show_order(models.app.preferences.current)

    def _show_order(self, settings: Settings) -> None:
        order = settings.chats.order
        self._sidebar.show_order(order)
        self._models.conversations.sort_by("desc" if order == "newest" else "asc")

    def _show_place(self) -> None:
        self._sidebar.show_archive(is_archive=self._models.archive.is_open)

    def _on_sidebar_pin_requested(self, conversation_ids: Sequence[str], is_pinned: bool) -> None:
        self._models.conversations.pin(conversation_ids, is_pinned=is_pinned)

    def _on_sidebar_order_requested(self, order: ChatOrder) -> None:
        self._models.app.preferences.change(ChatListSettings(order=order))


class Workbench(QWidget):
    """Puts the parts side by side and joins them to their view models. Made by the window.

    `panel` is the one at the right: skills, tools and activity. `banners` stand above the chat and
    above the first page, and show the same.
    """

    settings_requested = Signal()
    """The settings should open."""
    window_requested = Signal(str)
    """A chat should open in a window of its own; argument: its id."""
    projects_requested = Signal()
    """The settings should open at the projects."""
    models_requested = Signal()
    """The settings should open at the models."""
    keys_requested = Signal()
    """The settings should open at the keys of providers."""
    model_server_requested = Signal()
    """The settings should open at the address of a model server."""
    link_confirmed = Signal(str)
    """The person wants to open this address; argument: the address."""

    def __init__(self, theme: Theme, models: WindowViewModels) -> None:
        super().__init__()
        self._models = models
        self._was_busy = False
        self._shown_model: ModelOption | None = None
        self._sidebar = Sidebar(models.conversations, theme)
        self._chat_page = ChatPage(theme, models.chat, models.catalog, models.approval)
        self.foots = self._chat_page.foots
        self._theme = theme
        self._first_run: FirstRun | None = None
        self._first_page = QWidget()
        self.banners: Final = (self._chat_page.banner, NoticeBar(theme))
        self.panel: Final = RightPanel(models.catalog, models.chat.tools, models.activity, theme)
        self._centre = QStackedWidget()
        self._splitter = Columns(theme)
        self._import_export = ImportExportController(self, theme, models)
        self._search_controller = SearchController(self._sidebar.search, self._chat_page, models)
        self._chat_list_controller = ChatListController(self._sidebar, models)
        self._list_commands: Sequence[QAction] = ()
        self._responsive_panels = ResponsivePanels(theme, self)
        self._responsive_panels.panel_fitted.connect(self._show_panel)
        self._responsive_panels.sidebar_fitted.connect(self._show_sidebar)
        self._lay_out()
        self._connect_sidebar()
        self._search_controller.opened.connect(self.take_focus)
        self._sidebar.search.left.connect(self.take_focus)
        self._connect_chat()
        models.app.connection.setup_needed.connect(self._on_connection_setup_needed)
        models.app.setup.finished.connect(self._show_chat)

    def show_banner(self, banner: BannerView | None) -> None:
        """Show a sentence above the chat and the first page, or take it away."""
        for bar in self.banners:
            bar.show_banner(banner)

    def add_to(self, commands: Commands) -> None:
        """Add what can be done with the list of chats; it can be done while that is here."""
        before = set(commands.all)
        sides = Region(self._sidebar), Region(self._first_page), Region(self.panel)
        Regions(self, (sides[0], *self._chat_page.regions, *sides[1:])).add_to(commands)
        self._sidebar.add_to(commands)
        self._import_export.add_to(commands)
        self._chat_page.add_to(commands)
        self.panel.add_to(commands)
        commands.add(
            "toggle-sidebar",
            self.tr("Show or hide chat list"),
            self._toggle_sidebar,
            group=CommandGroup.VIEW,
            keys="Ctrl+B",
            icon="panel-left",
        )
        self._list_commands = [c.action for c in commands.all if c not in before]

    def take_focus(self) -> None:
        """Bring the keyboard to the composer; the settings may have ended the first page."""
        if self.is_setting_up and self._models.app.connection.workspace:
            self._show_chat()
        else:
            self._chat_page.take_focus()

    def open_chat(self, conversation_id: str) -> None:
        """Open a chat, with the keyboard in its composer."""
        self._models.chat.open(conversation_id)
        self.take_focus()

    def show_search_keys(self, keys: str) -> None:
        """Say in the field over the chats which keys lead there."""
        self._sidebar.search.show_keys(keys)

    @property
    def place(self) -> ScrollPlace | None:
        """Where the transcript is scrolled to, for `go_to`; None at the end."""
        return self._chat_page.place

    def go_to(self, place: ScrollPlace | None) -> None:
        """Scroll the transcript to where that of another workbench was."""
        self._chat_page.go_to(place)

    @property
    def is_setting_up(self) -> bool:
        """Whether the first page is shown."""
        return self._centre.currentWidget() is self._first_page

    def set_up(self) -> None:
        """Show the first page."""
        self._on_connection_setup_needed()

    def disturb_card(self) -> None:
        """Start the delay of the card's answers again, as something lay over the whole window."""
        self._chat_page.disturb_card()

    def search_chats(self) -> None:
        """Bring the keyboard to the search over the list of chats, unfolding it if need be."""
        if self._chat_page.isVisible():
            self._choose_sidebar(is_open=True)
            self._sidebar.search.take_focus()

    def begin_chat(self) -> None:
        """Begin a new chat, unless another page hides what would become of the open one."""
        if self._chat_page.isVisible():
            self._models.archive.close()
            self._models.chat.open("")
            self.take_focus()

    def arrangement(self) -> QByteArray:
        """Return how wide the parts are, for `arrange`."""
        return self._splitter.saveState()

    def arrange(self, arrangement: QByteArray) -> None:
        """Make the parts as wide as they were, as soon as there is a width to divide."""
        self._splitter.arrange(arrangement)

    @property
    def sides(self) -> OpenSides:
        """Which sides are shown whenever there is room for them."""
        return self._responsive_panels.sides

    def show_sides(self, sides: OpenSides) -> None:
        """Show these side panels from now on, if they fit."""
        self._responsive_panels.want(sides)

    def widths(self) -> ColumnWidths:
        """Return how wide the columns at the sides are now."""
        sidebar, panel = (
            0 if part.isHidden() else part.width() for part in (self._sidebar, self.panel)
        )
        return ColumnWidths(sidebar, panel)

    def showEvent(self, event: QShowEvent) -> None:
        """Enable the commands of the list of chats."""
        super().showEvent(event)
        for action in self._list_commands:
            action.setEnabled(True)

    def hideEvent(self, event: QHideEvent) -> None:
        """Disable the commands of a list that another page hides."""
        super().hideEvent(event)
        for action in self._list_commands:
            action.setEnabled(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fold the sides away where there is no room for them, and back."""
        super().resizeEvent(event)
        self._responsive_panels.look()
        self._splitter.begin()

    def _lay_out(self) -> None:
        self._centre.addWidget(self._chat_page)
        set_surface(self._first_page, "bg")
        column = self._first_page_column = QVBoxLayout(self._first_page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.banners[-1])
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

    def _connect_sidebar(self) -> None:
        sidebar, models = self._sidebar, self._models
        sidebar.chat_chosen.connect(self._on_sidebar_chat_chosen)
        sidebar.window_requested.connect(self.window_requested)
        sidebar.new_chat_requested.connect(self._on_sidebar_new_chat_requested)
        sidebar.unfold_requested.connect(self._on_header_sidebar_requested)
        sidebar.settings_requested.connect(self.settings_requested)
        sidebar.export_requested.connect(self._import_export.export_here)
        models.archive.opened.connect(self._show_project)
        models.archive.closed.connect(self._show_project)
        models.app.connection.status_changed.connect(self._show_project)
        models.chat.state_changed.connect(self._on_chat_state_changed)
        projects = models.app.setup.projects
        projects.changed.connect(self._on_projects_changed)
        sidebar.project_menu.chosen.connect(projects.switch)
        sidebar.project_menu.settings_requested.connect(self.projects_requested)
        sidebar.project_menu.show_projects(projects.rows)
        self._show_project()

    def _connect_chat(self) -> None:
        page, models = self._chat_page, self._models
        page.header.panel_toggled.connect(self._choose_panel)
        page.header.sidebar_requested.connect(self._on_header_sidebar_requested)
        page.archive_note.left.connect(models.archive.close)
        page.archive_note.continue_requested.connect(self._on_note_continue_requested)
        models.archive.not_continued.connect(self._on_archive_not_continued)
        models.archive.continued.connect(self._on_archive_continued)
        page.header.export_requested.connect(self._import_export.export_at)
        page.import_requested.connect(self._import_export.choose_import)
        models.chat.opened.connect(page.header.show_open)
        CodeFilesController(page, models.code_files)
        page.settings_requested.connect(self.settings_requested)
        page.models_requested.connect(self.models_requested)
        page.keys_requested.connect(self.keys_requested)
        page.model_file_chosen.connect(models.open_model_file)
        page.link_confirmed.connect(self.link_confirmed)
        for bar in self.banners:
            bar.retry_requested.connect(models.app.retry)
            bar.dismissed.connect(models.app.dismiss)
        self.panel.wanted.connect(self._choose_panel)
        page.tools_requested.connect(self.panel.show_tools)

    def _make_first_run(self) -> FirstRun:
        """Make the page of the first start; no other start needs it."""
        first_run, app = FirstRun(self._theme, self._models.app.setup.download), self._models.app
        setup = app.setup
        first_run.local_chosen.connect(setup.use_local)
        first_run.hosted_chosen.connect(setup.use_hosted)
        first_run.offline_chosen.connect(setup.use_offline)
        first_run.look_requested.connect(setup.look_for_models)
        first_run.file_chosen.connect(setup.use_file)
        first_run.key_given.connect(setup.list_of_provider)
        first_run.other_address_requested.connect(self.model_server_requested)
        setup.first_run_changed.connect(first_run.show_state)
        first_run.show_state(setup.first_run)
        self._first_page_column.addWidget(first_run, 1)
        self._theme.fit(first_run)
        return first_run

    def _show_chat(self) -> None:
        if self._centre.currentWidget() is not self._chat_page:
            self._turn_to(self._chat_page)
            self._show_panel(self._responsive_panels.has_panel)
            self._show_sidebar(self._responsive_panels.has_sidebar)
        self.take_focus()

    def _choose_panel(self, is_open: bool) -> None:
        self._responsive_panels.note_panel(is_open)
        if not self._responsive_panels.has_room_for_both:
            # Only one side fits at a time: hide the sidebar while the panel is open.
            self._show_sidebar(self._responsive_panels.has_sidebar and not is_open)
        self._show_panel(is_open)

    def _choose_sidebar(self, is_open: bool) -> None:
        self._responsive_panels.note_sidebar(is_open)
        if is_open and not self._responsive_panels.has_room_for_both:
            self._show_panel(is_open=False)
        self._show_sidebar(is_open)

    def _turn_to(self, page: QWidget) -> None:
        """Show another page; whoever calls says where the keyboard goes then."""
        # The focus widget of the window, also while it is not the active one.
        focus: QWidget | None = self.window().focusWidget()
        if focus is not None and self._centre.isAncestorOf(focus):
            # Otherwise Qt passes the focus on, and a screen reader reads the next widget.
            focus.clearFocus()
        self._centre.setCurrentWidget(page)

    def _show_panel(self, is_open: bool) -> None:
        is_chat = self._centre.currentWidget() is self._chat_page
        if self.panel.isHidden() == (is_open and is_chat):
            cross_fade(self, self._theme)
        self.panel.setVisible(is_open and is_chat)
        # In the next turn, when the width of the panel is known.
        QTimer.singleShot(0, self._splitter, self._splitter.leave_middle)
        self._chat_page.header.show_panel(is_open)

    def _show_sidebar(self, is_open: bool) -> None:
        if self._sidebar.isHidden() == is_open:
            cross_fade(self, self._theme)
        self._sidebar.setVisible(is_open)
        self._chat_page.header.show_sidebar(is_open)

    def _toggle_sidebar(self) -> None:
        self._choose_sidebar(is_open=self._sidebar.isHidden())

    def _show_project(self) -> None:
        is_archive = self._models.archive.is_open
        now = self._models.app.setup.projects.now
        status = self._models.app.connection.status
        name = now.name if now else status.name
        shown = self.tr("Imported chats") if is_archive else name
        self._sidebar.show_project(shown, is_archive=is_archive)
        # A project with an address of its own has the same name at the head and at the foot.
        connected = replace(status, name=name) if now and now.address else status
        self._sidebar.show_status(status_with_model(connected, self._models.chat.chosen.model))

    def _on_chat_state_changed(self, state: ChatViewState) -> None:
        """Name the model of the chat, and look how it is when a reply is over: it may be gone."""
        was_busy, self._was_busy = self._was_busy, state.is_busy
        if was_busy and not state.is_busy:
            self._models.catalog.load_models()
        if state.model != self._shown_model:
            self._shown_model = state.model
            self._show_project()

    def _on_projects_changed(self, rows: Sequence[ProjectRow]) -> None:
        self._sidebar.project_menu.show_projects(rows)
        self._show_project()

    def _on_connection_setup_needed(self) -> None:
        first_run = self._first_run = self._first_run or self._make_first_run()
        self._turn_to(self._first_page)
        first_run.take_focus()
        self.panel.hide()
        # There is no chat yet, and nothing to choose among.
        self._sidebar.hide()
        self._models.app.setup.look_for_models()

    def _on_sidebar_chat_chosen(self, conversation_id: str) -> None:
        self._models.chat.open(conversation_id)
        self.take_focus()

    def _on_sidebar_new_chat_requested(self) -> None:
        self._models.archive.close()
        self._models.chat.open("")
        self.take_focus()

    def _on_note_continue_requested(self) -> None:
        self._models.archive.continue_chat(self._models.chat.conversation_id)

    def _on_archive_continued(self, conversation_id: str, title: str) -> None:
        self._on_sidebar_chat_chosen(conversation_id)
        announce(
            self._chat_page, self.tr("“{title}” continues here.").format(title=title_line(title))
        )

    def _on_archive_not_continued(self, words: ErrorMessage) -> None:
        self._chat_page.archive_note.show_refusal(spoken(words))

    def _on_header_sidebar_requested(self) -> None:
        self._choose_sidebar(is_open=True)
