"""`TranscriptStyle` has the fonts, sizes and colours of the transcript, made once from the theme.

`PaintContext` is what rows, and the pieces in them, paint with.
"""

from dataclasses import dataclass, replace
from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from app.ui.theme import Theme
from app.ui.transcript.hit_targets import HitTarget, TargetAction
from app.ui.transcript.selection import SelectedText, TextRange
from app.ui.widgets.column import COLUMN_MARGIN_PX, COLUMN_WIDTH_PX
from app.ui.widgets.fonts import Weight
from app.ui.widgets.marks import Mark, paint_mark
from app.ui.widgets.stylesheet import Token

RADIUS_PX: Final = 10

_HEADINGS: Final = {1: 20 / 14, 2: 17 / 14, 3: 15 / 14}
_BODY_LINE: Final = 1.3
_MONO_LINE: Final = 1.19


class TranscriptStyle:
    """Fonts, sizes, colours and drawing functions of rows.

    Sizes follow the fonts, so that larger text makes larger rows. Colours are asked for at each
    painting. One for a view; ends with it.
    """

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self.renew()

    def renew(self) -> None:
        """Read fonts and lengths from the theme again."""
        theme = self._theme
        self.body = theme.font("base")
        self.bold = theme.font("base", Weight.DemiBold)
        self.secondary = theme.font("secondary")
        self.secondary_bold = theme.font("secondary", Weight.DemiBold)
        self.small = theme.font("small")
        self.badge = theme.font("caption", Weight.Bold)
        self.button = theme.font("secondary", Weight.Medium)
        self.mono = theme.mono()
        self.line_px = round(QFontMetricsF(self.body).height() * _BODY_LINE)
        self.secondary_line_px = round(QFontMetricsF(self.secondary).height() * _BODY_LINE)
        self.mono_line_px = round(QFontMetricsF(self.mono).height() * _MONO_LINE)

    def color(self, token: Token) -> QColor:
        """Return the colour of a token as it is now."""
        return self._theme.color(token)

    def draw_mark(self, painter: QPainter, room: QRectF, mark: Mark) -> None:
        """Draw the mark of an agent so that it fills the room."""
        paint_mark(painter, room, self._theme, mark)

    def heading(self, level: int) -> QFont:
        """Return the font of a heading: modest, since a reply is no page."""
        font = QFont(self.bold)
        font.setPointSizeF(font.pointSizeF() * _HEADINGS.get(level, 1.0))
        return font

    @property
    def column_px(self) -> int:
        """The greatest width of the column of rows."""
        return self._theme.px(COLUMN_WIDTH_PX)

    @property
    def side_px(self) -> int:
        """The margin of the column in a narrow window: the same as the composer's."""
        return self._theme.px(COLUMN_MARGIN_PX)

    def scaled(self, pixels: float) -> int:
        """Return the length that is `pixels` at the ordinary size of text."""
        return round(pixels * self.line_px / 22)

    def draw_icon(self, painter: QPainter, name: str, ink: Token, box: QRectF) -> None:
        """Draw an icon into the square `box`."""
        ratio = painter.device().devicePixelRatio()
        pixmap = self._theme.pixmap(name, ink, round(box.width()), ratio)
        painter.drawPixmap(box, pixmap, QRectF(pixmap.rect()))

    def draw_panel(
        self, painter: QPainter, box: QRectF, ground: Token, line: Token | None, radius: float
    ) -> None:
        """Draw a surface with round corners and, if it has one, a hairline around it."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self.color(line), 1) if line else Qt.PenStyle.NoPen)
        painter.setBrush(self.color(ground))
        # A hairline lies in the middle of a pixel, so that it is one pixel wide.
        edge = box.adjusted(0.5, 0.5, -0.5, -0.5) if line else box
        painter.drawRoundedRect(edge, radius, radius)

    def draw_focus(self, painter: QPainter, box: QRectF, radius: float = 6) -> None:
        """Draw the focus ring around a box."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self.color("accent"), 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box.adjusted(-1, -1, 1, 1), radius, radius)

    def draw_line(self, painter: QPainter, left: float, right: float, y: float) -> None:
        """Draw a hairline across."""
        painter.fillRect(QRectF(left, y, right - left, 1), self.color("line"))


@dataclass(frozen=True, slots=True)
class PaintContext:
    """A painter whose origin is a row's top left corner, and the state to paint.

    The visible band is from `top` to `bottom`. `focus` is what the keyboard is at, `done` what
    was done a moment ago and `hovered` what the pointer is at, if that is in this row.
    `shows_foot` says whether what can be done with the message is seen.
    """

    painter: QPainter
    top: float
    bottom: float
    selected: SelectedText | None = None
    focus: HitTarget | None = None
    done: TargetAction | None = None
    hovered: TargetAction | None = None
    shows_foot: bool = False

    def span_in(self, piece: int, length: int) -> TextRange | None:
        """Return the selected part of a piece of `length` characters."""
        return self.selected.span_in(piece, length) if self.selected else None

    def lowered(self, by: float) -> "PaintContext":
        """Return the context in coordinates of what begins `by` further down."""
        focus = self.focus.moved(0, -by) if self.focus else None
        return replace(self, top=self.top - by, bottom=self.bottom - by, focus=focus)
