"""`AgentsSection` is the settings section about agents and skills.

It shows a `CatalogList` of all agents and one of all skills, each with the folder for one's own. A
`CatalogCard` shows one of them: what it does, where it comes from, and whether it is used.
"""

from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget
from shiboken6 import Shiboken

from app.ui.settings.agent_editor import AgentEditor
from app.ui.settings.card_column import CardColumn
from app.ui.settings.my_instructions import MyInstructions
from app.ui.settings.section import SettingsSection, StatusMessage
from app.ui.theme import Theme
from app.ui.widgets.accessible import told_at_its_end
from app.ui.widgets.buttons import IconLabel, push_button
from app.ui.widgets.chips import ChoiceChip
from app.ui.widgets.flow_layout import FlowLayout, line_of
from app.ui.widgets.fonts import Weight
from app.ui.widgets.labels import breakable, one_line, plain_label
from app.ui.widgets.marks import AgentMark, Mark
from app.ui.widgets.surfaces import set_card, stack
from app.ui.widgets.system_dialogs import open_folder
from app.ui.widgets.toggles import Switch
from app.viewmodels.settings.agent_editing import AgentEditorViewModel
from app.viewmodels.settings.agents import AgentsView, AgentsViewModel, CatalogRow
from app.viewmodels.settings.trial_run import AgentTrialViewModel

_AROUND_ICON_PX: Final = 3


class CatalogCard(QFrame):
    """The card of one agent or skill. Made by a list of the section."""

    switched = Signal(str, bool)
    """The agent or skill should be used or not; arguments: its name, and whether."""
    edit_requested = Signal(str)
    """The agent or skill should be changed; argument: its name."""

    def __init__(self, theme: Theme, row: CatalogRow, icon: str) -> None:
        super().__init__()
        self._row = row
        title = one_line(row.title)
        self._mark = AgentMark(theme)
        self._edit = push_button(
            self.tr("Edit"), "secondary", theme, name=self.tr("Edit {name}").format(name=title)
        )
        self._edit.clicked.connect(self._on_edit_clicked)
        self._title = plain_label("", theme, weight=Weight.DemiBold, wraps=True)
        self._description = plain_label("", theme, size="secondary", ink="ink-2", wraps=True)
        self._words = plain_label("", theme, size="small", ink="ink-2", wraps=True)
        self._switch = Switch(theme, title)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 9, 14, 9)
        labels = (self._title, self._description, self._words)
        mark = _framed(IconLabel(icon, theme)) if icon else self._mark
        column.addWidget(line_of(mark, labels, self._edit, self._switch))
        set_card(self, "plain")
        self._switch.switched.connect(self._on_switch_switched)
        self.show_row(row)

    def show_row(self, row: CatalogRow) -> None:
        """Show the current row."""
        self._row = row
        self._title.setText(breakable(one_line(row.title)))
        self._description.setText(breakable(one_line(row.description)))
        self._description.setVisible(bool(row.description))
        words = [row.words, row.file]
        if not row.is_on and not row.can_switch:
            words.append(self.tr("off"))
        shown = " · ".join(one_line(part) for part in words if part)
        self._words.setText(breakable(shown))
        self._words.setVisible(bool(shown))
        self._mark.show_mark(Mark(row.title, row.icon, row.colour))
        self._edit.setVisible(row.can_edit)
        self._switch.setVisible(row.can_switch)
        self._switch.show_on(row.is_on)

    def _on_edit_clicked(self) -> None:
        self.edit_requested.emit(self._row.name)

    def _on_switch_switched(self, is_on: bool) -> None:
        self.switched.emit(self._row.name, is_on)


def _framed(icon: IconLabel) -> QWidget:
    """Give the icon as much room as a mark has, so that the texts beside both are in line."""
    frame = QWidget()
    stack(frame, 0, icon).setContentsMargins(*(4 * (_AROUND_ICON_PX,)))
    return frame


