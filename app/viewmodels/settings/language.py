"""The language of the window: which one it speaks, and the words and formats of it."""

from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QObject, QTranslator, Signal

from app.config.settings import LanguageChoice

ENGLISH: Final = "en"
# Qt's own words, of menus in fields and of dialogs for files; then ours, which are asked first.
_FILES: Final = ("qtbase", "parley")


class SpokenLanguage(QObject):
    """Makes a run of the program speak one language; another one needs another run.

    `folder` holds the translations that ship. Lists, names and sentences are made in many places
    and kept there, so that changing the language of a run would leave some of them behind. Made
    before anything that has words; `close` ends it, after all of them.
    """

    restart_requested = Signal()
    """The person wants the program to close and open again, in the language chosen last."""

    def __init__(self, folder: Path, choice: LanguageChoice, system: QLocale | None = None) -> None:
        super().__init__()
        self._folder = folder
        self._system = system or QLocale.system()
        self._before = QLocale()
        self.code = self.code_for(choice)
        self._translators = [found for name in _FILES if (found := self._load(name))]
        for translator in self._translators:
            QCoreApplication.installTranslator(translator)
        QLocale.setDefault(_formats(self.code, self._system))

    def code_for(self, choice: LanguageChoice) -> str:
        """Return the language that this choice leads to, "de" for German."""
        if choice != "system":
            return choice
        wanted = (name.split("-")[0] for name in self._system.uiLanguages())
        return next((code for code in wanted if self._has(code)), ENGLISH)

    def restart(self) -> None:
        """Close the program and open it again."""
        self.restart_requested.emit()

    def close(self) -> None:
        """Take words and formats away again."""
        while self._translators:
            QCoreApplication.removeTranslator(self._translators.pop())
        QLocale.setDefault(self._before)

    def _has(self, code: str) -> bool:
        return (self._folder / f"parley_{code}.qm").is_file()

    def _load(self, name: str) -> QTranslator | None:
        folder = self._folder
        if name != "parley":
            folder = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
        translator = QTranslator(self)
        return translator if translator.load(str(folder / f"{name}_{self.code}.qm")) else None


def _formats(code: str, system: QLocale) -> QLocale:
    """Dates and numbers in the words of this language, as they are written where the person is."""
    spoken = QLocale(code)
    if system.language() in (spoken.language(), QLocale.Language.C):
        return system if system.language() == spoken.language() or code == ENGLISH else spoken
    return QLocale(spoken.language(), system.territory())
