"""`CardColumn` shows a card for each row of a view model, one below the other.

`OpeningCard` is a card that opens: a line (`CardLine`) with a switch, and the details below it.
`tool_part` makes the part of these details about one tool: its name, what it may do, what it says.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeVar

from PySide6.QtCore import QCoreApplication, QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QPushButton, QVBoxLayout, QWidget

from app.ui.approval.revealed_text import RevealedText, Setting
from app.ui.settings.section import GAP_PX, scroll_into_view
from app.ui.theme import Theme
from app.ui.widgets.accessible import set_tab_order
from app.ui.widgets.buttons import push_button, set_button_text
from app.ui.widgets.flow_layout import FlowLayout, line_of
from app.ui.widgets.fonts import Weight
from app.ui.widgets.labels import one_line, plain_label
from app.ui.widgets.marks import StatusDot
from app.ui.widgets.motion import conceal, reveal
from app.ui.widgets.stylesheet import Token
from app.ui.widgets.surfaces import set_card, stack
from app.ui.widgets.toggles import Switch
from app.viewmodels.states import Dot


class NamedRow(Protocol):
    """What the cards need to know of a row."""

    @property
    def name(self) -> str:
        """The unique name of the row, by which its card is found again."""


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
        """Scroll the next new card into view: the person asked for it."""
        self._awaits_new = awaits

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show these rows; what is open or typed in a card that stays is left as it is."""
        if [row.name for row in rows] != list(self._cards):
            self._arrange(rows)
        for row in rows:
            self._show_in(self._cards[row.name], row)
        self.setVisible(bool(rows))

    def event(self, event: QEvent) -> bool:
        """Renew the tab order, so that it follows the cards and what opened since."""
        if event.type() is QEvent.Type.LayoutRequest:
            set_tab_order(self, *self._cards.values())
        return super().event(event)

    def _arrange(self, rows: Sequence[Row]) -> None:
        kept = {row.name for row in rows}
        new = [row.name for row in rows if row.name not in self._cards]
        for name in [name for name in self._cards if name not in kept]:
            card = self._cards.pop(name)
            card.hide()
            self._column.removeWidget(card)
            card.deleteLater()
        self._cards = {row.name: self._cards.get(row.name) or self._make_card(row) for row in rows}
        for position, card in enumerate(self._cards.values()):
            self._column.insertWidget(position, card)
            card.show()
        set_tab_order(self, *self._cards.values())
        if new and self._awaits_new:
            self._awaits_new = False
            self._show_new(self._cards[new[0]])

    def _show_new(self, card: Card) -> None:
        """Scroll a new card into view, and focus it if the focus is near the cards."""
        scroll_into_view(card)
        group: QWidget | None = self.parentWidget()
        now: QWidget | None = self.window().focusWidget()
        if group and now and group.isAncestorOf(now):
            parts = card.findChildren(QWidget)
            first = next(
                (part for part in parts if _is_focusable(part) and part.isVisibleTo(card)), now
            )
            first.setFocus(Qt.FocusReason.OtherFocusReason)

    def _make_card(self, row: Row) -> Card:
        card = self._make(row)
        self._theme.fit(card)
        return card


def _is_focusable(part: QWidget) -> bool:
    """Return whether Tab leads there."""
    return bool(part.focusPolicy() & Qt.FocusPolicy.TabFocus)


_INKS: Final[dict[Dot | None, Token]] = {
    Dot.GOOD: "good",
    Dot.WARN: "warn",
    Dot.BAD: "bad",
    None: "ink-3",
}

Details = TypeVar("Details", bound=QWidget)


@dataclass(frozen=True, slots=True)
class CardLine:
    """What the line of a card says; `warns` where there is something to look at."""

    title: str
    words: str
    problem: str
    dot: Dot | None
    is_on: bool
    warns: bool


