"""`SendRow` ends the composer's lower row: a hint what Enter does, and the buttons for the same.

`SendButton` is one of these buttons (send, stop); `Sending` says which of them are enabled.
"""

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from app.ui.theme import Theme
from app.ui.widgets.buttons import Kind, PushButton, dress, tint_icon
from app.ui.widgets.labels import plain_label, set_plain_tooltip
from app.ui.widgets.stylesheet import Token

_SIDE_PX: Final = 32
# Square and filled by its icon: the style sheet's padding is for words.
_SHAPE: Final = "QPushButton, QPushButton:focus { padding: 0; border-radius: 10px; }"


class SendButton(PushButton):
    """A square button with an icon, deaf to the second half of a double click.

    Send turns into Stop under the pointer; a double click on the one must not press the other.
    Made by the composer; ends with it.
    """

    def __init__(
        self,
        icon: str,
        name: str,
        theme: Theme,
        *,
        kind: Kind = "primary",
        ink: Token = "on-accent",
        icon_px: int = 18,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        dress(self, kind, theme)
        self.setStyleSheet(_SHAPE)
        self._theme = theme
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(name)
        set_plain_tooltip(self, name)
        self.setIconSize(QSize(icon_px, icon_px))
        tint_icon(self, icon, theme, ink)

    def sizeHint(self) -> QSize:
        """Return a square."""
        side = self._theme.px(_SIDE_PX)
        return QSize(side, side)

    def minimumSizeHint(self) -> QSize:
        """Return the same square."""
        return self.sizeHint()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Swallow the second half of a double click."""
        event.accept()


@dataclass(frozen=True, slots=True)
class Sending:
    """What can become of what is in the box: `can_give` says that it can go now."""

    is_busy: bool = False
    is_asking: bool = False
    can_give: bool = False
    is_too_long: bool = False
    is_dropping: bool = False


class SendRow(QWidget):
    """A hint, and one or two buttons. Made by the composer; ends with it."""

    send_requested = Signal()
    """The person wants to send what is in the box, or to queue it."""
    stop_requested = Signal()
    """The person wants the reply to end."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._hint = plain_label("", theme, size="secondary", ink="ink-3")
        self._queue = SendButton(
            "arrow-up", self.tr("Send after this reply"), theme, kind="secondary", ink="ink-2"
        )
        self._send = SendButton("arrow-up", self.tr("Send"), theme)
        self._stop = SendButton("square", self.tr("Stop (Esc)"), theme, icon_px=14)
        row = self._row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addStretch(1)
        for widget in (self._hint, self._queue, self._send, self._stop):
            row.addWidget(widget)
        for button in (self._queue, self._send):
            button.clicked.connect(self.send_requested)
        self._stop.clicked.connect(self.stop_requested)

    def show_sending(self, sending: Sending) -> None:
        """Offer what can be done now."""
        self._send.setVisible(not sending.is_busy)
        self._send.setEnabled(sending.can_give)
        self._queue.setVisible(sending.is_busy and sending.can_give)
        self._stop.setVisible(sending.is_busy)
        self._hint.setText(self._words(sending))

    def width_wanted(self, *, with_hint: bool) -> int:
        """Return how wide the buttons are together, or they and the hint."""
        buttons = [b for b in (self._queue, self._send, self._stop) if not b.isHidden()]
        parts = [*buttons, self._hint] if with_hint else buttons
        gaps = self._row.spacing() * max(0, len(parts) - 1)
        return sum(part.sizeHint().width() for part in parts) + gaps

    def show_hint(self, *, is_shown: bool) -> None:
        """Drop the hint where there is no room for it."""
        self._hint.setVisible(is_shown)

    def _words(self, sending: Sending) -> str:
        if sending.is_dropping:
            return self.tr("Drop to add as text")
        if sending.is_too_long:
            # Enter does nothing then, and why is said above.
            return ""
        if sending.is_asking:
            # Nothing is sent, and nothing joins the queue, before the person has said what of it.
            return self.tr("Enter sends once you confirm")
        return self.tr("Enter to queue") if sending.is_busy else self.tr("Enter to send")
