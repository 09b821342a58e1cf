"""`McpServersGroup` shows the MCP servers in the settings and adds new ones.

`FoundServers` offers the servers in the configurations of other programs, to import each.
"""

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from app.ui.approval.revealed_text import RevealedText
from app.ui.settings.card_column import CardColumn
from app.ui.settings.mcp_servers.server_card import ServerCard
from app.ui.settings.section import SettingsGroup, StatusMessage, form_card, scroll_into_view
from app.ui.theme import Theme
from app.ui.widgets.buttons import push_button
from app.ui.widgets.fields import Field
from app.ui.widgets.flow_layout import FlowLayout
from app.ui.widgets.fonts import Weight
from app.ui.widgets.labels import one_line, plain_label
from app.ui.widgets.surfaces import set_card, stack
from app.ui.widgets.toggles import Segments
from app.viewmodels.mcp_servers.server_list import McpServersViewModel
from app.viewmodels.mcp_servers.server_texts import FoundRow, ServerRow, ServersView


class FoundServers(QWidget):
    """Shows exactly what would be imported. Made by `McpServersGroup`."""

    taken = Signal(str, object)
    """Import one; arguments: its key, and a dictionary of the values that it asks for."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._column = stack(self, 8)
        self._shown: tuple[FoundRow, ...] | None = None
        self._list = QWidget()
        self._column.addWidget(self._list)

    def show_rows(self, rows: tuple[FoundRow, ...] | None) -> None:
        """Show what was found; None, before anything was searched, hides the list."""
        self.setVisible(rows is not None)
        # Cards made anew would lose the keys that are being typed in them.
        if rows is None or rows == self._shown:
            return
        self._shown = rows
        made = QWidget()
        column = stack(made, 8)
        if not rows:
            words = self.tr("No tool servers found in other programs")
            column.addWidget(self._small(words))
        for row in rows:
            column.addWidget(self._card(row))
        self._column.replaceWidget(self._list, made)
        self._list.hide()
        self._list.deleteLater()
        self._list = made
        self._theme.fit(made)
        made.show()
        if self.isVisible():
            scroll_into_view(self)

    def _card(self, row: FoundRow) -> QFrame:
        card = QFrame()
        set_card(card, "plain")
        column = QVBoxLayout(card)
        column.setContentsMargins(14, 9, 14, 9)
        column.setSpacing(6)
        name = one_line(row.name)
        column.addWidget(plain_label(name, self._theme, weight=Weight.DemiBold, wraps=True))
        column.addWidget(self._small(self.tr("from {program}").format(program=row.program)))
        if row.start_text:
            exact = RevealedText(self._theme, self.tr("About {server}").format(server=name))
            exact.show_text(row.start_text)
            column.addWidget(exact)
        if row.given:
            names = ", ".join(map(one_line, row.given))
            column.addWidget(self._small(self.tr("Receives: {names}").format(names=names)))
        if row.problem:
            words = one_line(row.problem)
            column.addWidget(plain_label(words, self._theme, size="small", ink="warn", wraps=True))
            return card
        fields = {key: Field(self._theme, one_line(words), hides=True) for key, words in row.asks}
        for field in fields.values():
            column.addWidget(field)
        take = push_button(
            self.tr("Import"),
            "secondary",
            self._theme,
            name=self.tr("Import {server}").format(server=name),
        )
        take.clicked.connect(
            lambda: self.taken.emit(row.key, {key: field.text for key, field in fields.items()})
        )
        column.addWidget(take, 0, Qt.AlignmentFlag.AlignLeft)
        return card

    def _small(self, words: str) -> QWidget:
        return plain_label(words, self._theme, size="small", ink="ink-2", wraps=True)


_PROGRAM, _ADDRESS = "program", "address"


class McpServersGroup(SettingsGroup):
    """Everything about MCP servers. Made by the section about tools and permissions."""

    def __init__(self, theme: Theme, servers: McpServersViewModel) -> None:
        title = QCoreApplication.translate("McpServersGroup", "Tool servers (MCP)")
        words = QCoreApplication.translate(
            "McpServersGroup",
            "Programs and addresses that offer tools. Nothing starts until you turn it on.",
        )
        super().__init__(theme, title, words)
        self._servers = servers
        self._cards = CardColumn[ServerRow, ServerCard](theme, self._card, ServerCard.show_row)
        self._add = push_button(self.tr("Add server"), "secondary", theme, icon="plus")
        self._import = push_button(self.tr("Import from another program"), "quiet", theme)
        self._found = FoundServers(theme)
        self._kind = Segments(
            theme,
            {
                _PROGRAM: (self.tr("A program"), self.tr("Program on this computer")),
                _ADDRESS: (self.tr("An address"), self.tr("Server at an address")),
            },
        )
        self._name = Field(theme, self.tr("Server name"))
        self._command = Field(
            theme,
            self.tr("Command"),
            placeholder="mcp-server-time --local-timezone Europe/Berlin",
            hint=self.tr("The command, as you would type it in a terminal."),
        )
        self._variables = Field(
            theme,
            self.tr("Variables (optional)"),
            hint=self.tr("NAME=value, separated by spaces. Keys are stored in the keyring."),
            hides=True,
        )
        self._url = Field(
            theme, self.tr("Server address"), placeholder="https://tools.example.com/mcp"
        )
        self._header = Field(
            theme,
            self.tr("Header (optional)"),
            hint=self.tr("Such as Authorization: Bearer … Stored in the keyring."),
            hides=True,
        )
        self._keep = push_button(self.tr("Save"), "secondary", theme, name=self.tr("Save server"))
        self._outcome = StatusMessage(theme)
        self._kind_value = _PROGRAM
        self._lay_out()
        self._connect()
        self._on_kind_chosen(_PROGRAM)
        self._show(servers.view)

    def _lay_out(self) -> None:
        row = FlowLayout()
        row.add(self._add, self._import)
        self.column.addWidget(self._cards)
        self.column.addLayout(row)
        fields = (self._name, self._command, self._variables, self._url, self._header)
        self._form = form_card(self._keep, self._kind, *fields)
        self._form.hide()
        for part in (self._form, self._found, self._outcome):
            self.column.addWidget(part)

    def _connect(self) -> None:
        self._add.clicked.connect(self._on_add_clicked)
        self._import.clicked.connect(self._on_import_clicked)
        self._found.taken.connect(self._servers.import_server)
        self._kind.chosen.connect(self._on_kind_chosen)
        for signal in (self._keep.clicked, self._header.submitted, self._variables.submitted):
            signal.connect(self._on_keep_clicked)
        self._servers.changed.connect(self._show)
        self._servers.added.connect(self._on_servers_added)

    def _show(self, view: ServersView) -> None:
        self._cards.show_rows(view.rows)
        self._outcome.show_words("", view.problem)
        self._found.show_rows(view.found)

    def _card(self, row: ServerRow) -> ServerCard:
        card, servers = ServerCard(self._theme, row), self._servers
        card.switched_on.connect(servers.switch_on)
        card.switched_off.connect(servers.switch_off)
        card.tool_switched.connect(servers.offer)
        card.changes_seen.connect(servers.accept_changes)
        card.removed.connect(servers.remove)
        card.start_again_requested.connect(servers.start_again)
        card.sign_in_requested.connect(servers.sign_ins.sign_in)
        card.given_up.connect(servers.sign_ins.give_up)
        card.signed_out.connect(servers.sign_ins.sign_out)
        return card

    def _close_form(self) -> None:
        if self._form.isAncestorOf(self.window().focusWidget()):
            self._add.setFocus(Qt.FocusReason.OtherFocusReason)
        self._form.hide()

    def _on_add_clicked(self) -> None:
        if self._form.isHidden():
            self._form.show()
            self._name.setFocus()
            scroll_into_view(self._form)
        else:
            self._close_form()

    def _on_import_clicked(self) -> None:
        self._servers.find_importable()
        if self._found.isVisible():
            scroll_into_view(self._found)

    def _on_kind_chosen(self, value: str) -> None:
        self._kind_value = value
        self._kind.show_value(value)
        for field in (self._command, self._variables):
            field.setVisible(value == _PROGRAM)
        for field in (self._url, self._header):
            field.setVisible(value == _ADDRESS)

    def _on_keep_clicked(self) -> None:
        if self._kind_value == _PROGRAM:
            texts = (self._name.text, self._command.text, self._variables.text)
            self._servers.add_program(*texts)
        else:
            self._servers.add_address(self._name.text, self._url.text, self._header.text)

    def _on_servers_added(self) -> None:
        for field in (self._name, self._command, self._variables, self._url, self._header):
            field.set_text("")
        self._cards.await_new()
        self._close_form()
