"""Run the program behind a window that is already shown."""

import asyncio
import logging
from pathlib import Path

from PySide6.QtWidgets import QApplication

from app.common.shutdown_request import ShutdownRequest
from app.composition import Composition
from app.config.key_store import KeyStore, system_backend
from app.paths import Paths
from app.platform.single_instance import SingleInstance
from app.tasks import TaskOwner
from app.ui.main_window import MainWindow
from local_tools.threads import run_in_thread

log = logging.getLogger(__name__)


class ApplicationRun:
    """Runs the program behind a window.

    Made once by `app.main`, when the first window is on the screen.
    """

    def __init__(
        self,
        application: QApplication,
        paths: Paths,
        instance: SingleInstance,
        ending: ShutdownRequest,
        model_file: Path | None = None,
    ) -> None:
        self._application = application
        self._paths = paths
        self._instance = instance
        self._ending = ending
        self._model_file = model_file
        self._keys = KeyStore(system_backend)

    async def run(self, window: MainWindow) -> None:
        """Fill the window and work behind it, until the program ends."""
        with self._ending.leaving_by(self._instance.exit_now):
            composition = Composition(self._application, self._paths, self._keys, window)
        composition.windows.closed.connect(self._on_windows_closed)
        self._instance.raise_requested.connect(composition.windows.come_forward)
        self._instance.file_requested.connect(composition.open_model_file)
        # After the connections: a signal that nobody follows is lost.
        self._instance.listen()
        tasks = TaskOwner(_on_task_failed)
        try:
            if not self._ending.is_made:
                await self._start(composition, tasks)
            await self._ending.wait()
        finally:
            # After a signal, the windows are still open here.
            self._instance.ignore()
            await tasks.aclose()
            # The instance outlives this run, and would raise windows that are gone.
            self._instance.raise_requested.disconnect(composition.windows.come_forward)
            self._instance.file_requested.disconnect(composition.open_model_file)
            composition.windows.closed.disconnect(self._on_windows_closed)
            # A signal leaves them open: nobody should type into what is being put away.
            composition.windows.close_all()
            await composition.aclose()

    async def _start(self, composition: Composition, tasks: TaskOwner) -> None:
        """Fill the window; what has not begun when the program is to end never does."""
        is_open = await composition.open()
        await run_in_thread(_import_rest)
        if is_open and not self._ending.is_made:
            connecting = tasks.start(composition.connect(), name="connect")
            asked = tasks.start(self._ending.wait_requested(), name="wait for the end")
            await asyncio.wait([connecting, asked], return_when=asyncio.FIRST_COMPLETED)
            if not connecting.done():
                return
            await connecting
        if not self._ending.is_made:
            if self._model_file:
                composition.open_model_file(self._model_file)
            tasks.start(composition.try_sandbox(), name="try the sandbox")
            tasks.start(composition.ask_for_motion(), name="ask whether things may move")
            composition.about.updates.begin()

    def _on_windows_closed(self) -> None:
        # No window can be raised any more, however long closing takes: another start waits until
        # the folder is released.
        self._instance.ignore()
        self._ending.request_shutdown()


def _import_rest() -> None:
    """Import what the first client and the first reply need, once the window can be written in.

    Here and not at their first use, so that a damaged library is reported at the start.
    """
    import app.api.transport  # noqa: PLC0415
    import app.ui.transcript.rows.reply_row  # noqa: F401, PLC0415


def _on_task_failed(name: str, error: BaseException) -> None:
    log.error("%s failed", name, exc_info=error)
