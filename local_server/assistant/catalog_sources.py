"""All agents and skills that a project could use, and which of them it does use.

They lie in three places: those that ship, those that all projects of a data folder share, and a
project's own. Of two with one name the one from the later place counts.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, Generic, Literal, TypeVar

from local_server.assistant.agents import Agent
from local_server.assistant.catalog_overrides import (
    FILE_NAME,
    CatalogOverrides,
    CatalogOverridesError,
    read_switches,
)
from local_server.assistant.definition_folder import (
    DefinitionFolder,
    Signature,
    agents_in,
    file_signature,
    skills_in,
)
from local_server.assistant.skills import Skill
from local_server.clock import utc_now
from local_server.projects import project_folder

Source = Literal["built-in", "shared", "project"]
Thing = TypeVar("Thing", Agent, Skill)

# How old what is known of a place may be. A look at 1,000 files takes about 4 ms.
_REST: Final = timedelta(seconds=1)
_ORDER: Final[tuple[Source, ...]] = ("built-in", "shared", "project")


@dataclass(frozen=True)
class Listed(Generic[Thing]):
    """An agent or a skill, and where it comes from."""

    item: Thing
    source: Source
    path: Path


@dataclass(frozen=True)
class CatalogSources:
    """What a project could use, by name, with `is_enabled` and `is_default` as they hold for it.

    Attributes:
        problems: What is wrong with files, as sentences that name file and line.
        are_choices_known: False where the project's choices cannot be read; then nothing is
            enabled.
    """

    agents: tuple[Listed[Agent], ...] = ()
    skills: tuple[Listed[Skill], ...] = ()
    problems: tuple[str, ...] = ()
    are_choices_known: bool = True


class CatalogFolder:
    """One of the places. Shared by the projects that use it, for the life of the service.

    Attributes:
        revision: Grows with every change.
    """

    def __init__(self, source: Source, folder: Path) -> None:
        self.source: Final = source
        self.agents: Final = agents_in(folder / "agents")
        self.skills: Final = skills_in(folder / "skills")
        self.revision = 0
        self._looked_at: datetime | None = None

    def is_due(self, now: datetime) -> bool:
        """Tell whether what is known is too old, also when the clock was set back."""
        looked_at = self._looked_at
        return looked_at is None or not timedelta() <= now - looked_at < _REST

    def look(self, now: datetime) -> None:
        """Read what has changed. It reads the disk."""
        self.revision += self.agents.look() + self.skills.look()
        self._looked_at = now


class ProjectInventory:
    """A project's inventory, kept true. Not for several threads at once."""

    def __init__(self, shared: tuple[CatalogFolder, ...], folder: Path | None) -> None:
        """Make one for a project whose own files lie in `folder`; nothing is read yet."""
        self._places = (*shared, CatalogFolder("project", folder)) if folder else shared
        self._switches_file = folder / FILE_NAME if folder else None
        self._switches = CatalogOverrides()
        self._switches_signature: Signature | None = None
        self._has_choices = False
        self._problems: tuple[str, ...] = ()
        self._composed_from: tuple[object, ...] | None = None
        self.inventory = CatalogSources()

    def is_current(self, now: datetime) -> bool:
        """Tell whether the inventory may be used without a look."""
        is_due = any(place.is_due(now) for place in self._places)
        return not is_due and self._composed_from == self._state()

    def look(self, now: datetime) -> None:
        """Bring the inventory up to date. It reads the disk."""
        for place in self._places:
            if place.is_due(now):
                place.look(now)
        self._look_at_switches()
        if self._composed_from != self._state():
            self._composed_from = self._state()
            self.inventory = self._compose()

    def _state(self) -> tuple[object, ...]:
        return (*(place.revision for place in self._places), self._switches_signature)

    def _look_at_switches(self) -> None:
        if self._switches_file is None:
            return
        signature = file_signature(self._switches_file)
        if signature == self._switches_signature:
            return
        self._switches_signature, self._problems = signature, ()
        try:
            self._switches = read_switches(self._switches_file)
        except CatalogOverridesError as exc:
            self._problems = (str(exc),)
            if not self._has_choices:
                self._close()
        else:
            self._has_choices = signature is not None

    def _close(self) -> None:
        """There are choices, and nobody knows which: use nothing that may be switched off."""
        self._switches = CatalogOverrides(are_known=False)
        self._problems += (
            f"{self._switches_file}:1: no agent and no skill is used until this can be read.",
        )

    def _compose(self) -> CatalogSources:
        switches, problems = self._switches, list(self._problems)
        agents = _latest(((p.source, p.agents) for p in self._places), switches.agents)
        skills = _latest(((p.source, p.skills) for p in self._places), switches.skills)
        if not switches.are_known:
            agents, skills = _none_of(agents), _none_of(skills)
        default = _default_of(agents, switches)
        if switches.default_agent and default is None:
            problems.append(
                f"{self._switches_file}:1: the default agent “{switches.default_agent}” is not "
                "one of the project’s enabled agents, so there is none."
            )
        for place in self._places:
            problems += [*place.agents.problems(), *place.skills.problems()]
        settled = (
            replace(a, item=replace(a.item, is_default=a.item.name == default)) for a in agents
        )
        return CatalogSources(tuple(settled), skills, tuple(problems), switches.are_known)


def places_for_all(resources: Path, data: Path | None) -> tuple[CatalogFolder, ...]:
    """Name the places that no project has for itself."""
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
    files = project_inventory(places_for_all(resources, data), data, project)
    files.look(utc_now())
    return files.inventory


def _latest(
    shelves: Iterable[tuple[Source, DefinitionFolder[Thing]]], choices: Mapping[str, bool]
) -> tuple[Listed[Thing], ...]:
    """Take what counts of each name, enabled as the project chose or else as its file says."""
    found: dict[str, Listed[Thing]] = {}
    for source, shelf in shelves:
        for name, (path, item) in shelf.items().items():
            is_enabled = choices.get(name, item.is_enabled)
            found[name] = Listed(replace(item, is_enabled=is_enabled), source, path)
    return tuple(thing for _, thing in sorted(found.items()))


def _none_of(things: Iterable[Listed[Thing]]) -> tuple[Listed[Thing], ...]:
    """Take all of them as switched off."""
    return tuple(replace(thing, item=replace(thing.item, is_enabled=False)) for thing in things)


def _default_of(agents: Sequence[Listed[Agent]], switches: CatalogOverrides) -> str | None:
    """Name who answers when nobody is named: the project's choice, else what files say."""
    enabled = [found for found in agents if found.item.is_enabled]
    if switches.default_agent is not None:
        return next((a.item.name for a in enabled if a.item.name == switches.default_agent), None)
    stated = [found for found in enabled if found.item.is_default]
    stated.sort(key=lambda found: (-_ORDER.index(found.source), found.item.name))
    return stated[0].item.name if stated else None
