"""Words that a screen reader says although the keyboard is elsewhere: the only place that says any.

Windows and macOS have an event for that. On Linux the readers of stable systems know none: Orca 43
has no handler for `object:announcement`. Old and new ones read out a notification that appears, so
that is what appears there, and nothing else, or newer ones would read it twice.
"""

import sys
from collections import deque
from typing import Final

from PySide6.QtCore import QObject, QRect
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QAccessibleEvent,
    QAccessibleInterface,
    QWindow,
)
from PySide6.QtWidgets import QWidget

from app.ui.parts.accessible import StandIn, StandInInterface, install_interfaces

# A reader asks for the words of a notification some time after it has appeared.
_KEPT: Final = 8


def announce(source: QWidget, words: str) -> None:
    """Have these words read out now; `source` is what they are about."""
    if not words or not QAccessible.isActive():
        return
    if sys.platform == "linux":
        _notifications_of(source.window()).show(words)
    else:
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(source, words))


class _Notification(StandIn):
    """One announcement: readers keep the words of an object, so that each is an object."""

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

    def show(self, words: str) -> None:
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


def _notifications_of(window: QWidget) -> _Notifications:
    install_interfaces()
    kept = window.findChild(_Notifications)
    return kept if isinstance(kept, _Notifications) else _Notifications(window)
