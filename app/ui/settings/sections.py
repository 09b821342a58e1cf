"""The sections of the settings, in their order, joined to what they change."""

from dataclasses import dataclass

from app.ui.settings.about import AboutSection
from app.ui.settings.agents import AgentsSection
from app.ui.settings.appearance import AppearanceSection, LanguageSection
from app.ui.settings.mcp_servers.group import McpServersGroup
from app.ui.settings.models import ModelsSection
from app.ui.settings.network import NetworkSection
from app.ui.settings.notices import NoticesSection
from app.ui.settings.privacy import PrivacySection
from app.ui.settings.projects import ProjectsSection
from app.ui.settings.section import SettingsSection
from app.ui.settings.shortcuts import ShortcutsSection
from app.ui.settings.tools import ToolsSection
from app.ui.settings.user_tools import UserToolsGroup
from app.ui.theme import Theme
from app.viewmodels.settings.settings import SettingsViewModel
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
    """Put `own` and every other section there is in their order."""
    setup, preferences = models.app.setup, models.app.preferences
    return (
        own.projects,
        ModelsSection(theme, setup.models),
        AgentsSection(theme, models.app.agents),
        _with_sources(theme, ToolsSection(theme, preferences, models.app.permissions), models),
        AppearanceSection(theme, preferences),
        LanguageSection(theme, preferences, models.app.language),
        NetworkSection(theme, models.app.network),
        NoticesSection(theme, preferences, models.app.notices),
        own.privacy,
        own.shortcuts,
        own.about,
    )


def _with_sources(theme: Theme, section: ToolsSection, models: WindowViewModels) -> ToolsSection:
    """Put where other tools come from below everything else about tools."""
    for group in (
        UserToolsGroup(theme, models.app.user_tools),
        McpServersGroup(theme, models.app.mcp_servers),
    ):
        section.add_part(group)
    return section


def make_projects(theme: Theme, setup: SettingsViewModel) -> ProjectsSection:
    """Make the section about projects, which the window also opens by itself."""
    section = ProjectsSection(theme, setup.projects)
    section.add_requested.connect(setup.use_hosted)
    section.change_requested.connect(setup.change_project)
    setup.settings_changed.connect(section.show_state)
    return section
