"""Menus, and other small windows that open over the window, with round corners."""

from typing import Final

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QPainterPath, QRegion
from PySide6.QtWidgets import QMenu, QWidget

from app.ui.theme import Theme

_MENU_RADIUS_PX: Final = 8


def make_menu(parent: QWidget, name: str, theme: Theme) -> QMenu:
    """Make an empty menu; `name` is what a screen reader says."""
    menu = QMenu(parent)
    menu.setAccessibleName(name)
    menu.setFont(theme.font("secondary"))
    round_window(menu, _MENU_RADIUS_PX)
    return menu


def round_window(window: QWidget, radius: int) -> None:
    """Let what is behind the window show at its corners. The window draws its own edge."""
    window.setWindowFlags(
        window.windowFlags()
        | Qt.WindowType.FramelessWindowHint
        | Qt.WindowType.NoDropShadowWindowHint
    )
    if QGuiApplication.platformName() == "xcb":
        _Cut(window, radius)
    else:
        window.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)


class _Cut(QObject):
    """Cuts the corners off its parent.

    X11 may run without anything that could blend windows: corners would be black there.
    """

    def __init__(self, window: QWidget, radius: int) -> None:
        super().__init__(window)
        self._window = window
        self._radius = radius
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follows the size of the window."""
        if event.type() is QEvent.Type.Resize:
            path = QPainterPath()
            path.addRoundedRect(QRectF(self._window.rect()), self._radius, self._radius)
            self._window.setMask(QRegion(path.toFillPolygon().toPolygon()))
        return super().eventFilter(watched, event)
