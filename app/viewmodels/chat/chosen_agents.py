"""Who answers next in the chat that a window shows, and what new chats begin with."""

from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal

from app.chat.session import ConversationSession
from app.viewmodels.chat.catalog import auto_agent
from app.viewmodels.chat.states import AgentRow


class ChosenAgents(QObject):
    """Finds the agent that was chosen for a chat among those of the service.

    A chat keeps its choice itself. One in which nobody chose has Auto, as has one whose agent the
    service has no more; a new one has whoever the settings name, if the service has that agent.
    Made by the view model of the chat.
    """

    changed = Signal()
    """Somebody else answers in the chat that is followed."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session: ConversationSession | None = None
        self._chosen_for_new: AgentRow | None = None
        self._offered: dict[str | None, AgentRow] | None = None
        self._beginning = ""

    @property
    def now(self) -> AgentRow:
        """Who answers the next message."""
        offered, auto = self._offered or {}, auto_agent()
        if self._session is None:
            return self._chosen_for_new or offered.get(self._beginning, auto)
        name = self._session.state.agent_name
        if name is None:
            return auto
        # Until the service has told of its agents, there is no other name for it.
        unknown = AgentRow(name, name, "") if self._offered is None else auto
        return offered.get(name, unknown)

    def follow(self, session: ConversationSession | None) -> None:
        """Another chat is open; None stands for the new one."""
        self._session = session

    def choose_for_new(self, agent: AgentRow | None) -> None:
        """Lets this one answer in the next new chat; None for whoever the settings name."""
        self._chosen_for_new = agent
        self.changed.emit()

    def offer(self, agents: Iterable[AgentRow]) -> None:
        """These are the service's agents."""
        self._offered = {agent.name: agent for agent in agents}
        self.changed.emit()

    def begin_with(self, name: str) -> None:
        """New chats begin with the agent of this name; empty for Auto."""
        self._beginning = name
        self.changed.emit()

    def forget(self) -> None:
        """Another profile is at work, with other chats and agents."""
        self._chosen_for_new = None
        self._offered = None
        self._beginning = ""
