"""Agents and skills in the settings: which there are, which are used, and who begins a chat."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Final

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal

from app.api.service import Service
from app.chat.workspace import Workspace
from app.error_text import ErrorText, Reason
from app.errors import UserFacingError
from app.service.catalog import Inventory, Kind, ServiceCatalog
from app.settings import LOCAL_PROJECT
from app.tasks import TaskOwner
from app.viewmodels.connection import ConnectionViewModel
from app.viewmodels.failures import failure_route, translated
from app.viewmodels.preferences import Preferences
from app.viewmodels.settings.agent_states import AgentsView
from app.viewmodels.settings.agent_words import (
    agent_choices,
    fault_words,
    hosted_agent_row,
    hosted_skill_row,
    listed_row,
)

# The bundled service looks at its files again when what it knows is a second old.
_SEEN_AFTER_MS: Final = 1100
_SUBJECTS: Final[dict[Kind, str]] = {"agents": "agents.agent", "skills": "agents.skill"}


class AgentsViewModel(QObject):
    """Lists the agents and skills of the project at work, and switches those of this computer.

    Nothing is asked before the first `look`. Each change holds at once and can be taken back. One
    for the run.
    """

    changed = Signal(object)
    """How they stand; argument: an `AgentsView`."""
    switched = Signal()
    """The service on this computer offers other agents and skills than before."""
    folder_made = Signal(str)
    """The folder for own agents or skills is there, and should be shown; argument: its path."""

    def __init__(
        self,
        preferences: Preferences,
        connection: ConnectionViewModel,
        catalog: ServiceCatalog,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._preferences = preferences
        self._connection = connection
        self._catalog = catalog
        self._has_looked = False
        self._tasks = TaskOwner(failure_route(self._on_task_failed))
        # One change after the other: each writes the same file.
        self._turn = asyncio.Lock()
        self._seen = QTimer(self, singleShot=True, interval=_SEEN_AFTER_MS)
        self._seen.timeout.connect(self.switched)
        self.view = AgentsView()
        connection.workspace_changed.connect(self._on_connection_workspace_changed)
        preferences.changed.connect(self._on_preferences_changed)

    def look(self) -> None:
        """Asks again which there are."""
        self._has_looked = True
        workspace = self._connection.workspace
        if workspace is None:
            self._show(AgentsView(where=self.tr("Parley is not connected yet.")))
        else:
            self._do("look at agents and skills", partial(self._look, workspace))

    def switch(self, kind: Kind, name: str, *, is_on: bool) -> None:
        """Lets the service on this computer use an agent or a skill, or keeps it from that."""
        rows = self.view.agents if kind == "agents" else self.view.skills
        if any(row.name == name and row.can_switch and row.is_on != is_on for row in rows):
            self._do(f"switch {kind}", partial(self._switch_anew, kind, name, is_on=is_on))

    def choose_for_auto(self, agent: str) -> None:
        """Lets an agent of this computer answer where nobody is chosen; empty for whoever fits."""
        before = self.view.auto_agent
        if self.view.is_local and agent != before:
            self._do("choose for auto", partial(self._choose_for_auto_anew, agent, before))

    def begin_new_chats_with(self, agent: str) -> None:
        """Lets new chats of this project begin with an agent; empty for Auto."""
        if workspace := self._connection.workspace:
            agents = self._preferences.current.agents
            new_chats = {**agents.new_chats, workspace.store.profile: agent}
            kept = {project: name for project, name in new_chats.items() if name}
            self._preferences.change(agents.model_copy(update={"new_chats": kept}))

    def open_folder(self, kind: Kind) -> None:
        """Makes the folder for own agents or skills unless it is there; `folder_made` follows."""
        self._do("open a folder", partial(self._make_folder, kind))

    async def aclose(self) -> None:
        """Ends what is under way."""
        self._seen.stop()
        await self._tasks.aclose()

    def _do(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        self._show(replace(self.view, problem="", is_looking=True))
        self._tasks.start(self._in_turn(work), name=name)

    async def _in_turn(self, work: Callable[[], Awaitable[None]]) -> None:
        try:
            async with self._turn:
                await work()
        finally:
            self._show(replace(self.view, is_looking=False))

    async def _look(self, workspace: Workspace) -> None:
        if workspace.store.profile == LOCAL_PROJECT:
            view = self._local_view(await self._catalog.read())
        else:
            view = await self._hosted_view(workspace.client)
        if workspace is self._connection.workspace:
            self._show(self._with_new_chats(replace(view, is_looking=True)))

    async def _switch_anew(self, kind: Kind, name: str, *, is_on: bool) -> None:
        await self._switch(kind, name, is_on=is_on)
        back = partial(self._switch, kind, name, is_on=not is_on)
        again = partial(self._do, f"switch {kind} back", back)
        self._preferences.note(again, _SUBJECTS[kind])

    async def _switch(self, kind: Kind, name: str, *, is_on: bool) -> None:
        await self._catalog.switch(kind, name, is_on=is_on)
        await self._look_after_change()

    async def _choose_for_auto_anew(self, agent: str, before: str) -> None:
        await self._choose_for_auto(agent)
        again = partial(self._do, "choose for auto again", partial(self._choose_for_auto, before))
        self._preferences.note(again, "agents.auto")

    async def _choose_for_auto(self, agent: str) -> None:
        await self._catalog.choose_default(agent)
        await self._look_after_change()

    async def _look_after_change(self) -> None:
        self._seen.start()
        if workspace := self._connection.workspace:
            await self._look(workspace)

    async def _make_folder(self, kind: Kind) -> None:
        folder = self._catalog.folder(kind)
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            message = {"message": str(error.strerror)}
            raise UserFacingError(Reason.CATALOG_FAILED, message) from error
        self.folder_made.emit(str(folder))

    def _local_view(self, inventory: Inventory) -> AgentsView:
        data = self._catalog.data
        agents = tuple(listed_row(agent, data) for agent in inventory.agents)
        default = next((agent.name for agent in inventory.agents if agent.is_default), "")
        where = self.tr("They come with Parley, or lie in {folder}.")
        return AgentsView(
            is_local=True,
            where=where.format(folder=data),
            agents=agents,
            skills=tuple(listed_row(skill, data) for skill in inventory.skills),
            auto=agent_choices(self.tr("Whoever fits the message"), agents, default),
            auto_agent=default,
            faults=tuple(fault_words(problem, data) for problem in inventory.problems),
        )

    async def _hosted_view(self, client: Service) -> AgentsView:
        agents, skills = await client.list_agents(), await client.list_skills()
        where = self.tr("{host} says which there are; that can be changed there alone.")
        return AgentsView(
            where=where.format(host=self._connection.status.name),
            agents=tuple(map(hosted_agent_row, agents)),
            skills=tuple(map(hosted_skill_row, skills)),
        )

    def _with_new_chats(self, view: AgentsView) -> AgentsView:
        workspace = self._connection.workspace
        profile = workspace.store.profile if workspace else ""
        chosen = self._preferences.current.agents.new_chats.get(profile, "")
        # The same words as below the text of a chat.
        auto = QCoreApplication.translate("Catalog", "Auto")
        choices = agent_choices(auto, view.agents, chosen)
        return replace(view, new_chats=choices, new_chat_agent=chosen)

    def _show(self, view: AgentsView) -> None:
        if view != self.view:
            self.view = view
            self.changed.emit(view)

    def _on_preferences_changed(self) -> None:
        self._show(self._with_new_chats(self.view))

    def _on_connection_workspace_changed(self) -> None:
        self._tasks.cancel()
        self._show(AgentsView())
        if self._has_looked and self._connection.workspace:
            self.look()

    def _on_task_failed(self, words: ErrorText) -> None:
        self._show(replace(self.view, problem=translated(words)))
