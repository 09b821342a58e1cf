"""`EmptyPlace` is the empty state of a page: a drawing, one sentence, and one action.

`EmptyDrawing` is only its drawing, for pages with more actions.
"""

from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from app.ui.theme import Theme
from app.ui.widgets.buttons import push_button, set_button_text
from app.ui.widgets.fonts import Weight
from app.ui.widgets.labels import plain_label
from app.ui.widgets.scaling import hold_size
from app.ui.widgets.stylesheet import Token
from app.ui.widgets.surfaces import stack

_DRAWING_PX: Final = (104, 76)
_ICON_PX: Final = 22
_TURN: Final = -8.0
_ABOVE_ACTION_PX: Final = 8


class EmptyDrawing(QWidget):
    """Two sheets of paper with an icon on the front one; painted with QPainter."""

    def __init__(self, icon: str, theme: Theme) -> None:
        super().__init__()
        self._icon = icon
        self._theme = theme
        width, height = _DRAWING_PX
        hold_size(self, width_px=width, height_px=height)
        theme.changed.connect(self.update)

    def show_icon(self, icon: str) -> None:
        """Draw another icon on the sheet."""
        self._icon = icon
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the sheets, the icon, two lines of writing and a spark."""
        theme, painter = self._theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        scale = self.width() / _DRAWING_PX[0]
        painter.scale(scale, scale)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.save()
        painter.translate(46, 34)
        painter.rotate(_TURN)
        painter.setBrush(theme.color("accent-soft"))
        painter.drawRoundedRect(QRectF(-36, -22, 68, 46), 9, 9)
        painter.restore()
        painter.setBrush(theme.color("bg"))
        painter.setPen(QPen(theme.color("line-strong"), 1))
        painter.drawRoundedRect(QRectF(22.5, 20.5, 72, 48), 9, 9)
        painter.setPen(Qt.PenStyle.NoPen)
        lines: tuple[tuple[float, float, Token], ...] = (
            (36, 24, "line-strong"),
            (44, 16, "line"),
        )
        for top, width, ink in lines:
            painter.setBrush(theme.color(ink))
            painter.drawRoundedRect(QRectF(64, top, width, 4), 2, 2)
        painter.setBrush(theme.color("accent"))
        painter.drawEllipse(QPointF(90, 12), 3.5, 3.5)
        painter.drawEllipse(QPointF(99, 21), 1.8, 1.8)
        ratio = self.devicePixelRatioF() * scale
        icon = theme.pixmap(self._icon, "accent", _ICON_PX, ratio)
        painter.drawPixmap(QRectF(33, 33, _ICON_PX, _ICON_PX), icon, QRectF(icon.rect()))


class EmptyPlace(QWidget):
    """An empty state; in a small page its drawing is hidden first.

    Without an `icon` there is none, as beside a place that has one.

    `show_words` sets the sentence and the action; without an `action` there is no button. Made by
    the page that it fills.
    """

    acted = Signal()
    """The one thing that can be done here should be done."""

    def __init__(self, theme: Theme, icon: str = "") -> None:
        super().__init__()
        self._theme = theme
        self._has_drawing = bool(icon)
        self._drawing = EmptyDrawing(icon, theme)
        self._title = plain_label("", theme, weight=Weight.Medium, wraps=True)
        self._words = plain_label("", theme, size="small", ink="ink-2", wraps=True)
        self._action = push_button("", "secondary", theme, name="—")
        self._action.clicked.connect(self.acted)
        # Farther from the words than they are from each other.
        self._foot = QWidget()
        stack(self._foot, 0, self._action).setContentsMargins(0, _ABOVE_ACTION_PX, 0, 0)
        for label in (self._title, self._words):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(16, 16, 16, 16)
        self._column.setSpacing(8)
        self._column.setSizeConstraint(QVBoxLayout.SizeConstraint.SetNoConstraint)
        self._column.addStretch(2)
        for part in (self._drawing, self._title, self._words, self._foot):
            middle = Qt.AlignmentFlag.AlignHCenter
            is_wide = part in (self._title, self._words)
            self._column.addWidget(part, 0, Qt.AlignmentFlag(0) if is_wide else middle)
        self._column.addStretch(3)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self._foot.hide()

    def show_words(self, title: str, words: str, action: str = "") -> None:
        """Say what is missing, what comes here, and what can be done."""
        self._title.setText(title)
        self._words.setText(words)
        set_button_text(self._action, action, action or title)
        self._foot.setVisible(bool(action))
        self._fit()

    def minimumSizeHint(self) -> QSize:
        """Ask for no room: what does not fit is left out."""
        return QSize(0, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out what has no room."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        width = self.width() - 2 * self._theme.px(16)
        height = 2 * self._theme.px(16)
        # A line is never shown in part: the title takes the room first, the drawing last.
        for label in (self._title, self._words):
            height += label.heightForWidth(width) + 8 if label.text() else 0
            label.setVisible(bool(label.text()) and height <= self.height())
        height += self._drawing.height()
        if self._action.text():
            height += self._foot.sizeHint().height() + 8
        has_drawing = self._has_drawing and bool(self._title.text())
        self._drawing.setVisible(has_drawing and height <= self.height())
