"""Run the whole self-test: installed files, environment, and the scenario of a first day."""

import asyncio
import importlib.metadata
import io
import os
import platform
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TextIO

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication

from app.api.network import Trust
from app.common.languages import LanguageChoice
from app.common.log_file import redacted, without_home
from app.config.key_store import system_backend
from app.import_export.chat_export import NotWritten
from app.paths import Paths, resources
from app.self_test.app_under_test import AppUnderTest
from app.self_test.crash_recovery import CrashRecovery
from app.self_test.environment_checks import (
    check_folders,
    check_fonts,
    check_keyring,
    check_plugins,
    check_sandbox,
    check_trust,
)
from app.self_test.installed_files import check_files, installed_folder
from app.self_test.model_file import ModelFileCheck
from app.self_test.picture_tour import Screenshots, make_folder
from app.self_test.report import Check, CheckId, SelfTestReport, demand_writable
from app.self_test.scenario import Scenario
from app.viewmodels.i18n import SpokenLanguage
from local_tools.paths.beneath import why_no_folders

translate = QCoreApplication.translate

_EXIT_UNUSABLE: Final = 2


@dataclass(frozen=True, slots=True)
class SelfTestOptions:
    """What can be asked for when the self-test is started.

    Attributes:
        report_file: where the results are written as JSON; None for nowhere.
        pictures_folder: where pictures are kept; None for nowhere.
        required: the checks that must not come out as not available.
        language: what the window and the lines speak.
    """

    report_file: Path | None = None
    pictures_folder: Path | None = None
    required: frozenset[CheckId] = frozenset()
    language: LanguageChoice = "system"


async def run_self_test(application: QApplication, person: Paths, wishes: SelfTestOptions) -> int:
    """Try everything in a window, a folder and a service of its own; return the exit code.

    Prints a line a check. Of the folders of the `person` it is found out whether they can be
    written; what is in them is never opened, and none of the person's keys is looked at.
    """
    if not _can_keep(wishes.report_file, demand_writable):
        return _EXIT_UNUSABLE
    if not _can_keep(wishes.pictures_folder, make_folder):
        return _EXIT_UNUSABLE
    language = SpokenLanguage(resources() / "translations", wishes.language)
    version = importlib.metadata.version("parley")
    report = SelfTestReport(_output(), version, _without_names, wishes.required)
    try:
        for check in _of_the_computer(person, version):
            await report.make(check)
        with (
            _own_folder(wishes.pictures_folder) as folder,
            notes_folder(folder, wishes.pictures_folder) as notes,
        ):
            await _try_window(application, folder, notes, report, wishes)
        return conclude(report, wishes.report_file)
    finally:
        language.close()


def conclude(report: SelfTestReport, file: Path | None) -> int:
    """Print what came of it all, write the report, and return the exit code."""
    report.conclude()
    if not _can_keep(file, report.write):
        return _EXIT_UNUSABLE
    return 0 if report.is_good else 1


def _can_keep(place: Path | None, try_out: Callable[[Path], None]) -> bool:
    """Try `place` out, if one was asked for; return whether it can be written, or print why not."""
    try:
        if place:
            try_out(place)
    except (NotWritten, OSError) as error:
        cause = error.__cause__ if isinstance(error, NotWritten) else error
        why = cause.strerror if isinstance(cause, OSError) else ""
        said = f"{place} cannot be written: {why}." if why else f"{place} cannot be written."
        print(said, file=sys.stderr)  # noqa: T201 - for whoever started it
        return False
    return True


def _of_the_computer(person: Paths, version: str) -> Sequence[Check]:
    async def files() -> str:
        return await asyncio.to_thread(check_files, installed_folder(), version)

    async def plugins() -> str:
        return check_plugins(os.environ)

    async def folders() -> str:
        return await asyncio.to_thread(check_folders, person.own_folders)

    async def keyring() -> str:
        return await check_keyring(system_backend)

    async def trust() -> str:
        return await check_trust(Trust())

    return (
        Check("files", translate("SelfTest", "All program files are unchanged"), files),
        Check("plugins", translate("SelfTest", "Windows and icons can be shown"), plugins),
        Check("folders", translate("SelfTest", "Parley can write to its folders"), folders),
        Check("keyring", translate("SelfTest", "The system’s keyring can store a key"), keyring),
        Check(
            "trust",
            translate(
                "SelfTest", "The system’s certificates are trusted, and unknown ones refused"
            ),
            trust,
        ),
    )


