"""Grounds, hairlines and cards: what widgets stand on."""

from typing import Final, Literal

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QWidget

Surface = Literal["bg", "side", "panel", "line"]
CardKind = Literal["plain", "chosen", "warn", "bad"]

HEADER_HEIGHT_PX: Final = 52


def set_surface(widget: QWidget, surface: Surface) -> None:
    """Fill the widget with this colour of the theme."""
    widget.setProperty("surface", surface)
    widget.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)


def set_card(frame: QFrame, kind: CardKind) -> None:
    """Draw the frame as a card of this kind."""
    if frame.property("card") != kind:
        frame.setProperty("card", kind)
        frame.style().unpolish(frame)
        frame.style().polish(frame)


def hairline() -> QFrame:
    """Make a line of one pixel from left to right."""
    line = QFrame()
    line.setFixedHeight(1)
    set_surface(line, "line")
    return line
