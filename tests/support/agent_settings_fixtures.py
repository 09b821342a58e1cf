"""The settings' view model of agents and skills in a test, over projects without a window."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from app.paths import paths_under
from app.service.catalog import ServiceCatalog
from app.viewmodels.settings.agents import AgentsViewModel
from tests.support.catalog_program import catalog_command
from tests.support.project_fixtures import ProjectSettingsFixture, projects_desk
from tests.support.signals import emitted
from tests.support.window import KeyringInMemory


@asynccontextmanager
async def agents_desk(
    tmp_path: Path, keyring: KeyringInMemory | None = None
) -> AsyncIterator[tuple[AgentsViewModel, ProjectSettingsFixture]]:
    """Open the project that was chosen, with three agents and a skill on this computer."""
    data = paths_under(tmp_path).service_data
    command = catalog_command(
        tmp_path / "catalog.json",
        agents=("broken", "files", "writer"),
        skills=("notes",),
        problem=f"{data}/agents/x.md:4: the field “name” is missing.",
    )
    async with projects_desk(tmp_path, keyring or KeyringInMemory()) as desk:
        catalog = ServiceCatalog(data, os.environ, command)
        agents = AgentsViewModel(desk.preferences, desk.connection, catalog)
        try:
            yield agents, desk
        finally:
            await agents.aclose()


async def settled(agents: AgentsViewModel) -> None:
    """Wait until nothing is asked any more."""
    while agents.view.is_looking:
        await emitted(agents.changed)
