"""The sections of the settings, in their order, joined to what they change."""

from app.ui.exchange.privacy import PrivacySection
from app.ui.setup.about import AboutSection
from app.ui.setup.appearance import AppearanceSection
from app.ui.setup.connection import ConnectionSection
from app.ui.setup.language import LanguageSection
from app.ui.setup.notices import NoticesSection
from app.ui.setup.projects import ProjectsSection
from app.ui.setup.section import SettingsSection
from app.ui.setup.shortcuts import ShortcutsSection
from app.ui.theme import Theme
from app.viewmodels.setup import SetupViewModel
from app.viewmodels.window import WindowViewModels


def make_sections(
    theme: Theme, models: WindowViewModels, shortcuts: ShortcutsSection
) -> tuple[SettingsSection, ...]:
    """Makes every section there is."""
    setup, preferences = models.setup, models.preferences
    return (
        _make_connection(theme, setup),
        _make_projects(theme, setup),
        AppearanceSection(theme, preferences),
        LanguageSection(theme, preferences, models.language),
        NoticesSection(theme, preferences, models.notices),
        PrivacySection(theme, models),
        shortcuts,
        AboutSection(theme, setup.settings.version),
    )


def _make_connection(theme: Theme, setup: SetupViewModel) -> ConnectionSection:
    section = ConnectionSection(theme)
    section.local_chosen.connect(setup.use_local)
    section.hosted_chosen.connect(setup.use_hosted)
    setup.settings_changed.connect(section.show_state)
    section.show_state(setup.settings)
    return section


def _make_projects(theme: Theme, setup: SetupViewModel) -> ProjectsSection:
    section = ProjectsSection(theme, setup.projects)
    section.add_requested.connect(setup.use_hosted)
    setup.settings_changed.connect(section.show_state)
    return section
