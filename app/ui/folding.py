"""For which of its sides a window has room."""

from typing import Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.ui.ground import OpenSides
from app.ui.theme import Theme

# Below these widths at 100 % the panel, and then the sidebar, give way to the chat.
_PANEL_FROM_PX: Final = 1000
_SIDEBAR_FROM_PX: Final = 760


class Folding(QObject):
    """Tells when there begins or ceases to be room, and at the first look.

    A side that a person closes where there is room for it stays closed, however the room changes.
    What is opened or closed where there is none counts until that changes. Made by the workbench.
    """

    panel_fitted = Signal(bool)
    """The right panel should be there or not; argument: whether."""
    sidebar_fitted = Signal(bool)
    """The sidebar should be there or not; argument: whether."""

    def __init__(self, theme: Theme, workbench: QWidget) -> None:
        super().__init__(workbench)
        self._theme = theme
        self._workbench = workbench
        self._sides = OpenSides()
        self._room_before: OpenSides | None = None
        theme.changed.connect(self._on_theme_changed)

    @property
    def sides(self) -> OpenSides:
        """Which sides are wanted, and there where they have room."""
        return self._sides

    @property
    def has_panel(self) -> bool:
        """Whether the right panel is wanted, and can stand beside the chat."""
        return self._room.panel and self._sides.panel

    @property
    def has_sidebar(self) -> bool:
        """Whether the sidebar is wanted, and can stand beside the chat."""
        return self._room.sidebar and self._sides.sidebar

    @property
    def has_room_for_both(self) -> bool:
        """Whether the chat can be read between both sides."""
        return self._room.panel

    def want(self, sides: OpenSides) -> None:
        """Shows these sides from now on where there is room for them."""
        self._sides = sides
        if self._room_before is not None:
            self._room_before = None
            self.look()

    def note_panel(self, is_open: bool) -> None:
        """A person opened or closed the right panel."""
        if self._room.panel:
            self._sides = self._sides._replace(panel=is_open)

    def note_sidebar(self, is_open: bool) -> None:
        """A person opened or closed the sidebar."""
        if self._room.sidebar:
            self._sides = self._sides._replace(sidebar=is_open)

    def look(self) -> None:
        """Compares with the look before: the workbench has another width."""
        now, before = self._room, self._room_before
        self._room_before = now
        if now != before:
            self.panel_fitted.emit(self.has_panel)
            self.sidebar_fitted.emit(self.has_sidebar)

    @property
    def _room(self) -> OpenSides:
        """For which sides there is room."""
        width, px = self._workbench.width(), self._theme.px
        return OpenSides(sidebar=width >= px(_SIDEBAR_FROM_PX), panel=width >= px(_PANEL_FROM_PX))

    def _on_theme_changed(self) -> None:
        if self._room_before is not None:
            self.look()
