"""The section about this program in tests of widgets, where no loop runs to read a log."""

from pathlib import Path

from app.paths import paths_under
from app.ui.setup.about import AboutSection
from app.ui.theme import Theme
from app.viewmodels.settings.diagnostics import DiagnosticsViewModel


class _WithoutLog(DiagnosticsViewModel):
    def read_log(self) -> None:
        """There is none."""


def about_section(theme: Theme) -> AboutSection:
    """Make the section, of a program that has noted nothing."""
    return AboutSection(theme, _WithoutLog(paths_under(Path("/nowhere"))))
