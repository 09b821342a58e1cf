"""Say why the program cannot start: in a window, and on standard error."""

import math
import sys
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QCloseEvent, QTextDocument
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.common.error_messages import explain
from app.common.errors import UserFacingError
from app.common.log_file import LOG_NAME
from app.common.shutdown_request import ShutdownRequest
from app.paths import resources
from app.viewmodels.i18n import SpokenLanguage, localized

_WIDTH_PX = 460
_MARGIN_PX = 24


class StartupErrorPage(QWidget):
    """Shows a sentence and a button that closes it, without a theme, which may be missing.

    Made by `show_startup_error`; ends with the program.
    """

    closed = Signal()
    """The person closed the window."""

    def __init__(self, sentence: str) -> None:
        super().__init__()
        self.setWindowTitle(self.tr("Parley cannot start"))
        self.setFixedWidth(_WIDTH_PX)
        words = _read_only(sentence)
        words.setAccessibleName(self.tr("Cause"))
        close = QPushButton(self.tr("Close"))
        close.clicked.connect(self.close)
        column = QVBoxLayout(self)
        column.setContentsMargins(_MARGIN_PX, _MARGIN_PX, _MARGIN_PX, _MARGIN_PX)
        column.setSpacing(_MARGIN_PX)
        column.addWidget(words)
        column.addWidget(close, alignment=Qt.AlignmentFlag.AlignRight)
        # As large as it stays, before it is seen.
        self.adjustSize()

    def closeEvent(self, event: QCloseEvent) -> None:
        """End the program."""
        event.accept()
        self.closed.emit()


def _read_only(sentence: str) -> QPlainTextEdit:
    """Return a field to select and copy from, on the ground of the window, as high as its text."""
    field = QPlainTextEdit(sentence)
    field.setReadOnly(True)
    field.setFrameShape(QFrame.Shape.NoFrame)
    field.viewport().setAutoFillBackground(False)
    field.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    text = QTextDocument(sentence)
    text.setDefaultFont(field.font())
    text.setTextWidth(_WIDTH_PX - 2 * _MARGIN_PX)
    field.setFixedHeight(math.ceil(text.size().height()))
    return field


async def show_startup_error(
    application: QApplication,
    ending: ShutdownRequest,
    failure: BaseException | None,
    log_folder: Path | None = None,
    *,
    has_window: bool = True,
) -> None:
    """Show why the program cannot start, until the person closes the window.

    `failure` is None where another instance of the program does not answer; `log_folder` has the
    log with more about it, once there is one. Where nobody could see and close a window, only
    standard error has the sentence.
    """
    language = SpokenLanguage(resources() / "translations", "system")
    sentence = startup_error_words(failure, log_folder)
    print(sentence, file=sys.stderr)  # noqa: T201 - who starts it from a shell looks there
    if has_window:
        await _show(application, ending, sentence)
    language.close()


async def _show(application: QApplication, ending: ShutdownRequest, sentence: str) -> None:
    # Or Qt would end the loop that is awaited here.
    application.setQuitOnLastWindowClosed(False)
    window = StartupErrorPage(sentence)
    window.closed.connect(ending.request_shutdown)
    window.show()
    await ending.wait()
    window.close()


def startup_error_words(failure: BaseException | None, log_folder: Path | None) -> str:
    """Return why the program cannot start; the arguments are those of `show_startup_error`."""
    translate = QCoreApplication.translate
    if log_folder:
        words = translate("Start", "Parley could not start: {reason} See {file}")
        return words.format(reason=_reason(failure), file=log_folder / LOG_NAME)
    if isinstance(failure, OSError):
        words = translate("Start", "Parley cannot write to its folder {folder}: {reason}.")
        return words.format(folder=failure.filename, reason=failure.strerror)
    return translate("Start", "Parley is already running, but its window does not respond.")


def _reason(failure: BaseException | None) -> str:
    """Return what failed, in words; what is not known by its kind stands in the log."""
    translate = QCoreApplication.translate
    match failure:
        case UserFacingError():
            return localized(explain(failure))
        case ImportError():
            return translate(
                "Start", "part of the program is missing or damaged. Install Parley again."
            )
        case OSError(filename=str(name), strerror=str(reason)):
            return f"{name}: {reason}."
    return translate("Start", "an unexpected error occurred.")
