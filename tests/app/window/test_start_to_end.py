"""The program from its first window to its last: another language, another start, the end."""

import asyncio
from pathlib import Path
from typing import Final

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QMenu

from app.common.shutdown_request import ShutdownRequest
from app.main import run_program
from app.paths import paths_under
from app.platform.single_instance import SingleInstance
from app.self_test.ui_driver import click, find
from app.ui.main_window import MainWindow
from app.ui.settings.models import ModelsSection
from tests.support.widgets import label_texts

# Turns without a pause would take the time of the threads that are waited for.
_LOOK_AGAIN_S: Final = 0.01


async def _filled_window(application: QApplication) -> MainWindow:
    """Wait for the window, and for what is in it, which no signal tells."""
    while True:
        windows = [one for one in application.topLevelWidgets() if isinstance(one, MainWindow)]
        for window in windows:
            if window.isVisible() and window.commands.all:
                return window
        await asyncio.sleep(_LOOK_AGAIN_S)


def _open_settings(window: MainWindow, section: str) -> None:
    window.commands["settings"].action.trigger()
    click(find(window, QAbstractButton, section))


async def _until_said(window: MainWindow, words: str) -> None:
    [section] = window.findChildren(ModelsSection)
    while True:
        if any(words in text for text in label_texts(section)):
            return
        await asyncio.sleep(_LOOK_AGAIN_S)


async def _give_key(window: MainWindow) -> None:
    _open_settings(window, "Models")
    # Nobody answers there, so nobody refuses it.
    find(window, QLineEdit, "Address of another model server").setText("http://127.0.0.1:9/v1")
    find(window, QLineEdit, "Key for this server").setText("secret-of-nobody")
    click(find(window, QAbstractButton, "Save other model server"))
    await _until_said(window, "stored only until Parley closes")


def _choose_german(window: MainWindow) -> None:
    click(find(window, QAbstractButton, "Language"))
    menus = {menu.accessibleName(): menu for menu in window.findChildren(QMenu)}
    actions = menus["Language"].actions()
    [german] = [action for action in actions if action.text() == "Deutsch"]
    german.trigger()


@pytest.mark.anyio
async def test_the_program_goes_on_in_another_language_with_every_key_and_ends_in_order(
    tmp_path: Path, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Without a keyring, where a key is kept in memory alone.
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={tmp_path / 'none'}")
    font, palette = qapp.font(), qapp.palette()
    paths, ending = paths_under(tmp_path), ShutdownRequest()
    paths.make()
    instance = SingleInstance(paths.data)
    assert instance.acquire_or_activate() == "primary"

    async with asyncio.timeout(50), asyncio.TaskGroup() as group:
        running = group.create_task(run_program(qapp, paths, instance, ending))
        window = await _filled_window(qapp)
        await _give_key(window)
        _choose_german(window)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        title = window.commands["settings"].action.text()
        _open_settings(window, "Modelle")
        await _until_said(window, "bis Parley geschlossen wird")
        window.hide()
        # As another start of the program does.
        instance.raise_requested.emit("")
        came_forward = window.isVisible()
        window.close()
        # Still held, but without a window nobody says that one comes: another start waits for its
        # turn, and that from the very moment of the close.
        found = SingleInstance(paths.data).acquire_or_activate([None])
        await running

    assert found == "unresponsive"
    assert SingleInstance(paths.data).acquire_or_activate([None]) == "unresponsive"
    instance.release()
    assert title == "Einstellungen"
    assert came_forward
    assert ending.is_made
    qapp.setFont(font)
    qapp.setPalette(palette)
