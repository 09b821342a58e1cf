"""`ModelFilesViewModel` opens model files, and chooses their engine and context window."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import QLocale, QObject, Signal

from app.config.settings import Settings
from app.viewmodels.preferences import Preferences
from app.viewmodels.settings.models import ModelsViewModel

_WINDOWS: Final = (4096, 8192, 16_384, 32_768, 65_536, 131_072)


@dataclass(frozen=True, slots=True)
class ModelFilesView:
    """How model files are run.

    `engine` is the path of another llama-server, empty for the bundled engine. `window` is how many
    tokens a question and its answer may have, 0 for what fits; `windows` are the choices with their
    words.
    """

    engine: str
    window: int
    windows: tuple[tuple[int, str], ...]


class ModelFilesViewModel(QObject):
    """The settings of model files, stored as preferences with Undo; no change needs a restart.

    One for the run.
    """

    changed = Signal(object)
    """A choice has changed; argument: the `ModelFilesView`."""

    def __init__(self, preferences: Preferences, models: ModelsViewModel) -> None:
        super().__init__()
        self._preferences = preferences
        self._models = models
        self.view = self._view_of(preferences.current)
        preferences.changed.connect(self._on_preferences_changed)

    def open_file(self, file: Path) -> None:
        """Choose the model of a file, from the next message on."""
        self._models.open_file(file)

    def choose_engine(self, program: str) -> None:
        """Run model files by another llama-server; an empty path is the bundled engine again."""
        self._change(engine=program)

    def choose_window(self, tokens: int) -> None:
        """Set the context window in tokens; 0 is what fits."""
        self._change(window=tokens)

    def _change(self, **fields: str | int) -> None:
        table = self._preferences.current.models
        self._preferences.change(table.model_copy(update=fields))

    def _view_of(self, settings: Settings) -> ModelFilesView:
        numbers = QLocale()
        # With a size that somebody wrote into the settings file.
        sizes = dict.fromkeys(sorted({*_WINDOWS, settings.models.window} - {0}))
        windows = (
            (0, self.tr("Automatic")),
            *(
                (size, self.tr("{tokens} tokens").format(tokens=numbers.toString(size)))
                for size in sizes
            ),
        )
        return ModelFilesView(settings.models.engine, settings.models.window, windows)

    def _on_preferences_changed(self, settings: Settings) -> None:
        view = self._view_of(settings)
        if view != self.view:
            self.view = view
            self._models.apply_settings()
            self.changed.emit(view)
