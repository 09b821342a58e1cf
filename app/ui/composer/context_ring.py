"""`ContextRing` shows how full the context window of a chat is; its menu lists the usage."""

from typing import Final

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QColor, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from app.ui.theme import Theme
from app.ui.widgets.focus_ring import has_ring
from app.ui.widgets.labels import set_plain_tooltip
from app.ui.widgets.menus import make_menu
from app.viewmodels.chat.usage_texts import UsageView

_RING_PX: Final = 16
_LINE_PX: Final = 3
_GAP_PX: Final = 7
_SIDE_PX: Final = 6
_HEIGHT_PX: Final = 32
_FULL: Final = 0.9
_ROUND: Final = 360 * 16


class ContextRing(QAbstractButton):
    """A ring that fills, with a percentage; hidden while the usage is unknown.

    Its accessible name has all numbers; a click or Enter lists them, and offers to continue from a
    summary. Also while there is room: before the window is full, the service leaves out the oldest
    messages, and it never gets nearly full. Made by the composer; ends with it.
    """

    summary_requested = Signal()
    """The person wants to go on from a summary of the chat."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._view = UsageView(None, "", ())
        self.setAccessibleName(self.tr("Usage in this chat"))
        self._menu = make_menu(self, self.tr("Usage in this chat"), theme)
        self._summarise = QAction(self.tr("Summarise and continue"), self)
        self._summarise.triggered.connect(self.summary_requested)
        self.setFont(theme.font("secondary"))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.clicked.connect(self._on_clicked)
        theme.changed.connect(self._on_theme_changed)
        self.hide()

    def show_usage(self, view: UsageView | None, *, can_summarise: bool) -> None:
        """Show the chat's usage; hide while it is unknown."""
        self.setVisible(view is not None)
        if view is None:
            return
        is_full = view.fraction is not None and view.fraction >= _FULL
        if view == self._view and can_summarise == (self._summarise in self._menu.actions()):
            return
        self._view = view
        full = (self.tr("The context window is nearly full."),) if is_full else ()
        told = (*full, *view.details)
        self.setAccessibleName(". ".join(told))
        set_plain_tooltip(self, *told)
        self._menu.clear()
        for line in view.details:
            self._menu.addAction(line)
        if can_summarise:
            self._menu.addSeparator()
            self._menu.addAction(self._summarise)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Return the room for the ring and its words."""
        width = self._theme.px(_RING_PX + 2 * _SIDE_PX)
        if self._view.words:
            words = self.fontMetrics().horizontalAdvance(self._view.words)
            width += self._theme.px(_GAP_PX) + words
        return QSize(width, self._theme.px(_HEIGHT_PX))

    def minimumSizeHint(self) -> QSize:
        """Return the same room."""
        return self.sizeHint()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the menu by Enter as well as by Space."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the ring, the percentage, and the frame of the keyboard's focus."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme, view = self._theme, self._view
        side, line = theme.px(_RING_PX), theme.px(_LINE_PX)
        left = theme.px(_SIDE_PX)
        ring = QRectF(left, (self.height() - side) / 2, side, side)
        ring.adjust(line / 2, line / 2, -line / 2, -line / 2)
        painter.setPen(QPen(theme.color("line-strong"), line))
        painter.drawEllipse(ring)
        if view.fraction:
            ink: QColor = theme.color("warn" if view.fraction >= _FULL else "accent")
            painter.setPen(QPen(ink, line, c=Qt.PenCapStyle.FlatCap))
            painter.drawArc(ring, _ROUND // 4, -round(view.fraction * _ROUND))
        painter.setPen(theme.color("ink-2"))
        words = self.rect().adjusted(left + side + theme.px(_GAP_PX), 0, 0, 0)
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, view.words)
        if has_ring(self):
            painter.setPen(QPen(theme.color("accent"), 2))
            frame = QRectF(self.rect()).adjusted(1, 1, -1, -1)
            painter.drawRoundedRect(frame, 8, 8)

    def _on_clicked(self) -> None:
        above = QPoint(0, -self._menu.sizeHint().height())
        self._menu.popup(self.mapToGlobal(above))

    def _on_theme_changed(self) -> None:
        self.setFont(self._theme.font("secondary"))
        self.updateGeometry()
        self.update()
