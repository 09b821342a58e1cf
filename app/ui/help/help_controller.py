"""`HelpController` opens the manual over what the window shows, and goes back to that.

`page_for` says which page of the manual belongs to the place where a person is.
"""

from typing import Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget

from app.ui.approval.dock import ApprovalDock
from app.ui.commands import CommandGroup, Commands
from app.ui.help.help_page import HelpPage
from app.ui.panel.activity_page import ActivityPage
from app.ui.panel.tools_page import ToolsPage
from app.ui.settings.settings_page import SettingsPage
from app.ui.settings.shortcuts import ShortcutsSection
from app.ui.theme import Theme
from app.viewmodels.help import FIRST_PAGE, Manual

_PAGES: Final[dict[type[QWidget], str]] = {
    ApprovalDock: "approving-tools",
    ToolsPage: "approving-tools",
    ActivityPage: "approving-tools",
    ShortcutsSection: "chats",
}


def _pages_of_settings() -> dict[type[QWidget], str]:
    # The sections are imported when somebody opens the settings or asks for help, not at the start.
    from app.ui.settings.about import SelfTestGroup, UpdatesGroup
    from app.ui.settings.agents import AgentsSection
    from app.ui.settings.mcp_servers.group import McpServersGroup
    from app.ui.settings.models import ModelsSection
    from app.ui.settings.privacy import PrivacySection
    from app.ui.settings.projects import ProjectsSection
    from app.ui.settings.tools import ToolsSection
    from app.ui.settings.user_tools import UserToolsGroup

    return {
        ToolsSection: "approving-tools",
        McpServersGroup: "tool-servers",
        UserToolsGroup: "your-own-tools",
        ModelsSection: "models",
        AgentsSection: "agents",
        ProjectsSection: "the-service",
        PrivacySection: "chats",
        SelfTestGroup: "self-test",
        UpdatesGroup: "updates",
    }


def page_for(place: QWidget | None) -> str:
    """Return the page of the innermost part around `place` that has one, or else the index."""
    pages = _PAGES | _pages_of_settings()
    while place is not None:
        if page := pages.get(type(place)):
            return page
        place = place.parentWidget()
    return FIRST_PAGE


class HelpController(QObject):
    """Shows the manual in `pages`, the stack of the window's pages, and goes back from there.

    Its page is made when it is opened first. Made by the window; ends with it.
    """

    closed = Signal()
    """Back to the chat."""
    link_confirmed = Signal(str)
    """The person wants to open this address; argument: the address."""

    def __init__(self, pages: QStackedWidget, theme: Theme, manual: Manual) -> None:
        super().__init__(pages)
        self._pages = pages
        self._theme = theme
        self._manual = manual
        self._page: HelpPage | None = None
        self._settings: SettingsPage | None = None

    def add_to(self, commands: Commands) -> None:
        """Add the command that opens the manual."""
        keys = QKeySequence.StandardKey.HelpContents
        group = CommandGroup.PROGRAM
        commands.add("manual", self.tr("Manual"), self.open, group=group, keys=keys, icon="info")

    def open(self) -> None:
        """Open the manual at the page for where the keyboard is; in the manual, at the first."""
        place: QWidget | None = QApplication.focusWidget()
        shown = self._pages.currentWidget()
        if isinstance(shown, SettingsPage):
            section = shown.shown_section
            place = place if place and section.isAncestorOf(place) else section
        self._show(page_for(place))

    @property
    def shown_page(self) -> str:
        """The page of the manual that is shown; empty while there is none."""
        is_shown = self._page is not None and self._pages.currentWidget() is self._page
        return self._page.page_name if self._page is not None and is_shown else ""

    def open_page(self, name: str) -> None:
        """Open the manual at this page."""
        self._show(name)

    def open_first(self) -> None:
        """Open the manual at its first page."""
        self._show(FIRST_PAGE)

    def _show(self, name: str) -> None:
        if self._page is None:
            self._page = HelpPage(self._theme, self._manual)
            self._page.closed.connect(self._on_page_closed)
            self._page.link_confirmed.connect(self.link_confirmed)
            self._pages.addWidget(self._page)
        shown = self._pages.currentWidget()
        if shown is not self._page:
            # Not when another page of the manual follows: the way back leads out of it.
            self._settings = shown if isinstance(shown, SettingsPage) else None
        self._pages.setCurrentWidget(self._page)
        self._page.open_page(name)

    def _on_page_closed(self) -> None:
        if self._settings:
            self._pages.setCurrentWidget(self._settings)
        else:
            self.closed.emit()
