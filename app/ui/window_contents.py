"""What a window is filled with: the workbench, the settings, and what can be done there."""

from PySide6.QtCore import QByteArray, QObject, QUrl, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from app.ui.commands import CommandGroup
from app.ui.exchange.privacy import PrivacySection
from app.ui.exchange.work_bar import WorkBar
from app.ui.ground import ColumnWidths, KeptLook, OpenSides
from app.ui.main_window import MainWindow
from app.ui.menu_bar import menu_bar_for
from app.ui.palette.offering import Offering
from app.ui.palette.palette import Palette
from app.ui.parts.accessible import install_interfaces
from app.ui.parts.key_text import key_text
from app.ui.parts.opening import open_by_system
from app.ui.service_command import ServiceCommand
from app.ui.setup.about import AboutSection
from app.ui.setup.sections import OwnSections, make_projects, make_sections
from app.ui.setup.settings_page import SettingsPage
from app.ui.setup.shortcuts import ShortcutsSection
from app.ui.setup.text_size import TextSize
from app.ui.theme import Theme
from app.ui.window_commands import WindowCommands
from app.ui.window_title import WindowTitle
from app.ui.workbench import Workbench
from app.viewmodels.dates import local_now
from app.viewmodels.states import BannerView
from app.viewmodels.window import WindowViewModels


