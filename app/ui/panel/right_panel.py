"""The right panel: skills, tools, and what tools did, one behind the other."""

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from app.ui.commands import CommandGroup, Commands
from app.ui.panel.activity_page import ActivityPage
from app.ui.panel.tabs import PanelTabs
from app.ui.panel.tools_page import ToolsPage
from app.ui.parts.surfaces import hairline, set_surface
from app.ui.skills_panel import SkillsPanel
from app.ui.theme import Theme
from app.viewmodels.chat.catalog import CatalogViewModel
from app.viewmodels.tools.activity import ActivityViewModel
from app.viewmodels.tools.chat_tools import ChatTools

_LEAST_PX: Final = 220
TABS: Final = ("skills", "tools", "activity")


class RightPanel(QWidget):
    """Shows one of its three pages, chosen by the tabs above them. Made by the workbench.

    Attributes:
        skills: the first page.
    """

    wanted = Signal(bool)
    """Somebody wants the panel to be there, or not; argument: whether."""

    def __init__(
        self,
        catalog: CatalogViewModel,
        tools: ChatTools,
        activity: ActivityViewModel,
        theme: Theme,
    ) -> None:
        super().__init__()
        set_surface(self, "panel")
        self.setMinimumWidth(_LEAST_PX)
        self.skills: Final = SkillsPanel(catalog.skills, theme)
        self._activity = ActivityPage(activity, tools.rows, theme)
        self._tabs = PanelTabs(theme)
        self._tabs.setAccessibleName(self.tr("Right panel"))
        self._pages = QStackedWidget()
        for words, page in (
            (self.tr("Skills"), self.skills),
            (self.tr("Tools"), ToolsPage(tools, theme)),
            (self.tr("Activity"), self._activity),
        ):
            self._tabs.add_tab(words)
            self._pages.addWidget(page)
        head = QHBoxLayout()
        head.setContentsMargins(12, 0, 12, 0)
        head.addWidget(self._tabs)
        head.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(hairline())
        column.addWidget(self._pages, 1)
        self._tabs.chosen.connect(self._pages.setCurrentIndex)
        self.skills.reload_requested.connect(catalog.load)
        catalog.failed.connect(self.skills.show_failure)
        catalog.loaded.connect(self.skills.show_loaded)

    @property
    def tab(self) -> str:
        """Which page is shown: one of `TABS`."""
        return TABS[self._tabs.current]

    def show_tab(self, tab: str) -> None:
        """Shows this page; an unknown name changes nothing."""
        if tab in TABS:
            self._tabs.choose(TABS.index(tab))

    def show_skill(self, name: str) -> None:
        """Shows a skill among the others."""
        self._ask_for("skills")
        self.skills.show_skill(name)

    def show_tools(self) -> None:
        """Shows the tools of the chat."""
        self._ask_for("tools")

    def add_to(self, commands: Commands) -> None:
        """Adds what can be asked of the panel."""
        for name, words, run, icon in (
            ("show-skills", self.tr("Show skills"), self._show_skills, "sparkles"),
            ("show-tools", self.tr("Show tools of this chat"), self.show_tools, "wrench"),
            ("show-activity", self.tr("Show activity"), self._show_activity, "clock"),
            ("verify-record", self.tr("Check the record of calls"), self._verify, "shield-alert"),
            ("export-record", self.tr("Export the record of calls…"), self._export, "download"),
        ):
            commands.add(name, words, run, group=CommandGroup.VIEW, icon=icon)

    def _show_skills(self) -> None:
        self._ask_for("skills")

    def _show_activity(self) -> None:
        self._ask_for("activity")

    def _verify(self) -> None:
        self._ask_for("activity")
        self._activity.verify()

    def _export(self) -> None:
        self._ask_for("activity")
        self._activity.choose_export()

    def _ask_for(self, tab: str) -> None:
        self.wanted.emit(True)
        self.show_tab(tab)
        self._tabs.take_focus()
