"""The settings' view model of agents and skills in a test, over projects without a window."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from app.paths import paths_under
from app.service.agent_trial import TrialLaunch
from app.service.catalog import ServiceCatalog
from app.service.child import ModelKeys
from app.ui.settings.agents import AgentsSection
from app.ui.theme import Theme
from app.viewmodels.settings.agent_editing import AgentEditorViewModel
from app.viewmodels.settings.agents import AgentsViewModel
from app.viewmodels.settings.trial_run import AgentTrialViewModel
from local_tools.registry import ToolRegistry
from tests.support.catalog_program import catalog_command
from tests.support.project_fixtures import ProjectSettingsFixture, projects_desk
from tests.support.signals import emitted
from tests.support.window import KeyringInMemory


async def _launch() -> TrialLaunch:
    return TrialLaunch("offline", (), ModelKeys())


@asynccontextmanager
async def agents_desk(
    tmp_path: Path, keyring: KeyringInMemory | None = None, *, is_real: bool = False
) -> AsyncIterator[tuple[AgentsViewModel, ProjectSettingsFixture]]:
    """Open the current project, with three agents and a skill on this computer.

    With `is_real` the service’s own program lists them, instead of a fake.
    """
    data = paths_under(tmp_path).service_data
    command = catalog_command(
        tmp_path / "catalog.json",
        agents=("broken", "files", "writer"),
        skills=("notes",),
        problems=[
            {
                "path": f"{data}/agents/x.md",
                "line": 4,
                "fault": "field_missing",
                "detail": "name",
            }
        ],
    )
    async with projects_desk(tmp_path, keyring or KeyringInMemory()) as desk:
        catalog = ServiceCatalog(data, os.environ, *(() if is_real else (command,)))
        agents = AgentsViewModel(
            desk.preferences,
            desk.connection,
            catalog,
            tools=ToolRegistry.built_in().definitions,
            launch=_launch,
        )
        try:
            yield agents, desk
        finally:
            await agents.aclose()


async def settled(agents: AgentsViewModel) -> None:
    """Wait until nothing is asked any more."""
    while agents.view.is_looking:
        await emitted(agents.changed)


@asynccontextmanager
async def section_of(theme: Theme, agents: AgentsViewModel) -> AsyncIterator[AgentsSection]:
    """Make the section with its editor, as a window does."""
    editor = AgentEditorViewModel(agents.editor_sources())
    trial = AgentTrialViewModel(agents.editor_sources(), lambda: editor.view.draft)
    try:
        yield AgentsSection(theme, agents, editor, trial)
    finally:
        await editor.aclose()
        await trial.aclose()
