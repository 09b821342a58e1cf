"""An application that types as soon as somebody could, and ends when the letter is there."""

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtGui import QKeyEvent, Qt
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QPlainTextEdit, QWidget

from tests.benchmarks.gui.watching import tell


class Typing(QApplication):
    """Waits until a list was painted and a box has the keyboard; then types and tells the time."""

    def __init__(self, arguments: list[str]) -> None:
        super().__init__(arguments)
        self._has_list = False
        self._is_typed = False

    def notify(self, receiver: QObject, event: QEvent) -> bool:
        """Watches the events."""
        is_done = bool(super().notify(receiver, event))
        if event.type() == QEvent.Type.Paint and isinstance(receiver, QWidget):
            if self.activeWindow() is None:
                # A screen that shows nothing brings no window to the front by itself.
                receiver.window().activateWindow()
            above = receiver.parentWidget()
            is_box = isinstance(above, QPlainTextEdit)
            self._has_list |= isinstance(above, QAbstractScrollArea) and not is_box
            if self._has_list and not self._is_typed:
                QTimer.singleShot(0, self._type)
        return is_done

    def _type(self) -> None:
        box = self.focusWidget()
        if self._is_typed or not isinstance(box, QPlainTextEdit) or not box.isVisible():
            return
        self._is_typed = True
        nothing = Qt.KeyboardModifier.NoModifier
        self.sendEvent(box, QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_A, nothing, "a"))
        if box.toPlainText() == "a":
            tell()
