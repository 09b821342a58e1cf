"""`WindowSkeleton` paints the empty columns of a window until its contents are made."""

from pathlib import Path
from typing import Final, NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtGui import QColor, QPaintEvent, QPalette
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.ui.widgets.stylesheet import THEME_FILES, Token, Tokens, read_tokens

_LINE_PX: Final = 1
_THE_REST: Final = -1


class ColumnWidths(NamedTuple):
    """How wide the sidebar and the right panel are, in pixels; 0 when they are away."""

    sidebar: int
    panel: int


class OpenSides(NamedTuple):
    """Which of its sides a window shows where there is room for them; at first, the sidebar."""

    sidebar: bool = True
    panel: bool = False


class SavedAppearance(NamedTuple):
    """The look of the last run; `is_dark` is None where the system decides."""

    is_dark: bool | None = None
    has_high_contrast: bool = False


class WindowSkeleton(QWidget):
    """Shows sidebar, middle and panel as they will be, with nothing on them.

    Needs no style sheet, no font and no icon, so that it is there at once. Made by `app.main`;
    ends when the window is filled.
    """

    painted = Signal()
    """The skeleton was painted for the first time."""

    def __init__(self, tokens: Tokens, widths: ColumnWidths) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        columns: tuple[tuple[Token, int], ...] = (
            ("side", widths.sidebar),
            ("line", _LINE_PX if widths.sidebar else 0),
            ("bg", _THE_REST),
            ("line", _LINE_PX if widths.panel else 0),
            ("panel", widths.panel),
        )
        for token, width_px in columns:
            if not width_px:
                continue
            column = _Column(QColor(tokens.colors[token]))
            column.painted.connect(self.painted)
            if width_px != _THE_REST:
                column.setFixedWidth(width_px)
            row.addWidget(column)


class _Column(QWidget):
    """A widget of this colour, which Qt fills by itself.

    A `QPainter` would make PySide6 prepare its many enumerations: a tenth of the whole start.
    """

    painted = Signal()
    """The column was painted; Qt paints the others in the same turn."""

    def __init__(self, color: QColor) -> None:
        super().__init__()
        palette = QPalette()
        palette.setColor(QPalette.ColorRole.Window, color)
        self.setPalette(palette)
        self.setAutoFillBackground(True)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Announce that it is painted."""
        self.painted.emit()


def tokens_like(look: SavedAppearance, system: QPalette, themes: Path) -> Tokens:
    """Read the colours of this look; where the system decides, its palette tells light or dark.

    To ask for its colour scheme would make PySide6 prepare everything there is in `Qt`.
    """
    is_dark = look.is_dark
    if is_dark is None:
        is_dark = system.windowText().color().lightness() > system.window().color().lightness()
    return read_tokens(themes / THEME_FILES[is_dark, look.has_high_contrast])
