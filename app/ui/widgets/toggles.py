"""`CheckBox` and `Switch` (on or off), in the colours of the theme.

`Slider` goes where it is pressed. `Segments` is a segmented control: buttons side by side, one of
them chosen.
"""

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QButtonGroup, QCheckBox, QPushButton, QSlider, QStyle, QWidget

from app.ui.theme import Theme
from app.ui.widgets.buttons import push_button
from app.ui.widgets.flow_layout import FlowLayout
from app.ui.widgets.focus_ring import has_ring
from app.ui.widgets.labels import literal, one_line
from app.ui.widgets.motion import Motion
from app.ui.widgets.painting import paint_switch
from app.ui.widgets.stylesheet import Token

_BOX_PX: Final = 16
_TICK_PX: Final = 12
_GAP_PX: Final = 10
_RADIUS_PX: Final = 4


class CheckBox(QCheckBox):
    """A box with words beside it, shown as they are. Made by what it stands in."""

    def __init__(self, theme: Theme, text: str) -> None:
        super().__init__(literal(one_line(text)))
        self._theme = theme
        self.setAccessibleName(one_line(text))
        self.setFont(theme.font("secondary"))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """Return the room for the box as it is drawn here, and all words."""
        theme, hint = self._theme, super().sizeHint()
        words = self.fontMetrics().horizontalAdvance(self.accessibleName())
        # A letter may reach a little beyond where the next would begin.
        return QSize(theme.px(_BOX_PX) + theme.px(_GAP_PX) + words + 2, hint.height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw box, tick and words."""
        theme, painter = self._theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        side = theme.px(_BOX_PX)
        box = QRectF(0.5, (self.height() - side) / 2 + 0.5, side - 1, side - 1)
        edge: Token = "accent" if self.isChecked() or has_ring(self) else "ink-3"
        painter.setPen(QPen(theme.color(edge), 2 if has_ring(self) else 1))
        painter.setBrush(theme.color("accent" if self.isChecked() else "bg"))
        radius = theme.px(_RADIUS_PX)
        painter.drawRoundedRect(box, radius, radius)
        if self.isChecked():
            tick = theme.px(_TICK_PX)
            pixmap = theme.pixmap("check", "on-accent", tick, self.devicePixelRatioF())
            inset = (side - tick) / 2
            painter.drawPixmap(QPointF(inset, box.top() + inset), pixmap)
        left = side + theme.px(_GAP_PX)
        room = QRectF(left, 0, self.width() - left, self.height())
        painter.setPen(theme.color("ink"))
        words = self.fontMetrics().elidedText(
            self.accessibleName(), Qt.TextElideMode.ElideRight, round(room.width())
        )
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, words)


_TRACK_PX: Final = (34, 20)
_RING_PX: Final = 2


class Switch(QCheckBox):
    """A switch with its label beside it; it takes effect at once.

    `name` is what it turns on, for screen readers, which add whether it is on. It shows what
    `show_on` says: whoever hears `switched` says what holds from now on.
    """

    switched = Signal(bool)
    """Somebody pressed it; argument: whether it should be on."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self._theme = theme
        self._slide = Motion(self, theme, self._on_slide)
        self.setAccessibleName(one_line(name))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        theme.changed.connect(self.updateGeometry)
        self.clicked.connect(self._on_clicked)

    def show_on(self, is_on: bool) -> None:
        """Show whether it is on."""
        if is_on != self.isChecked():
            self.setChecked(is_on)
            self._slide.go(float(is_on))

    def nextCheckState(self) -> None:
        """Leave the state as it is: a press only asks for another one."""

    def sizeHint(self) -> QSize:
        """Return the room for the track and the ring around it."""
        width, height = _TRACK_PX
        return QSize(self._theme.px(width), self._theme.px(height)) + QSize(
            2 * _RING_PX, 2 * _RING_PX
        )

    def minimumSizeHint(self) -> QSize:
        """Return the room for the track and the ring around it."""
        return self.sizeHint()

    def hitButton(self, _pos: QPoint) -> bool:
        """Take a click anywhere on it."""
        return True

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the track, and the knob on its way."""
        theme, painter = self._theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        inset, share = _RING_PX + 0.5, self._slide.share
        track = QRectF(self.rect()).adjusted(inset, inset, -inset, -inset)
        paint_switch(painter, track, theme, share, is_enabled=self.isEnabled())
        if has_ring(self):
            painter.setPen(QPen(theme.color("accent"), _RING_PX))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            ring = QRectF(self.rect()).adjusted(1, 1, -1, -1)
            painter.drawRoundedRect(ring, ring.height() / 2, ring.height() / 2)

    def _on_slide(self, _share: float) -> None:
        self.update()

    def _on_clicked(self) -> None:
        self.switched.emit(not self.isChecked())


_SEGMENT_GAP_PX: Final = 6


class Slider(QSlider):
    """A horizontal QSlider whose handle comes to where its track is pressed, and can be dragged."""

    def __init__(self, most: int, name: str) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setRange(0, most)
        self.setPageStep(2)
        self.setAccessibleName(name)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Bring the handle to the pointer, so that the press drags it."""
        if event.button() is Qt.MouseButton.LeftButton:
            handle_px = self.style().pixelMetric(QStyle.PixelMetric.PM_SliderLength, None, self)
            left_px = int(event.position().x()) - handle_px // 2
            room_px = self.width() - handle_px
            least, most = self.minimum(), self.maximum()
            self.setSliderPosition(QStyle.sliderValueFromPosition(least, most, left_px, room_px))
        super().mousePressEvent(event)


class Segments(QWidget):
    """Lets one of a few values be chosen, all of which are seen. Made by what it stands in.

    `words` has a text for each value, and its full name where the text alone does not say it.
    """

    chosen = Signal(str)
    """Somebody chose; argument: the value."""

    def __init__(self, theme: Theme, words: Mapping[str, tuple[str, str]]) -> None:
        super().__init__()
        row = FlowLayout(self, spacing_px=_SEGMENT_GAP_PX)
        group = QButtonGroup(self)
        self._buttons: dict[str, QPushButton] = {}
        for value, (text, name) in words.items():
            button = push_button(text, "segment", theme, name=name)
            button.setCheckable(True)
            # Without this, screen readers call it a check box.
            button.setAutoExclusive(True)
            button.setProperty("value", value)
            group.addButton(button)
            row.add(button)
            self._buttons[value] = button
        group.buttonClicked.connect(self._on_group_button_clicked)
        group.buttonToggled.connect(self._on_group_button_toggled)

    def show_value(self, value: str) -> None:
        """Show which value is chosen."""
        self._buttons[value].setChecked(True)

    def offer(self, value: str, *, is_offered: bool) -> None:
        """Show a value among the others, or leave it out while it cannot be chosen."""
        self._buttons[value].setVisible(is_offered)

    def take_focus(self) -> None:
        """Move the focus to what is chosen."""
        chosen = next(button for button in self._buttons.values() if button.isChecked())
        chosen.setFocus(Qt.FocusReason.OtherFocusReason)

    @staticmethod
    def _on_group_button_toggled(button: QPushButton, is_chosen: bool) -> None:
        # Tab leads to what is chosen. Qt sees to that only once the keyboard was there.
        policy = Qt.FocusPolicy.TabFocus if is_chosen else Qt.FocusPolicy.NoFocus
        button.setFocusPolicy(policy)

    def _on_group_button_clicked(self, button: QPushButton) -> None:
        self.chosen.emit(button.property("value"))
