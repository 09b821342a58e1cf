"""One tool server in the settings: a line, and all about it when it is opened."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton

from app.ui.parts.buttons import Kind, push_button
from app.ui.parts.labels import one_line
from app.ui.setup.opening_card import CardLine, OpeningCard
from app.ui.setup.tool_servers.details import ServerDetails
from app.ui.theme import Theme
from app.viewmodels.tools.tool_server_states import ServerRow


class ServerCard(OpeningCard[ServerDetails]):
    """Shows a server: what is started, and what it offers. Made by the part about servers."""

    switched_on = Signal(str, str, bool, bool)
    """Start it; arguments: the server's name, its folder, may it write, may it connect."""
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
        name = one_line(row.name)
        on = self.tr("Switch {server} on").format(server=name)
        off = self.tr("Switch {server} off").format(server=name)
        self._again = _button(theme, self.tr("Start again"), "secondary", name)
        self._sign_in = _button(theme, self.tr("Sign in…"), "primary", name)
        self._give_up = _button(theme, self.tr("Cancel"), "secondary", name)
        super().__init__(theme, row.name, (on, off), self._again, self._sign_in, self._give_up)
        self._row = row
        self._again.clicked.connect(self._on_again_clicked)
        self._sign_in.clicked.connect(self._on_sign_in_clicked)
        self._give_up.clicked.connect(self._on_give_up_clicked)
        self.show_row(row)

    def show_row(self, row: ServerRow) -> None:
        """Shows how it stands now."""
        before, self._row = self._row, row
        warns = bool(row.changes)
        line = CardLine(row.name, row.words, row.problem, row.dot, is_on=row.is_on, warns=warns)
        with self._keyboard_kept():
            self._show_line(line)
            self._again.setVisible(row.can_start_again)
            self._sign_in.setVisible(row.sign_in.kind == "wanted")
            self._give_up.setVisible(row.sign_in.kind == "waiting")
            if _what(before) != _what(row):
                # It is another server under the same name, and that has to be read anew.
                self._renew_details()
            elif self._details:
                self._details.show_row(row)

    def _made_details(self) -> ServerDetails:
        details = ServerDetails(self._theme, self._row)
        details.bounds.start_requested.connect(self._on_start_requested)
        details.tool_switched.connect(self._on_tool_switched)
        details.changes_seen.connect(self._on_changes_seen)
        details.removed.connect(self._on_removed)
        details.signed_out.connect(self._on_signed_out)
        return details

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
