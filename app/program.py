"""One run of the program behind a window that is on the screen already."""

import logging

from PySide6.QtWidgets import QApplication

from app.composition import Composition
from app.ending import Ending
from app.instance import SingleInstance
from app.key_store import KeyStore, system_backend
from app.paths import Paths
from app.tasks import TaskOwner
from app.ui.main_window import MainWindow

log = logging.getLogger(__name__)


async def run_behind(
    window: MainWindow,
    application: QApplication,
    paths: Paths,
    instance: SingleInstance,
    ending: Ending,
) -> None:
    """Fills the window and works behind it, until the program ends or is to begin again."""
    composition = Composition(application, paths, KeyStore(system_backend), window)
    composition.windows.closed.connect(ending.end)
    composition.language.restart_requested.connect(ending.pause)
    instance.raise_requested.connect(composition.windows.come_forward)
    instance.listen()
    tasks = TaskOwner(_on_task_failed)
    try:
        await composition.start()
        tasks.start(composition.try_sandbox(), name="try the sandbox")
        await ending.reached()
    finally:
        await tasks.aclose()
        composition.windows.closed.disconnect(ending.end)
        # A signal leaves them open: nobody should type into what is being put away.
        composition.windows.close_all()
        await composition.aclose()


def _on_task_failed(name: str, error: BaseException) -> None:
    log.error("%s failed", name, exc_info=error)
