"""The section about this program in tests of widgets, where no loop runs to read a log."""

from pathlib import Path

from app.config.settings import SettingsFile
from app.paths import paths_under
from app.ui.settings.about import AboutSection
from app.ui.theme import Theme
from app.updates.release import Release, UpdateSource
from app.updates.update_check import LastTrustedRelease
from app.viewmodels.preferences import Preferences
from app.viewmodels.settings.about import AboutModels, DiagnosticsViewModel, SelfTestViewModel
from app.viewmodels.settings.updates import UpdatesViewModel

_NOWHERE = Path("/nowhere")


class _WithoutLog(DiagnosticsViewModel):
    def read_log(self) -> None:
        """There is none."""


def about_section(theme: Theme, packaged: Path = _NOWHERE) -> AboutSection:
    """Make the section, of a program that has noted nothing.

    `packaged` is the folder in which a packager may have set an updates address.
    """
    preferences = Preferences(SettingsFile(_NOWHERE / "settings.toml"))
    trusted = LastTrustedRelease(_NOWHERE / "release.json")
    updates = UpdatesViewModel(preferences, packaged, lambda: "1.0", _asks_nobody, trusted)
    diagnostics = _WithoutLog(paths_under(_NOWHERE))
    return AboutSection(theme, AboutModels(diagnostics, SelfTestViewModel(lambda: "en"), updates))


async def _asks_nobody(_source: UpdateSource, _running: str) -> Release:
    raise AssertionError("nobody may be asked")
