"""`WindowContents` fills a window with workbench, settings and manual, and adds their commands.

`WindowCommands` adds those for windows: new window, open the chat in a new window, quit.
`ServiceCommand` restarts the bundled service. `WindowTitle` sets the title from the open chat.
`menu_bar_for` makes the menu bar on macOS; elsewhere there is none. Its contents are tested, its
look on macOS is not.
"""

import sys
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QByteArray, QObject, QUrl, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenuBar, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from app.config.settings import LOCAL_PROJECT
from app.paths import resources
from app.ui.commands import CommandGroup, Commands
from app.ui.help.help_controller import HelpController
from app.ui.import_export.import_export_controller import ProgressBar
from app.ui.main_window import MainWindow
from app.ui.palette.palette import Palette
from app.ui.palette.palette_controller import PaletteController
from app.ui.settings.appearance import TextSize
from app.ui.settings.sections import SettingsSections
from app.ui.settings.settings_page import SettingsPage, Typed
from app.ui.settings.shortcuts import ShortcutsSection, group_words
from app.ui.startup_skeleton import ColumnWidths, OpenSides, SavedAppearance
from app.ui.theme import Theme
from app.ui.transcript.layout import ScrollPlace
from app.ui.widgets.accessible import install_interfaces
from app.ui.widgets.labels import set_plain_tooltip, title_line
from app.ui.widgets.menus import key_text
from app.ui.widgets.motion import cross_fade
from app.ui.widgets.system_dialogs import open_by_system
from app.ui.workbench import Workbench
from app.viewmodels.chat.chat import ChatViewModel, ChatViewState
from app.viewmodels.dates import local_now
from app.viewmodels.help import Manual
from app.viewmodels.settings.settings import SettingsViewModel
from app.viewmodels.states import BannerView
from app.viewmodels.window import WindowViewModels

# Commands that macOS moves into the application menu, whatever menu they are in.
_ROLES: Final = {
    "settings": QAction.MenuRole.PreferencesRole,
    "quit": QAction.MenuRole.QuitRole,
}


def menu_bar_for(commands: Commands, platform: str = sys.platform) -> QMenuBar | None:
    """Make the window's menu bar with these commands, on macOS only.

    Its menus are filled each time they open, since commands are added and removed.
    """
    if platform != "darwin":
        return None
    bar = QMenuBar()
    for group in CommandGroup:
        _add_menu(bar, commands, group)
    return bar


def _add_menu(bar: QMenuBar, commands: Commands, group: CommandGroup) -> None:
    name = group_words(group)
    menu = bar.addMenu(name)
    menu.setAccessibleName(name)

    def fill() -> None:
        menu.clear()
        for command in commands.all:
            if command.group is group:
                role = _ROLES.get(command.name, QAction.MenuRole.NoRole)
                command.action.setMenuRole(role)
                menu.addAction(command.action)

    menu.aboutToShow.connect(fill)
    fill()


class WindowCommands(QObject):
    """Adds its commands to those of a window. Made by the window; ends with it."""

    window_requested = Signal(str)
    """Another window should open; argument: the chat it shows, empty for a new one."""
    quit_requested = Signal()
    """Every window should close."""

    def __init__(self, chat: ChatViewModel, commands: Commands) -> None:
        super().__init__(commands)
        self._chat = chat
        self._open_again = self._add_to(commands)
        chat.opened.connect(self._on_chat_opened)
        self._on_chat_opened(chat.conversation_id)

    def _add_to(self, commands: Commands) -> QAction:
        commands.add(
            "new-window",
            self.tr("New window"),
            self._open_new_chat,
            group=CommandGroup.PROGRAM,
            keys="Ctrl+Shift+N",
        )
        open_again = commands.add(
            "open-in-new-window",
            self.tr("Open in a new window"),
            self._open_chat,
            group=CommandGroup.CHAT,
            keys="Ctrl+Shift+O",
        )
        commands.add(
            "quit",
            self.tr("Quit"),
            self.quit_requested.emit,
            group=CommandGroup.PROGRAM,
            keys=QKeySequence.StandardKey.Quit,
            icon="x",
        )
        return open_again

    def _open_new_chat(self) -> None:
        self.window_requested.emit("")

    def _open_chat(self) -> None:
        self.window_requested.emit(self._chat.conversation_id)

    def _on_chat_opened(self, conversation_id: str) -> None:
        # An imported chat is read in the window that shows the others of its kind.
        can_open = bool(conversation_id) and not self._chat.state.is_read_only
        self._open_again.setEnabled(can_open)


