"""Cards below each other, one for each row of what a view model shows."""

from collections.abc import Callable, Sequence
from typing import Generic, Protocol, TypeVar

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QWidget

from app.ui.parts.stacking import stack
from app.ui.setup.into_view import bring_into_view
from app.ui.setup.section import GAP_PX
from app.ui.theme import Theme


class NamedRow(Protocol):
    """What the cards need to know of a row."""

    @property
    def name(self) -> str:
        """The one row of this name; a card is always the same one's."""


Row = TypeVar("Row", bound=NamedRow)
Card = TypeVar("Card", bound=QWidget)


class CardColumn(QWidget, Generic[Row, Card]):
    """Keeps a card for each row while there is one of its name, in the order of the rows.

    `make` makes the card of a new row, `show_in` shows a row in the card that it has. Without
    rows it takes no room. Made by a group of the settings.
    """

    def __init__(
        self, theme: Theme, make: Callable[[Row], Card], show_in: Callable[[Card, Row], None]
    ) -> None:
        super().__init__()
        self._theme = theme
        self._make = make
        self._show_in = show_in
        self._cards: dict[str, Card] = {}
        self._awaits_new = False
        self._column = stack(self, GAP_PX)
        self.hide()

    def await_new(self, *, awaits: bool = True) -> None:
        """The next card that comes is one that the person asked for, and is brought into view."""
        self._awaits_new = awaits

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Shows these rows; what is open or typed in a card that stays is left as it is."""
        if [row.name for row in rows] != list(self._cards):
            self._arrange(rows)
        for row in rows:
            self._show_in(self._cards[row.name], row)
        self.setVisible(bool(rows))

    def event(self, event: QEvent) -> bool:
        """Lets the keyboard go through the cards in their order, also through what opened since."""
        if event.type() is QEvent.Type.LayoutRequest:
            self._chain()
        return super().event(event)

    def _arrange(self, rows: Sequence[Row]) -> None:
        kept = {row.name for row in rows}
        new = [row.name for row in rows if row.name not in self._cards]
        for name in [name for name in self._cards if name not in kept]:
            card = self._cards.pop(name)
            card.hide()
            self._column.removeWidget(card)
            card.deleteLater()
        self._cards = {row.name: self._cards.get(row.name) or self._made(row) for row in rows}
        for position, card in enumerate(self._cards.values()):
            self._column.insertWidget(position, card)
            card.show()
        self._chain()
        if new and self._awaits_new:
            self._awaits_new = False
            self._welcome(self._cards[new[0]])

    def _welcome(self, card: Card) -> None:
        """Brings a card into view, and the keyboard if that is beside the cards."""
        bring_into_view(card)
        group: QWidget | None = self.parentWidget()
        now: QWidget | None = self.window().focusWidget()
        if group and now and group.isAncestorOf(now):
            parts = card.findChildren(QWidget)
            first = next((part for part in parts if _is_stop(part) and part.isVisibleTo(card)), now)
            first.setFocus(Qt.FocusReason.OtherFocusReason)

    def _chain(self) -> None:
        """What is made later would come after everything else in the window."""
        # WORKAROUND Qt leaves the order as it is from where the keyboard never is.
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        last: QWidget = self
        for card in self._cards.values():
            for part in card.findChildren(QWidget):
                if _is_stop(part):
                    QWidget.setTabOrder(last, part)
                    last = part
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def _made(self, row: Row) -> Card:
        card = self._make(row)
        self._theme.fit(card)
        return card


def _is_stop(part: QWidget) -> bool:
    """Whether Tab leads there."""
    return bool(part.focusPolicy() & Qt.FocusPolicy.TabFocus)
