"""What the settings say of the program itself, handed over in one piece."""

from dataclasses import dataclass

from app.api.network import Network
from app.paths import Paths, resources
from app.updates.looking import looking_by
from app.updates.memory import LastBelieved
from app.viewmodels.preferences import Preferences
from app.viewmodels.settings.diagnostics import DiagnosticsViewModel
from app.viewmodels.settings.self_test import SelfTestViewModel
from app.viewmodels.settings.updates import UpdatesViewModel


@dataclass(frozen=True, slots=True)
class AboutModels:
    """The versions and the log, the self-test, and newer versions. One for the run."""

    diagnostics: DiagnosticsViewModel
    self_test: SelfTestViewModel
    updates: UpdatesViewModel

    async def aclose(self) -> None:
        """Ends what is under way in each."""
        for part in (self.diagnostics, self.self_test, self.updates):
            await part.aclose()


def about_models(
    paths: Paths, preferences: Preferences, network: Network, language: str
) -> AboutModels:
    """Makes them for the program in this language."""
    diagnostics = DiagnosticsViewModel(paths)
    look = looking_by(network, LastBelieved(paths.release_file))
    updates = UpdatesViewModel(preferences, resources(), diagnostics.version, look)
    return AboutModels(diagnostics, SelfTestViewModel(language), updates)
