"""One tool server in the settings: a line, and all about it when it is opened."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QPushButton, QVBoxLayout

from app.ui.parts.buttons import Kind, push_button, set_button_text
from app.ui.parts.colour_mark import StatusDot
from app.ui.parts.flow import line_of
from app.ui.parts.fonts import Weight
from app.ui.parts.labels import one_line, plain_label
from app.ui.parts.surfaces import set_card
from app.ui.parts.tokens import Token
from app.ui.setup.into_view import bring_into_view
from app.ui.setup.segments import Segments
from app.ui.setup.tool_servers.details import ServerDetails
from app.ui.theme import Theme
from app.viewmodels.states import Dot
from app.viewmodels.tools.tool_server_states import ServerRow

_ON, _OFF = "on", "off"
_INKS: dict[Dot | None, Token] = {Dot.GOOD: "good", Dot.WARN: "warn", Dot.BAD: "bad", None: "ink-3"}


class ServerCard(QFrame):
    """Shows a server; it is always the same one. Made by the part about servers.

    On opens the card first: what would be started is seen before it is.
    """

    switched_on = Signal(str, str, bool, bool)
    """Start it; arguments: the server's name, its folder, may it write, may it connect."""
    switched_off = Signal(str)
    """End it; argument: the server's name."""
    tool_switched = Signal(str, str, bool)
    """Offer a tool or not; arguments: the server's name, the tool's, and whether."""
    changes_seen = Signal(str)
    """The person has seen what changed; argument: the server's name."""
    removed = Signal(str)
    """Forget it; argument: the server's name."""
    start_again_requested = Signal(str)
    """Start it anew; argument: the server's name."""
    sign_in_requested = Signal(str)
    """Sign in at it; argument: the server's name."""
    given_up = Signal(str)
    """Wait no longer for the sign-in; argument: the server's name."""
    signed_out = Signal(str)
    """Forget the sign-in; argument: the server's name."""

    def __init__(self, theme: Theme, row: ServerRow) -> None:
        super().__init__()
        self._theme = theme
        self._row = row
        name = one_line(row.name)
        self._mark = StatusDot(theme)
        self._name = plain_label(name, theme, weight=Weight.DemiBold, elides=True)
        self._words = plain_label("", theme, size="small", ink="ink-2", wraps=True)
        self._problem = plain_label("", theme, size="small", ink="bad", wraps=True)
        self._again = _button(theme, self.tr("Start again"), "secondary", name)
        self._sign_in = _button(theme, self.tr("Sign in…"), "primary", name)
        self._give_up = _button(theme, self.tr("Cancel"), "secondary", name)
        self._open = push_button("", "quiet", theme)
        self._switch = Segments(
            theme,
            {
                _ON: (self.tr("On"), self.tr("Switch {server} on").format(server=name)),
                _OFF: (self.tr("Off"), self.tr("Switch {server} off").format(server=name)),
            },
        )
        self._details: ServerDetails | None = None
        self._column = QVBoxLayout(self)
        self._lay_out()
        self._open.clicked.connect(self._on_open_clicked)
        self._switch.chosen.connect(self._on_switch_chosen)
        self._again.clicked.connect(self._on_again_clicked)
        self._sign_in.clicked.connect(self._on_sign_in_clicked)
        self._give_up.clicked.connect(self._on_give_up_clicked)
        self.show_row(row)

    def show_row(self, row: ServerRow) -> None:
        """Shows how it stands now."""
        before, self._row = self._row, row
        set_card(self, "warn" if row.changes else "plain")
        self._mark.show_ink(_INKS[row.dot])
        self._words.setText(one_line(row.words))
        self._problem.setText(one_line(row.problem))
        self._problem.setVisible(bool(row.problem))
        self._again.setVisible(row.can_start_again)
        self._sign_in.setVisible(row.sign_in.kind == "wanted")
        self._give_up.setVisible(row.sign_in.kind == "waiting")
        self._switch.show_value(_ON if row.is_on else _OFF)
        self._show_open()
        if self._details and _what(before) != _what(row):
            # It is another server under the same name, and that has to be read anew.
            self._drop_details()
            self._make_details()
        elif self._details:
            self._details.show_row(row)

    def _lay_out(self) -> None:
        labels = (self._name, self._words, self._problem)
        asks = (self._again, self._sign_in, self._give_up)
        line = line_of(self._mark, labels, *asks, self._open, self._switch)
        self._column.setContentsMargins(14, 9, 14, 9)
        self._column.addWidget(line)

    def _show_open(self) -> None:
        words = self.tr("Less") if self._details else self.tr("Details")
        name = self.tr("{what}: {server}").format(what=words, server=one_line(self._row.name))
        set_button_text(self._open, words, name)

    def _on_open_clicked(self) -> None:
        if self._details:
            self._drop_details()
        else:
            self._make_details()
            bring_into_view(self)
        self._show_open()

    def _drop_details(self) -> None:
        if self._details:
            self._details.hide()
            self._column.removeWidget(self._details)
            self._details.deleteLater()
            self._details = None

    def _make_details(self) -> None:
        details = ServerDetails(self._theme, self._row)
        details.bounds.start_requested.connect(self._on_start_requested)
        details.tool_switched.connect(self._on_tool_switched)
        details.changes_seen.connect(self._on_changes_seen)
        details.removed.connect(self._on_removed)
        details.signed_out.connect(self._on_signed_out)
        self._column.addWidget(details)
        self._theme.fit(details)
        details.show()
        self._details = details

    def _on_switch_chosen(self, value: str) -> None:
        if value == _OFF:
            self.switched_off.emit(self._row.name)
        elif not self._row.is_on:
            self._switch.show_value(_OFF)
            if not self._details:
                self._on_open_clicked()

    def _on_start_requested(self, folder: str, may_write: bool, may_connect: bool) -> None:
        self.switched_on.emit(self._row.name, folder, may_write, may_connect)

    def _on_tool_switched(self, tool: str, is_on: bool) -> None:
        self.tool_switched.emit(self._row.name, tool, is_on)

    def _on_changes_seen(self) -> None:
        self.changes_seen.emit(self._row.name)

    def _on_removed(self) -> None:
        self.removed.emit(self._row.name)

    def _on_again_clicked(self) -> None:
        self.start_again_requested.emit(self._row.name)

    def _on_sign_in_clicked(self) -> None:
        self.sign_in_requested.emit(self._row.name)

    def _on_give_up_clicked(self) -> None:
        self.given_up.emit(self._row.name)

    def _on_signed_out(self) -> None:
        self.signed_out.emit(self._row.name)


def _what(row: ServerRow) -> tuple[object, ...]:
    """What of a server the person has to see before it is switched on."""
    return row.is_program, row.start_text, row.given, row.hint, row.limits


def _button(theme: Theme, words: str, kind: Kind, server: str) -> QPushButton:
    return push_button(words, kind, theme, name=f"{words} {server}")
