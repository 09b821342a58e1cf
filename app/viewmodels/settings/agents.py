"""The agents and skills in the settings: listed, switched, and the default for new chats.

`AgentsViewModel` lists and switches them; `AgentsView` and `CatalogRow` are what widgets show. The
functions make the text about their sources and about faults in their files.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal

from app.api.client import ChatApi
from app.api.models import Agent, Model, Skill
from app.chat.workspace import Workspace
from app.common.error_messages import ErrorCode, ErrorMessage
from app.common.errors import UserFacingError
from app.config.settings import LOCAL_PROJECT, MY_INSTRUCTIONS_LIMIT_CHARS
from app.service.agent_trial import TrialLaunch
from app.service.catalog import (
    CatalogEntry,
    CatalogFault,
    CatalogProblem,
    Kind,
    ServiceCatalog,
    ServiceInventory,
)
from app.tasks import TaskOwner
from app.viewmodels.connection import ConnectionViewModel
from app.viewmodels.i18n import catalog_text, error_handler, localized, translate_marked
from app.viewmodels.preferences import Preferences
from local_tools.tool import ToolDefinition as LocalTool
from local_tools.translation_marks import QT_TRANSLATE_NOOP

Choice = tuple[str, str]
"""A value, and the words that people choose it by."""


@dataclass(frozen=True, slots=True)
class CatalogRow:
    """An agent or a skill.

    Attributes:
        words: Where it comes from, and what else there is to know.
        file: Where it lies, as it is shown; empty for what ships and for a hosted project's.
        is_on: It is switched on.
        can_switch: It can be switched here.
        can_edit: It is an agent whose file can be written here.
        icon: Its mark, by name; empty for the first letter. `colour` is that of the mark.
    """

    name: str
    title: str
    description: str
    words: str
    file: str = ""
    is_on: bool = True
    can_switch: bool = False
    can_edit: bool = False
    icon: str = ""
    colour: str = ""


@dataclass(frozen=True, slots=True)
class EditorSources:
    """What the editor of an agent offers, and where it is kept.

    `tools` are those of this computer, `skills` those of the service that were listed last, and
    `models` asks the service for its models. `launch` says what a try-out is started with.
    """

    catalog: ServiceCatalog
    tools: Callable[[], Sequence[LocalTool]]
    skills: Callable[[], Sequence[CatalogEntry]]
    models: Callable[[], Awaitable[Sequence[Model]]]
    launch: Callable[[], Awaitable[TrialLaunch]]


@dataclass(frozen=True, slots=True)
class AgentsView:
    """Agents and skills of the project at work.

    Attributes:
        is_local: The service on this computer has them, so that they can be switched.
        where: Whose they are, a sentence.
        new_chats: Whom new chats may begin with; `new_chat_agent` is the value that is chosen.
        auto: Who may answer where nobody was chosen, likewise; nothing for a hosted project.
        faults: What is wrong with files, a sentence each.
        problem: What could not be done.
        instructions: What every agent of this computer is told before its own instructions.
    """

    is_local: bool = False
    where: str = ""
    agents: tuple[CatalogRow, ...] = ()
    skills: tuple[CatalogRow, ...] = ()
    new_chats: tuple[Choice, ...] = ()
    new_chat_agent: str = ""
    auto: tuple[Choice, ...] = ()
    auto_agent: str = ""
    faults: tuple[str, ...] = ()
    is_looking: bool = False
    problem: str = ""
    instructions: str = ""


_FAULTS: Final[Mapping[CatalogFault | str, str]] = {
    CatalogFault.NO_FRONT_MATTER: QT_TRANSLATE_NOOP(
        "CatalogFile",
        "it must begin with a “---” line, lines such as “name: …” and “description: …”, and "
        "another “---” line.",
    ),
    CatalogFault.NO_ENTRIES: QT_TRANSLATE_NOOP(
        "CatalogFile", "only lines such as “name: value” can be between the two “---” lines."
    ),
    CatalogFault.LONG_FRONT_MATTER: QT_TRANSLATE_NOOP(
        "CatalogFile", "the text between the two “---” lines is too long."
    ),
    CatalogFault.FIELD_MISSING: QT_TRANSLATE_NOOP(
        "CatalogFile", "the line “{value}: …” is missing."
    ),
    CatalogFault.FIELD_NOT_TEXT: QT_TRANSLATE_NOOP(
        "CatalogFile", "“{value}:” must be followed by plain text."
    ),
    CatalogFault.FIELD_NOT_LIST: QT_TRANSLATE_NOOP(
        "CatalogFile", "“{value}:” must be followed by a list of names."
    ),
    CatalogFault.BAD_NAME: QT_TRANSLATE_NOOP(
        "CatalogFile",
        "the name can have at most {value} characters, without line breaks or invisible ones.",
    ),
    CatalogFault.NOT_YAML: QT_TRANSLATE_NOOP("CatalogFile", "this line is not valid ({value})."),
    CatalogFault.DEEP_YAML: QT_TRANSLATE_NOOP("CatalogFile", "lists are nested too deeply."),
    CatalogFault.NOT_TOML: QT_TRANSLATE_NOOP("CatalogFile", "this line is not valid ({value})."),
    CatalogFault.DEEP_TOML: QT_TRANSLATE_NOOP("CatalogFile", "lists are nested too deeply."),
    CatalogFault.TOO_LARGE: QT_TRANSLATE_NOOP("CatalogFile", "the file is larger than {value} kB."),
    CatalogFault.ALL_OFF: QT_TRANSLATE_NOOP(
        "CatalogFile", "no agents or skills can be used until this file can be read."
    ),
    CatalogFault.NOT_TEXT: QT_TRANSLATE_NOOP("CatalogFile", "this is not UTF-8 text."),
    CatalogFault.NOT_REGULAR: QT_TRANSLATE_NOOP("CatalogFile", "this is not a regular file."),
    CatalogFault.CANNOT_BE_READ: QT_TRANSLATE_NOOP("CatalogFile", "it cannot be read ({value})."),
    CatalogFault.LONG_DESCRIPTION: (
        QT_TRANSLATE_NOOP(
            "CatalogFile", "the description is too long, so only its beginning is used."
        )
    ),
    CatalogFault.SAME_NAME: QT_TRANSLATE_NOOP(
        "CatalogFile", "{value} has the same name and is used instead."
    ),
    CatalogFault.NO_SUCH_DEFAULT: (
        QT_TRANSLATE_NOOP("CatalogFile", "Auto uses “{value}”, which does not exist or is off.")
    ),
    CatalogFault.BAD_CHARACTER: QT_TRANSLATE_NOOP(
        "CatalogFile", "this line has a character that is not allowed."
    ),
    CatalogFault.BAD_VALUE: QT_TRANSLATE_NOOP(
        "CatalogFile", "there is a character code or a number that is too large."
    ),
    CatalogFault.LARGE_NUMBER: QT_TRANSLATE_NOOP(
        "CatalogFile", "it has a number that is too large."
    ),
    CatalogFault.CHOICE_NOT_NAME: QT_TRANSLATE_NOOP(
        "CatalogFile", "“{value}” must be a name in quotes."
    ),
    CatalogFault.CHOICE_NOT_FLAG: QT_TRANSLATE_NOOP(
        "CatalogFile", "“{value}” must be true or false."
    ),
}


def catalog_fault_text(problem: CatalogProblem, data: Path) -> str:
    """Show what is wrong with a file, which is named from the service's folder on."""
    reason = problem.message
    if told := _FAULTS.get(problem.fault):
        reason = translate_marked("CatalogFile", told).format(value=problem.detail)
    words = QCoreApplication.translate("CatalogFile", "{file}, line {line}: {reason}")
    return words.format(file=short_path(problem.path, data), line=problem.line, reason=reason)


