"""What screen readers are told beyond what Qt tells them of widgets by itself."""

from abc import abstractmethod
from functools import cache
from typing import Final, cast

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleEvent, QAccessibleInterface
from PySide6.QtWidgets import QAbstractItemView, QAccessibleWidget, QStackedWidget, QWidget

NOTHING: Final = cast("QAccessibleInterface", None)
"""Qt takes it for "there is none"; its type stubs know no such answer."""


_ROLE: Final = "accessible_role"


class StandIn(QObject):
    """Stands for something that is painted or said and is no widget; ends with its parent."""

    @abstractmethod
    def make_interface(self) -> QAccessibleInterface:
        """Return what Qt asks about it."""


class StandInInterface(QAccessibleInterface):
    """Answers for a `StandIn` that has no children, can be read and not be changed."""

    def __init__(self, thing: StandIn) -> None:
        super().__init__()
        self._thing = thing

    def object(self) -> QObject:
        """Return what it answers for."""
        return self._thing

    def isValid(self) -> bool:
        """Return that it is there."""
        return True

    def setText(self, _kind: QAccessible.Text, _text: str) -> None:
        """Change nothing."""

    def childCount(self) -> int:
        """Return none."""
        return 0

    def child(self, _index: int) -> QAccessibleInterface:
        """Return none."""
        return NOTHING

    def childAt(self, _x: int, _y: int) -> QAccessibleInterface:
        """Return none."""
        return NOTHING

    def indexOfChild(self, _child: QAccessibleInterface) -> int:
        """Return that it is no child."""
        return -1


def tell_current(view: QAbstractItemView) -> None:
    """Tell screen readers that the current row of `view` is where the person is.

    For lists that are gone through while the keyboard stays in a line above them.
    """
    row = view.currentIndex().row()
    if row >= 0 and QAccessible.isActive():
        event = QAccessibleEvent(view, QAccessible.Event.Focus)
        event.setChild(row)
        QAccessible.updateAccessibility(event)


def tell_focus(thing: StandIn | QWidget) -> None:
    """Tell screen readers that the keyboard is at `thing`."""
    if QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleEvent(thing, QAccessible.Event.Focus))


def set_role(widget: QWidget, role: QAccessible.Role) -> None:
    """Have screen readers take `widget` for this; before any asks for it."""
    install_interfaces()
    widget.setProperty(_ROLE, role)


@cache
def install_interfaces() -> None:
    """Teach Qt what stands in for something; once a process, before the first is asked for."""
    QAccessible.installFactory(_interface_of)


def _interface_of(class_name: str, thing: QObject) -> QAccessibleInterface | None:
    if isinstance(thing, StandIn):
        return thing.make_interface()
    if class_name == "QStackedWidget" and isinstance(thing, QStackedWidget):
        # Qt's own is read out as "layered pane"; pages in one place are nothing to be told of.
        return QAccessibleWidget(thing)
    if isinstance(thing, QWidget) and isinstance(role := thing.property(_ROLE), QAccessible.Role):
        return QAccessibleWidget(thing, role)
    return None
