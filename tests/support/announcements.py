"""The announcements that a window has made to screen readers."""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QWidget


@contextmanager
def reader_listening() -> Iterator[None]:
    """Have the program believe that a screen reader runs."""
    before = QAccessible.isActive()
    QAccessible.setActive(True)
    try:
        yield
    finally:
        QAccessible.setActive(before)


def announced(window: QWidget) -> list[str]:
    """List the last announcements of a window, oldest first (Linux)."""
    # Not everything has an interface, whatever its stubs say.
    found: Iterator[QAccessibleInterface | None] = map(
        QAccessible.queryAccessibleInterface, window.findChildren(QObject)
    )
    return [
        interface.text(QAccessible.Text.Name)
        for interface in found
        if interface is not None and interface.role() == QAccessible.Role.Notification
    ]
