"""The entry point: parse arguments, run the event loop, show the window, then fill it.

Modules that the first paint does not need are imported inside functions that run after it, so that
the window appears at once; keys pressed meanwhile are passed to the composer afterwards. What the
filled window does not need at once comes later still: dialogs, cards, lists and pages are made when
they are opened first, and libraries that take long to import are imported where they are used.
"""

import argparse
import asyncio
import atexit
import contextlib
import gc
import logging
import os
import signal
import sys
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Final

from PySide6.QtWidgets import QApplication

from app.common.shutdown_request import ShutdownRequest
from app.environment import ensure_utf8_locale, take_out_foreign_variables
from app.event_loop import AppEventLoop, remove_feature_hook
from app.paths import Paths, paths_under, resources, user_paths
from app.platform.display import (
    GOING_OFFSCREEN,
    NO_DISPLAY,
    OFFSCREEN,
    desktop_dialogs,
    desktop_entry,
    has_display,
    is_seen,
)
from app.platform.hardening import harden
from app.platform.single_instance import SingleInstance
from app.tasks import TaskOwner
from app.ui.main_window import MainWindow
from app.ui.startup_skeleton import WindowSkeleton, tokens_like

log = logging.getLogger(__name__)

_EXIT_FAILED: Final = 1
_EXIT_UNUSABLE: Final = 2
_PAINT_TIMEOUT_S: Final = 1.0
# Longer than other owners wait: the end of the self-test closes a whole program.
_CLOSE_LIMIT_S: Final = 10.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program until its window is closed; return the exit code."""
    # First of all: no key is read and no file made before (threats 95 and 101).
    harden()
    remove_feature_hook()
    options = _parse(sys.argv[1:] if arguments is None else arguments)
    if not has_display(os.environ):
        said = GOING_OFFSCREEN if options.self_test else NO_DISPLAY
        print(said, file=sys.stderr)  # noqa: T201 - there is no window to say it in
        if not options.self_test:
            return _EXIT_UNUSABLE
        os.environ["QT_QPA_PLATFORM"] = OFFSCREEN
    # Before QApplication is made, which reads variables and locale, and loads plug-ins by them.
    take_out_foreign_variables()
    ensure_utf8_locale(os.environ)
    # The system takes everything back at once; to look for garbage first took most of the end.
    atexit.register(gc.freeze)
    with desktop_dialogs(os.environ):
        application = QApplication([sys.argv[0]])
    application.setApplicationName("parley")
    application.setApplicationDisplayName("Parley")
    # Wayland has no icons of windows: the desktop finds icon and name by this file.
    application.setDesktopFileName(desktop_entry(os.environ))
    with AppEventLoop(application) as loop:
        return int(loop.run_until_complete(_chosen(options, application)))


async def _chosen(options: argparse.Namespace, application: QApplication) -> int:
    if options.self_test:
        return await _test(options, application)
    file = options.model_file.expanduser().absolute() if options.model_file else None
    return await _run(application, _paths(options.data), file)


async def _test(options: argparse.Namespace, application: QApplication) -> int:
    """Run the self-test; a signal ends it as its own end does, with nothing left."""
    from app.self_test.run import SelfTestOptions, run_self_test

    test_options = SelfTestOptions(
        options.report, options.screenshots, options.require, options.language
    )
    ending, tasks = ShutdownRequest(), TaskOwner(_on_task_failed, close_limit_s=_CLOSE_LIMIT_S)
    _close_on_signals(ending)
    try:
        test = tasks.start(
            run_self_test(application, _paths(options.data), test_options), name="the self-test"
        )
        ended = tasks.start(ending.wait(), name="wait for the end")
        await asyncio.wait([test, ended], return_when=asyncio.FIRST_COMPLETED)
        return test.result() if test.done() else _EXIT_UNUSABLE
    finally:
        await tasks.aclose()


class _Version(argparse.Action):
    """Looks the version up only when somebody asks for it."""

    def __call__(self, parser: argparse.ArgumentParser, *_rest: object) -> None:
        from importlib.metadata import version

        print(f"Parley {version('parley')}")  # noqa: T201 - that is what was asked for
        parser.exit()


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="parley",
        description="A desktop chat application for assistants that act on your own computer, "
        "when you allow it.",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        help="the folder for all data and settings, instead of the user's own folders",
    )
    parser.add_argument(
        "model_file",
        type=Path,
        nargs="?",
        metavar="MODEL.gguf",
        help="a model file that answers in the chat",
    )
    parser.add_argument(
        "--self-test",
        action="store_true",
        help="test the whole program in its own window and a temporary folder, and report",
    )
    parser.add_argument(
        "--report", type=Path, metavar="FILE", help="with --self-test: write the results as JSON"
    )
    parser.add_argument(
        "--screenshots",
        type=Path,
        metavar="DIR",
        help="with --self-test: save screenshots in this folder",
    )
    parser.add_argument(
        "--require",
        metavar="CHECKS",
        help="with --self-test: fail if one of these checks, separated by commas, is not available",
    )
    parser.add_argument(
        "--language", choices=("en", "de"), help="with --self-test: the language of the window"
    )
    options = parser.parse_args(arguments)
    if options.self_test:
        if options.model_file:
            parser.error("--self-test takes no model file")
        _read_required(parser, options)
    elif options.report or options.screenshots or options.require or options.language:
        parser.error("--report, --screenshots, --require and --language go with --self-test")
    return options


def _read_required(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    from app.self_test.report import UnknownCheck, read_ids

    try:
        options.require = read_ids(options.require or "")
    except UnknownCheck as error:
        parser.error(str(error))
    options.language = options.language or "system"


def _paths(folder: Path | None) -> Paths:
    return paths_under(folder.expanduser().resolve()) if folder else user_paths()


async def _run(application: QApplication, paths: Paths, model_file: Path | None) -> int:
    ending = ShutdownRequest()
    _close_on_signals(ending)
    instance = SingleInstance(paths.data)
    try:
        paths.make()
        with ending.leaving_by(instance.exit_now):
            result = instance.acquire_or_activate(model_file=model_file)
    except OSError as error:
        return await _refuse(application, ending, error)
    if result != "primary":
        return 0 if result == "activated" else await _refuse(application, ending)
    try:
        failure = await _failure_of(
            run_program(application, paths, instance, ending, paths.logs, model_file=model_file)
        )
    finally:
        instance.release()
    if failure and not ending.has_begun:
        return await _refuse(application, ending, failure, paths.logs)
    return _EXIT_FAILED if failure else 0


async def _failure_of(running: Coroutine[object, object, None]) -> BaseException | None:
    """Wait until it ends; what it failed with is in the log, and returned."""
    tasks = TaskOwner(_on_task_failed)
    try:
        task = tasks.start(running, name="the program")
        await asyncio.wait([task])
        return task.exception()
    finally:
        await tasks.aclose()


def _on_task_failed(name: str, error: BaseException) -> None:
    log.error("%s failed", name, exc_info=error)


async def _refuse(
    application: QApplication,
    ending: ShutdownRequest,
    failure: BaseException | None = None,
    log_folder: Path | None = None,
) -> int:
    from app.ui.startup_error import show_startup_error

    is_read = is_seen(application.platformName())
    await show_startup_error(application, ending, failure, log_folder, has_window=is_read)
    return _EXIT_UNUSABLE if is_read else _EXIT_FAILED


async def run_program(
    application: QApplication,
    paths: Paths,
    instance: SingleInstance,
    ending: ShutdownRequest,
    log_folder: Path | None = None,
    *,
    model_file: Path | None = None,
) -> None:
    """Show a window at once, run the program until it ends, and write its log to the folder.

    If a model file is given, it becomes the model that answers.
    """
    # The window closes first, then what is behind it; the loop ends when both are done.
    application.setQuitOnLastWindowClosed(False)
    window = await _painted_window(application, paths, ending)
    try:
        if not ending.is_made:
            run_behind = _loaded(
                application, paths, instance, ending, log_folder, model_file=model_file
            )
            await run_behind(window)
    finally:
        window.close()
        window.deleteLater()


def _loaded(
    application: QApplication,
    paths: Paths,
    instance: SingleInstance,
    ending: ShutdownRequest,
    log_folder: Path | None,
    *,
    model_file: Path | None,
) -> Callable[[MainWindow], Coroutine[object, object, None]]:
    """Import what runs behind a window, which takes longest of all; and log from now on."""
    _begin_log(log_folder)
    with ending.leaving_by(instance.exit_now):
        from app.lifecycle import ApplicationRun

        # What was imported stays: searched through for garbage, it cost more than the window.
        gc.freeze()
        return ApplicationRun(application, paths, instance, ending, model_file).run


def _begin_log(folder: Path | None) -> None:
    if folder is None:
        return
    from app.common.log_file import log_to

    with contextlib.suppress(OSError):
        # The program runs without a log, too.
        log_to(folder)


async def _painted_window(
    application: QApplication, paths: Paths, ending: ShutdownRequest
) -> MainWindow:
    """Show the window at its place, in its colours, and wait until that can be seen."""
    window, painted = MainWindow(paths.window_file), asyncio.Event()
    tokens = tokens_like(window.kept_look, application.palette(), resources() / "themes")
    skeleton = WindowSkeleton(tokens, window.kept_widths)
    skeleton.painted.connect(painted.set)
    window.setCentralWidget(skeleton)
    window.closed.connect(ending.request_shutdown)
    window.show()
    with contextlib.suppress(TimeoutError):
        # A window that begins minimised or on another desktop is painted when it is looked at.
        async with asyncio.timeout(_PAINT_TIMEOUT_S):
            await painted.wait()
    window.closed.disconnect(ending.request_shutdown)
    return window


def _close_on_signals(ending: ShutdownRequest) -> None:
    """End the program on log-out or Ctrl-C as closing its window does."""
    if sys.platform == "win32":
        return
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        loop.add_signal_handler(number, ending.request_shutdown)
        # The loop hears of it when it runs again; what keeps it waiting at the start asks sooner.
        signal.signal(number, lambda _number, _frame: ending.announce_shutdown())
        # Setting a handler lets signals interrupt system calls again; asyncio had turned that off.
        signal.siginterrupt(number, False)


if __name__ == "__main__":
    sys.exit(main())