class OpeningCard(QFrame, Generic[Details]):
    """Shows one thing that can be switched on, as long as that is listed.

    Switching on opens the card first: what would run is seen before it does. Subclasses say what
    the card opens to, and what in it switches on. Made by a group of the settings.
    """

    switched_off = Signal(str)
    """What the card shows should be switched off; argument: its name."""

    def __init__(self, theme: Theme, name: str, switch: str, *ends: QPushButton) -> None:
        """Build the card; what is given here stays as it is.

        Args:
            theme: The look.
            name: What it is told apart by.
            switch: What it turns on, as a screen reader says it.
            ends: Further buttons of its line.
        """
        super().__init__()
        self._theme = theme
        self._own_name = name
        self._line = CardLine("", "", "", None, is_on=False, warns=False)
        self._dot = StatusDot(theme)
        self._name = plain_label("", theme, weight=Weight.DemiBold, elides=True)
        self._words = plain_label("", theme, size="small", ink="ink-2", wraps=True)
        self._problem = plain_label("", theme, size="small", ink="bad", wraps=True)
        self._open = push_button("", "quiet", theme)
        self._switch = Switch(theme, switch)
        self._details: Details | None = None
        self._column = QVBoxLayout(self)
        labels = (self._name, self._words, self._problem)
        self._column.setContentsMargins(14, 9, 14, 9)
        self._column.addWidget(line_of(self._dot, labels, *ends, self._open, self._switch))
        self._open.clicked.connect(self._on_open_clicked)
        self._switch.switched.connect(self._on_switch_switched)
        self._show_open()

    def _make_details(self) -> Details:
        """Return the details of what the card stands for, as it is now."""
        raise NotImplementedError

    def _show_line(self, line: CardLine, *, can_switch: bool = True) -> None:
        self._line = line
        set_card(self, "warn" if line.warns else "plain")
        self._dot.show_ink(_INKS[line.dot])
        self._name.setText(one_line(line.title))
        self._words.setText(one_line(line.words))
        self._problem.setText(one_line(line.problem))
        self._problem.setVisible(bool(line.problem))
        self._switch.show_on(line.is_on)
        self._switch.setVisible(can_switch)

    @contextmanager
    def _keyboard_kept(self) -> Iterator[None]:
        """Keep the focus in the card while its parts change within the block."""
        before: QWidget | None = self.window().focusWidget()
        yield
        if before is None or not self.isAncestorOf(before) or before.isVisibleTo(self):
            return
        # The parts may have been made anew: only their names tell which was which.
        name = before.accessibleName()
        if same := next(
            (part for part in self._focusable_parts() if part.accessibleName() == name), None
        ):
            same.setFocus(Qt.FocusReason.OtherFocusReason)
        elif self._switch.isHidden():
            self._open.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self._switch.setFocus(Qt.FocusReason.OtherFocusReason)

    def _renew_details(self) -> None:
        """Show the details anew where they are open: what is known has changed."""
        if self._details:
            self._details.hide()
            self._close()
            self._open_up(moves=False)

    def _open_up(self, *, moves: bool = True) -> None:
        details = self._make_details()
        self._column.addWidget(details)
        self._theme.fit(details)
        details.hide()
        if moves:
            reveal(details, self._theme)
        else:
            details.show()
        self._details = details
        self._show_open()

    def _close(self) -> None:
        if self._details:
            details, self._details = self._details, None
            conceal(details, self._theme, details.deleteLater)
        self._show_open()

    def _show_open(self) -> None:
        words = self.tr("Hide details") if self._details else self.tr("Details")
        name = self.tr("{what}: {name}").format(what=words, name=one_line(self._own_name))
        set_button_text(self._open, words, name)

    def _focusable_parts(self) -> Iterator[QWidget]:
        """Yield the parts that can have the focus."""
        for child in self.findChildren(QWidget):
            if child.focusPolicy() & Qt.FocusPolicy.TabFocus and child.isVisibleTo(self):
                yield child

    def _on_open_clicked(self) -> None:
        if self._details:
            self._close()
        else:
            self._open_up()
            scroll_into_view(self)

    def _on_switch_switched(self, is_wanted: bool) -> None:
        if not is_wanted:
            self.switched_off.emit(self._own_name)
        elif not self._details:
            # The details have to be read before it is switched on. They do not get the focus, or
            # the next key might press the button there.
            self._on_open_clicked()


def tool_part(theme: Theme, name: str, problem: str, description: str, *ends: QWidget) -> QWidget:
    """Make the part; `problem` says why the tool is not offered, `ends` stand beside its name."""
    shown = one_line(name)
    part = QWidget()
    head = QWidget()
    row = FlowLayout(head, spacing_px=6)
    row.setContentsMargins(0, 0, 0, 0)
    row.add(plain_label(shown, theme, weight=Weight.DemiBold, wraps=True), grows=True)
    row.add(*ends)
    column = stack(part, 2, head)
    if problem:
        words = QCoreApplication.translate("ToolPart", "Not offered. {reason}")
        shown_problem = words.format(reason=one_line(problem))
        column.addWidget(plain_label(shown_problem, theme, size="small", ink="warn", wraps=True))
    if description:
        says = QCoreApplication.translate("ToolPart", "Description of {tool} from its server")
        text = RevealedText(theme, says.format(tool=shown), Setting.PROSE)
        text.show_text(description)
        column.addWidget(text)
    return part
