"""`make_menu` and `round_window` make menus and other small windows with round corners.

`within` keeps a menu inside its window.

`key_text` writes keys as people read them on their system.
"""

import sys
from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, Qt
from PySide6.QtGui import (
    QAccessible,
    QAction,
    QCursor,
    QGuiApplication,
    QKeySequence,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QApplication, QMenu, QWidget

from app.ui.theme import Theme
from app.ui.widgets.focus_ring import is_keyboard_used
from app.ui.widgets.motion import fade_in
from app.ui.widgets.surfaces import cut_corners

_ENTER_KEYS: Final = ("Return", "Enter")


def key_text(keys: QKeySequence) -> str:
    """Return the keys in the spelling of the system, without a plus between them: "Ctrl K"."""
    native = keys.toString(QKeySequence.SequenceFormat.NativeText)
    if sys.platform == "darwin":
        return native
    if keys.toString().endswith(_ENTER_KEYS):
        # Qt names two keys, Return and Enter; people have one word for both.
        before, plus, _ = native.rpartition("+")
        native = before + plus + QCoreApplication.translate("Keys", "Enter")
    # A plus at the end is the key itself.
    return native[:-1].replace("+", " ") + native[-1:]


_MENU_RADIUS_PX: Final = 8
_TICK_PX: Final = 14
# Where the style sheet has the indicator.
_TICK_LEFT_PX: Final = 5


class _Menu(QMenu):
    """Draws the tick of our icons at what is on: the one of Qt's style is bold.

    Made by `make_menu`.
    """

    def __init__(self, parent: QWidget, theme: Theme) -> None:
        super().__init__(parent)
        self._theme = theme

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the menu, then its ticks."""
        super().paintEvent(event)
        side = self._theme.px(_TICK_PX)
        tick = self._theme.pixmap("check", "accent", side, self.devicePixelRatioF())
        painter = QPainter(self)
        for action in self.actions():
            if action.isChecked():
                room = self.actionGeometry(action)
                left = room.left() + self._theme.px(_TICK_LEFT_PX)
                painter.drawPixmap(QPoint(left, room.center().y() - side // 2), tick)


def make_menu(parent: QWidget, name: str, theme: Theme) -> QMenu:
    """Make an empty menu; `name` is what a screen reader says."""
    menu = _Menu(parent, theme)
    menu.setAccessibleName(name)
    menu.setFont(theme.font("secondary"))
    round_window(menu, _MENU_RADIUS_PX, theme)
    _FirstChoice(menu)
    return menu


def round_window(window: QWidget, radius: int, theme: Theme) -> None:
    """Make the corners of a small window transparent, and fade it in. It draws its own edge."""
    window.setWindowFlags(
        window.windowFlags()
        | Qt.WindowType.FramelessWindowHint
        | Qt.WindowType.NoDropShadowWindowHint
    )
    if QGuiApplication.platformName() == "xcb":
        _Cut(window, radius)
    else:
        window.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
    fade_in(window, theme)


def place_of_menu() -> QPoint:
    """Return where on the screen a menu opens that nothing else has a place for.

    That is below what has the keyboard while it is used, and at the pointer otherwise.
    """
    focus: QWidget | None = QApplication.focusWidget()
    if focus is None or not is_keyboard_used():
        return QCursor.pos()
    room = focus.rect()
    if isinstance(focus, QAbstractItemView):
        room = focus.visualRect(focus.currentIndex())
        focus = focus.viewport()
    return focus.mapToGlobal(room.bottomLeft())


def within(window: QWidget, menu: QMenu, at: QPoint) -> QPoint:
    """Return where the menu opens so that it does not stick out at the right of the window."""
    edge = window.mapToGlobal(window.rect().topRight()).x() - _MENU_RADIUS_PX
    room = edge - menu.sizeHint().width()
    return QPoint(max(min(at.x(), room), window.mapToGlobal(QPoint(0, 0)).x()), at.y())


class _FirstChoice(QObject):
    """Makes the checked action of a menu, or else its first, active when the menu opens.

    Only for screen readers: they say nothing of a menu that opens without an active action.
    """

    def __init__(self, menu: QMenu) -> None:
        super().__init__(menu)
        self._menu = menu
        menu.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the menu as it opens."""
        if event.type() is QEvent.Type.Show and QAccessible.isActive():
            offered = [each for each in self._menu.actions() if self._can_be_current(each)]
            # Only in a menu of values: one that begins with plain actions starts at its first.
            is_of_values = any(each.isCheckable() for each in offered[:1])
            chosen = [each for each in offered if is_of_values and each.isChecked()]
            for action in [*chosen, *offered][:1]:
                self._menu.setActiveAction(action)
        return super().eventFilter(watched, event)

    @staticmethod
    def _can_be_current(action: QAction) -> bool:
        return action.isVisible() and action.isEnabled() and not action.isSeparator()


class _Cut(QObject):
    """Cuts the corners off its parent, whatever size it takes."""

    def __init__(self, window: QWidget, radius: int) -> None:
        super().__init__(window)
        self._window = window
        self._radius = radius
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the size of the window."""
        if event.type() is QEvent.Type.Resize:
            cut_corners(self._window, self._radius)
        return super().eventFilter(watched, event)
