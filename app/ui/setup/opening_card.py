"""A card of the settings that opens: a line with a switch, and below it all there is to know."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QPushButton, QVBoxLayout, QWidget

from app.ui.parts.buttons import push_button, set_button_text
from app.ui.parts.colour_mark import StatusDot
from app.ui.parts.flow import line_of
from app.ui.parts.fonts import Weight
from app.ui.parts.labels import one_line, plain_label
from app.ui.parts.surfaces import set_card
from app.ui.parts.tokens import Token
from app.ui.setup.into_view import bring_into_view
from app.ui.setup.segments import Segments
from app.ui.theme import Theme
from app.viewmodels.states import Dot

_ON, _OFF = "on", "off"
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
    """Shows one thing that can be switched on; it is always the same one.

    On opens the card first: what would run is seen before it does. Subclasses say what it opens
    to, and what of that switches on. Made by a group of the settings.
    """

    switched_off = Signal(str)
    """It should run no longer; argument: its name."""

    def __init__(
        self, theme: Theme, name: str, switch: tuple[str, str], *ends: QPushButton
    ) -> None:
        """Take what never changes.

        Args:
            theme: The look.
            name: What it is told apart by.
            switch: The full names of On and of Off.
            ends: Further buttons of its line.
        """
        super().__init__()
        self._theme = theme
        self._own_name = name
        self._line = CardLine("", "", "", None, is_on=False, warns=False)
        self._mark = StatusDot(theme)
        self._name = plain_label("", theme, weight=Weight.DemiBold, elides=True)
        self._words = plain_label("", theme, size="small", ink="ink-2", wraps=True)
        self._problem = plain_label("", theme, size="small", ink="bad", wraps=True)
        self._open = push_button("", "quiet", theme)
        on, off = switch
        self._switch = Segments(theme, {_ON: (self.tr("On"), on), _OFF: (self.tr("Off"), off)})
        self._details: Details | None = None
        self._column = QVBoxLayout(self)
        labels = (self._name, self._words, self._problem)
        self._column.setContentsMargins(14, 9, 14, 9)
        self._column.addWidget(line_of(self._mark, labels, *ends, self._open, self._switch))
        self._open.clicked.connect(self._on_open_clicked)
        self._switch.chosen.connect(self._on_switch_chosen)
        self._show_open()

    def _made_details(self) -> Details:
        """All there is to know of what it stands for, as it is now."""
        raise NotImplementedError

    def _show_line(self, line: CardLine, *, can_switch: bool = True) -> None:
        self._line = line
        set_card(self, "warn" if line.warns else "plain")
        self._mark.show_ink(_INKS[line.dot])
        self._name.setText(one_line(line.title))
        self._words.setText(one_line(line.words))
        self._problem.setText(one_line(line.problem))
        self._problem.setVisible(bool(line.problem))
        self._switch.show_value(_ON if line.is_on else _OFF)
        self._switch.setVisible(can_switch)

    @contextmanager
    def _keyboard_kept(self) -> Iterator[None]:
        """Within, the card changes; the keyboard is not lost with the part that it was on."""
        before: QWidget | None = self.window().focusWidget()
        yield
        if before is None or not self.isAncestorOf(before) or before.isVisibleTo(self):
            return
        name = before.accessibleName()
        if same := next((part for part in self._stops() if part.accessibleName() == name), None):
            same.setFocus(Qt.FocusReason.OtherFocusReason)
        elif self._switch.isHidden():
            self._open.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self._switch.take_focus()

    def _renew_details(self) -> None:
        """What is known has changed: it is to be read anew, where it is open."""
        if self._details:
            self._close()
            self._open_up()

    def _open_up(self) -> None:
        details = self._made_details()
        self._column.addWidget(details)
        self._theme.fit(details)
        details.show()
        self._details = details
        self._show_open()

    def _close(self) -> None:
        if self._details:
            self._details.hide()
            self._column.removeWidget(self._details)
            self._details.deleteLater()
            self._details = None
        self._show_open()

    def _show_open(self) -> None:
        words = self.tr("Less") if self._details else self.tr("Details")
        name = self.tr("{what}: {name}").format(what=words, name=one_line(self._own_name))
        set_button_text(self._open, words, name)

    def _stops(self) -> Iterator[QWidget]:
        """Where the keyboard can be."""
        for child in self.findChildren(QWidget):
            if child.focusPolicy() & Qt.FocusPolicy.TabFocus and child.isVisibleTo(self):
                yield child

    def _on_open_clicked(self) -> None:
        if self._details:
            self._close()
        else:
            self._open_up()
            bring_into_view(self)

    def _on_switch_chosen(self, value: str) -> None:
        if value == _OFF:
            if self._line.is_on:
                self.switched_off.emit(self._own_name)
        elif not self._line.is_on:
            self._switch.show_value(_OFF)
            if not self._details:
                self._on_open_clicked()
            # Here it is seen that it is off, and Tab leads into what has opened. Nothing in there
            # is given the keyboard: the next key might switch on what was not read yet.
            self._switch.take_focus()
