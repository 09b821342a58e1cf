"""The agents, skills and models of the project in use, as Qt list models.

`CatalogViewModel` keeps the lists of `AgentRow`, `SkillRow` and `ModelOption`. `ChosenAgents` says
who answers next in a chat, and what new chats begin with.

Text that came from elsewhere (names, input, output) is carried as it came; widgets draw it as plain
text.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.api.client import ChatApi
from app.chat.session import ConversationSession
from app.tasks import TaskOwner
from app.viewmodels.chat.model_choice import ModelOption, model_rows
from app.viewmodels.i18n import catalog_text, error_handler
from app.viewmodels.rows import RowsModel


@dataclass(frozen=True, slots=True)
class AgentRow:
    """An agent in the picker; `name` is None for Auto, where the service chooses."""

    name: str | None
    display_name: str
    description: str
    is_default: bool = False


@dataclass(frozen=True, slots=True)
class SkillRow:
    """A skill in the right panel."""

    name: str
    display_name: str
    description: str
    version: str
    author: str | None


def auto_agent() -> AgentRow:
    """Return the first row of the picker: the service decides who answers."""
    return AgentRow(
        name=None,
        display_name=QCoreApplication.translate("Catalog", "Auto"),
        description=QCoreApplication.translate(
            "Catalog", "Chooses the best agent for each message"
        ),
    )


class CatalogViewModel(QObject):
    """Keeps the lists current.

    `agents` always begins with Auto, and `models` with the default; it is empty where the service
    offers no choice. One for the window's life; `load` asks the service, and a failure leaves the
    lists as they were.
    """

    failed = Signal(object)
    """The lists could not be fetched; argument: the `ErrorMessage`."""
    loaded = Signal()
    """Agents and skills are what the service says now."""
    models_loaded = Signal()
    """The models are those that the service says now."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.agents: RowsModel[AgentRow] = RowsModel(
            lambda row: row.display_name,
            self,
            spoken_of=lambda row: f"{row.display_name}, {row.description}",
        )
        self.skills: RowsModel[SkillRow] = RowsModel(
            lambda row: row.display_name,
            self,
            spoken_of=lambda row: f"{row.display_name} {row.version}, {row.description}",
        )
        self.models: RowsModel[ModelOption] = RowsModel(
            lambda row: row.display_name,
            self,
            spoken_of=lambda row: ", ".join(filter(None, (row.display_name, row.details))),
        )
        self._client: ChatApi | None = None
        self._tasks = TaskOwner(error_handler(self.failed.emit))
        self.show(None)

    def show(self, client: ChatApi | None) -> None:
        """Use this client's project from now on; there is nobody but Auto until `load`."""
        self._tasks.cancel()
        self._client = client
        self.agents.replace_all([auto_agent()])
        self.skills.replace_all([])
        self.models.replace_all([])

    def load_models(self) -> None:
        """Ask the service for its models again, as one may have been started."""
        if self._client and self._client.offers_models:
            self._tasks.start(self._load_models(self._client), name="load models")

    def load(self) -> None:
        """Ask the service for its agents and skills."""
        if self._client:
            self._tasks.start(self._load(self._client), name="load agents and skills")

    async def aclose(self) -> None:
        """End what is still under way."""
        await self._tasks.aclose()

    async def _load(self, client: ChatApi) -> None:
        agents = await client.list_agents()
        skills = await client.list_skills()
        self.agents.replace_all(
            [
                auto_agent(),
                *(
                    AgentRow(
                        agent.name,
                        catalog_text(agent.display_name),
                        catalog_text(agent.description),
                        agent.is_default,
                    )
                    for agent in agents
                ),
            ]
        )
        self.skills.replace_all(
            [
                SkillRow(
                    skill.name,
                    catalog_text(skill.display_name),
                    catalog_text(skill.description),
                    skill.version,
                    skill.author,
                )
                for skill in skills
            ]
        )
        self.loaded.emit()
        await self._load_models(client)

    async def _load_models(self, client: ChatApi) -> None:
        rows = model_rows(await client.list_models()) if client.offers_models else []
        # A list that is open stays where it is.
        if list(self.models.rows) != rows:
            self.models.replace_all(rows)
        self.models_loaded.emit()


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
        name = self._session.settings.agent_name
        if name is None:
            return auto
        # Until the service has told of its agents, there is no other name for it.
        unknown = AgentRow(name, name, "") if self._offered is None else auto
        return offered.get(name, unknown)

    @property
    def chosen_for_new(self) -> AgentRow | None:
        """Who was chosen for the next new chat."""
        return self._chosen_for_new

    def follow(self, session: ConversationSession | None) -> None:
        """Follow another chat; None stands for the new one."""
        self._session = session

    def choose_for_new(self, agent: AgentRow | None) -> None:
        """Choose who answers in the next new chat; None for whoever the settings name."""
        self._chosen_for_new = agent
        self.changed.emit()

    def offer(self, agents: Iterable[AgentRow]) -> None:
        """Offer these agents, which the service has."""
        self._offered = {agent.name: agent for agent in agents}
        self.changed.emit()

    def begin_with(self, name: str) -> None:
        """Set the agent that new chats begin with, by its name; empty for Auto."""
        self._beginning = name
        self.changed.emit()

    def forget(self) -> None:
        """Drop every choice, as another profile is used."""
        self._chosen_for_new = None
        self._offered = None
        self._beginning = ""