class CatalogList(QWidget):
    """Shows a card for each agent or skill, up to a limit. Made by the section.

    `title` is the heading, `none` the text of an empty list; without an `icon` each card has its
    own mark.
    """

    switched = Signal(str, bool)
    """An agent or skill should be used or not; arguments: its name, and whether."""
    edit_requested = Signal(str)
    """An agent should be changed; argument: its name, empty for a new one."""
    folder_requested = Signal()
    """The folder for one's own should open."""
    refresh_requested = Signal()
    """The files should be read again."""

    def __init__(self, theme: Theme, icon: str, title: str, none: str, new: str = "") -> None:
        super().__init__()
        self._new = push_button(new, "secondary", theme, icon="plus")
        self._has_new = bool(new)
        self._new.clicked.connect(self._on_new_clicked)
        self._theme = theme
        self._icon = icon
        self._none = plain_label(none, theme, size="secondary", ink="ink-2", wraps=True)
        self._cards = CardColumn[CatalogRow, CatalogCard](theme, self._card, CatalogCard.show_row)
        words, again = self.tr("Open folder"), self.tr("Refresh")
        self._folder = push_button(
            words, "secondary", theme, icon="folder", name=f"{words}: {title}"
        )
        self._refresh = push_button(
            again, "quiet", theme, icon="refresh-cw", name=f"{again}: {title}"
        )
        self._lay_out()
        self._folder.clicked.connect(self.folder_requested)
        self._refresh.clicked.connect(self.refresh_requested)

    def show_rows(self, view: AgentsView, rows: tuple[CatalogRow, ...]) -> None:
        """Show these rows, which are a part of the view."""
        self._cards.show_rows(rows)
        self._none.setVisible(not rows and not view.is_looking)
        self._folder.setVisible(view.is_local)
        self._new.setVisible(view.is_local and self._has_new)
        self._refresh.setEnabled(not view.is_looking)

    def _lay_out(self) -> None:
        row = FlowLayout()
        row.add(self._new, self._folder, self._refresh)
        # Above the cards: below a long list nobody sees how to make a new one.
        stack(self, 10, row, self._none, self._cards)

    def _card(self, row: CatalogRow) -> CatalogCard:
        card = CatalogCard(self._theme, row, self._icon)
        card.switched.connect(self.switched)
        card.edit_requested.connect(self.edit_requested)
        return card

    def _on_new_clicked(self) -> None:
        self.edit_requested.emit("")


