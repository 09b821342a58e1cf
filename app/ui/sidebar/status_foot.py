"""The foot of the sidebar: who is talked to, how that is going, and the way to the settings."""

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from app.ui.parts.announcing import announce
from app.ui.parts.buttons import icon_button
from app.ui.parts.colour_mark import StatusDot
from app.ui.parts.labels import plain_label, set_plain_tooltip, short_name
from app.ui.parts.scaling import hold_size
from app.ui.parts.tokens import Token
from app.ui.theme import Theme
from app.viewmodels.states import Dot, StatusView

_HEIGHT_PX: Final = 48
_INKS: Final[dict[Dot, Token]] = {Dot.GOOD: "good", Dot.WARN: "warn", Dot.BAD: "bad"}


class StatusFoot(QWidget):
    """Shows a `StatusView` in one line. Made by the sidebar."""

    settings_requested = Signal()
    """The settings should open."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        hold_size(self, height_px=_HEIGHT_PX)
        self._was_lost = self._was_good = False
        self._dot = StatusDot(theme, "warn")
        self._name = plain_label("", theme, size="secondary", ink="ink-2", elides=True)
        self._name.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self._test = plain_label(self.tr("test key"), theme, size="caption", ink="warn")
        self._words = plain_label("", theme, size="secondary", ink="ink-3", elides=True)
        settings = icon_button("settings", self.tr("Settings"), theme)
        settings.clicked.connect(self.settings_requested)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 0, 14, 0)
        row.setSpacing(8)
        row.addWidget(self._dot)
        row.addWidget(self._name)
        row.addWidget(self._test)
        row.addWidget(self._words, 1)
        row.addWidget(settings)
        self._test.hide()

    def show_status(self, view: StatusView) -> None:
        """Shows how it is going."""
        self._dot.show_ink(_INKS[view.dot])
        self._name.setText(short_name(view.name))
        self._words.setText(view.words)
        self._test.setVisible(view.is_test)
        summary = ": ".join(filter(None, (self._name.text(), view.words)))
        self.setAccessibleName(summary)
        set_plain_tooltip(self, summary)
        self._announce_return(view.dot, summary)

    def _announce_return(self, dot: Dot, summary: str) -> None:
        """Say that all is well again; that it was lost is said where that is shown."""
        is_good = dot is Dot.GOOD
        if is_good and self._was_lost:
            announce(self, summary)
        # What is on its way for the first time was not lost.
        self._was_lost = not is_good and (self._was_good or self._was_lost or dot is Dot.BAD)
        self._was_good = is_good
