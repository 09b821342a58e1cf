"""`VerticalScroll` shows where the transcript is scrolled to, and lets go of its end.

The functions make and place the button that scrolls to the end.
"""

from typing import Final

from PySide6.QtCore import QCoreApplication, QObject
from PySide6.QtWidgets import QAbstractScrollArea, QPushButton, QWidget

from app.ui.theme import Theme
from app.ui.transcript.keyboard import LINE_PX
from app.ui.transcript.layout import TranscriptLayout
from app.ui.widgets.buttons import push_button

_BOTTOM_PX: Final = 14


class VerticalScroll(QObject):
    """Keeps the bar of a view, and the button that leads to its end, as the layout has them.

    A page has no such button: nothing is added at its end. Made by the view; ends with it.
    """

    def __init__(
        self, layout: TranscriptLayout, theme: Theme, view: QAbstractScrollArea, *, is_page: bool
    ) -> None:
        super().__init__(view)
        self._layout = layout
        self._bar = view.verticalScrollBar()
        self._bar.setSingleStep(LINE_PX)
        self._bar.sliderPressed.connect(self.stop_following)
        self._window = view.viewport()
        self._is_page = is_page
        self.is_showing = False
        self.jump_button: Final = _make_jump_button(theme, self._window)

    def show(self) -> None:
        """Show where the layout is."""
        # Setting the bar scrolls it, which must not be taken for the person scrolling.
        self.is_showing = True
        self._bar.setPageStep(max(1, self._window.height() - LINE_PX))
        self._bar.setRange(0, self._layout.maximum)
        self._bar.setValue(min(self._layout.value, self._layout.maximum))
        self.is_showing = False
        is_away = not self._layout.follows_end and self._layout.maximum > 0
        _place_at_foot(self.jump_button, self._window, is_shown=is_away and not self._is_page)
        self._layout.covered_px = self.jump_button.height() + 2 * _BOTTOM_PX

    def stop_following(self) -> None:
        """Let go of the end, unless everything is in the window."""
        if self._layout.maximum > 0:
            self._layout.follows_end = False
            self.show()

    def scroll_by(self, distance: int) -> None:
        """Scroll by so many pixels; upwards lets go of the end."""
        if distance < 0:
            self.stop_following()
        self._bar.setValue(self._bar.value() + distance)


def _make_jump_button(theme: Theme, window: QWidget) -> QPushButton:
    """Make the button, hidden, as a child of the viewport it floats in."""
    words = QCoreApplication.translate("Transcript", "Jump to latest")
    button = push_button(words, "secondary", theme, icon="arrow-down")
    button.setParent(window)
    button.hide()
    return button


def _place_at_foot(button: QPushButton, window: QWidget, *, is_shown: bool) -> None:
    """Show the button at the foot of its window, in the middle, or hide it."""
    button.adjustSize()
    left = (window.width() - button.width()) // 2
    button.move(left, window.height() - button.height() - _BOTTOM_PX)
    button.setVisible(is_shown)
