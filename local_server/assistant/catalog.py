"""The agents and skills of each project, reread when their files change.

There are three sources: those that ship, those that all projects of a data folder share, and a
project's own. Of two with one name the one from the later source wins. `Catalogs` has the enabled
ones, for requests; `read_inventory` lists all.
"""

import asyncio
import logging
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, Generic, Literal, TypeVar

from local_server.assistant.agents import Agent
from local_server.assistant.catalog_overrides import (
    FILE_NAME,
    CatalogOverrides,
    project_folder,
    read_overrides,
)
from local_server.assistant.definition_folder import (
    DefinitionFolder,
    Signature,
    agents_in,
    file_signature,
    skills_in,
)
from local_server.assistant.front_matter import DefinitionError, DefinitionFault, DefinitionProblem
from local_server.assistant.skills import Skill
from local_server.settings import Clock, utc_now

Source = Literal["built-in", "shared", "project"]
Definition = TypeVar("Definition", Agent, Skill)

# How long a source counts as unchanged: a look for changes takes 4 ms for 1,000 files.
_MAX_AGE: Final = timedelta(seconds=1)
_ORDER: Final[tuple[Source, ...]] = ("built-in", "shared", "project")

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Listed(Generic[Definition]):
    """An agent or a skill, and where it comes from."""

    item: Definition
    source: Source
    path: Path


@dataclass(frozen=True)
class CatalogSources:
    """All agents and skills that a project could use, by name, with its own choices applied.

    Attributes:
        problems: What is wrong with files.
        are_choices_known: False where the project's choices cannot be read; then nothing is
            enabled.
    """

    agents: tuple[Listed[Agent], ...] = ()
    skills: tuple[Listed[Skill], ...] = ()
    problems: tuple[DefinitionProblem, ...] = ()
    are_choices_known: bool = True


class CatalogFolder:
    """A folder of agents and skills. Shared by the projects that use it, for the service's life.

    Attributes:
        revision: Grows with every change.
    """

    def __init__(self, source: Source, folder: Path) -> None:
        self.source: Final = source
        self.agents: Final = agents_in(folder / "agents")
        self.skills: Final = skills_in(folder / "skills")
        self.revision = 0
        self._refreshed_at: datetime | None = None

    def is_due(self, now: datetime) -> bool:
        """Return whether a refresh is due; also if the clock was set back."""
        refreshed_at = self._refreshed_at
        return refreshed_at is None or not timedelta() <= now - refreshed_at < _MAX_AGE

    def refresh(self, now: datetime) -> None:
        """Read what has changed. It reads the disk."""
        self.revision += self.agents.refresh() + self.skills.refresh()
        self._refreshed_at = now


class ProjectInventory:
    """A project's inventory, kept up to date. Not thread-safe."""

    def __init__(self, shared: tuple[CatalogFolder, ...], folder: Path | None) -> None:
        """Make one for a project whose own files lie in `folder`; nothing is read yet."""
        self._sources = (*shared, CatalogFolder("project", folder)) if folder else shared
        self._overrides_file = folder / FILE_NAME if folder else None
        self._overrides = CatalogOverrides()
        self._overrides_signature: Signature | None = None
        self._has_choices = False
        self._problems: tuple[DefinitionProblem, ...] = ()
        self._composed_from: tuple[object, ...] | None = None
        self.inventory = CatalogSources()

    def is_current(self, now: datetime) -> bool:
        """Return whether the inventory may be used without a look."""
        is_due = any(source.is_due(now) for source in self._sources)
        return not is_due and self._composed_from == self._state()

    def refresh(self, now: datetime) -> None:
        """Bring the inventory up to date. It reads the disk."""
        for source in self._sources:
            if source.is_due(now):
                source.refresh(now)
        self._refresh_overrides()
        if self._composed_from != self._state():
            self._composed_from = self._state()
            self.inventory = self._compose()

    def _state(self) -> tuple[object, ...]:
        return (*(source.revision for source in self._sources), self._overrides_signature)

    def _refresh_overrides(self) -> None:
        if self._overrides_file is None:
            return
        signature = file_signature(self._overrides_file)
        if signature == self._overrides_signature:
            return
        self._overrides_signature, self._problems = signature, ()
        try:
            self._overrides = read_overrides(self._overrides_file)
        except DefinitionError as exc:
            self._problems = (exc.problem,)
            if not self._has_choices:
                self._close()
        else:
            self._has_choices = signature is not None

    def _close(self) -> None:
        """Disable everything: the project's choices cannot be read, and may disable any of it."""
        self._overrides = CatalogOverrides(are_known=False)
        self._problems += (
            DefinitionProblem(str(self._overrides_file), 1, DefinitionFault.ALL_OFF),
        )

    def _compose(self) -> CatalogSources:
        overrides, problems = self._overrides, list(self._problems)
        agents = _latest(((s.source, s.agents) for s in self._sources), overrides.agents)
        skills = _latest(((s.source, s.skills) for s in self._sources), overrides.skills)
        if not overrides.are_known:
            agents, skills = _none_of(agents), _none_of(skills)
        default = _default_of(agents, overrides)
        if overrides.default_agent and default is None:
            fault, name = DefinitionFault.NO_SUCH_DEFAULT, overrides.default_agent
            problems.append(DefinitionProblem(str(self._overrides_file), 1, fault, name))
        for source in self._sources:
            problems += [*source.agents.problems(), *source.skills.problems()]
        settled = (
            replace(a, item=replace(a.item, is_default=a.item.name == default)) for a in agents
        )
        return CatalogSources(tuple(settled), skills, tuple(problems), overrides.are_known)