class ServiceCommand(QObject):
    """Adds its command to those of a window; enabled while the bundled service is used.

    Made by the window; ends with it.
    """

    def __init__(self, setup: SettingsViewModel, commands: Commands) -> None:
        super().__init__(commands)
        self._projects = setup.projects
        self._action = commands.add(
            "restart-service",
            self.tr("Restart the local service"),
            setup.restart_service,
            group=CommandGroup.PROGRAM,
            icon="refresh-cw",
        )
        self._projects.changed.connect(self._on_projects_changed)
        self._on_projects_changed()

    def _on_projects_changed(self) -> None:
        now = self._projects.now
        self._action.setEnabled(now is not None and now.project_id == LOCAL_PROJECT)


_LIMIT: Final = 60
# Qt replaces this in a title by the mark of an unsaved document; doubled, it is plain text.
_PLACEHOLDER: Final = "[*]"


class WindowTitle(QObject):
    """Names the window after the chat, so that two can be told apart. Ends with its parent."""

    def __init__(self, chat: ChatViewModel, window: QWidget, parent: QObject | None = None) -> None:
        super().__init__(parent or window)
        self._window = window
        chat.state_changed.connect(self._show)
        self._show(chat.state)

    def _show(self, state: ChatViewState) -> None:
        title = self.tr("Parley")
        if state.is_open or state.is_read_only:
            name = title_line(state.title, _LIMIT).replace(_PLACEHOLDER, _PLACEHOLDER * 2)
            title = self.tr("{chat} — Parley").format(chat=name)
        self._window.setWindowTitle(title)


@dataclass(frozen=True, slots=True)
class Place:
    """What a window shows, for the contents that take the place of others.

    `settings` are the section and the widget at the keyboard, `manual` is a page; None or empty
    where the window shows something else. `transcript` is where the chat is scrolled to, `typed`
    what is in the fields of the settings, if they were ever opened.
    """

    settings: tuple[int, int] | None = None
    manual: str = ""
    is_setting_up: bool = False
    transcript: ScrollPlace | None = None
    typed: Typed | None = None


