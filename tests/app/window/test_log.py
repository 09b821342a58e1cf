"""The log in the settings: opened by a command and by “Details”, without keys, and copied."""

import logging
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QPlainTextEdit, QPushButton

from app.common.error_messages import ErrorCode, explain
from app.common.errors import UserFacingError
from app.common.log_file import RedactingFormatter
from app.paths import paths_under
from app.self_test.ui_driver import click, find
from app.ui.settings.about import AboutSection
from app.viewmodels.settings.about import DiagnosticsViewModel
from app.viewmodels.states import BannerView, Dot
from tests.support.signals import emitted
from tests.support.widgets import label_texts
from tests.support.window import Person, running_program

pytestmark = pytest.mark.anyio


def _has_noted(folder: Path, text: str) -> None:
    """Leaves a log in which this stands as the program would have written it."""
    paths = paths_under(folder)
    paths.make()
    record = logging.LogRecord("app.x", logging.ERROR, "f", 1, text, (), None)
    line = RedactingFormatter("%(levelname)s %(name)s: %(message)s").format(record)
    (paths.logs / "parley.log").write_text(f"{line}\n", encoding="utf-8")


def _log(person: Person) -> QPlainTextEdit:
    return find(person.window, QPlainTextEdit, "Log")


@pytest.mark.security(64)
async def test_details_of_a_notice_show_the_log_and_the_copy_has_no_key(tmp_path: Path) -> None:
    _has_noted(tmp_path, f"pk_live_CANARY at {Path.home()}/notes, \u202eback")
    async with running_program(tmp_path) as person:
        words = explain(UserFacingError(ErrorCode.UNEXPECTED))
        person.window.commands["settings"].action.trigger()
        person.window.leave_settings()
        person.program.windows.show_banner(BannerView(Dot.BAD, words))
        details = [
            button
            for button in person.window.findChildren(QAbstractButton)
            if button.accessibleName() == "Details" and button.isVisible()
        ]
        diagnostics = person.program.about.diagnostics
        read = emitted(diagnostics.log_changed)

        click(details[0])
        await read

        shown = _log(person)
        assert shown.isVisible()
        assert "[hidden] at ~/notes, ‹U+202E›back" in shown.toPlainText()
        click(find(person.window, QAbstractButton, "Copy diagnostics"))
        copied = QGuiApplication.clipboard().text()
        assert copied.startswith(f"Parley {diagnostics.version}\nPython ")
        assert "[hidden] at ~/notes" in copied
        assert "CANARY" not in copied
        assert str(Path.home()) not in copied


async def test_commands_show_the_log_and_the_self_test_with_the_keyboard_there(
    tmp_path: Path,
) -> None:
    async with running_program(tmp_path) as person:
        person.window.activateWindow()
        read = emitted(person.program.about.diagnostics.log_changed)

        person.window.commands["show-log"].action.trigger()
        await read

        assert _log(person).hasFocus()
        assert _log(person).toPlainText() == ""

        person.window.commands["self-test"].action.trigger()

        assert find(person.window, QAbstractButton, "Run the self-test").hasFocus()
        # Nobody packaged this one, so that there is nobody to ask for newer versions.
        about = person.window.findChildren(AboutSection)[0]
        assert "No update address is set." in label_texts(about)
        assert not any(
            "newer" in button.text()
            for button in about.findChildren(QPushButton)
            if button.isVisible()
        )


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("/home/ada/notes", "~/notes"),
        ("'/home/ada'", "'~'"),
        ("/home/ada2/notes", "/home/ada2/notes"),
        ("/home/ada.old", "/home/ada.old"),
        ("at /home/ada", "at ~"),
    ],
)
async def test_folder_of_the_user_is_shortened_and_no_other(
    line: str, shown: str, tmp_path: Path
) -> None:
    _has_noted(tmp_path, line)
    diagnostics = DiagnosticsViewModel(paths_under(tmp_path), Path("/home/ada"))
    read = emitted(diagnostics.log_changed)

    diagnostics.read_log()
    await read

    assert diagnostics.log == f"ERROR app.x: {shown}"
    await diagnostics.aclose()
