"""The section of the settings about agents and skills."""

from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout

from app.ui.parts.choice_chip import ChoiceChip
from app.ui.parts.folders import open_folder
from app.ui.parts.fonts import Weight
from app.ui.parts.labels import breakable, one_line, plain_label
from app.ui.parts.surfaces import set_card
from app.ui.setup.agents.thing_list import ThingList
from app.ui.setup.outcome import Outcome
from app.ui.setup.section import SettingsSection
from app.ui.theme import Theme
from app.viewmodels.settings.agent_states import AgentsView
from app.viewmodels.settings.agents import AgentsViewModel


class AgentsSection(SettingsSection):
    """Who answers, with which skills: chosen for new chats, switched where the service is ours.

    Made by the settings page.
    """

    tables = ("agents",)

    def __init__(self, theme: Theme, agents: AgentsViewModel) -> None:
        title = QCoreApplication.translate("Settings", "Agents and skills")
        super().__init__(theme, title, "bot")
        self._agents = agents
        self._new_chats = ChoiceChip(theme, self.tr("New chats begin with"))
        self._auto = ChoiceChip(theme, self.tr("Auto stands for"))
        self._where = plain_label("", theme, size="small", ink="ink-2", wraps=True)
        self._outcome = Outcome(theme)
        self._faults = QFrame()
        self._fault_words = plain_label("", theme, size="small", wraps=True)
        self._agent_list = ThingList(
            theme, "bot", self.tr("Agents"), self.tr("This project has no agents.")
        )
        self._skill_list = ThingList(
            theme, "sparkles", self.tr("Skills"), self.tr("This project has no skills.")
        )
        self._lay_out()
        self._connect()
        self._show(agents.view)

    def showEvent(self, event: QShowEvent) -> None:
        """Asks the service only once somebody looks: that starts a program."""
        super().showEvent(event)
        if not event.spontaneous():
            self._agents.look()

    def _lay_out(self) -> None:
        self.add_group(
            self.tr("New chats"),
            self.tr("In each chat, anybody else can be chosen below the text."),
        )
        self._new_chats_card = self.add_row(self.tr("New chats begin with"), self._new_chats)
        self._auto_card = self.add_row(
            self.tr("Auto stands for"),
            self._auto,
            words=self.tr("Who answers a message when nobody was chosen for it."),
        )
        self.column.addWidget(self._outcome)
        self._lay_out_faults()
        self.add_group(
            self.tr("Agents"),
            self.tr("Who answers. One that is off is not offered, and Auto leaves it out."),
        )
        self.column.addWidget(self._where)
        self.column.addWidget(self._agent_list)
        self.add_group(
            self.tr("Skills"),
            self.tr("What agents know how to do. One that is off is used by nobody."),
        )
        self.column.addWidget(self._skill_list)
        self.column.addStretch(1)

    def _lay_out_faults(self) -> None:
        set_card(self._faults, "warn")
        column = QVBoxLayout(self._faults)
        column.setContentsMargins(14, 9, 14, 9)
        column.setSpacing(4)
        title = self.tr("Some files cannot be used as they are")
        column.addWidget(plain_label(title, self._theme, weight=Weight.DemiBold, wraps=True))
        column.addWidget(self._fault_words)
        self.column.addWidget(self._faults)

    def _connect(self) -> None:
        agents = self._agents
        agents.changed.connect(self._show)
        agents.folder_made.connect(self._on_agents_folder_made)
        self._new_chats.chosen.connect(agents.begin_new_chats_with)
        self._auto.chosen.connect(self._on_auto_chosen)
        self._agent_list.switched.connect(self._on_agent_list_switched)
        self._skill_list.switched.connect(self._on_skill_list_switched)
        self._agent_list.folder_requested.connect(self._on_agent_list_folder_requested)
        self._skill_list.folder_requested.connect(self._on_skill_list_folder_requested)
        for part in (self._agent_list, self._skill_list):
            part.look_requested.connect(agents.look)

    def _show(self, view: AgentsView) -> None:
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
        # What holds is shown by the view that comes back.
        self._auto.show_value(self._agents.view.auto_agent)
        self._agents.choose_for_auto(agent)

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