class WindowContents(QObject):
    """Shows the workbench or the settings, and adds what can be done to the window's commands.

    The settings are made when they are opened first: they take as long as all the rest of the
    window. Made for a window, which it fills; ends with it.
    """

    window_requested = Signal(str)
    """Another window should open; argument: the chat it shows, empty for a new one."""
    quit_requested = Signal()
    """Every window should close."""

    def __init__(
        self,
        theme: Theme,
        models: WindowViewModels,
        sections: SettingsSections,
        window: MainWindow,
    ) -> None:
        super().__init__(window)
        install_interfaces()
        self.commands = window.commands
        self._theme = theme
        self._models = models
        self._workbench = Workbench(theme, models)
        self._sections = sections
        self._settings: SettingsPage | None = None
        self._typed: Typed | None = None
        self._pages = QStackedWidget()
        self._pages.addWidget(self._workbench)
        self._progress = self._make_progress_bar(models)
        manual = Manual(resources() / "manual", models.app.language.code)
        self._help = HelpController(self._pages, theme, manual)
        self.pages = QWidget()
        self._lay_out()
        self._add_commands()
        window_commands = WindowCommands(models.chat, self.commands)
        window_commands.window_requested.connect(self.window_requested)
        window_commands.quit_requested.connect(self.quit_requested)
        WindowTitle(models.chat, window, self)
        TextSize(models.app.preferences, self.commands)
        ServiceCommand(models.app.setup, self.commands)
        self._palette = Palette(theme, window)
        self._palette_controller = PaletteController(
            self._palette, models, self.commands, local_now
        )
        self._connect_palette(models)
        self._palette_controller.window_requested.connect(self.window_requested)
        self._workbench.window_requested.connect(self.window_requested)
        self._workbench.settings_requested.connect(self._open_settings)
        self._workbench.projects_requested.connect(self._open_projects)
        self._workbench.models_requested.connect(self.show_models)
        self._workbench.keys_requested.connect(self._show_provider_keys)
        self._workbench.model_server_requested.connect(self._show_model_server)
        for bar in self._workbench.banners:
            bar.settings_requested.connect(self._open_projects)
            bar.details_requested.connect(self._open_log)
            bar.updates_requested.connect(self._open_updates)
        for part in (self._workbench, self._help):
            part.link_confirmed.connect(_open_link)
        self._help.closed.connect(self._show_workbench)
        models.archive.opened.connect(self._show_workbench)
        self._menu_bar = menu_bar_for(self.commands)
        self._show_keys()

    def show_banner(self, banner: BannerView | None) -> None:
        """Show a sentence above the chat and the first page, or take it away."""
        self._workbench.show_banner(banner)

    def leave_settings(self) -> None:
        """Show the workbench, whatever was shown."""
        if self._pages.currentWidget() is not self._workbench:
            self._show_workbench()

    @property
    def place(self) -> Place:
        """What is shown now."""
        is_settings = self._settings and self._pages.currentWidget() is self._settings
        return Place(
            settings=self._settings.place if self._settings and is_settings else None,
            manual=self._help.shown_page,
            is_setting_up=self._workbench.is_setting_up,
            transcript=self._workbench.place,
            typed=self._settings.typed if self._settings else self._typed,
        )

    def show_place(self, place: Place) -> None:
        """Show the page that other contents showed."""
        if place.is_setting_up:
            self._workbench.set_up()
        self._typed = place.typed
        if place.settings is not None:
            self._open_settings().go_to(place.settings)
        if place.manual:
            self._help.open_page(place.manual)

    def scroll_to(self, place: Place) -> None:
        """Scroll the open chat to where it was in other contents."""
        self._workbench.go_to(place.transcript)

    def discard(self) -> None:
        """End, as other contents take this place in the window."""
        self._palette.deleteLater()
        if self._menu_bar:
            self._menu_bar.deleteLater()
        self.deleteLater()

    def take_focus(self) -> None:
        """Bring the keyboard to where people write."""
        self._workbench.take_focus()

    def arrange(self, arrangement: QByteArray) -> None:
        """Make the columns as wide as they were."""
        self._workbench.arrange(arrangement)

    @property
    def arrangement(self) -> QByteArray:
        """How wide the columns are, for `arrange`."""
        return self._workbench.arrangement()

    @property
    def sides(self) -> OpenSides:
        """The side panels that are open whenever the window is wide enough for them."""
        return self._workbench.sides

    def show_sides(self, sides: OpenSides) -> None:
        """Show these sides from now on where there is room for them."""
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
        """Show this page of the right panel; an unknown one changes nothing."""
        self._workbench.panel.show_tab(tab)

    @property
    def look(self) -> SavedAppearance:
        """The colours that the contents have."""
        return self._theme.kept_look

    def _make_progress_bar(self, models: WindowViewModels) -> ProgressBar:
        bar = ProgressBar(self._theme, self._pages, self._workbench.foots)
        for work in (models.exporting, models.app.importing):
            work.work_changed.connect(bar.show_work)
            bar.cancelled.connect(work.cancel)
        bar.dismissed.connect(models.exporting.dismiss)
        bar.imported_requested.connect(models.archive.open)
        models.activity.work_changed.connect(bar.show_work)
        return bar

    def _make_settings(self) -> SettingsPage:
        from app.ui.settings.about import AboutSection
        from app.ui.settings.privacy import PrivacySection

        preferences = self._models.app.preferences
        page = SettingsPage(
            self._theme, self._sections.make(self._theme, self._models, self.commands)
        )
        self._theme.fit(page)
        self._pages.addWidget(page)
        page.section(PrivacySection).work_done.connect(self._progress.show_work)
        about = page.section(AboutSection)
        about.link_confirmed.connect(_open_link)
        about.manual_requested.connect(self._help.open_first)
        page.closed.connect(self._show_workbench)
        page.undo_requested.connect(preferences.undo)
        preferences.problem_changed.connect(page.show_problem)
        preferences.changed.connect(self._show_changes)
        page.show_problem(preferences.problem)
        page.show_changes(preferences.subjects)
        return page

    def _lay_out(self) -> None:
        """Put the bar below every page: chats are exported and imported in the settings, too."""
        column = QVBoxLayout(self.pages)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._pages, 1)
        column.addWidget(self._progress)

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

    def _show_keys(self) -> None:
        """Show in the tooltips of buttons which keys do the same."""
        keys = {
            command.action.text(): key_text(command.action.shortcut())
            for command in self.commands.all
            if not command.action.shortcut().isEmpty()
        }
        for button in self._workbench.findChildren(QToolButton):
            name = button.accessibleName()
            if name in keys:
                set_plain_tooltip(button, f"{name} · {keys[name]}")

    def _connect_palette(self, models: WindowViewModels) -> None:
        add, group = self.commands.add, CommandGroup.PROGRAM
        text, reload_text = self.tr("Command palette"), self.tr("Reload agents and skills")
        add("palette", text, self._palette.open, group=group, keys="Ctrl+K")
        add("reload", reload_text, models.catalog.load, group=group, icon="refresh-cw")
        add("shortcuts", self.tr("Shortcuts"), self._open_shortcuts, group=group, keys="Ctrl+F1")
        self._help.add_to(self.commands)
        projects_text = self.tr("Manage connections")
        add("projects", projects_text, self._open_projects, group=group, icon="server")
        add("show-log", self.tr("Show log"), self._open_log, group=group, icon="file-text")
        add("self-test", self.tr("Self-test"), self._open_self_test, group=group, icon="check")
        self._palette.closed.connect(self._workbench.disturb_card)
        self._palette_controller.behind_needed.connect(self.leave_settings)
        self._palette_controller.chat_chosen.connect(self._workbench.open_chat)
        self._palette_controller.skill_chosen.connect(self._workbench.panel.show_skill)
        self._palette_controller.agent_chosen.connect(models.chat.chosen.choose_agent)

    def _open_settings(self) -> SettingsPage:
        self._models.app.setup.look_for_models()
        if self._settings is None:
            self._settings = self._make_settings()
        self._turn_to(self._settings)
        # Once: what is typed from now on is in the page.
        typed, self._typed = self._typed, None
        if typed is not None:
            self._settings.type_again(typed)
        return self._settings

    def _open_shortcuts(self) -> None:
        page = self._open_settings()
        page.show_section(page.section(ShortcutsSection))

    def show_models(self) -> None:
        """Show the settings about models."""
        from app.ui.settings.models import ModelsSection

        page = self._open_settings()
        page.show_section(page.section(ModelsSection))

    def _show_provider_keys(self) -> None:
        from app.ui.settings.models import ModelsSection

        page = self._open_settings()
        models = page.section(ModelsSection)
        page.show_section(models, models.keys)

    def _show_model_server(self) -> None:
        from app.ui.settings.models import ModelsSection

        page = self._open_settings()
        models = page.section(ModelsSection)
        page.show_section(models, models.address)

    def _open_projects(self) -> None:
        from app.ui.settings.projects import ProjectsSection

        page = self._open_settings()
        projects = page.section(ProjectsSection)
        page.show_section(projects, projects.open_key())

    def _open_log(self) -> None:
        from app.ui.settings.about import AboutSection

        page = self._open_settings()
        about = page.section(AboutSection)
        page.show_section(about, about.log)

    def _open_updates(self) -> None:
        from app.ui.settings.about import AboutSection

        page = self._open_settings()
        about = page.section(AboutSection)
        page.show_section(about, about.updates.page)

    def _open_self_test(self) -> None:
        from app.ui.settings.about import AboutSection

        page = self._open_settings()
        about = page.section(AboutSection)
        page.show_section(about, about.self_test.start)

    def _show_changes(self) -> None:
        if self._settings:
            self._settings.show_changes(self._models.app.preferences.subjects)

    def _turn_to(self, page: QWidget) -> None:
        if self._pages.currentWidget() is not page:
            cross_fade(self._pages, self._theme)
        self._pages.setCurrentWidget(page)

    def _show_workbench(self) -> None:
        self._turn_to(self._workbench)
        self._workbench.take_focus()


def _open_link(address: str) -> None:
    """Open an address that the person has seen whole and confirmed."""
    open_by_system(QUrl(address))
