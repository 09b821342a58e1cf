"""`ScreenGrab` takes a screenshot from the window system, where no desktop portal does."""

from typing import Final

from PySide6.QtCore import QBuffer, QIODevice, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QImage, QImageWriter
from PySide6.QtWidgets import QWidget

from local_tools.attached_file import SIDE_LIMIT_PX

# By then the window system has hidden the window and redrawn what was below it.
_HIDDEN_MS: Final = 400
# Twice what is sent: the clipboard may hold an image that takes minutes to encode.
_SIDE_LIMIT_PX: Final = 2 * SIDE_LIMIT_PX


class ScreenGrab(QObject):
    """Hides the window for a moment, and takes the screen that it was on. Made by its page."""

    grabbed = Signal(QImage)
    """The screen was taken; argument: its image."""
    failed = Signal()
    """This window system does not let programs take screenshots."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._window: QWidget | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_HIDDEN_MS)
        self._timer.timeout.connect(self._on_timer_timeout)

    def take(self, window: QWidget) -> None:
        """Take the screen without this window; `grabbed` or `failed` comes once."""
        if QGuiApplication.platformName().startswith("wayland"):
            self.failed.emit()
            return
        if self._window is None:
            self._window = window
            window.hide()
            self._timer.start()

    def _on_timer_timeout(self) -> None:
        window, self._window = self._window, None
        if window is None:
            return
        picture = window.screen().grabWindow(0).toImage()
        window.show()
        window.activateWindow()
        if picture.isNull():
            self.failed.emit()
        else:
            self.grabbed.emit(picture)


def png_of(picture: QImage) -> bytes:
    """Return an image as a PNG, at most 3,136 px a side; called on any thread."""
    if max(picture.width(), picture.height()) > _SIDE_LIMIT_PX:
        picture = picture.scaled(
            QSize(_SIDE_LIMIT_PX, _SIDE_LIMIT_PX),
            Qt.AspectRatioMode.KeepAspectRatio,
            Qt.TransformationMode.SmoothTransformation,
        )
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, b"png").write(picture)
    return bytes(buffer.data().data())
