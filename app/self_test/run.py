"""The self-test's walk: what a person does on the first day, in order, in the real window."""

import importlib.metadata
import tempfile
from pathlib import Path

from PySide6.QtWidgets import QApplication

from app.composition import Composition
from app.key_store import KeyStore
from app.paths import paths_under
from app.self_test.pictures import Pictures
from app.self_test.report import Report, report_to_stdout
from app.self_test.walk import Walk
from app.ui.main_window import MainWindow


async def run_self_test(
    application: QApplication, report_file: Path | None, pictures_folder: Path | None
) -> int:
    """Tries everything in a window, a folder and a service of its own; returns the exit code.

    Prints a line a check. The user's own data, settings and keys are never opened.
    """
    report = report_to_stdout(importlib.metadata.version("parley"))
    with tempfile.TemporaryDirectory(prefix="parley-self-test-") as folder:
        await _try_everything(application, Path(folder), report, pictures_folder)
    if report_file:
        report.write(report_file)
    return 0 if report.is_good else 1


async def _try_everything(
    application: QApplication, folder: Path, report: Report, pictures_folder: Path | None
) -> None:
    paths = paths_under(folder)
    paths.make()
    # No keyring: the self-test never has a key that is worth keeping.
    window = MainWindow(paths.window_file)
    composition = Composition(application, paths, KeyStore(lambda: None), window)
    walk = Walk(composition, folder / "notes", Pictures(composition, pictures_folder))
    try:
        for name, step in walk.steps():
            if not report.is_good:
                report.skip(name)
                continue
            with report.check(name):
                await step()
        state = await composition.sandbox_state()
        report.tell("sandbox", f"{state.kind}. {state.reason or 'Everything holds.'}")
    finally:
        with report.check("Everything closes, and no process is left"):
            await walk.close()
