"""For which of its sides a window has room."""

from typing import Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.ui.theme import Theme

# Below these widths at 100 % the panel, and then the sidebar, give way to the chat.
_PANEL_FROM_PX: Final = 1000
_SIDEBAR_FROM_PX: Final = 760


class Folding(QObject):
    """Tells when there begins or ceases to be room, and at the first look.

    What a person folds or unfolds in between stays as it is. Made by the workbench.
    """

    panel_fitted = Signal(bool)
    """The right panel should be there or not; argument: whether."""
    sidebar_fitted = Signal(bool)
    """The sidebar should be there or not; argument: whether."""

    def __init__(self, theme: Theme, workbench: QWidget) -> None:
        super().__init__(workbench)
        self._theme = theme
        self._workbench = workbench
        self._before: tuple[bool, bool] | None = None
        theme.changed.connect(self._on_theme_changed)

    @property
    def has_panel_room(self) -> bool:
        """Whether the right panel can stand beside the chat."""
        return self._workbench.width() >= self._theme.px(_PANEL_FROM_PX)

    def look(self) -> None:
        """Compares with the look before: the workbench has another width."""
        has_sidebar_room = self._workbench.width() >= self._theme.px(_SIDEBAR_FROM_PX)
        now, before = (self.has_panel_room, has_sidebar_room), self._before
        self._before = now
        for fitted, has, had in zip(
            (self.panel_fitted, self.sidebar_fitted), now, before or (None, None), strict=True
        ):
            if has is not had:
                fitted.emit(has)

    def _on_theme_changed(self) -> None:
        if self._before is not None:
            self.look()