@contextmanager
def _own_folder(pictures: Path | None) -> Iterator[Path]:
    """Return the folder for all the program keeps, removed afterwards.

    Pictures show its path: for them it is called the same each time, unless that is taken.
    """
    folder = Path(tempfile.gettempdir()) / "parley-pictures"
    if pictures is None or not _is_made(folder):
        with tempfile.TemporaryDirectory(prefix="parley-self-test-") as other:
            yield Path(other)
        return
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def notes_folder(folder: Path, pictures: Path | None) -> Iterator[Path]:
    """Return the folder for the tools, removed afterwards.

    Pictures show its path: for them it is `Notes` in the person's home, unless that is taken.
    """
    notes = Path.home() / "Notes"
    if pictures is None or not _is_made(notes):
        yield folder / "notes"
        return
    try:
        yield notes
    finally:
        shutil.rmtree(notes, ignore_errors=True)


def _is_made(folder: Path) -> bool:
    """Make a folder, and return whether it was not there before and is now."""
    try:
        folder.mkdir(mode=0o700)
    except OSError:
        return False
    return True


async def _try_window(
    application: QApplication,
    folder: Path,
    notes: Path,
    report: SelfTestReport,
    wishes: SelfTestOptions,
) -> None:
    program = AppUnderTest(application, folder, wishes.language)
    pictures = Screenshots(program, wishes.pictures_folder)
    walk = Scenario(program, notes, pictures, why_no_folders())
    model_file = ModelFileCheck(program, resources() / "self_test" / "tiny.gguf")
    interruptions = CrashRecovery(program)

    async def fonts() -> str:
        return check_fonts()

    async def sandbox() -> str:
        return check_sandbox(await program.now.sandbox_state())

    fonts_name = translate("SelfTest", "Both fonts are present with all their letters")
    engine_name = translate("SelfTest", "A model file is loaded, and its model answers")
    sandbox_name = translate("SelfTest", "Tools run in a working sandbox")
    opening, *steps = walk.checks()
    try:
        broken = await _in_order(report, [opening])
        # Asks Qt, not the window: made even where no window opened.
        await report.make(Check("fonts", fonts_name, fonts))
        broken = await _in_order(report, steps, broken)
        broken = await _in_order(report, [Check("engine", engine_name, model_file.ask)], broken)
        # Needs no chat either: what broke before says nothing about the sandbox.
        await report.make(Check("sandbox", sandbox_name, sandbox))
        await _in_order(report, interruptions.checks(), broken)
    finally:
        closing = translate("SelfTest", "Everything closes, and no process is left")
        await report.make(Check("end", closing, interruptions.end))


async def _in_order(report: SelfTestReport, checks: Iterable[Check], broken: str = "") -> str:
    """Make checks that need those before them; once one failed (`broken`), pass over the rest."""
    for check in checks:
        if broken:
            words = translate("SelfTest", "it depends on a check that failed: {name}")
            report.pass_over(check, words.format(name=broken))
        elif not await report.make(check) and report.results[-1].outcome == "failed":
            broken = check.name
    return broken


def _output() -> TextIO:
    """Return where lines go: a program of windows may have been given nothing to write to."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A terminal of another encoding shows what it can.
        sys.stdout.reconfigure(errors="replace")
    return sys.stdout or io.StringIO()


def _without_names(text: str) -> str:
    """Return the text without keys, the person's folder, and the name of the computer."""
    shown = without_home(redacted(text), str(Path.home()))
    computer = platform.node()
    # Many computers are called so: it names none, and stands in addresses of servers.
    if computer in {"", "localhost"}:
        return shown
    return re.sub(rf"(?<![\w.-]){re.escape(computer)}(?![\w-])", "[computer]", shown)
