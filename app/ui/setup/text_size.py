"""The sizes that the window comes in, and the commands that go from one to the next."""

from typing import Final

from PySide6.QtCore import QCoreApplication, QLocale, QObject
from PySide6.QtGui import QKeySequence

from app.ui.commands import CommandGroup, Commands
from app.viewmodels.preferences import Preferences

SIZES_PERCENT: Final = (80, 90, 100, 110, 125, 150, 175, 200)
_USUAL_PERCENT: Final = 100


def percent_words(percent: int) -> str:
    """Return a size in words."""
    return QCoreApplication.translate("TextSize", "{number} %").format(
        number=QLocale().toString(percent)
    )


class TextSize(QObject):
    """Makes everything larger or smaller by a step. Made by the window; ends with it."""

    def __init__(self, preferences: Preferences, commands: Commands) -> None:
        super().__init__(commands)
        self._preferences = preferences
        larger = self.tr("Larger text")
        smaller = self.tr("Smaller text")
        usual = self.tr("Usual size of text")
        for name, text, run, keys in (
            ("text-larger", larger, self._on_larger, QKeySequence.StandardKey.ZoomIn),
            ("text-smaller", smaller, self._on_smaller, QKeySequence.StandardKey.ZoomOut),
            ("text-usual", usual, self._on_usual, "Ctrl+0"),
        ):
            commands.add(name, text, run, group=CommandGroup.VIEW, keys=keys)

    def _choose(self, percent: int) -> None:
        appearance = self._preferences.current.appearance
        self._preferences.change(appearance.model_copy(update={"scale_percent": percent}))

    def _on_larger(self) -> None:
        now = self._preferences.current.appearance.scale_percent
        self._choose(next((size for size in SIZES_PERCENT if size > now), SIZES_PERCENT[-1]))

    def _on_smaller(self) -> None:
        now = self._preferences.current.appearance.scale_percent
        self._choose(next((size for size in SIZES_PERCENT[::-1] if size < now), SIZES_PERCENT[0]))

    def _on_usual(self) -> None:
        self._choose(_USUAL_PERCENT)
