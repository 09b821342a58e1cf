"""The mark of a project, and the colours that it may have."""

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QCoreApplication, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.settings import ProjectColour
from app.ui.parts.tokens import Token
from app.ui.theme import Theme

_CORNER_SHARE: Final = 0.28
_MARK_PX: Final = 8

_INKS: Final[Mapping[ProjectColour, Token]] = {
    "green": "accent",
    "blue": "code-number",
    "violet": "code-keyword",
    "orange": "code-name",
    "red": "bad",
    "grey": "ink-3",
}


def colour_ink(colour: ProjectColour) -> Token:
    """Return the token that draws this colour in every theme."""
    return _INKS[colour]


def colour_choices() -> list[tuple[str, str]]:
    """Return every colour with its name."""
    return [
        ("green", QCoreApplication.translate("ProjectColour", "Green")),
        ("blue", QCoreApplication.translate("ProjectColour", "Blue")),
        ("violet", QCoreApplication.translate("ProjectColour", "Violet")),
        ("orange", QCoreApplication.translate("ProjectColour", "Orange")),
        ("red", QCoreApplication.translate("ProjectColour", "Red")),
        ("grey", QCoreApplication.translate("ProjectColour", "Grey")),
    ]


class ColourMark(QWidget):
    """A small square in the colour of a project, since dots say how something is going.

    Made by what shows the project.
    """

    def __init__(self, theme: Theme, ink: Token = "ink-3") -> None:
        super().__init__()
        self._theme = theme
        self._ink: Token = ink
        self.setFixedSize(_MARK_PX, _MARK_PX)
        theme.changed.connect(self.update)

    def show_ink(self, ink: Token) -> None:
        """Shows another colour."""
        self._ink = ink
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws the square, with round corners."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color(self._ink))
        radius = self.width() * _CORNER_SHARE
        painter.drawRoundedRect(QRectF(self.rect()), radius, radius)