class AgentsSection(SettingsSection):
    """The agents and skills: chosen for new chats, and switched on and off on the bundled service.

    Made by `SettingsSections`.
    """

    tables = ("agents",)

    def __init__(
        self,
        theme: Theme,
        agents: AgentsViewModel,
        editor: AgentEditorViewModel,
        trial: AgentTrialViewModel,
    ) -> None:
        title = QCoreApplication.translate("Settings", "Agents and skills")
        super().__init__(theme, title, "bot")
        self._agents = agents
        self._editor = editor
        self._trial = trial
        self._page: AgentEditor | None = None
        self._opened_by: QWidget | None = None
        self._new_chats = ChoiceChip(theme, self.tr("Agent for new chats"))
        self._auto = ChoiceChip(theme, self.tr("Agent for Auto"))
        self._instructions = MyInstructions(theme)
        self._where = plain_label("", theme, size="small", ink="ink-2", wraps=True)
        self._outcome = StatusMessage(theme)
        self._faults = QFrame()
        self._fault_words = plain_label("", theme, size="small", wraps=True)
        self._agent_list = CatalogList(
            theme,
            "",
            self.tr("Agents"),
            self.tr("This connection has no agents."),
            self.tr("New agent"),
        )
        self._skill_list = CatalogList(
            theme, "sparkles", self.tr("Skills"), self.tr("This connection has no skills.")
        )
        self._lay_out()
        self._connect()
        self._show(agents.view)

    def showEvent(self, event: QShowEvent) -> None:
        """Ask the service, which starts a program, only once the section is shown."""
        super().showEvent(event)
        if not event.spontaneous():
            self._agents.refresh()

    def _lay_out(self) -> None:
        self.add_group(
            self.tr("New chats"),
            self.tr("You can choose another agent in each chat."),
        )
        self._new_chats_card = self.add_row(self.tr("Agent for new chats"), self._new_chats)
        self._auto_card = self.add_row(
            self.tr("Agent for Auto"),
            self._auto,
            words=self.tr("The agent that answers if you do not choose one."),
        )
        self.column.addWidget(self._outcome)
        self._lay_out_faults()
        self.add_group(
            self.tr("My instructions"),
            self.tr(
                "Every agent on this computer receives these instructions before its own, "
                "starting with your next message. Agents of other connections never receive them."
            ),
        )
        self.column.addWidget(self._instructions)
        self.add_group(
            self.tr("Agents"),
            self.tr(
                "Agents answer your messages. An agent that is off is not offered, and "
                "Auto does not use it."
            ),
        )
        self.column.addWidget(self._where)
        self.column.addWidget(self._agent_list)
        self.add_group(
            self.tr("Skills"),
            self.tr(
                "Instructions that agents use when a request matches. Agents never use a "
                "skill that is off."
            ),
        )
        self.column.addWidget(self._skill_list)

    def _lay_out_faults(self) -> None:
        set_card(self._faults, "warn")
        column = QVBoxLayout(self._faults)
        column.setContentsMargins(14, 9, 14, 9)
        column.setSpacing(4)
        title = self.tr("Some files could not be read")
        column.addWidget(plain_label(title, self._theme, weight=Weight.DemiBold, wraps=True))
        column.addWidget(self._fault_words)
        self.column.addWidget(self._faults)

    def _connect(self) -> None:
        agents = self._agents
        agents.changed.connect(self._show)
        agents.folder_made.connect(self._on_agents_folder_made)
        self._instructions.saved.connect(agents.keep_instructions)
        self._new_chats.chosen.connect(agents.begin_new_chats_with)
        self._auto.chosen.connect(self._on_auto_chosen)
        self._agent_list.switched.connect(self._on_agent_list_switched)
        self._skill_list.switched.connect(self._on_skill_list_switched)
        self._agent_list.folder_requested.connect(self._on_agent_list_folder_requested)
        self._skill_list.folder_requested.connect(self._on_skill_list_folder_requested)
        self._agent_list.edit_requested.connect(self._on_agent_list_edit_requested)
        self._editor.saved.connect(agents.note_saved)
        self._editor.left.connect(self._on_editor_left)
        for part in (self._agent_list, self._skill_list):
            part.refresh_requested.connect(agents.refresh)

    def _show(self, view: AgentsView) -> None:
        self._instructions.show_text(view.instructions)
        self._new_chats.offer(view.new_chats)
        self._new_chats.show_value(view.new_chat_agent)
        self._auto.offer(view.auto)
        self._auto.show_value(view.auto_agent)
        self._new_chats_card.setVisible(bool(view.new_chats))
        self._auto_card.setVisible(bool(view.auto))
        self._where.setText(breakable(one_line(view.where)))
        self._where.setVisible(bool(view.where))
        self._outcome.show_words("", view.problem)
        self._fault_words.setText("\n".join(breakable(one_line(fault)) for fault in view.faults))
        self._faults.setVisible(bool(view.faults))
        self._agent_list.show_rows(view, view.agents)
        self._skill_list.show_rows(view, view.skills)

    def _on_auto_chosen(self, agent: str) -> None:
        # Back to what is stored: the new choice shows once it is stored.
        self._auto.show_value(self._agents.view.auto_agent)
        self._agents.choose_for_auto(agent)

    def _on_agent_list_edit_requested(self, name: str) -> None:
        # Else readers would take note of the name field before they are told of the keyboard there.
        with told_at_its_end(self.window()):
            if name:
                self._editor.open(name)
            else:
                self._editor.open_new()
            self._opened_by = self.focusWidget()
            if self._page is None:
                self._page = AgentEditor(self._theme, self._editor, self._trial)
            self.detail_shown.emit(self._page)
            self._theme.fit(self._page)
            self._page.begin()

    def _on_editor_left(self) -> None:
        self.detail_shown.emit(None)
        # Its card may be gone with the agent.
        is_there = self._opened_by and Shiboken.isValid(self._opened_by)
        back = self._opened_by if is_there else None
        (back or self).setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_agent_list_switched(self, name: str, is_on: bool) -> None:
        self._agents.switch("agents", name, is_on=is_on)

    def _on_skill_list_switched(self, name: str, is_on: bool) -> None:
        self._agents.switch("skills", name, is_on=is_on)

    def _on_agent_list_folder_requested(self) -> None:
        self._agents.open_folder("agents")

    def _on_skill_list_folder_requested(self) -> None:
        self._agents.open_folder("skills")

    def _on_agents_folder_made(self, folder: str) -> None:
        if self.isVisible():
            open_folder(Path(folder))
