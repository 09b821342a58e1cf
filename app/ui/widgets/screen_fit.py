"""Fits windows into the room of the screen that they are on."""

from typing import Final

from PySide6.QtCore import QEvent, QMargins, QObject, QPoint, QRect, QSize, QTimer
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QWidget

from app.platform.display import is_seen

# The assumed frame: a window manager reports the real one only once the window is shown.
_USUAL_FRAME: Final = QMargins(4, 32, 4, 4)
# Within this time a window manager has put a frame around a new window, and told how large it is.
_SETTLING_MS: Final = 1000
_NO_SIZE: Final = QSize(0, 0)


class ScreenFit(QObject):
    """Resizes and moves a window so that all of it, with its frame, is on the screen.

    That happens when the window is shown, as soon as its frame is known, when it is no longer
    maximised, and when its screen changes or goes. Afterwards a person may put it half outside.
    `least` is how small it can be made by hand, where the screen has so much room. Made for the
    window; ends with it.
    """

    def __init__(self, window: QWidget, least: QSize = _NO_SIZE) -> None:
        super().__init__(window)
        self._window = window
        self._least = least
        self._screen: QScreen | None = None
        self._settling = QTimer(self, singleShot=True, interval=_SETTLING_MS)
        self._settling.timeout.connect(self._fit_with_frame)
        window.setMinimumSize(least)
        # An offscreen platform has no real screen: windows there keep their design size.
        if is_seen(QGuiApplication.platformName()):
            self._bound_least()
            window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fit the window when it is shown, and at each change while it settles after that."""
        match event.type():
            case QEvent.Type.Show:
                self._on_window_shown()
            case QEvent.Type.WindowStateChange:
                # After a restore, the window gets its former size by later events.
                self._settling.start()
            case QEvent.Type.Move | QEvent.Type.Resize | QEvent.Type.ActivationChange:
                if self._settling.isActive():
                    self._fit_with_frame()
        return super().eventFilter(watched, event)

    def _on_window_shown(self) -> None:
        handle = self._window.windowHandle()
        if self._screen is None:
            handle.screenChanged.connect(self._on_window_screen_changed)
            self._follow(handle.screen())
        self._fit()
        self._settling.start()

    def _fit_with_frame(self) -> None:
        # Without a known frame (most Wayland compositors) the compositor decides about the size.
        if not _frame_of(self._window).isNull():
            self._fit()

    def _follow(self, screen: QScreen) -> None:
        if self._screen:
            self._screen.availableGeometryChanged.disconnect(self._fit)
        self._screen = screen
        screen.availableGeometryChanged.connect(self._fit)

    def _on_window_screen_changed(self, screen: QScreen) -> None:
        has_lost_screen = self._screen not in QGuiApplication.screens()
        self._follow(screen)
        self._bound_least()
        # Do not move a window that the user is dragging to another screen.
        if has_lost_screen:
            self._fit()

    def _bound_least(self) -> None:
        if not self._least.isNull():
            self._window.setMinimumSize(self._least.boundedTo(room_of(self._window).size()))

    def _fit(self) -> None:
        window = self._window
        self._bound_least()
        if window.isMaximized() or window.isFullScreen() or window.isMinimized():
            return
        now = window.geometry()
        fitting = fitted(now, self._room(now))
        if fitting.size() != now.size():
            window.resize(fitting.size())
        # A window at (0, 0) has no place yet: the window manager will choose one.
        if fitting.topLeft() != now.topLeft() and not now.topLeft().isNull():
            window.move(window.pos() + fitting.topLeft() - now.topLeft())

    def _room(self, now: QRect) -> QRect:
        room = self._window.screen().availableGeometry()
        # A restored size was fitted with its real frame, which may be thinner than the assumed one.
        is_restored = _frame_of(self._window).isNull() and not now.topLeft().isNull()
        return room if is_restored else room_of(self._window)


def room_of(window: QWidget) -> QRect:
    """Return where the window may lie on its screen, without its frame."""
    frame = _frame_of(window)
    return window.screen().availableGeometry() - (_USUAL_FRAME if frame.isNull() else frame)


def fitted(place: QRect, room: QRect) -> QRect:
    """Return a place as large as fits into the room, and moved into it."""
    size = place.size().boundedTo(room.size())
    left = min(max(place.left(), room.left()), room.right() + 1 - size.width())
    top = min(max(place.top(), room.top()), room.bottom() + 1 - size.height())
    return QRect(QPoint(left, top), size)


def _frame_of(window: QWidget) -> QMargins:
    # The system knows of a window from when it is shown for the first time.
    return window.windowHandle().frameMargins() if window.internalWinId() else QMargins()