def short_path(path: str, data: Path) -> str:
    """Return the name of a file from the service's folder on, or whole where it lies elsewhere."""
    place = Path(path)
    return str(place.relative_to(data)) if place.is_relative_to(data) else path


def listed_row(thing: CatalogEntry, data: Path) -> CatalogRow:
    """Show what the service on this computer lists."""
    more = (*_about(thing.version, thing.author), *_answering(thing.model, thing.is_default))
    return CatalogRow(
        name=thing.name,
        title=catalog_text(thing.display_name or thing.name),
        description=catalog_text(thing.description),
        words=" · ".join((_source_words(thing), *more)),
        file="" if thing.source == "built-in" else short_path(thing.path, data),
        is_on=thing.is_enabled,
        can_switch=True,
        icon=thing.icon,
        colour=thing.colour,
    )


def hosted_agent_row(agent: Agent) -> CatalogRow:
    """Show an agent of a hosted project."""
    words = " · ".join(_answering(None, agent.is_default))
    title, description = map(catalog_text, (agent.display_name or agent.name, agent.description))
    return CatalogRow(agent.name, title, description, words, is_on=agent.is_enabled)


def hosted_skill_row(skill: Skill) -> CatalogRow:
    """Show a skill of a hosted project."""
    words = " · ".join(_about(skill.version, skill.author))
    title, description = map(catalog_text, (skill.display_name or skill.name, skill.description))
    return CatalogRow(skill.name, title, description, words)