def shared_sources(resources: Path, data: Path | None) -> tuple[CatalogFolder, ...]:
    """Name the sources that no project has for itself."""
    ships = CatalogFolder("built-in", resources)
    return (ships, CatalogFolder("shared", data)) if data else (ships,)


def project_inventory(
    shared: tuple[CatalogFolder, ...], data: Path | None, project: str
) -> ProjectInventory:
    """Make the inventory of a project.

    Raises:
        ProjectNameError: When no project can have this name.
    """
    return ProjectInventory(shared, project_folder(data, project) if data else None)


def read_inventory(resources: Path, data: Path | None, project: str) -> CatalogSources:
    """Read once what a project could use. It reads the disk.

    Raises:
        ProjectNameError: When no project can have this name.
    """
    files = project_inventory(shared_sources(resources, data), data, project)
    files.refresh(utc_now())
    return files.inventory


def _latest(
    folders: Iterable[tuple[Source, DefinitionFolder[Definition]]], choices: Mapping[str, bool]
) -> tuple[Listed[Definition], ...]:
    """Choose one definition a name, enabled as the project chose or else as its file says."""
    found: dict[str, Listed[Definition]] = {}
    for source, folder in folders:
        for name, (path, item) in folder.items().items():
            is_enabled = choices.get(name, item.is_enabled)
            found[name] = Listed(replace(item, is_enabled=is_enabled), source, path)
    return tuple(definition for _, definition in sorted(found.items()))


def _none_of(definitions: Iterable[Listed[Definition]]) -> tuple[Listed[Definition], ...]:
    """Return all definitions, disabled."""
    return tuple(
        replace(definition, item=replace(definition.item, is_enabled=False))
        for definition in definitions
    )


def _default_of(agents: Sequence[Listed[Agent]], overrides: CatalogOverrides) -> str | None:
    """Find the agent that answers when none is named: the project's choice, else the files'."""
    enabled = [found for found in agents if found.item.is_enabled]
    if overrides.default_agent is not None:
        return next((a.item.name for a in enabled if a.item.name == overrides.default_agent), None)
    stated = [found for found in enabled if found.item.is_default]
    stated.sort(key=lambda found: (-_ORDER.index(found.source), found.item.name))
    return stated[0].item.name if stated else None


@dataclass(frozen=True)
class Catalog:
    """The agents and skills that a project has enabled, by name."""

    agents: tuple[Agent, ...]
    skills: tuple[Skill, ...]
    are_choices_known: bool = True

    @classmethod
    def of(cls, inventory: CatalogSources) -> "Catalog":
        """Return a catalog of the enabled agents and skills."""
        return cls(
            tuple(found.item for found in inventory.agents if found.item.is_enabled),
            tuple(found.item for found in inventory.skills if found.item.is_enabled),
            inventory.are_choices_known,
        )

    def agent(self, name: str) -> Agent | None:
        """Find an agent that may answer, by name."""
        return next((agent for agent in self.agents if agent.name == name), None)

    def default_agent(self) -> Agent | None:
        """Find the agent that answers when none is named; None leaves it to the supervisor."""
        return next((agent for agent in self.agents if agent.is_default), None)


@dataclass(frozen=True)
class _Known:
    """What is known of one project."""

    files: ProjectInventory
    inventory: CatalogSources
    catalog: Catalog


class Catalogs:
    """The catalogs of all projects. One for the life of the service.

    Files are looked at again after a second, in a thread, by the first request that asks then;
    requests that come meanwhile get what was known before.
    """

    def __init__(self, resources: Path, data: Path | None, clock: Clock) -> None:
        """Make them from what ships and, with a data folder, from what lies there."""
        self._data = data
        self._clock = clock
        self._shared = shared_sources(resources, data)
        self._known: dict[str, _Known] = {}
        self._logged: frozenset[DefinitionProblem] = frozenset()
        self._refreshing = asyncio.Lock()
        # A thread goes on when the request that waits for it is given up.
        self._one_at_a_time = threading.Lock()

    async def of(self, project: str) -> Catalog:
        """Find the catalog of a project, as its files were at most a second ago.

        Raises:
            ProjectNameError: When no project can have this name.
        """
        known = self._known.get(project)
        if known is not None and (self._refreshing.locked() or self._is_current(known)):
            return known.catalog
        async with self._refreshing:
            known = self._known.get(project)
            if known is None or not self._is_current(known):
                known = await asyncio.to_thread(self._refresh, project, self._clock())
            return known.catalog

    def check_shared(self) -> None:
        """Log what is wrong with what all projects share. It reads the disk."""
        with self._one_at_a_time:
            files = ProjectInventory(self._shared, None)
            files.refresh(self._clock())
            self._log_problems(files.inventory.problems)

    def _is_current(self, known: _Known) -> bool:
        return known.files.is_current(self._clock())

    def _refresh(self, project: str, now: datetime) -> _Known:
        with self._one_at_a_time:
            known = self._known.get(project)
            files = known.files if known else self._new(project)
            files.refresh(now)
            if known is None or known.inventory is not files.inventory:
                known = _Known(files, files.inventory, Catalog.of(files.inventory))
                self._known[project] = known
                self._log_problems()
            return known

    def _new(self, project: str) -> ProjectInventory:
        return project_inventory(self._shared, self._data, project)

    def _log_problems(self, wrong_for_all: tuple[DefinitionProblem, ...] = ()) -> None:
        """Log what is newly wrong; what was mended is told again when it comes back."""
        wrong = [p for known in self._known.values() for p in known.inventory.problems]
        wrong += wrong_for_all
        for problem in dict.fromkeys(wrong):
            if problem not in self._logged:
                log.warning("%s", problem)
        self._logged = frozenset(wrong)
