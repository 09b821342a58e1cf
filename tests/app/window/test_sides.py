"""What is opened and closed at the sides of a window stays so; at first the panel is closed."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton, QWidget

from app.config.settings import AppearanceSettings
from app.self_test.ui_driver import click, find
from app.ui.main_window import MainWindow
from app.ui.panel.right_panel import RightPanel
from app.ui.sidebar.sidebar import Sidebar
from app.ui.workbench import Columns
from tests.support.clipping import settle
from tests.support.fake_service import FakeService
from tests.support.widgets import child
from tests.support.window import hosted_program

pytestmark = pytest.mark.anyio


def _open_panel(window: MainWindow) -> None:
    click(find(window, QAbstractButton, "Show right panel"))


def _close_panel(window: MainWindow) -> None:
    click(find(window, QAbstractButton, "Hide right panel"))


def _are_open(window: MainWindow, width: int = 1360) -> tuple[bool, bool]:
    # What is restored is no wider than the screen of the tests.
    window.resize(width, 700)
    settle()
    parts: tuple[QWidget, ...] = (child(window, Sidebar), child(window, RightPanel))
    return parts[0].isVisible(), parts[1].isVisible()


def _widths(window: MainWindow) -> tuple[int, int]:
    return child(window, Sidebar).width(), child(window, RightPanel).width()


async def test_sides_are_after_a_restart_as_they_were_left_and_as_wide(tmp_path: Path) -> None:
    async with FakeService() as service:
        async with hosted_program(tmp_path, service) as person:
            at_first = _are_open(person.window)
            _open_panel(person.window)
            settle()
            widths = _widths(person.window)
            person.window.commands["toggle-sidebar"].action.trigger()
        async with hosted_program(tmp_path, service) as person:
            after_restart = _are_open(person.window)

            person.window.commands["toggle-sidebar"].action.trigger()

            assert (at_first, after_restart) == ((True, False), (False, True))
            assert _are_open(person.window) == (True, True)
            assert _widths(person.window) == widths


async def test_closed_panel_stays_closed_when_letters_or_the_window_change(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, hosted_program(tmp_path, service) as person:
        _open_panel(person.window)
        _close_panel(person.window)

        seen = []
        for scale in (200, 100):
            person.program.theme.wear(AppearanceSettings(scale_percent=scale))
            seen.append(_are_open(person.window))
        seen += [_are_open(person.window, width) for width in (800, 1360)]

        assert [panel for _, panel in seen] == [False] * 4


async def test_panel_that_only_lacked_room_comes_back(tmp_path: Path) -> None:
    async with FakeService() as service, hosted_program(tmp_path, service) as person:
        seen = [_are_open(person.window)]
        _open_panel(person.window)

        seen += [_are_open(person.window, width) for width in (1360, 800, 1360)]

        assert seen == [(True, False), (True, True), (True, False), (True, True)]


async def test_small_window_shows_one_side_at_a_time(tmp_path: Path) -> None:
    async with FakeService() as service, hosted_program(tmp_path, service) as person:
        _open_panel(person.window)
        seen = [_are_open(person.window, 800)]

        for words in ("Show right panel", "Hide right panel", "Show right panel"):
            click(find(person.window, QAbstractButton, words))
            seen.append(_are_open(person.window, 800))
        person.window.commands["toggle-sidebar"].action.trigger()
        seen.append(_are_open(person.window, 800))
        seen.append(_are_open(person.window, 1360))

        sidebar, panel, both = (True, False), (False, True), (True, True)
        assert seen == [sidebar, panel, sidebar, panel, sidebar, both]


async def test_new_window_has_the_sides_of_the_one_beside_it(tmp_path: Path) -> None:
    async with FakeService() as service, hosted_program(tmp_path, service) as person:
        _open_panel(person.window)
        person.window.commands["new-window"].action.trigger()
        person.program.windows.all[-1].close()
        _close_panel(person.window)

        # Another one had its place before, with the panel open.
        person.window.commands["new-window"].action.trigger()

        assert _are_open(person.program.windows.all[-1]) == (True, False)


async def test_sides_that_move_as_they_open_and_close_leave_the_columns_alone(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, hosted_program(tmp_path, service) as person:
        moving = AppearanceSettings(motion="full")
        person.window.resize(1360, 700)
        _open_panel(person.window)
        settle()
        widths = _widths(person.window)
        person.program.theme.wear(moving)

        for _ in range(2):
            person.window.commands["toggle-sidebar"].action.trigger()
            settle()

        assert child(person.window, Columns).count() == 3
        assert _widths(person.window) == widths
