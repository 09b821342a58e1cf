"""The agents, skills and models of the project in use, as Qt list models.

`CatalogViewModel` keeps the lists of `AgentRow`, `SkillRow` and `ModelOption`.

Text that came from elsewhere (names, input, output) is carried as it came; widgets draw it as plain
text.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.api.client import ChatApi
from app.service.catalog import NO_LOOK, AgentAppearance
from app.tasks import TaskOwner
from app.viewmodels.chat.model_choice import ModelOption, is_model_file, model_file, model_rows
from app.viewmodels.i18n import catalog_text, error_handler
from app.viewmodels.rows import RowsModel


@dataclass(frozen=True, slots=True)
class AgentRow:
    """An agent in the picker; `name` is None for Auto, where the service chooses."""

    name: str | None
    display_name: str
    description: str
    is_default: bool = False
    look: AgentAppearance = NO_LOOK


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


async def _no_looks() -> Mapping[str, AgentAppearance]:
    return {}


class CatalogViewModel(QObject):
    """Keeps the lists current.

    `agents` always begins with Auto. `models` begins with the default, and is empty where the
    service offers no choice. One for the window's life; `load` asks the service, and a failure
    leaves the lists as they were. Before that, `look_of` knows the agents of this computer.
    """

    failed = Signal(object)
    """The lists could not be fetched; argument: the `ErrorMessage`."""
    looks_changed = Signal()
    """The icons and colours of agents may be others than before."""
    loaded = Signal()
    """Agents and skills are what the service says now."""
    models_loaded = Signal()
    """The models are those that the service says now."""

    def __init__(
        self,
        looks: Callable[[], Awaitable[Mapping[str, AgentAppearance]]] = _no_looks,
        looks_by_title: Callable[[], Awaitable[Mapping[str, AgentAppearance]]] = _no_looks,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._looks = looks
        self._looks_by_title = looks_by_title
        self._called: dict[str, AgentAppearance] = {}
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
        self.is_local = False
        self._tasks = TaskOwner(error_handler(self.failed.emit))
        self.show(None)

    def show(self, client: ChatApi | None, *, is_local: bool = False) -> None:
        """Use this client's project from now on; there is nobody but Auto until `load`.

        Of the service on this computer, `is_local`, it is known where its models run.
        """
        # An answer of the project before must not fill these lists.
        self._tasks.cancel()
        self._client = client
        self.is_local = is_local
        self.agents.replace_all([auto_agent()])
        self.skills.replace_all([])
        self.models.replace_all([])
        if is_local:
            # Stored replies show before the service, which is starting, names its agents.
            self._tasks.start(self._recall(), name="recall the icons of agents")

    def load_models(self) -> None:
        """Ask the service for its models again, as one may have been started."""
        if self._client and self._client.offers_models:
            self._tasks.start(self._load_models(self._client), name="load models")

    def load(self) -> None:
        """Ask the service for its agents and skills."""
        if self._client:
            self._tasks.start(self._load(self._client), name="load agents and skills")

    def look_of(self, display_name: str) -> AgentAppearance:
        """Return the look of the agent that is called this; nothing for one that is not known."""
        return self._called.get(display_name, NO_LOOK)

    async def aclose(self) -> None:
        """End what is still under way."""
        await self._tasks.aclose()

    async def _recall(self) -> None:
        looks = await self._looks_by_title()
        found = {catalog_text(title): look for title, look in looks.items()}
        # What the service has said meanwhile is newer.
        self._called = {**found, **self._called}
        self.looks_changed.emit()

    async def _load(self, client: ChatApi) -> None:
        agents = await client.list_agents()
        looks = await self._looks()
        if not self.is_local:
            # An agent there with the name of one here gets its icon and colour, not its model.
            looks = {name: replace(look, model="") for name, look in looks.items()}
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
                        looks.get(agent.name, NO_LOOK),
                    )
                    for agent in agents
                ),
            ]
        )
        self._called = {row.display_name: row.look for row in self.agents.rows}
        self.looks_changed.emit()
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
        # Before the models: for their list the service may have to ask providers elsewhere.
        self.loaded.emit()
        await self._load_models(client)

    async def _load_models(self, client: ChatApi) -> None:
        models = await client.list_models() if client.offers_models else ()
        files = [model.id for model in models if self.is_local and is_model_file(model.id)]
        sizes = await asyncio.to_thread(_sizes_of, files)
        rows = model_rows(models, is_local=self.is_local, file_sizes=sizes)
        # Without a change there is no reset: a list that is open keeps its place.
        if list(self.models.rows) != rows:
            self.models.replace_all(rows)
        self.models_loaded.emit()


def _sizes_of(model_files: Iterable[str]) -> dict[str, int]:
    """Return how large the files of these models are; one that is gone has no size."""
    sizes = {}
    for model in model_files:
        with suppress(OSError):
            sizes[model] = model_file(model).stat().st_size
    return sizes
