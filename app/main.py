"""Starts the program: arguments, then the loop, the window or the self-test, closing in order."""

import argparse
import asyncio
import contextlib
import importlib.metadata
import logging
import os
import signal
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication

from app.api.address import forget_network_variables
from app.composition import Composition
from app.event_loop import AppEventLoop
from app.instance import SingleInstance
from app.key_store import KeyStore, system_backend
from app.log_file import log_to
from app.paths import Paths, paths_under, resources, user_paths
from app.self_test import run_self_test
from app.ui.start_failure import StartFailure
from app.viewmodels.language import SpokenLanguage

log = logging.getLogger(__name__)

_EXIT_UNUSABLE = 2


class Ending:
    """What the program waits for: that it is to end, or to close and begin again."""

    def __init__(self) -> None:
        self._event = asyncio.Event()
        self.is_final = False

    def end(self) -> None:
        """The program ends, by its window or by a signal."""
        self.is_final = True
        self._event.set()

    def pause(self) -> None:
        """The program closes, and begins again with what was chosen meanwhile."""
        self._event.set()

    async def reached(self) -> None:
        """Waits for either; once more only for the next."""
        await self._event.wait()
        if not self.is_final:
            self._event.clear()


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the program until its window is closed; returns the exit code."""
    options = _parse(sys.argv[1:] if arguments is None else arguments)
    forget_network_variables(os.environ)
    application = QApplication([sys.argv[0]])
    application.setApplicationName("parley")
    application.setApplicationDisplayName("Parley")
    application.setDesktopFileName("parley")
    with AppEventLoop(application) as loop:
        return int(loop.run_until_complete(_chosen(options, application)))


async def _chosen(options: argparse.Namespace, application: QApplication) -> int:
    if options.self_test:
        return await run_self_test(application, options.report, options.screenshots)
    return await _run(application, _paths(options.data))


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="parley",
        description="A desktop chat application for assistants that act on your own computer, "
        "when you allow it.",
    )
    parser.add_argument("--version", action="version", version=importlib.metadata.version("parley"))
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="keep everything in this folder instead"
    )
    parser.add_argument(
        "--self-test",
        action="store_true",
        help="try the whole program in a window and a folder of its own, then say what works",
    )
    parser.add_argument(
        "--report", type=Path, metavar="FILE", help="with --self-test: write the results as JSON"
    )
    parser.add_argument(
        "--screenshots", type=Path, metavar="DIR", help="with --self-test: keep pictures here"
    )
    options = parser.parse_args(arguments)
    if not options.self_test and (options.report or options.screenshots):
        parser.error("--report and --screenshots go with --self-test")
    return options


def _paths(folder: Path | None) -> Paths:
    return paths_under(folder.expanduser().resolve()) if folder else user_paths()


async def _run(application: QApplication, paths: Paths) -> int:
    instance = SingleInstance(paths.data)
    try:
        paths.make()
        is_first = instance.acquire()
    except OSError as error:
        return await _refuse(application, partial(_unwritable, error))
    if not is_first:
        if instance.raise_other():
            return 0
        return await _refuse(application, _silent)
    with contextlib.suppress(OSError):
        # The log is what the program can do without.
        log_to(paths.logs)
    ending = Ending()
    _close_on_signals(ending)
    try:
        while not ending.is_final:
            await run_until_closed(application, paths, instance, ending)
    finally:
        instance.release()
    return 0


def _unwritable(error: OSError) -> str:
    words = QCoreApplication.translate(
        "Start", "Parley cannot write to its folder: {folder}: {reason}."
    )
    return words.format(folder=error.filename, reason=error.strerror)


def _silent() -> str:
    return QCoreApplication.translate(
        "Start", "Parley runs already, but its window does not answer."
    )


async def _refuse(application: QApplication, why: Callable[[], str]) -> int:
    """Says why there is no start, in a window and to whoever reads the output."""
    language = SpokenLanguage(resources() / "translations", "system")
    sentence = why()
    application.setQuitOnLastWindowClosed(False)
    ending = Ending()
    _close_on_signals(ending)
    print(sentence, file=sys.stderr)  # noqa: T201 - there is no log yet
    failure = StartFailure(sentence)
    failure.closed.connect(ending.end)
    failure.show()
    await ending.reached()
    failure.close()
    language.close()
    return _EXIT_UNUSABLE


async def run_until_closed(
    application: QApplication, paths: Paths, instance: SingleInstance, ending: Ending
) -> None:
    """Runs the program once, until it ends or is to begin again."""
    composition = Composition(application, paths, KeyStore(system_backend))
    composition.windows.closed.connect(ending.end)
    composition.language.restart_requested.connect(ending.pause)
    instance.raise_requested.connect(composition.windows.come_forward)
    composition.window.show()
    try:
        await composition.start()
        await ending.reached()
    finally:
        composition.windows.closed.disconnect(ending.end)
        # A signal leaves them open: nobody should type into what is being put away.
        composition.windows.close_all()
        await composition.aclose()
        composition.window.deleteLater()


def _close_on_signals(ending: Ending) -> None:
    """A log-out or Ctrl-C ends the program as closing its window does."""
    if sys.platform == "win32":
        return
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        loop.add_signal_handler(number, ending.end)


if __name__ == "__main__":
    sys.exit(main())
