"""The regions of a window, and the way from one to the next by keyboard."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QWidget

from app.ui.commands import CommandGroup, Commands


@dataclass(frozen=True, slots=True)
class Region:
    """A part of the window that the keyboard can go to.

    `enter`, if there is one, brings the keyboard into it; else it goes to where it was there last,
    or to the first control. `is_urgent` says whether every way leads there first.
    """

    widget: QWidget
    enter: Callable[[], object] | None = None
    is_urgent: Callable[[], bool] | None = None


class Regions(QObject):
    """Goes round what can be seen and takes the keyboard. Made by the workbench; ends with it."""

    def __init__(self, parent: QObject, regions: tuple[Region, ...]) -> None:
        super().__init__(parent)
        self._regions = regions

    def add_to(self, commands: Commands) -> None:
        """Adds the ways round to what can be done in the window."""
        group = CommandGroup.VIEW
        words = self.tr("Go to the next part of the window")
        commands.add("next-region", words, self._go_on, group=group, keys="F6")
        words = self.tr("Go to the previous part of the window")
        commands.add("previous-region", words, self._go_back, group=group, keys="Shift+F6")

    def _go_on(self) -> None:
        self._go(1)

    def _go_back(self) -> None:
        self._go(-1)

    def _go(self, by: int) -> None:
        here = [region for region in self._regions if _first_in(region.widget) is not None]
        focus = QApplication.focusWidget()
        at = next((n for n, region in enumerate(here) if _holds(region.widget, focus)), None)
        urgent = [n for n, region in enumerate(here) if region.is_urgent and region.is_urgent()]
        if urgent and urgent[0] != at:
            _enter(here[urgent[0]])
        elif here:
            before_first = -1 if by > 0 else 0
            _enter(here[((before_first if at is None else at) + by) % len(here)])


def _enter(region: Region) -> None:
    if region.enter is not None:
        region.enter()
        return
    last: QWidget | None = region.widget.focusWidget()
    goal = last if last is not None and _takes_keyboard(last) else _first_in(region.widget)
    if goal is not None:
        goal.setFocus(Qt.FocusReason.ShortcutFocusReason)


def _holds(widget: QWidget, focus: QWidget | None) -> bool:
    return focus is not None and (widget is focus or widget.isAncestorOf(focus))


def _takes_keyboard(widget: QWidget) -> bool:
    policy = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
    return bool(policy) and widget.isVisible() and widget.isEnabled()


def _first_in(widget: QWidget) -> QWidget | None:
    """The first control in a region, in the order of Tab."""
    if not widget.isVisible():
        return None
    if _takes_keyboard(widget):
        return widget
    step: QWidget | None = widget.nextInFocusChain()
    while step is not None and step is not widget:
        if widget.isAncestorOf(step) and _takes_keyboard(step):
            return step
        step = step.nextInFocusChain()
    return None
