"""The start that cannot be: why, in a window and for whoever reads the output."""

import sys

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication

from app.ending import Ending
from app.paths import resources
from app.ui.start_failure import StartFailure
from app.viewmodels.language import SpokenLanguage


async def refuse(application: QApplication, ending: Ending, error: OSError | None) -> None:
    """Says why there is no start until that is read: the error, or a program that is mute."""
    language = SpokenLanguage(resources() / "translations", "system")
    sentence = _unwritable(error) if error else _silent()
    application.setQuitOnLastWindowClosed(False)
    print(sentence, file=sys.stderr)  # noqa: T201 - there is no log yet
    failure = StartFailure(sentence)
    failure.closed.connect(ending.end)
    failure.show()
    await ending.reached()
    failure.close()
    language.close()


def _unwritable(error: OSError) -> str:
    words = QCoreApplication.translate(
        "Start", "Parley cannot write to its folder: {folder}: {reason}."
    )
    return words.format(folder=error.filename, reason=error.strerror)


def _silent() -> str:
    return QCoreApplication.translate(
        "Start", "Parley runs already, but its window does not answer."
    )
