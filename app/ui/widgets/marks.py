"""`AgentMark` is an agent's badge: an icon or a letter on the agent's colour.

`MarkChoice` is a row of such marks, or of colours, of which one is chosen. Icon and colour come
from the agent's file; unknown names fall back to the first letter, in grey. `mark_of` is for agents
in a chat, each of which has a colour. `ProjectBadge` is the coloured mark of a connection,
`StatusDot` the dot of a status.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from zlib import crc32

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QWidget

from app.config.settings import ProjectColour
from app.ui.theme import Theme
from app.ui.widgets.flow_layout import FlowLayout
from app.ui.widgets.focus_ring import has_ring
from app.ui.widgets.fonts import Weight
from app.ui.widgets.icons import DrawingEngine
from app.ui.widgets.labels import set_plain_tooltip, short_name
from app.ui.widgets.scaling import hold_size
from app.ui.widgets.stylesheet import Token

MARK_ICONS: Final = frozenset(
    {"feather", "mail", "book-open", "calculator", "leaf", "code-xml", "folder", "terminal"}
)
_INKS: Final[Mapping[str, Token]] = {
    "green": "mark-green",
    "teal": "mark-teal",
    "blue": "mark-blue",
    "violet": "mark-violet",
    "pink": "mark-pink",
    "orange": "mark-orange",
    "amber": "mark-amber",
    "grey": "mark-grey",
}
_GROUND_ALPHA: Final = 0.14
_CORNER_SHARE: Final = 0.25
_ICON_SHARE: Final = 0.6
_SIDE_PX: Final = 22
_CHOICE_PX: Final = 32
_DOT_PX: Final = 28
_GAP_PX: Final = 6


def mark_ink(colour: str) -> Token:
    """Return the token of a named colour; grey for an unknown name."""
    return _INKS.get(colour, "mark-grey")


@dataclass(frozen=True, slots=True)
class Mark:
    """What is drawn: an icon's name or the first letter of `name`, in a named colour."""

    name: str
    icon: str = ""
    colour: str = ""


def mark_of(name: str, icon: str = "", colour: str = "") -> Mark:
    """Return the mark of an agent; its name gives it a colour where nobody chose one."""
    colours = [colour for colour in _INKS if colour != "grey"]
    # Not `hash`, which differs from run to run.
    return Mark(name, icon, colour or colours[crc32(name.encode()) % len(colours)])


def paint_mark(painter: QPainter, room: QRectF, theme: Theme, mark: Mark) -> None:
    """Draw a mark so that it fills the room."""
    token = mark_ink(mark.colour)
    ink = theme.color(token)
    ground = QColor(ink)
    ground.setAlphaF(_GROUND_ALPHA)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ground)
    radius = room.width() * _CORNER_SHARE
    painter.drawRoundedRect(room, radius, radius)
    if mark.icon in MARK_ICONS:
        side = round(room.width() * _ICON_SHARE)
        pixmap = theme.pixmap(mark.icon, token, side, painter.device().devicePixelRatioF())
        corner = QPointF(room.center().x() - side / 2, room.center().y() - side / 2)
        painter.drawPixmap(corner, pixmap)
        return
    painter.setFont(theme.font("small", Weight.Bold))
    painter.setPen(ink)
    painter.drawText(room, Qt.AlignmentFlag.AlignCenter, _letter(mark.name))


def mark_icon(theme: Theme, mark: Mark) -> QIcon:
    """Return the mark for a button; set it again when the theme changes."""

    def draw(side_px: int, ratio: float, _mode: QIcon.Mode) -> QPixmap:
        pixmap = QPixmap(round(side_px * ratio), round(side_px * ratio))
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        paint_mark(painter, QRectF(0, 0, side_px, side_px), theme, mark)
        painter.end()
        return pixmap

    return QIcon(DrawingEngine(draw, theme.px(_SIDE_PX)))


def _letter(name: str) -> str:
    return next((letter for letter in short_name(name) if letter.isalnum()), "?").upper()


class AgentMark(QWidget):
    """Shows a mark beside the name, which says the same in words. Made by what it stands in."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._mark = Mark("")
        hold_size(self, width_px=_SIDE_PX, height_px=_SIDE_PX)
        theme.changed.connect(self.update)

    def show_mark(self, mark: Mark) -> None:
        """Show another mark."""
        self._mark = mark
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the mark."""
        paint_mark(QPainter(self), QRectF(self.rect()), self._theme, self._mark)


