"""The language of the window: which one it speaks, its words and formats, and its order of names.

`SpokenLanguage` sets the language, at the start and later. `translate_marked` and
`translate_sentence` translate words that are written down where no Qt is, `error_handler` turns a
task's failure into the words that the window shows, and `name_key` sorts names.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import (
    QCollator,
    QCollatorSortKey,
    QCoreApplication,
    QLibraryInfo,
    QLocale,
    QObject,
    Qt,
    QTranslator,
    Signal,
)

from app.common.error_messages import ErrorCode, ErrorMessage, explain
from app.common.errors import ErrorRoute, UserFacingError
from app.common.languages import LanguageChoice
from app.common.plain_causes import MissingAsEllipsis
from app.common.service_reasons import translate_reason
from local_tools.translation_marks import MarkedSentence


def translate_marked(context: str, text: str) -> str:
    """Return `text` in the language of the window.

    It was marked by `QT_TRANSLATE_NOOP` with the same context. What never was, such as the title
    of somebody else's tool, comes back as it is.
    """
    return QCoreApplication.translate(context, text)


def catalog_text(text: str) -> str:
    """Return a name or a description of an included agent or skill in the language of the window.

    What others call theirs comes back as it is.
    """
    return translate_marked("Included", text)


def translate_sentence(context: str, sentence: MarkedSentence) -> str:
    """Return a sentence in the language of the window, with what fills its gaps as it came.

    It was marked with this context; what never was comes back as it is.
    """
    return str(replace(sentence, text=translate_marked(context, sentence.text)))


def error_handler(show: Callable[[ErrorMessage], None]) -> ErrorRoute:
    """Make the `on_error` of a view model's tasks: each failure becomes words for `show`."""

    def show_unexpected(_task_name: str) -> None:
        show(explain(UserFacingError(ErrorCode.UNEXPECTED)))

    return ErrorRoute(lambda error: show(explain(error)), show_unexpected)


def localized(words: ErrorMessage) -> str:
    """Return the sentences in the language of the window.

    Values in them are as they came, but for a reason of the service on this computer.
    """
    text = translate_marked("ErrorMessage", words.text)
    kept = translate_marked("ErrorMessage", words.kept) if words.kept else ""
    values = dict(words.values)
    if reason := values.get("message"):
        values["message"] = localized_reason(str(reason))
    return replace(words, text=text, kept=kept, values=MissingAsEllipsis(values)).sentence


def localized_reason(text: str) -> str:
    """Return a reason of the service on this computer in the language of the window."""
    return translate_reason(text, partial(translate_marked, "ServiceReason"), _figure)


def _figure(number: float, decimals: int) -> str:
    return QLocale().toString(number, "f", decimals)


def name_key(name: str) -> QCollatorSortKey:
    """Return the key that a list of names is sorted by.

    Small letters stand beside capital ones, letters with marks where the language of the window
    has them, and numbers by their value.
    """
    locale = QLocale()
    if locale.language() is QLocale.Language.C:
        # In the C locale QCollator compares code units, so that "b" stands after "Z".
        locale = QLocale(QLocale.Language.English)
    collator = QCollator(locale)
    collator.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
    collator.setNumericMode(True)
    return collator.sortKey(name)


ENGLISH: Final = "en"
# Qt's own words, of menus in fields and of dialogs for files; then ours, which are asked first.
_FILES: Final = ("qtbase", "parley")


class SpokenLanguage(QObject):
    """Sets the language of the program, and changes it while the program runs.

    `folder` holds the translations that ship. A widget keeps the words it was made with, so
    `changed` asks for windows to be made anew. Made before anything that has words; `close` ends
    it, after all of them.
    """

    changed = Signal()
    """The language has changed; texts that were made before stay in the old one."""

    def __init__(self, folder: Path, choice: LanguageChoice, system: QLocale | None = None) -> None:
        super().__init__()
        self._folder = folder
        self._system = system or QLocale.system()
        self._before = QLocale()
        self._translators: list[QTranslator] = []
        self.code = self.code_for(choice)
        self._install()

    def speak(self, choice: LanguageChoice) -> None:
        """Speak the language that this choice leads to from now on."""
        code = self.code_for(choice)
        if code != self.code:
            self._remove_translators()
            self.code = code
            self._install()
            self.changed.emit()

    def code_for(self, choice: LanguageChoice) -> str:
        """Return the language that this choice leads to, "de" for German."""
        if choice != "system":
            return choice
        wanted = (name.split("-")[0] for name in self._system.uiLanguages())
        return next((code for code in wanted if self._has(code)), ENGLISH)

    def close(self) -> None:
        """Take words and formats away again."""
        self._remove_translators()
        QLocale.setDefault(self._before)

    def _install(self) -> None:
        self._translators = [found for name in _FILES if (found := self._load(name))]
        for translator in self._translators:
            QCoreApplication.installTranslator(translator)
        QLocale.setDefault(_formats(self.code, self._system))

    def _remove_translators(self) -> None:
        while self._translators:
            translator = self._translators.pop()
            QCoreApplication.removeTranslator(translator)
            translator.deleteLater()

    def _has(self, code: str) -> bool:
        return (self._folder / f"parley_{code}.qm").is_file()

    def _load(self, name: str) -> QTranslator | None:
        folder = self._folder
        if name != "parley":
            folder = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
        translator = QTranslator(self)
        return translator if translator.load(str(folder / f"{name}_{self.code}.qm")) else None


def _formats(code: str, system: QLocale) -> QLocale:
    """Return the formats of dates and numbers: this language's words, the person's territory."""
    spoken = QLocale(code)
    if system.language() is QLocale.Language.C:
        # It names no place, and groups no digits. Of the English formats, those of Europe have the
        # order of dates and the clock that most places have.
        europe = QLocale.Country.Europe
        return QLocale(QLocale.Language.English, europe) if code == ENGLISH else spoken
    if system.language() == spoken.language():
        return system
    return QLocale(spoken.language(), system.territory())
