"""`SquareButton` is a square button with an icon: Send, Stop and the plus of the composer."""

from typing import Final

from PySide6.QtCore import QSize
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.ui.theme import Theme
from app.ui.widgets.buttons import Kind, PushButton, dress, tint_icon
from app.ui.widgets.labels import set_plain_tooltip
from app.ui.widgets.stylesheet import Token

_SIDE_PX: Final = 32
# Square and filled by its icon: the style sheet's padding is for words.
_SHAPE: Final = "QPushButton, QPushButton:focus { padding: 0; border-radius: 10px; }"


class SquareButton(PushButton):
    """A square button with an icon, which ignores the second half of a double click.

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
