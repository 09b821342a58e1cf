"""The program under test, in a folder with a window and a service of its own."""

import asyncio
import logging
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication

from app.common.languages import LanguageChoice
from app.composition import Composition
from app.config.key_store import KeyStore
from app.config.settings import LanguageSettings, Settings, SettingsFile
from app.paths import paths_under
from app.self_test.report import CheckFailed
from app.tasks import TaskOwner
from app.ui.main_window import MainWindow

log = logging.getLogger(__name__)

translate = QCoreApplication.translate


class AppUnderTest:
    """Builds the program in one folder, closes it, and builds it again.

    Made by `run_self_test`, with a folder that is removed afterwards; `show` builds it first.
    """

    def __init__(self, application: QApplication, folder: Path, language: LanguageChoice) -> None:
        self._application = application
        self._paths = paths_under(folder)
        self._chosen = Settings(language=LanguageSettings(choice=language))
        self._tasks = TaskOwner(_on_task_failed)
        self._built: Composition | None = None

    @property
    def now(self) -> Composition:
        """The program as it is now.

        Raises:
            CheckFailed: it could not be built.
        """
        if self._built is None:
            raise CheckFailed(translate("SelfTest", "there is no window"))
        return self._built

    async def show(self) -> None:
        """Build the program, and open its window and what is behind it.

        Raises:
            OSError: a file of it is missing, or its folder cannot be written.
        """
        self._built = self._build()
        self._tasks = TaskOwner(_on_task_failed)
        self._built.window.show()
        await self._built.start()
        self._tasks.start(self._built.try_sandbox(), name="try the sandbox")

    async def begin_again(self) -> None:
        """Close the program, as its window does, and start it again."""
        await self.close()
        await self.show()

    async def close(self) -> None:
        """Close the window, then what is behind it."""
        # First: the trial of the sandbox uses what is closed below.
        await self._tasks.aclose()
        built, self._built = self._built, None
        if built:
            window = built.window
            built.windows.close_all()
            await built.aclose()
            # A window that still exists would get the style sheet of the next program.
            await _deleted(window)

    def _build(self) -> Composition:
        self._paths.make()
        if not self._paths.settings_file.exists():
            SettingsFile(self._paths.settings_file).save(self._chosen)
        # No keyring: the self-test never has a key that is worth keeping.
        window = MainWindow(self._paths.window_file)
        return Composition(self._application, self._paths, KeyStore(lambda: None), window)


async def _deleted(window: MainWindow) -> None:
    gone = asyncio.Event()
    window.destroyed.connect(gone.set)
    window.deleteLater()
    await gone.wait()


def _on_task_failed(name: str, error: BaseException) -> None:
    log.error("%s failed", name, exc_info=error)
