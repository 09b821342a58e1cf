"""Keeps the second half of a double click from pressing what has come under the pointer."""

from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QTimer
from PySide6.QtGui import QGuiApplication, QMouseEvent
from PySide6.QtWidgets import QApplication, QPushButton

_OF_A_CLICK: Final = frozenset(
    {
        QEvent.Type.MouseButtonPress,
        QEvent.Type.MouseButtonDblClick,
        QEvent.Type.MouseButtonRelease,
    }
)


class SecondClick(QObject):
    """Swallows clicks at a place of the screen for as long as a double click may last.

    Buttons of the same kind are spared: they know by themselves when a click counts. Made by the
    button that was clicked there; ends by itself.
    """

    def __init__(self, at: QPoint, button: QPushButton) -> None:
        super().__init__(button)
        self._spared = type(button)
        hints = QGuiApplication.styleHints()
        self._at = at
        self._reach = hints.mouseDoubleClickDistance()
        if application := QApplication.instance():
            application.installEventFilter(self)
        QTimer.singleShot(hints.mouseDoubleClickInterval(), self, self.deleteLater)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Takes what belongs to the second click."""
        if event.type() in _OF_A_CLICK and isinstance(event, QMouseEvent):
            way = event.globalPosition().toPoint() - self._at
            is_meant = watched.isWidgetType() and not isinstance(watched, self._spared)
            if is_meant and way.manhattanLength() <= self._reach:
                return True
        return super().eventFilter(watched, event)
