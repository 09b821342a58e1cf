"""An application that types as soon as somebody could, and ends when the letter is there."""

from typing import Final

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtGui import QKeyEvent, Qt
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QPlainTextEdit

from tests.benchmarks.gui.watching import tell

_LOOK_MS: Final = 1


class Typing(QApplication):
    """Waits until a box has the keyboard and a list beside it is painted; then types.

    It looks each millisecond: to see every event would cost a program of many widgets more than it
    costs the floor.
    """

    def __init__(self, arguments: list[str]) -> None:
        super().__init__(arguments)
        self._lists: list[QObject] = []
        self._look = QTimer(self, interval=_LOOK_MS)
        self._look.timeout.connect(self._on_look_timeout)
        self._look.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Type once a list was painted."""
        if watched in self._lists and event.type() == QEvent.Type.Paint:
            self._lists.clear()
            QTimer.singleShot(0, self._type)
        return False

    def _on_look_timeout(self) -> None:
        window = self.activeWindow()
        if window is None:
            # A screen that shows nothing brings no window to the front by itself.
            for shown in self.topLevelWidgets():
                shown.activateWindow()
            return
        box = self.focusWidget()
        if not isinstance(box, QPlainTextEdit) or not box.isVisible():
            return
        self._look.stop()
        for area in window.findChildren(QAbstractScrollArea):
            if area.isVisible() and not isinstance(area, QPlainTextEdit):
                viewport = area.viewport()
                viewport.installEventFilter(self)
                self._lists.append(viewport)
                # It may have been painted just now.
                viewport.update()

    def _type(self) -> None:
        box = self.focusWidget()
        if not isinstance(box, QPlainTextEdit):
            raise TypeError("The box has lost the keyboard.")
        nothing = Qt.KeyboardModifier.NoModifier
        self.sendEvent(box, QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_A, nothing, "a"))
        if box.toPlainText() == "a":
            tell()
