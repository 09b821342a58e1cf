"""The sections of the settings, in their order, joined to what they change."""

from dataclasses import dataclass

from app.ui.exchange.privacy import PrivacySection
from app.ui.setup.about import AboutSection
from app.ui.setup.agents.section import AgentsSection
from app.ui.setup.appearance import AppearanceSection
from app.ui.setup.language import LanguageSection
from app.ui.setup.models import ModelsSection
from app.ui.setup.network import NetworkSection
from app.ui.setup.notices import NoticesSection
from app.ui.setup.own_tools.group import OwnToolsGroup
from app.ui.setup.projects import ProjectsSection
from app.ui.setup.section import SettingsSection
from app.ui.setup.shortcuts import ShortcutsSection
from app.ui.setup.tool_servers.group import ToolServersGroup
from app.ui.setup.tools import ToolsSection
from app.ui.theme import Theme
from app.viewmodels.settings.setup import SetupViewModel
from app.viewmodels.window import WindowViewModels


@dataclass(frozen=True, slots=True)
class OwnSections:
    """The sections that the window also opens by themselves, or hears of."""

    projects: ProjectsSection
    privacy: PrivacySection
    shortcuts: ShortcutsSection
    about: AboutSection


def make_sections(
    theme: Theme, models: WindowViewModels, own: OwnSections
) -> tuple[SettingsSection, ...]:
    """Puts `own` and every other section there is in their order."""
    setup, preferences = models.setup, models.preferences
    return (
        own.projects,
        ModelsSection(theme, setup.models),
        AgentsSection(theme, models.agents),
        _with_sources(theme, ToolsSection(theme, preferences, models.permissions), models),
        AppearanceSection(theme, preferences),
        LanguageSection(theme, preferences, models.language),
        NetworkSection(theme, models.network),
        NoticesSection(theme, preferences, models.notices),
        own.privacy,
        own.shortcuts,
        own.about,
    )


def _with_sources(theme: Theme, section: ToolsSection, models: WindowViewModels) -> ToolsSection:
    """Puts where other tools come from below everything else about tools."""
    for group in (
        OwnToolsGroup(theme, models.own_tools),
        ToolServersGroup(theme, models.tool_servers),
    ):
        section.add_part(group)
    return section


def make_projects(theme: Theme, setup: SetupViewModel) -> ProjectsSection:
    """Makes the section about projects, which the window also opens by itself."""
    section = ProjectsSection(theme, setup.projects)
    section.add_requested.connect(setup.use_hosted)
    section.change_requested.connect(setup.change_project)
    setup.settings_changed.connect(section.show_state)
    return section
