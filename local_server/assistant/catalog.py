"""Which agents and skills a project uses, kept true while their files change."""

import asyncio
import logging
import threading
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from local_server.assistant.agents import Agent
from local_server.assistant.catalog_sources import (
    CatalogSources,
    ProjectInventory,
    places_for_all,
    project_inventory,
)
from local_server.assistant.skills import Skill
from local_server.clock import Clock

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Catalog:
    """The agents and skills that a project has enabled, by name."""

    agents: tuple[Agent, ...]
    skills: tuple[Skill, ...]
    are_choices_known: bool = True

    @classmethod
    def of(cls, inventory: CatalogSources) -> "Catalog":
        """Take what is enabled from all that there is."""
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
        self._shared = places_for_all(resources, data)
        self._known: dict[str, _Known] = {}
        self._told: frozenset[str] = frozenset()
        self._looking = asyncio.Lock()
        # A thread goes on when the request that waits for it is given up.
        self._one_at_a_time = threading.Lock()

    async def of(self, project: str) -> Catalog:
        """Find the catalog of a project, as its files were at most a second ago.

        Raises:
            ProjectNameError: When no project can have this name.
        """
        known = self._known.get(project)
        if known is not None and (self._looking.locked() or self._is_current(known)):
            return known.catalog
        async with self._looking:
            known = self._known.get(project)
            if known is None or not self._is_current(known):
                known = await asyncio.to_thread(self._look, project, self._clock())
            return known.catalog

    def look_at_shared(self) -> None:
        """Tell what is wrong with what all projects share, before anybody asks. Reads the disk."""
        with self._one_at_a_time:
            files = ProjectInventory(self._shared, None)
            files.look(self._clock())
            self._tell(files.inventory.problems)

    def _is_current(self, known: _Known) -> bool:
        return known.files.is_current(self._clock())

    def _look(self, project: str, now: datetime) -> _Known:
        with self._one_at_a_time:
            known = self._known.get(project)
            files = known.files if known else self._new(project)
            files.look(now)
            if known is None or known.inventory is not files.inventory:
                known = _Known(files, files.inventory, Catalog.of(files.inventory))
                self._known[project] = known
                self._tell()
            return known

    def _new(self, project: str) -> ProjectInventory:
        return project_inventory(self._shared, self._data, project)

    def _tell(self, wrong_for_all: tuple[str, ...] = ()) -> None:
        """Log what is newly wrong; what was mended is told again when it comes back."""
        wrong = [p for known in self._known.values() for p in known.inventory.problems]
        wrong += wrong_for_all
        for problem in dict.fromkeys(wrong):
            if problem not in self._told:
                log.warning("%s", problem)
        self._told = frozenset(wrong)
