"""Who answers next in each chat of a window, and what new chats begin with."""

from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal

from app.viewmodels.chat.catalog import auto_agent
from app.viewmodels.chat.states import AgentRow

_NEW_CHAT = ""


class ChosenAgents(QObject):
    """Remembers the choice of each chat until the window closes.

    A chat in which nobody chose has Auto, a new one whoever the settings name, if the service has
    that agent. Made by the view model of the chat.
    """

    changed = Signal()
    """Somebody else answers in the chat that is followed."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._chosen: dict[str, AgentRow] = {}
        self._offered: dict[str | None, AgentRow] = {}
        self._beginning = ""
        self._conversation_id = _NEW_CHAT

    @property
    def now(self) -> AgentRow:
        """Who answers the next message."""
        auto = auto_agent()
        is_new = self._conversation_id == _NEW_CHAT
        otherwise = self._offered.get(self._beginning, auto) if is_new else auto
        return self._chosen.get(self._conversation_id, otherwise)

    def follow(self, conversation_id: str) -> None:
        """Another chat is open; an empty id stands for the new one."""
        self._conversation_id = conversation_id

    def choose(self, agent: AgentRow) -> None:
        """Lets this one answer in the chat from now on."""
        self._chosen[self._conversation_id] = agent
        self.changed.emit()

    def give_to(self, conversation_id: str, agent: AgentRow) -> None:
        """The new chat has become this one, whose first message goes to `agent`."""
        self._chosen.pop(_NEW_CHAT, None)
        self._chosen[conversation_id] = agent

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
        self._chosen.clear()
        self._offered.clear()
        self._beginning = ""
