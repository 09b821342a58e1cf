"""Where approvals are asked for: a place of its own, directly above the composer."""

import time
from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QEvent, QObject, QSize, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QApplication, QSizePolicy, QVBoxLayout, QWidget

from app.ui.approval.card import ApprovalCard
from app.ui.theme import Theme
from app.viewmodels.states import CardView

# Another width wants another height, and that perhaps a scroll bar.
_MOST_LAYOUTS: Final = 4


class ApprovalDock(QWidget):
    """Shows the first of the cards that wait, at most half as high as the window; else hidden.

    It stands in the layout and nothing lies over it. It never takes the keyboard by itself: F6
    leads here, from a new card on wherever that is. One for the window's life.
    """

    allowed = Signal(str, int)
    """The call may run once: request id and generation."""
    denied = Signal(str, int, str)
    """The call may not run: request id, generation, and the reason, which may be empty."""
    emptied = Signal()
    """The last card went while the keyboard was in it: it has to go elsewhere."""

    def __init__(
        self,
        theme: Theme,
        clock: Callable[[], float] = time.monotonic,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._card = ApprovalCard(theme, clock)
        self._height = 0
        self._current: tuple[str, int] | None = None
        self._is_new = False
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._card)
        self.setAccessibleName(self.tr("Waiting for your decision"))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self._card.allowed.connect(self.allowed)
        self._card.denied.connect(self.denied)
        self._card.laid_out.connect(self._fit)
        self.hide()

    def show_cards(self, cards: Sequence[CardView]) -> None:
        """Show the first of `cards`, or nothing when there is none."""
        if not cards:
            self._empty()
            return
        first = cards[0]
        self._card.show_view(first)
        if self.isHidden():
            self.show()
            self._settle()
        self._fit()
        if self._current != (first.request_id, first.generation):
            self._current = (first.request_id, first.generation)
            self._is_new = True
            self._announce(first)

    def disturb(self) -> None:
        """Something lay over the whole window: let no click that was meant for it count here."""
        self._card.disturb()

    def is_new(self) -> bool:
        """Return whether the keyboard was not yet brought to the card that is shown."""
        return self._is_new

    def take_focus(self) -> None:
        """Bring the keyboard to the card, if there is one."""
        self._is_new = False
        if self.isVisible():
            self._card.take_focus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width wants another height."""
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        """Follow the height of the window this stands in."""
        super().showEvent(event)
        self.window().installEventFilter(self)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay within half of the window when it is resized."""
        if event.type() == QEvent.Type.Resize and watched is self.window():
            self._fit()
        return super().eventFilter(watched, event)

    def hasHeightForWidth(self) -> bool:
        """Let the height come from `sizeHint` alone; a layout would ask the card for its own."""
        return False

    def sizeHint(self) -> QSize:
        """Ask for the height of the card, but for no more than half of the window."""
        return QSize(self._card.sizeHint().width(), self._height)

    def minimumSizeHint(self) -> QSize:
        """Keep at least the answers on screen, and some lines to scroll through."""
        least = self._card.least_height(self.width())
        return QSize(self._card.minimumSizeHint().width(), min(self._height, least))

    def _fit(self) -> None:
        if self.isVisible():
            most = max(self.window().height() // 2, self._card.least_height(self.width()))
            self._height = min(self._card.wanted_height(self.width()), most)
            self.setMaximumHeight(self._height)
            self.updateGeometry()

    def _settle(self) -> None:
        """Be as high as wanted at once: the first frame must not be followed by another height."""
        around: list[QWidget] = [self]
        while not around[-1].isWindow() and (parent := around[-1].parentWidget()):
            around.append(parent)
        for _ in range(_MOST_LAYOUTS):
            self._fit()
            before = self.size()
            # Up, each tells the next that it wants another size; down, each gives it.
            for widget in (*around[1:], *around[::-1]):
                if layout := widget.layout():
                    layout.activate()
            if self.size() == before and self.height() == self._height:
                return

    def _empty(self) -> None:
        focus = QApplication.focusWidget()
        had_focus = focus is not None and self.isAncestorOf(focus)
        self._current = None
        self._is_new = False
        self.hide()
        if had_focus:
            self.emptied.emit()

    def _announce(self, view: CardView) -> None:
        words = self.tr("Your decision is needed: {0} Press F6.").format(view.question)
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, words))
