"""Every control of the real window has a name and a role, and is reached by the keyboard."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu, QWidget

from app.viewmodels.states import Dot
from tests.support.plugins import LoopBackend
from tests.support.window import Person, has_chosen_offline, running_program

pytestmark = pytest.mark.anyio
_ROLES = frozenset(
    {
        QAccessible.Role.Button,
        QAccessible.Role.ButtonMenu,
        QAccessible.Role.CheckBox,
        QAccessible.Role.RadioButton,
        QAccessible.Role.ComboBox,
        QAccessible.Role.EditableText,
        QAccessible.Role.List,
        QAccessible.Role.ListItem,
        QAccessible.Role.Slider,
        QAccessible.Role.SpinBox,
        QAccessible.Role.Link,
    }
)
_MOST_STEPS = 80


@pytest.fixture
def anyio_backend(qt_loop: LoopBackend) -> LoopBackend:
    return qt_loop


def _below(one: QAccessibleInterface) -> Iterator[QAccessibleInterface]:
    yield one
    for number in range(one.childCount()):
        child: QAccessibleInterface | None = one.child(number)
        # Parts that are not shown have no say yet.
        if child and child.isValid() and not child.state().invisible:
            yield from _below(child)


def _nameless(window: QWidget) -> list[str]:
    """The controls that a screen reader could only call by their kind."""
    return [
        f"{one.role().name} in {_path(one)}"
        for one in _below(QAccessible.queryAccessibleInterface(window))
        if one.role() in _ROLES and not one.text(QAccessible.Text.Name).strip()
    ]


def _path(one: QAccessibleInterface) -> str:
    names: list[str] = []
    above: QAccessibleInterface | None = one.parent()
    while above and above.isValid():
        one, above = above, above.parent()
        names.append(one.text(QAccessible.Text.Name) or type(one.object()).__name__)
    return " < ".join(names)


def _reachable(window: QWidget) -> set[QWidget]:
    """What the keyboard has to come to."""
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
    """Adds what arrows lead to: the other choices of a group, of which Tab stops at one."""
    buttons = [widget for widget in reached if isinstance(widget, QAbstractButton)]
    groups = {button.group() for button in buttons if button.group() is not None}
    return reached | {button for group in groups for button in group.buttons()}


def _through_sections(window: QWidget) -> list[QAbstractButton]:
    """The sections of the settings that are open while Down is pressed, from the first on."""
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
        QTest.keyClick(focus, Qt.Key.Key_Down)
    return seen


async def _ready(person: Person) -> None:
    status = person.program.connection.status_changed
    await person.sees(
        lambda: person.program.connection.status.dot is Dot.GOOD, "the service is ready", status
    )


async def test_every_control_of_every_page_has_a_name(tmp_path: Path) -> None:
    async with running_program(tmp_path) as person:
        first_page = _nameless(person.window)
        person.program.setup.use_offline()
        await _ready(person)
        await person.asks("Show me some markdown")
        chat = _nameless(person.window)
        person.window.commands["settings"].action.trigger()
        settings = _nameless(person.window)
        menus = [menu for menu in person.window.findChildren(QMenu) if not menu.accessibleName()]

    assert (first_page, chat, settings) == ([], [], [])
    assert [menu for menu in menus if menu.menuAction().text() == "" and menu.actions()] == []


async def test_tab_and_arrows_come_to_every_control_of_a_page_and_back(tmp_path: Path) -> None:
    has_chosen_offline(tmp_path)
    async with running_program(tmp_path) as person:
        await _ready(person)
        person.window.activateWindow()
        missed: dict[str, list[str]] = {}
        for page in ("chat", "settings"):
            if page == "settings":
                person.window.commands["settings"].action.trigger()
            wanted = _reachable(person.window)
            on = _tabbed(person.window, Qt.Key.Key_Tab)
            back = _tabbed(person.window, Qt.Key.Key_Backtab)
            reached = _with_neighbours(set(on) & set(back))
            missed[page] = sorted(
                f"{type(widget).__name__} {widget.accessibleName()}" for widget in wanted - reached
            )

        sections = _through_sections(person.window)

    assert missed == {"chat": [], "settings": []}
    assert len(set(sections)) == len(sections) > 3
