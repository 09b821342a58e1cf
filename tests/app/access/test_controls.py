"""Every control of the real window has a name and a role, and is reached by the keyboard."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from app.ui.link_dialog import LinkDialog
from app.ui.transcript.view import TranscriptView
from app.viewmodels.states import Dot
from tests.support.names import spoken_faults
from tests.support.plugins import LoopBackend
from tests.support.window import Person, running_program

pytestmark = pytest.mark.anyio
_MOST_STEPS = 80


@pytest.fixture
def anyio_backend(qt_loop: LoopBackend) -> LoopBackend:
    return qt_loop


def _reachable(window: QWidget) -> set[QWidget]:
    """Return what the keyboard has to come to."""
    return {
        widget
        for widget in window.findChildren(QWidget)
        if widget.isVisibleTo(window)
        and widget.isEnabled()
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.focusProxy() is None
    }


def _tabbed(window: QWidget, key: Qt.Key) -> list[QWidget]:
    """Where the keyboard goes by this key, until it is where it began."""
    found: list[QWidget] = []
    while (focus := QApplication.focusWidget()) is not None and focus not in found:
        found.append(focus)
        assert len(found) < _MOST_STEPS
        QTest.keyClick(focus, key)
    assert found, window.windowTitle()
    return found


def _with_neighbours(reached: set[QWidget]) -> set[QWidget]:
    """Add what arrows lead to: the other choices of a group, of which Tab stops at one."""
    buttons = [widget for widget in reached if isinstance(widget, QAbstractButton)]
    groups = {button.group() for button in buttons if button.group() is not None}
    return reached | {button for group in groups for button in group.buttons()}


def _through_sections(window: QWidget, unnamed: dict[str, list[str]]) -> list[QAbstractButton]:
    """Return the sections of the settings that are open while Down is pressed, from the first on.

    Notes what has no name of its own in each.
    """
    seen: list[QAbstractButton] = []
    [group] = {
        button.group()
        for button in window.findChildren(QAbstractButton)
        if button.property("kind") == "section" and button.group() is not None
    }
    first = group.buttons()[0]
    first.click()
    first.setFocus(Qt.FocusReason.TabFocusReason)
    for _ in group.buttons():
        focus = QApplication.focusWidget()
        assert isinstance(focus, QAbstractButton)
        assert focus.isChecked()
        seen.append(focus)
        unnamed[focus.accessibleName()] = spoken_faults(window)
        QTest.keyClick(focus, Qt.Key.Key_Down)
    return seen


async def _ready(person: Person) -> None:
    status = person.program.connection.status_changed
    await person.sees(
        lambda: person.program.connection.status.dot is Dot.GOOD, "the service is ready", status
    )


def _unreached(window: QWidget) -> list[str]:
    """Return what the keyboard has to come to, and does not, by Tab in both ways and arrows."""
    wanted = _reachable(window)
    on, back = _tabbed(window, Qt.Key.Key_Tab), _tabbed(window, Qt.Key.Key_Backtab)
    reached = _with_neighbours(set(on) & set(back))
    return sorted(
        f"{type(widget).__name__} {widget.accessibleName()}" for widget in wanted - reached
    )


async def test_every_control_has_a_name_of_its_own_and_is_reached_by_the_keyboard(
    tmp_path: Path,
) -> None:
    unnamed: dict[str, list[str]] = {}
    missed: dict[str, list[str]] = {}
    async with running_program(tmp_path) as person:
        window, commands = person.window, person.window.commands
        unnamed["first page"] = spoken_faults(window)
        person.program.setup.use_offline()
        await _ready(person)
        window.activateWindow()
        missed["chat"] = _unreached(window)
        person.program.chat.chosen.choose_folder(tmp_path)
        person.say("run echo spoken by a tool")
        await person.sees(lambda: bool(person.program.approval.cards), "a card")
        unnamed["card"] = spoken_faults(window)
        round_trip = []
        for _ in range(4):
            commands["next-region"].action.trigger()
            round_trip.append(type(QApplication.focusWidget()).__name__)
        commands["find"].action.trigger()
        unnamed["find bar"] = spoken_faults(window)
        view = window.findChildren(TranscriptView)[0]
        view.link_activated.emit("https://example.org/a", "example.com")
        [dialog] = window.findChildren(LinkDialog)
        unnamed["link"] = spoken_faults(dialog)
        dialog.reject()
        commands["settings"].action.trigger()
        missed["settings"] = _unreached(window)
        sections = _through_sections(window, unnamed)
        person.program.chat.stop()
        await person.sees(lambda: not person.program.chat.state.is_busy, "the chat is idle")

    assert {place: faults for place, faults in unnamed.items() if faults} == {}
    # To the new card first, and then round: what follows it, and what stands before it.
    assert round_trip[:2] == ["CardBody", "MessageEdit"]
    assert len(set(round_trip)) == len(round_trip)
    assert missed == {"chat": [], "settings": []}
    assert len(set(sections)) == len(sections) > 3
