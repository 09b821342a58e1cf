"""`ProjectBadge` is the coloured mark of a project, `StatusDot` the dot of a status."""

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QCoreApplication, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.config.settings import ProjectColour
from app.ui.theme import Theme
from app.ui.widgets.stylesheet import Token

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


class _Mark(QWidget):
    def __init__(self, theme: Theme, ink: Token = "ink-3") -> None:
        super().__init__()
        self._theme = theme
        self._ink: Token = ink
        self.setFixedSize(_MARK_PX, _MARK_PX)
        theme.changed.connect(self.update)

    def show_ink(self, ink: Token) -> None:
        """Show another colour."""
        self._ink = ink
        self.update()

    def _painter(self) -> QPainter:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color(self._ink))
        return painter


class ProjectBadge(_Mark):
    """A small square in the colour of a project, since dots say how something is going.

    Made by what shows the project.
    """

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the square, with round corners."""
        radius = self.width() * _CORNER_SHARE
        self._painter().drawRoundedRect(QRectF(self.rect()), radius, radius)


class StatusDot(_Mark):
    """A small dot in the colour of how something is going. Made by what says that in words."""

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the dot."""
        self._painter().drawEllipse(QRectF(self.rect()))
