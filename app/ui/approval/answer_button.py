"""`AnswerButton` answers an approval card and can only be pressed on purpose.

A card may appear, grow or move under a finger that is already on its way down. `InteractionDelay`
therefore ignores keys and clicks on the answers until the card has been the same, at the same
place, in an active window, for a while. `DoubleClickGuard` keeps the second half of a double click
from pressing what has come under the pointer. `EscapeFilter` makes Esc cancel what was begun in
the card, before any shortcut of the window gets the key.
"""

import math
import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QMouseEvent, QPaintEvent
from PySide6.QtWidgets import (
    QApplication,
    QPushButton,
    QStyle,
    QStyleOptionButton,
    QStylePainter,
    QWidget,
)

from app.ui.theme import Theme
from app.ui.widgets.accessible import announce
from app.ui.widgets.buttons import Kind, dress, set_button_text

ARM_AFTER_S: Final = 0.6

_DISTURBING: Final = frozenset(
    {
        QEvent.Type.Show,
        QEvent.Type.Move,
        QEvent.Type.Resize,
        QEvent.Type.WindowActivate,
        QEvent.Type.WindowStateChange,
        QEvent.Type.ParentChange,
        QEvent.Type.FocusIn,
    }
)


class InteractionDelay(QObject):
    """Measures the time since a card was last disturbed, by a monotonic clock.

    Everything that moves a watched widget or gives it the focus is a disturbance, and so is the
    same for each of its ancestors up to the window. Made by the card it guards; ends with it.
    """

    changed = Signal()
    """The card was armed or disturbed: the answers must be repainted."""

    def __init__(self, parent: QObject, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(parent)
        self._clock = clock
        self._since = clock()
        self._epoch = 0
        self._watched: list[QWidget] = []
        self._timer = QTimer(self, singleShot=True, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._on_timeout)

    @property
    def is_armed(self) -> bool:
        """Whether an answer given now counts."""
        return self._left_s() <= 0

    @property
    def epoch(self) -> int:
        """A counter that each disturbance increments."""
        return self._epoch

    def restart(self) -> None:
        """Restart the delay, and invalidate a press that has begun."""
        self._epoch += 1
        self._since = self._clock()
        self._wait()
        self.changed.emit()

    def watch(self, widget: QWidget) -> None:
        """Restart the delay whenever `widget` or an ancestor of it is shown, moved or focused."""
        step: QWidget | None = widget
        while step is not None and step not in self._watched:
            step.installEventFilter(self)
            self._watched.append(step)
            step = None if step.isWindow() else step.parentWidget()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Restart the delay on events that disturb the card, without filtering any."""
        if event.type() in _DISTURBING and isinstance(watched, QWidget):
            self._watch_new_surroundings(watched)
            # What nobody sees cannot be mistaken for something else; showing it disturbs.
            if watched.isVisible():
                self.restart()
        return super().eventFilter(watched, event)

    def _left_s(self) -> float:
        return self._since + ARM_AFTER_S - self._clock()

    def _wait(self) -> None:
        # The time may already be up: a busy or suspended computer gets here late.
        self._timer.start(max(0, math.ceil(self._left_s() * 1000)))

    def _on_timeout(self) -> None:
        # A timer may fire a little early by this clock: wait again, as no other timeout follows.
        if self.is_armed:
            self.changed.emit()
        else:
            self._wait()

    def _watch_new_surroundings(self, widget: QWidget) -> None:
        parent = None if widget.isWindow() else widget.parentWidget()
        if parent is not None:
            self.watch(parent)


_OF_A_CLICK: Final = frozenset(
    {
        QEvent.Type.MouseButtonPress,
        QEvent.Type.MouseButtonDblClick,
        QEvent.Type.MouseButtonRelease,
    }
)


class DoubleClickGuard(QObject):
    """Swallows clicks at a place of the screen for as long as a double click may last.

    Buttons of the same class get their clicks: each has a delay of its own. Made by the button
    that was clicked there; deletes itself when the time is up.
    """

    def __init__(self, at: QPoint, button: QPushButton) -> None:
        super().__init__(button)
        self._spared = type(button)
        hints = QGuiApplication.styleHints()
        self._at = at
        self._reach = hints.mouseDoubleClickDistance()
        # For the whole program: nobody knows what comes under the pointer, nor in which window.
        if application := QApplication.instance():
            application.installEventFilter(self)
        QTimer.singleShot(hints.mouseDoubleClickInterval(), self, self.deleteLater)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Swallow the mouse events of a second click."""
        if event.type() in _OF_A_CLICK and isinstance(event, QMouseEvent):
            way = event.globalPosition().toPoint() - self._at
            # Not of the QWindow, which gets each event first, those of spared buttons, too.
            is_meant = watched.isWidgetType() and not isinstance(watched, self._spared)
            if is_meant and way.manhattanLength() <= self._reach:
                return True
        return super().eventFilter(watched, event)


_CHEVRON_PX: Final = 14
_CHEVRON_ROOM_PX: Final = 18
_PRESS_KEYS: Final = frozenset({Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter})


class AnswerButton(QPushButton):
    """A button that is never the default button and has no shortcut.

    It answers if it was armed at the press and the card was not disturbed until the release. A
    click with the mouse does not move the focus here, and held keys do not repeat. Before it is
    armed it looks the same, since a change of its look a moment later would flicker; a press that
    comes too early is answered with “Wait a moment”. With `opens` a chevron says that a menu opens.
    Made by an approval card; ends with it.
    """

    answered = Signal()
    """The person pressed and released it, and both counted."""

    def __init__(
        self,
        text: str,
        kind: Kind,
        theme: Theme,
        arming: InteractionDelay,
        parent: QWidget | None = None,
        *,
        opens: bool = False,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._opens = opens
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

    def sizeHint(self) -> QSize:
        """Return the size of the words, and of the chevron."""
        hint = super().sizeHint()
        return QSize(hint.width() + self._chevron_room, hint.height())

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
        """Draw the button; after a press that came too early, "Wait…" for a moment in its place."""
        if not self._says_wait and not self._opens:
            super().paintEvent(event)
            return
        option = QStyleOptionButton()
        self.initStyleOption(option)
        if self._says_wait:
            room = self.fontMetrics().horizontalAdvance(self.text())
            words = (self.tr("Wait a moment"), self.tr("Wait…"))
            fitting = (each for each in words if self.fontMetrics().horizontalAdvance(each) <= room)
            option.text = next(fitting, words[-1])
        painter = QStylePainter(self)
        painter.drawControl(QStyle.ControlElement.CE_PushButtonBevel, option)
        option.rect = self.rect().adjusted(0, 0, -self._chevron_room, 0)
        painter.drawControl(QStyle.ControlElement.CE_PushButtonLabel, option)
        if self._opens:
            side = self._theme.px(_CHEVRON_PX)
            chevron = self._theme.pixmap("chevron-down", "ink-2", side, self.devicePixelRatioF())
            left = self.width() - self._chevron_room - self._theme.px(_CHEVRON_ROOM_PX) // 2 + 1
            painter.drawPixmap(QPoint(left, (self.height() - side) // 2), chevron)

    @property
    def _chevron_room(self) -> int:
        return self._theme.px(_CHEVRON_ROOM_PX) if self._opens else 0

    @property
    def says_wait(self) -> bool:
        """Whether it shows that it was pressed too early."""
        return self._says_wait

    def _say_wait(self, *, says_wait: bool) -> None:
        # Painted only: setText would change the width, which disturbs the card again.
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
                DoubleClickGuard(self._released_at, self)
            self.answered.emit()

    def _on_arming_changed(self) -> None:
        if self._arming.is_armed:
            self._say_wait(says_wait=False)


class EscapeFilter(QObject):
    """Takes Esc from the widgets, before any shortcut of the window gets it.

    With `applies`, only while that returns true. Ends with the first of the widgets.
    """

    given_up = Signal()
    """Esc was pressed."""

    def __init__(self, *widgets: QWidget, applies: Callable[[], bool] | None = None) -> None:
        super().__init__(widgets[0])
        self._applies = applies
        for widget in widgets:
            widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Claim Esc, and handle it."""
        if not isinstance(event, QKeyEvent) or event.key() != Qt.Key.Key_Escape:
            return super().eventFilter(watched, event)
        if self._applies and not self._applies():
            return super().eventFilter(watched, event)
        if event.type() is QEvent.Type.ShortcutOverride:
            event.accept()
        elif event.type() is QEvent.Type.KeyPress:
            self.given_up.emit()
        return True
