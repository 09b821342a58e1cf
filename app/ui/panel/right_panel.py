"""`RightPanel` shows skills, tools and activity, one page at a time.

`PanelTabs` at its head choose the page.
"""

from functools import cached_property
from typing import Final, TypeVar

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.ui.commands import CommandGroup, Commands
from app.ui.panel.activity_page import ActivityPage
from app.ui.panel.tools_page import ToolsPage
from app.ui.skills_panel import SkillsPanel
from app.ui.theme import Theme
from app.ui.widgets.accessible import set_tab_order
from app.ui.widgets.focus_ring import has_ring
from app.ui.widgets.fonts import Weight
from app.ui.widgets.surfaces import HEADER_HEIGHT_PX, hairline, set_surface
from app.viewmodels.chat.catalog import CatalogViewModel
from app.viewmodels.tools.activity import ActivityViewModel
from app.viewmodels.tools.chat_tools import ChatTools

_SIDE_PX: Final = 12
_LINE_PX: Final = 2
# Between the words of two tabs where there is little room.
_GAP_PX: Final = 4
_LEAST_WORDS: Final = "nn…"


class PanelTabs(QWidget):
    """Words side by side; the chosen ones are bold, with a line below. Arrow keys choose.

    Not a QTabBar: that announces its first tab as soon as it has one, so that screen readers began
    every window with it. Made by the right panel; ends with it.
    """

    chosen = Signal(int)
    """Another tab is chosen; argument: its number."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._group = QButtonGroup(self)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        self._group.idToggled.connect(self._on_group_id_toggled)

    def add_tab(self, words: str) -> None:
        """Add a tab after the others; the first is chosen."""
        number = len(self._group.buttons())
        tab = _Tab(self._theme, words)
        self._group.addButton(tab, number)
        self._row.addWidget(tab)
        if number == 0:
            self.choose(0)

    @property
    def current(self) -> int:
        """The number of the chosen tab."""
        return self._group.checkedId()

    def choose(self, number: int) -> None:
        """Choose this tab."""
        self._group.button(number).setChecked(True)

    def take_focus(self) -> None:
        """Bring the keyboard to the chosen tab."""
        if tab := self._group.checkedButton():
            tab.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _on_group_id_toggled(self, number: int, is_chosen: bool) -> None:
        if is_chosen:
            self.chosen.emit(number)


class _Tab(QPushButton):
    def __init__(self, theme: Theme, words: str) -> None:
        super().__init__(words)
        self._theme = theme
        self.setCheckable(True)
        # Without this, screen readers call it a check box.
        self.setAutoExclusive(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        # Its own font follows the scale, and asks for a layout then.
        self.setFont(theme.font("secondary"))
        self.setAccessibleName(words)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """Return the room for the words as they are when chosen, in a head of the design."""
        bold = QFontMetrics(self._theme.font("secondary", Weight.DemiBold))
        width = bold.horizontalAdvance(self.text()) + 2 * self._theme.px(_SIDE_PX)
        return QSize(width, self._theme.px(HEADER_HEIGHT_PX) - 1)

    def minimumSizeHint(self) -> QSize:
        """Return what a narrow panel leaves."""
        bold = QFontMetrics(self._theme.font("secondary", Weight.DemiBold))
        width = bold.horizontalAdvance(_LEAST_WORDS) + _GAP_PX
        return QSize(width, self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the words, and what tells the chosen ones."""
        painter = QPainter(self)
        rect, is_chosen = self.rect(), self.isChecked()
        weight = Weight.DemiBold if is_chosen else Weight.Normal
        font = self._theme.font("secondary", weight)
        painter.setFont(font)
        painter.setPen(self._theme.color("ink" if is_chosen else "ink-2"))
        room = rect.width() - _GAP_PX
        words = QFontMetrics(font).elidedText(self.text(), Qt.TextElideMode.ElideRight, room)
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, words)
        if not is_chosen:
            return
        line = self._theme.px(_LINE_PX)
        below = QRectF(rect.left(), rect.bottom() + 1 - line, rect.width(), line)
        painter.fillRect(below, self._theme.color("accent"))
        if has_ring(self):
            inside = QRectF(rect).adjusted(1, rect.height() / 5, -2, -rect.height() / 5)
            painter.setPen(QPen(self._theme.color("accent"), 2))
            painter.drawRoundedRect(inside, 6, 6)


_LEAST_PX: Final = 220
TABS: Final = ("skills", "tools", "activity")
_Page = TypeVar("_Page", ToolsPage, ActivityPage)


class RightPanel(QWidget):
    """Shows one of its three pages, chosen by the tabs above them. Made by the workbench.

    The other two are made when they are chosen first.

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
        self._theme = theme
        self._chat_tools = tools
        self._calls = activity
        self.skills: Final = SkillsPanel(catalog.skills, theme)
        self._tabs = PanelTabs(theme)
        self._tabs.setAccessibleName(self.tr("Right panel"))
        self._pages = QStackedWidget()
        self._pages.addWidget(self.skills)
        for words in (self.tr("Skills"), self.tr("Tools"), self.tr("Activity")):
            self._tabs.add_tab(words)
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
        self._tabs.chosen.connect(self._on_tabs_chosen)
        self.skills.reload_requested.connect(catalog.load)
        catalog.failed.connect(self.skills.show_failure)
        catalog.loaded.connect(self.skills.show_loaded)

    @cached_property
    def _tools(self) -> ToolsPage:
        return self._added(ToolsPage(self._chat_tools, self._theme))

    @cached_property
    def _activity(self) -> ActivityPage:
        return self._added(ActivityPage(self._calls, self._chat_tools.rows, self._theme))

    @property
    def tab(self) -> str:
        """Which page is shown: one of `TABS`."""
        return TABS[self._tabs.current]

    def show_tab(self, tab: str) -> None:
        """Show this page; an unknown name changes nothing."""
        if tab in TABS:
            self._tabs.choose(TABS.index(tab))

    def show_skill(self, name: str) -> None:
        """Show a skill among the others."""
        self._ask_for("skills")
        self.skills.show_skill(name)

    def show_tools(self) -> None:
        """Show the tools of the chat."""
        self._ask_for("tools")

    def add_to(self, commands: Commands) -> None:
        """Add the panel's commands to those of the window."""
        for name, words, run, icon in (
            ("show-skills", self.tr("Show skills"), self._show_skills, "sparkles"),
            ("show-tools", self.tr("Show tools of this chat"), self.show_tools, "wrench"),
            ("show-activity", self.tr("Show activity"), self._show_activity, "clock"),
            ("verify-record", self.tr("Verify record of tool calls"), self._verify, "shield-alert"),
            ("export-record", self.tr("Export record of tool calls…"), self._export, "download"),
        ):
            commands.add(name, words, run, group=CommandGroup.VIEW, icon=icon)

    def _added(self, page: _Page) -> _Page:
        """Add a page that was just made: one that nobody looked at is not there."""
        self._pages.addWidget(page)
        self._theme.fit(page)
        set_tab_order(self._pages, page)
        return page

    def _on_tabs_chosen(self, number: int) -> None:
        match TABS[number]:
            case "skills":
                self._pages.setCurrentWidget(self.skills)
            case "tools":
                self._pages.setCurrentWidget(self._tools)
            case "activity":
                self._pages.setCurrentWidget(self._activity)

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