def agent_choices(first: str, agents: Iterable[CatalogRow], chosen: str) -> tuple[Choice, ...]:
    """Return `first`, which stands for no agent, the agents that are on, and the chosen one."""
    choices = {"": first, **{row.name: row.title for row in agents if row.is_on}}
    if chosen not in choices:
        words = QCoreApplication.translate("Agents", "{agent} (not available)")
        choices[chosen] = words.format(agent=chosen)
    return tuple(choices.items())


def _source_words(thing: CatalogEntry) -> str:
    translate = QCoreApplication.translate
    if thing.source == "built-in":
        return translate("Agents", "included with Parley")
    return translate("Agents", "made by you")


def _answering(model: str | None, is_default: bool) -> Iterable[str]:
    translate = QCoreApplication.translate
    if model:
        yield translate("Agents", "always uses {model}").format(model=model)
    if is_default:
        yield translate("Agents", "used by Auto")


def _about(version: str, author: str | None) -> Iterable[str]:
    translate = QCoreApplication.translate
    if version:
        yield translate("Agents", "version {version}").format(version=version)
    if author:
        yield translate("Agents", "by {author}").format(author=author)


# The bundled service looks at its files again when what it knows is a second old.
_SEEN_AFTER_MS: Final = 1100
_SUBJECTS: Final[dict[tuple[Kind, bool], str]] = {
    ("agents", True): "agents.agent_on",
    ("agents", False): "agents.agent_off",
    ("skills", True): "agents.skill_on",
    ("skills", False): "agents.skill_off",
}


