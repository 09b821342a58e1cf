"""The program that is tried: its own folder, window and service, never the person's."""

import asyncio
import logging
from pathlib import Path

from PySide6.QtWidgets import QApplication

from app.composition import Composition
from app.key_store import KeyStore
from app.paths import paths_under
from app.settings import Language, LanguageChoice, Settings, SettingsFile
from app.tasks import TaskOwner
from app.ui.main_window import MainWindow

log = logging.getLogger(__name__)


class OwnProgram:
    """Builds the program in one folder, closes it, and builds it again.

    Made by `run_self_test`, with a folder that is removed afterwards.
    """

    def __init__(self, application: QApplication, folder: Path, language: LanguageChoice) -> None:
        self._application = application
        self._paths = paths_under(folder)
        self._paths.make()
        chosen = Settings(language=Language(choice=language))
        SettingsFile(self._paths.settings_file).save(chosen)
        self.now = self._build()
        self._tasks = _tasks()

    async def show(self) -> None:
        """Opens the window and what is behind it."""
        self.now.window.show()
        await self.now.start()
        self._tasks.start(self.now.try_sandbox(), name="try the sandbox")

    async def begin_again(self) -> None:
        """Closes the program, as its window does, and starts it again."""
        await self.close()
        self.now = self._build()
        self._tasks = _tasks()
        await self.show()

    async def close(self) -> None:
        """Closes the window, then what is behind it."""
        window = self.now.window
        self.now.windows.close_all()
        await self._tasks.aclose()
        await self.now.aclose()
        # What is still there would be dressed in the looks of the next one.
        await _deleted(window)

    def _build(self) -> Composition:
        # No keyring: the self-test never has a key that is worth keeping.
        window = MainWindow(self._paths.window_file)
        return Composition(self._application, self._paths, KeyStore(lambda: None), window)


async def _deleted(window: MainWindow) -> None:
    gone = asyncio.Event()
    window.destroyed.connect(gone.set)
    window.deleteLater()
    await gone.wait()


def _tasks() -> TaskOwner:
    return TaskOwner(_on_task_failed)


def _on_task_failed(name: str, error: BaseException) -> None:
    log.error("%s failed", name, exc_info=error)
