"""A button that answers an approval card, and can only be pressed on purpose."""

from typing import Final

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent
from PySide6.QtWidgets import QPushButton, QStyle, QStyleOptionButton, QStylePainter, QWidget

from app.ui.approval.arming import Arming
from app.ui.approval.second_click import SecondClick
from app.ui.parts.announcing import announce
from app.ui.parts.buttons import Kind, dress, set_button_text
from app.ui.theme import Theme

_PRESS_KEYS: Final = frozenset({Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter})


class AnswerButton(QPushButton):
    """A button that is never anybody's default and knows no short cut.

    It answers when it was armed at the press and nothing was disturbed until the release. A click
    with the mouse does not move the focus here, and held keys do not repeat. Before it is armed it
    looks the same, since another look a moment later would flicker; whoever is too early is told
    so in words. Made by an approval card; ends with it.
    """

    answered = Signal()
    """The person pressed and released it, and both counted."""

    def __init__(
        self, text: str, kind: Kind, theme: Theme, arming: Arming, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._arming = arming
        self._pressed_in: int | None = None
        self._released_at: QPoint | None = None
        self._says_wait = False
        dress(self, kind, theme)
        self.setDefault(False)
        set_button_text(self, text)
        self.pressed.connect(self._on_pressed)
        self.clicked.connect(self._on_clicked)
        arming.changed.connect(self._on_arming_changed)
        arming.watch(self)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Swallow a press that comes too early, and show that."""
        if self._arming.is_armed:
            super().mousePressEvent(event)
        else:
            self._say_wait(says_wait=True)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Note where: an answer takes the card away, and something else comes under the pointer."""
        self._released_at = event.globalPosition().toPoint()
        super().mouseReleaseEvent(event)
        self._released_at = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Swallow the second half of a double click: nobody answers twice."""
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take Space and Enter alike, once a press, and only when armed."""
        if event.key() not in _PRESS_KEYS:
            super().keyPressEvent(event)
        elif not self._arming.is_armed:
            self._say_wait(says_wait=True)
        elif not event.isAutoRepeat():
            self._press_by_key(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the button, or for a moment that it does not count yet: in its place and size."""
        if not self._says_wait:
            super().paintEvent(event)
            return
        option = QStyleOptionButton()
        self.initStyleOption(option)
        room = self.fontMetrics().horizontalAdvance(self.text())
        words = (self.tr("Wait a moment"), self.tr("Wait…"))
        fitting = (each for each in words if self.fontMetrics().horizontalAdvance(each) <= room)
        option.text = next(fitting, words[-1])
        QStylePainter(self).drawControl(QStyle.ControlElement.CE_PushButton, option)

    @property
    def says_wait(self) -> bool:
        """Whether it shows that it was pressed too early."""
        return self._says_wait

    def _say_wait(self, *, says_wait: bool) -> None:
        # Other words in earnest would want another width, which would disturb the card again.
        if says_wait == self._says_wait:
            return
        self._says_wait = says_wait
        self.update()
        if says_wait:
            announce(self, self.tr("Wait a moment, then press again."))

    def _press_by_key(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space:
            super().keyPressEvent(event)
        else:
            self.click()

    def _on_pressed(self) -> None:
        self._pressed_in = self._arming.epoch if self._arming.is_armed else None

    def _on_clicked(self) -> None:
        pressed_in, self._pressed_in = self._pressed_in, None
        if pressed_in == self._arming.epoch and self._arming.is_armed:
            if self._released_at is not None:
                SecondClick(self._released_at, self)
            self.answered.emit()

    def _on_arming_changed(self) -> None:
        if self._arming.is_armed:
            self._say_wait(says_wait=False)
