"""Say why the program cannot start, in a window and for whoever reads the output."""

import sys
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication

from app.common.error_messages import explain
from app.common.errors import UserFacingError
from app.common.log_file import LOG_NAME
from app.common.shutdown_request import ShutdownRequest
from app.paths import resources
from app.ui.startup_error_page import StartupErrorPage
from app.viewmodels.i18n import SpokenLanguage, localized


async def show_startup_error(
    application: QApplication,
    ending: ShutdownRequest,
    failure: BaseException | None,
    log_folder: Path | None = None,
    *,
    has_window: bool = True,
) -> None:
    """Says why there is no start until that is read: what failed, or a program that is mute.

    `log_folder` has more about it, where there is a log already. Without a window, which nobody
    could close who does not see it, only the standard error has it.
    """
    language = SpokenLanguage(resources() / "translations", "system")
    sentence = _sentence(failure, log_folder)
    print(sentence, file=sys.stderr)  # noqa: T201 - who starts it from a shell looks there
    if has_window:
        await _show(application, ending, sentence)
    language.close()


async def _show(application: QApplication, ending: ShutdownRequest, sentence: str) -> None:
    application.setQuitOnLastWindowClosed(False)
    window = StartupErrorPage(sentence)
    window.closed.connect(ending.request_shutdown)
    window.show()
    await ending.wait()
    window.close()


def _sentence(failure: BaseException | None, log_folder: Path | None) -> str:
    translate = QCoreApplication.translate
    if log_folder:
        words = translate("Start", "Parley could not start: {reason} See {file}")
        return words.format(reason=_reason(failure), file=log_folder / LOG_NAME)
    if isinstance(failure, OSError):
        words = translate("Start", "Parley cannot write to its folder: {folder}: {reason}.")
        return words.format(folder=failure.filename, reason=failure.strerror)
    return translate("Start", "Parley runs already, but its window does not answer.")


def _reason(failure: BaseException | None) -> str:
    """Says what failed in words; what is not known by its kind stands in the log."""
    translate = QCoreApplication.translate
    match failure:
        case UserFacingError():
            return localized(explain(failure))
        case ImportError():
            return translate("Start", "a part of it is missing or damaged. Install it again.")
        case OSError(filename=str(name), strerror=str(reason)):
            return f"{name}: {reason}."
    return translate("Start", "something in it failed that should not.")
