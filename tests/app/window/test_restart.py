"""The program closes and opens again in the language that was chosen last."""

import asyncio
from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu

from app.instance import SingleInstance
from app.main import Ending, run_until_closed
from app.paths import paths_under
from app.self_test.hands import click, find
from app.ui.main_window import MainWindow


def _window(application: QApplication) -> MainWindow:
    windows = [one for one in application.topLevelWidgets() if isinstance(one, MainWindow)]
    [window] = [one for one in windows if one.isVisible()]
    return window


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
        await asyncio.sleep(0)
        _choose_german(_window(qapp))
        await first
        goes_on = not ending.is_final
        second = group.create_task(run_until_closed(qapp, paths, instance, ending))
        await asyncio.sleep(0)
        titles.append(_window(qapp).commands["settings"].action.text())
        _window(qapp).close()
        await second

    assert goes_on
    assert titles == ["Einstellungen"]
    assert ending.is_final
    sheet, font, palette = look
    qapp.setStyleSheet(sheet)
    qapp.setFont(font)
    qapp.setPalette(palette)