class AgentsViewModel(QObject):
    """Lists the agents and skills of the project at work, and switches those of this computer.

    Nothing is asked before the first `look`. Each change holds at once and can be taken back. One
    for the run.
    """

    changed = Signal(object)
    """The agents and skills, or what is said of them, have changed; argument: an `AgentsView`."""
    switched = Signal()
    """The service on this computer offers other agents and skills than before."""
    folder_made = Signal(str)
    """The folder for own agents or skills is there, and should be shown; argument: its path."""

    def __init__(
        self,
        preferences: Preferences,
        connection: ConnectionViewModel,
        catalog: ServiceCatalog,
        *,
        tools: Callable[[], Sequence[LocalTool]],
        launch: Callable[[], Awaitable[TrialLaunch]],
    ) -> None:
        super().__init__()
        self._tools = tools
        self._launch = launch
        self._skills: tuple[CatalogEntry, ...] = ()
        self._preferences = preferences
        self._connection = connection
        self._catalog = catalog
        self._has_looked = False
        self._tasks = TaskOwner(error_handler(self._on_task_failed))
        # One change after the other: each writes the same file.
        self._turn = asyncio.Lock()
        self._seen = QTimer(self, singleShot=True, interval=_SEEN_AFTER_MS)
        self._seen.timeout.connect(self.switched)
        self.looks: Final = catalog.looks
        self.looks_by_title: Final = catalog.looks_by_title
        self._instructions = preferences.current.agents.instructions
        self.view = AgentsView(instructions=self._instructions)
        connection.workspace_changed.connect(self._on_connection_workspace_changed)
        preferences.changed.connect(self._on_preferences_changed)

    def editor_sources(self) -> EditorSources:
        """Return what the editor of an agent needs; each window has one."""
        return EditorSources(
            self._catalog, self._tools, lambda: self._skills, self._list_models, self._launch
        )

    def note_saved(self) -> None:
        """List the agents anew, as the file of one was written."""
        self._do("look at a saved agent", self._refresh_after_change)

    def refresh(self) -> None:
        """Ask the service anew which there are."""
        self._has_looked = True
        workspace = self._connection.workspace
        if workspace is None:
            self._show(AgentsView(where=self.tr("Parley is not connected yet.")))
        else:
            self._do("look at agents and skills", partial(self._refresh, workspace))

    def switch(self, kind: Kind, name: str, *, is_on: bool) -> None:
        """Switch an agent or a skill of the service on this computer on or off."""
        rows = self.view.agents if kind == "agents" else self.view.skills
        if any(row.name == name and row.can_switch and row.is_on != is_on for row in rows):
            self._do(f"switch {kind}", partial(self._switch_anew, kind, name, is_on=is_on))

    def choose_for_auto(self, agent: str) -> None:
        """Choose the agent of this computer that answers for Auto; empty for whoever fits."""
        before = self.view.auto_agent
        if self.view.is_local and agent != before:
            self._do("choose for auto", partial(self._choose_for_auto_anew, agent, before))

    def begin_new_chats_with(self, agent: str) -> None:
        """Choose the agent that new chats of this project begin with; empty for Auto."""
        if workspace := self._connection.workspace:
            agents = self._preferences.current.agents
            new_chats = {**agents.new_chats, workspace.store.profile: agent}
            kept = {project: name for project, name in new_chats.items() if name}
            self._preferences.change(agents.model_copy(update={"new_chats": kept}))

    def keep_instructions(self, text: str) -> None:
        """Tell every agent of this computer this before its own instructions; empty for nothing.

        What is too long changes nothing. The service at work knows it from the next message on.
        """
        # A lone surrogate, as a paste may bring, cannot be encoded as UTF-8.
        whole = text.encode("utf-8", "replace").decode().strip()
        if len(whole) <= MY_INSTRUCTIONS_LIMIT_CHARS:
            agents = self._preferences.current.agents
            self._preferences.change(agents.model_copy(update={"instructions": whole}))

    def open_folder(self, kind: Kind) -> None:
        """Make the folder for own agents or skills unless it is there; `folder_made` follows."""
        self._do("open a folder", partial(self._make_folder, kind))

    async def aclose(self) -> None:
        """End what is under way."""
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

    async def _refresh(self, workspace: Workspace) -> None:
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
        self._preferences.note(again, _SUBJECTS[kind, is_on])

    async def _switch(self, kind: Kind, name: str, *, is_on: bool) -> None:
        await self._catalog.switch(kind, name, is_on=is_on)
        await self._refresh_after_change()

    async def _choose_for_auto_anew(self, agent: str, before: str) -> None:
        await self._choose_for_auto(agent)
        again = partial(self._do, "choose for auto again", partial(self._choose_for_auto, before))
        self._preferences.note(again, "agents.auto")

    async def _choose_for_auto(self, agent: str) -> None:
        await self._catalog.choose_default(agent)
        await self._refresh_after_change()

    async def _refresh_after_change(self) -> None:
        self._seen.start()
        if workspace := self._connection.workspace:
            await self._refresh(workspace)

    async def _list_models(self) -> Sequence[Model]:
        workspace = self._connection.workspace
        if workspace is None or not workspace.client.offers_models:
            return ()
        return await workspace.client.list_models()

    async def _make_folder(self, kind: Kind) -> None:
        folder = self._catalog.folder(kind)
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            message = {"message": str(error.strerror)}
            raise UserFacingError(ErrorCode.CATALOG_FAILED, message) from error
        self.folder_made.emit(str(folder))

    def _local_view(self, inventory: ServiceInventory) -> AgentsView:
        data = self._catalog.data
        agents = tuple(
            replace(listed_row(agent, data), can_edit=True) for agent in inventory.agents
        )
        self._skills = inventory.skills
        default = next((agent.name for agent in inventory.agents if agent.is_default), "")
        where = self.tr("Included with Parley or stored in {folder}.")
        return AgentsView(
            is_local=True,
            where=where.format(folder=data),
            agents=agents,
            skills=tuple(listed_row(skill, data) for skill in inventory.skills),
            auto=agent_choices(self.tr("The best agent for the message"), agents, default),
            auto_agent=default,
            faults=tuple(catalog_fault_text(problem, data) for problem in inventory.problems),
        )

    async def _hosted_view(self, client: ChatApi) -> AgentsView:
        agents, skills = await client.list_agents(), await client.list_skills()
        where = self.tr("Provided by {host} and can be changed only there.")
        return AgentsView(
            where=where.format(host=self._connection.status.name),
            agents=tuple(map(hosted_agent_row, agents)),
            skills=tuple(map(hosted_skill_row, skills)),
        )

    def _with_new_chats(self, view: AgentsView) -> AgentsView:
        workspace = self._connection.workspace
        profile = workspace.store.profile if workspace else ""
        chosen = self._preferences.current.agents.new_chats.get(profile, "")
        # The same word as on the chip below the message box.
        auto = QCoreApplication.translate("Catalog", "Auto")
        choices = agent_choices(auto, view.agents, chosen)
        return replace(view, new_chats=choices, new_chat_agent=chosen)

    def _show(self, view: AgentsView) -> None:
        view = replace(view, instructions=self._instructions)
        if view != self.view:
            self.view = view
            self.changed.emit(view)

    def _on_preferences_changed(self) -> None:
        instructions = self._preferences.current.agents.instructions
        if instructions != self._instructions:
            self._instructions = instructions
            self._connection.tell_service()
        self._show(self._with_new_chats(self.view))

    def _on_connection_workspace_changed(self) -> None:
        self._tasks.cancel()
        self._show(AgentsView())
        if self._has_looked and self._connection.workspace:
            self.refresh()

    def _on_task_failed(self, words: ErrorMessage) -> None:
        self._show(replace(self.view, problem=localized(words)))