class WindowContents(QObject):
    """Shows the workbench or the settings, and adds what can be done to the window's commands.

    Made for a window, which it fills; ends with it.
    """

    window_requested = Signal(str)
    """Another window should open; argument: the chat it shows, empty for a new one."""
    quit_requested = Signal()
    """Every window should close."""

    def __init__(self, theme: Theme, models: WindowViewModels, window: MainWindow) -> None:
        super().__init__(window)
        install_interfaces()
        self.commands = window.commands
        self._theme = theme
        self._setup = models.setup
        self._preferences = models.preferences
        self._workbench = Workbench(theme, models)
        self._shortcuts = ShortcutsSection(theme, self.commands)
        self._projects = make_projects(theme, models.setup)
        self._about = AboutSection(theme, models.about)
        privacy = PrivacySection(theme, models)
        own = OwnSections(self._projects, privacy, self._shortcuts, self._about)
        self._settings = SettingsPage(theme, make_sections(theme, models, own))
        self._pages = QStackedWidget()
        self._pages.addWidget(self._workbench)
        self._pages.addWidget(self._settings)
        self.pages = QWidget()
        self._lay_out(self._make_work_bar(models, privacy))
        self._add_commands()
        window_commands = WindowCommands(models.chat, self.commands)
        window_commands.window_requested.connect(self.window_requested)
        window_commands.quit_requested.connect(self.quit_requested)
        WindowTitle(models.chat, window)
        TextSize(models.preferences, self.commands)
        ServiceCommand(models.setup, self.commands)
        self._palette = Palette(theme, window)
        self._offering = Offering(self._palette, models, self.commands, local_now)
        self._join_palette(models)
        self._offering.window_requested.connect(self.window_requested)
        self._workbench.window_requested.connect(self.window_requested)
        self._workbench.settings_requested.connect(self._open_settings)
        self._workbench.projects_requested.connect(self._open_projects)
        self._workbench.log_requested.connect(self._open_log)
        for part in (self._workbench, self._about):
            part.link_confirmed.connect(_open_link)
        self._settings.closed.connect(self._on_settings_closed)
        models.archive.opened.connect(self._on_settings_closed)
        models.preferences.problem_changed.connect(self._settings.show_problem)
        models.preferences.changed.connect(self._on_preferences_changed)
        self._settings.undo_requested.connect(models.preferences.undo)
        self._on_preferences_changed()
        self._menu_bar = menu_bar_for(self.commands)

    def show_banner(self, banner: BannerView | None) -> None:
        """Shows a sentence above the chat and the first page, or takes it away."""
        self._workbench.show_banner(banner)

    def leave_settings(self) -> None:
        """Shows the workbench, whatever was shown."""
        if self._pages.currentWidget() is self._settings:
            self._on_settings_closed()

    def take_focus(self) -> None:
        """Brings the keyboard to where people write."""
        self._workbench.take_focus()

    def arrange(self, arrangement: QByteArray) -> None:
        """Makes the columns as wide as they were."""
        self._workbench.arrange(arrangement)

    @property
    def arrangement(self) -> QByteArray:
        """How wide the columns are, for `arrange`."""
        return self._workbench.arrangement()

    @property
    def sides(self) -> OpenSides:
        """Which sides are there where there is room for them."""
        return self._workbench.sides

    def show_sides(self, sides: OpenSides) -> None:
        """Shows these sides from now on where there is room for them."""
        self._workbench.show_sides(sides)

    @property
    def widths(self) -> ColumnWidths:
        """How wide the columns at the sides are."""
        return self._workbench.widths()

    @property
    def panel_tab(self) -> str:
        """Which page of the right panel is shown."""
        return self._workbench.panel.tab

    def show_panel_tab(self, tab: str) -> None:
        """Shows this page of the right panel; an unknown one changes nothing."""
        self._workbench.panel.show_tab(tab)

    @property
    def look(self) -> KeptLook:
        """In which colours they are."""
        return self._theme.kept_look

    def _make_work_bar(self, models: WindowViewModels, privacy: PrivacySection) -> WorkBar:
        bar = WorkBar(self._theme)
        for work in (models.exporting, models.importing):
            work.work_changed.connect(bar.show_work)
            bar.cancelled.connect(work.cancel)
        bar.dismissed.connect(models.exporting.dismiss)
        models.activity.work_changed.connect(bar.show_work)
        privacy.work_done.connect(bar.show_work)
        return bar

    def _lay_out(self, bar: WorkBar) -> None:
        """Puts the bar below every page: chats are exported and imported in the settings, too."""
        column = QVBoxLayout(self.pages)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._pages, 1)
        column.addWidget(bar)

    def _add_commands(self) -> None:
        self.commands.add(
            "new-chat",
            self.tr("New chat"),
            self._workbench.begin_chat,
            group=CommandGroup.CHAT,
            keys=QKeySequence.StandardKey.New,
            icon="square-pen",
        )
        search = self.commands.add(
            "search-chats",
            self.tr("Search chats"),
            self._workbench.search_chats,
            group=CommandGroup.CHAT,
            keys="Ctrl+Shift+F",
            icon="search",
        )
        self._workbench.show_search_keys(key_text(search.shortcut()))
        self._workbench.add_to(self.commands)
        self.commands.add(
            "settings",
            self.tr("Settings"),
            self._open_settings,
            group=CommandGroup.PROGRAM,
            keys="Ctrl+,",
            icon="settings",
        )

    def _join_palette(self, models: WindowViewModels) -> None:
        add, group = self.commands.add, CommandGroup.PROGRAM
        text, reload_text = self.tr("Command palette"), self.tr("Reload agents and skills")
        add("palette", text, self._palette.open, group=group, keys="Ctrl+K")
        add("reload", reload_text, models.catalog.load, group=group, icon="refresh-cw")
        add("shortcuts", self.tr("Shortcuts"), self._open_shortcuts, group=group, keys="F1")
        projects_text = self.tr("Manage projects")
        add("projects", projects_text, self._open_projects, group=group, icon="server")
        add("show-log", self.tr("Show the log"), self._open_log, group=group, icon="file-text")
        add("self-test", self.tr("Self-test"), self._open_self_test, group=group, icon="check")
        self._palette.closed.connect(self._workbench.disturb_card)
        self._offering.behind_needed.connect(self.leave_settings)
        self._offering.chat_chosen.connect(self._workbench.open_chat)
        self._offering.skill_chosen.connect(self._workbench.panel.show_skill)
        self._offering.agent_chosen.connect(models.chat.choose_agent)

    def _open_settings(self) -> None:
        self._setup.look_for_models()
        self._pages.setCurrentWidget(self._settings)

    def _open_shortcuts(self) -> None:
        self._open_settings()
        self._settings.show_section(self._shortcuts)

    def _open_projects(self) -> None:
        self._open_settings()
        self._settings.show_section(self._projects, self._projects.open_key())

    def _open_log(self) -> None:
        self._open_settings()
        self._settings.show_section(self._about, self._about.log)

    def _open_self_test(self) -> None:
        self._open_settings()
        self._settings.show_section(self._about, self._about.self_test.start)

    def _on_preferences_changed(self) -> None:
        self._settings.show_changes(self._preferences.subjects)

    def _on_settings_closed(self) -> None:
        self._pages.setCurrentWidget(self._workbench)
        self._workbench.take_focus()


def _open_link(address: str) -> None:
    """Opens an address that the person has seen whole and confirmed."""
    open_by_system(QUrl(address))
