"""The sections of the settings, in their order.

A new section is a module with its widget and an entry in this file; one that does more than keep
choices has a view model, too. What the sections are made of is imported when the settings are
opened first: the start needs none of it.
"""

import logging
from functools import partial
from typing import Final, Protocol, TypeVar

from app.common.error_messages import ErrorMessage
from app.tasks import TaskOwner
from app.ui.commands import Commands
from app.ui.settings.section import SettingsSection
from app.ui.theme import Theme
from app.viewmodels.i18n import error_handler
from app.viewmodels.settings.model_files import ModelFilesViewModel
from app.viewmodels.settings.network import NetworkViewModel
from app.viewmodels.window import AppViewModels, WindowViewModels

log = logging.getLogger(__name__)


class _Closable(Protocol):
    async def aclose(self) -> None: ...


_ViewModel = TypeVar("_ViewModel", bound=_Closable)


class SettingsSections:
    """Makes the sections of each window, and the view models that only sections show.

    One for the run, as are these view models; `aclose` ends what is under way in them.
    """

    def __init__(self, app: AppViewModels) -> None:
        self._app = app
        self._files: ModelFilesViewModel | None = None
        self._own: list[_Closable] = []
        self._is_ending = False
        self._closing = TaskOwner(error_handler(_log_failure))
        self.network: Final = self._owned(NetworkViewModel(app.preferences, app.connection))

    def make(
        self, theme: Theme, window: WindowViewModels, commands: Commands
    ) -> tuple[SettingsSection, ...]:
        """Make the sections of a window, first one first."""
        from app.ui.settings.about import AboutSection
        from app.ui.settings.agents import AgentsSection
        from app.ui.settings.appearance import AppearanceSection, LanguageSection
        from app.ui.settings.mcp_servers.group import McpServersGroup
        from app.ui.settings.model_files import ModelFilesGroup
        from app.ui.settings.models import ModelsSection
        from app.ui.settings.network import NetworkSection
        from app.ui.settings.notices import NoticesSection
        from app.ui.settings.privacy import PrivacySection
        from app.ui.settings.projects import ProjectsSection
        from app.ui.settings.shortcuts import ShortcutsSection
        from app.ui.settings.tools import ToolsSection
        from app.ui.settings.user_tools import UserToolsGroup
        from app.viewmodels.settings.agent_editing import AgentEditorViewModel
        from app.viewmodels.settings.trial_run import AgentTrialViewModel

        app, preferences = self._app, self._app.preferences
        self._files = self._files or ModelFilesViewModel(preferences, app.setup.models)
        files = ModelFilesGroup(theme, self._files, app.setup.download)
        sources = app.agents.editor_sources()
        editor = self._owned(AgentEditorViewModel(sources))
        trial = self._owned(AgentTrialViewModel(sources, lambda: editor.view.draft))
        agents = AgentsSection(theme, app.agents, editor, trial)
        agents.destroyed.connect(partial(self._release, editor, trial))
        groups = (UserToolsGroup(theme, app.user_tools), McpServersGroup(theme, app.mcp_servers))
        return (
            ProjectsSection(theme, app.setup),
            ModelsSection(theme, app.setup.models, files),
            agents,
            ToolsSection(theme, preferences, app.permissions, groups),
            AppearanceSection(theme, preferences),
            LanguageSection(theme, preferences),
            NetworkSection(theme, self.network),
            NoticesSection(theme, preferences, app.notices),
            PrivacySection(theme, window),
            ShortcutsSection(theme, commands),
            AboutSection(theme, app.about),
        )

    async def aclose(self) -> None:
        """End what is under way in the view models of the sections."""
        self._is_ending = True
        await self._closing.finish()
        await self._closing.aclose()
        for view_model in self._own:
            await view_model.aclose()

    def _release(self, *view_models: _Closable) -> None:
        """End the view models of a section that is gone; at the end of the run `aclose` does."""
        if self._is_ending:
            return
        for view_model in view_models:
            self._own.remove(view_model)
            self._closing.start(view_model.aclose(), name="end a section")

    def _owned(self, view_model: _ViewModel) -> _ViewModel:
        self._own.append(view_model)
        return view_model


def _log_failure(words: ErrorMessage) -> None:
    log.warning("A section of the settings did not close cleanly: %s", words.sentence)