class _MarkButton(QAbstractButton):
    """One of the choices, with a ring around the one that is chosen."""

    def __init__(self, theme: Theme, value: str, name: str, *, is_colour: bool) -> None:
        super().__init__()
        self._theme = theme
        self._is_colour = is_colour
        self.value = value
        self.mark = Mark("", "" if is_colour else value, value if is_colour else "")
        self.setCheckable(True)
        # Without this, screen readers call it a check box.
        self.setAutoExclusive(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(name)
        set_plain_tooltip(self, name)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """Return the room for the mark and the ring around it."""
        side = self._theme.px(_DOT_PX if self._is_colour else _CHOICE_PX)
        return QSize(side, side)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the mark or the colour, and whether it is chosen or has the keyboard."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        edge = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        if self._is_colour:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color(mark_ink(self.value)))
            painter.drawEllipse(edge.adjusted(3, 3, -3, -3))
        else:
            paint_mark(painter, edge.adjusted(2, 2, -2, -2), self._theme, self.mark)
        ring: Token = "accent" if self.isChecked() else "line-strong"
        if self.isChecked() or has_ring(self) or not self._is_colour:
            width = 2 if self.isChecked() or has_ring(self) else 1
            ink = self._theme.color("ink" if has_ring(self) else ring)
            painter.setPen(QPen(ink, width))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            radius = edge.width() / 2 if self._is_colour else self._theme.px(8)
            painter.drawRoundedRect(edge, radius, radius)


class MarkChoice(QWidget):
    """Lets one of a few marks or colours be chosen. Made by what it stands in.

    `words` are the values with the names that a screen reader says.
    """

    chosen = Signal(str)
    """Somebody chose; argument: the value."""

    def __init__(self, theme: Theme, words: Sequence[tuple[str, str]], *, is_colour: bool) -> None:
        super().__init__()
        row = FlowLayout(self, spacing_px=0 if is_colour else _GAP_PX)
        group = QButtonGroup(self)
        self._buttons: dict[str, _MarkButton] = {}
        for value, name in words:
            button = _MarkButton(theme, value, name, is_colour=is_colour)
            group.addButton(button)
            row.add(button)
            self._buttons[value] = button
        group.buttonToggled.connect(self._on_group_button_toggled)
        group.buttonClicked.connect(self._on_group_button_clicked)
        next(iter(self._buttons.values())).setChecked(True)

    def show_value(self, value: str) -> None:
        """Show which one is chosen; an unknown value selects the last one."""
        buttons = list(self._buttons.values())
        self._buttons.get(value, buttons[-1]).setChecked(True)

    def show_mark(self, name: str, colour: str) -> None:
        """Draw the marks with the letter of this name, in this colour."""
        for button in self._buttons.values():
            button.mark = Mark(name, button.value, colour)
            button.update()

    @staticmethod
    def _on_group_button_toggled(button: QAbstractButton, is_chosen: bool) -> None:
        # Tab leads to what is chosen, arrows to the others.
        policy = Qt.FocusPolicy.TabFocus if is_chosen else Qt.FocusPolicy.NoFocus
        button.setFocusPolicy(policy)

    def _on_group_button_clicked(self, button: QAbstractButton) -> None:
        if isinstance(button, _MarkButton):
            self.chosen.emit(button.value)


_BADGE_CORNER_SHARE: Final = 0.28
_MARK_PX: Final = 8

_BADGE_INKS: Final[Mapping[ProjectColour, Token]] = {
    "green": "accent",
    "blue": "code-number",
    "violet": "code-keyword",
    "orange": "code-name",
    "red": "bad",
    "grey": "ink-3",
}


def colour_ink(colour: ProjectColour) -> Token:
    """Return the token that draws this colour in every theme."""
    return _BADGE_INKS[colour]


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
        radius = self.width() * _BADGE_CORNER_SHARE
        self._painter().drawRoundedRect(QRectF(self.rect()), radius, radius)


class StatusDot(_Mark):
    """A small dot in the colour of how something is going. Made by what says that in words."""

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the dot."""
        self._painter().drawEllipse(QRectF(self.rect()))
