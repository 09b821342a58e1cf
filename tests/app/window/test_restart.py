"""The program closes and opens again in the language that was chosen last."""

import asyncio
from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu

from app.ending import Ending
from app.instance import SingleInstance
from app.main import run_until_closed
from app.paths import paths_under
from app.self_test.hands import click, find
from app.ui.main_window import MainWindow


async def _filled_window(application: QApplication) -> MainWindow:
    """Waits for the window, and for what is in it; each comes by turns of the loop alone."""
    while True:
        windows = [one for one in application.topLevelWidgets() if isinstance(one, MainWindow)]
        for window in windows:
            if window.isVisible() and window.commands.all:
                return window
        await asyncio.sleep(0)


def _choose_german(window: MainWindow) -> None:
    window.commands["settings"].action.trigger()
    click(find(window, QAbstractButton, "Language"))
    menus = {menu.accessibleName(): menu for menu in window.findChildren(QMenu)}
    actions = menus["Language of the window"].actions()
    [german] = [action for action in actions if action.text() == "Deutsch"]
    german.trigger()
    click(find(window, QAbstractButton, "Start again now"))


@pytest.mark.anyio
async def test_the_program_begins_again_in_the_language_chosen_last(
    tmp_path: Path, qapp: QApplication
) -> None:
    look = qapp.styleSheet(), qapp.font(), qapp.palette()
    paths, ending = paths_under(tmp_path), Ending()
    paths.make()
    instance = SingleInstance(paths.data)
    titles: list[str] = []

    async with asyncio.timeout(20), asyncio.TaskGroup() as group:
        first = group.create_task(run_until_closed(qapp, paths, instance, ending))
        _choose_german(await _filled_window(qapp))
        await first
        goes_on = not ending.is_final
        second = group.create_task(run_until_closed(qapp, paths, instance, ending))
        window = await _filled_window(qapp)
        titles.append(window.commands["settings"].action.text())
        window.close()
        await second

    assert goes_on
    assert titles == ["Einstellungen"]
    assert ending.is_final
    sheet, font, palette = look
    qapp.setStyleSheet(sheet)
    qapp.setFont(font)
    qapp.setPalette(palette)
