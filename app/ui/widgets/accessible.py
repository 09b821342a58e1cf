"""These functions tell screen readers what Qt does not tell them of widgets by itself.

`StandIn` stands for something that is painted or said and is no widget. `announce` is the only
function that has words read out wherever the focus is. `set_tab_order` is for widgets that are made
later than those around them.

Windows and macOS have an event for announcements. On Linux the readers of stable systems know
none: Orca 43 has no handler for `object:announcement`. Old and new ones read out a notification
that appears, so that is what appears there, and nothing else, or newer ones would read it twice.
"""

import sys
from abc import abstractmethod
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Final, cast

from PySide6.QtCore import QEvent, QObject, QRect, Qt, QTimer
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QAccessibleEvent,
    QAccessibleInterface,
    QWindow,
)
from PySide6.QtWidgets import QAbstractItemView, QAccessibleWidget, QStackedWidget, QWidget

NOTHING: Final = cast("QAccessibleInterface", None)
"""What Qt takes for "there is none"; its type stubs do not allow None."""


_ROLE: Final = "accessible_role"


class StandIn(QObject):
    """Stands for something that is painted or said and is no widget; ends with its parent."""

    @abstractmethod
    def make_interface(self) -> QAccessibleInterface:
        """Return the interface by which Qt asks about it."""


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
        # Qt's own interface is read out as "layered pane", which says nothing useful.
        return QAccessibleWidget(thing)
    if isinstance(thing, QWidget) and isinstance(role := thing.property(_ROLE), QAccessible.Role):
        return QAccessibleWidget(thing, role)
    return None


# A reader asks for the words of a notification some time after it has appeared.
_KEPT: Final = 8
_SETTLES_MS: Final = 800


def announce(source: QWidget, words: str) -> None:
    """Have these words read out now; `source` is what they are about."""
    if words and (holder := _holder_of(source.window())):
        holder.show(words)
    elif not words or not QAccessible.isActive():
        return
    elif sys.platform == "linux":
        _notifications_of(source.window()).show(words)
    else:
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(source, words))


def hold_announcements(window: QWidget) -> None:
    """Have what is announced next in `window` read out after what its readers are told by then.

    For what moves the keyboard or makes much of the window anew. Orca stops speaking where the
    keyboard moves, and drops what was announced amid many events.
    """
    if sys.platform == "linux" and QAccessible.isActive():
        _notifications_of(window).hold()


@contextmanager
def told_at_its_end(window: QWidget) -> Iterator[None]:
    """Tell readers nothing of what is made in `window` in the block.

    At its end they are told where the keyboard is, and what was announced. Else Orca would have
    a thousand events to go through before the next that matters, and drop some.
    """
    if sys.platform != "linux" or not QAccessible.isActive():
        yield
        return
    hold_announcements(window)
    QAccessible.setActive(False)
    try:
        yield
    finally:
        QAccessible.setActive(True)
        hold_announcements(window)
        focus: QWidget | None = window.focusWidget()
        if window.isActiveWindow() and focus is not None:
            tell_focus(focus)


class _Notification(StandIn):
    """One announcement; an object for each, since screen readers cache the words of an object."""

    def __init__(self, words: str, notifications: "_Notifications") -> None:
        super().__init__(notifications)
        self.words = words
        self.window = notifications.window

    def make_interface(self) -> QAccessibleInterface:
        return _NotificationInterface(self)


class _Notifications(QObject):
    """The last announcements of a window; ends with it."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.window = window
        self._last: deque[_Notification] = deque()
        # Words in their order, each once.
        self._held: dict[str, None] = {}
        self._settling = QTimer(self, singleShot=True, interval=_SETTLES_MS)
        self._settling.timeout.connect(self._on_settling_timeout)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.WindowActivate and self.is_holding:
            self.hold()
        return super().eventFilter(watched, event)

    @property
    def is_holding(self) -> bool:
        return self._settling.isActive()

    def hold(self) -> None:
        self._settling.start()

    def show(self, words: str) -> None:
        if self.is_holding:
            self._held[words] = None
        else:
            self._show_now(words)

    def _on_settling_timeout(self) -> None:
        held, self._held = self._held, {}
        for words in held:
            self._show_now(words)

    def _show_now(self, words: str) -> None:
        shown = _Notification(words, self)
        self._last.append(shown)
        QAccessible.updateAccessibility(QAccessibleEvent(shown, QAccessible.Event.ObjectShow))
        if len(self._last) > _KEPT:
            self._last.popleft().deleteLater()


class _NotificationInterface(StandInInterface):
    def __init__(self, notification: _Notification) -> None:
        super().__init__(notification)
        self._notification = notification

    def parent(self) -> QAccessibleInterface:
        return QAccessible.queryAccessibleInterface(self._notification.window)

    def role(self) -> QAccessible.Role:
        return QAccessible.Role.Notification

    def text(self, kind: QAccessible.Text) -> str:
        return self._notification.words if kind == QAccessible.Text.Name else ""

    def rect(self) -> QRect:
        return QRect()

    def state(self) -> QAccessible.State:
        return QAccessible.State()

    def window(self) -> QWindow:
        return self._notification.window.windowHandle()


def _holder_of(window: QWidget) -> "_Notifications | None":
    kept = _kept_by(window)
    return kept if kept and kept.is_holding else None


def _notifications_of(window: QWidget) -> _Notifications:
    install_interfaces()
    return _kept_by(window) or _Notifications(window)


def _kept_by(window: QWidget) -> _Notifications | None:
    directly = Qt.FindChildOption.FindDirectChildrenOnly
    kept = window.findChild(_Notifications, options=directly)
    return kept if isinstance(kept, _Notifications) else None


def set_tab_order(place: QWidget, *made: QWidget) -> None:
    """Let Tab lead from `place` through what was made later, and what is in it, one by one.

    Otherwise that would come after everything else in the window.
    """
    # WORKAROUND Qt ignores setTabOrder after a widget that never takes the focus.
    policy = place.focusPolicy()
    place.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    last = place
    for widget in made:
        for part in (widget, *widget.findChildren(QWidget)):
            if part.focusPolicy() & Qt.FocusPolicy.TabFocus:
                QWidget.setTabOrder(last, part)
                last = part
    place.setFocusPolicy(policy)
