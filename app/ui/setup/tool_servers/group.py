"""The tool servers in the settings: their cards, and adding one."""

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QWidget

from app.ui.parts.buttons import push_button
from app.ui.parts.fields import Field
from app.ui.parts.flow import Flow
from app.ui.parts.stacking import stack
from app.ui.setup.card_column import CardColumn
from app.ui.setup.into_view import bring_into_view
from app.ui.setup.outcome import Outcome
from app.ui.setup.section import SettingsGroup
from app.ui.setup.segments import Segments
from app.ui.setup.tool_servers.card import ServerCard
from app.ui.setup.tool_servers.found import FoundServers
from app.ui.theme import Theme
from app.viewmodels.tools.tool_server_states import ServerRow, ServersView
from app.viewmodels.tools.tool_servers import ToolServersViewModel

_PROGRAM, _ADDRESS = "program", "address"


class ToolServersGroup(SettingsGroup):
    """Everything about tool servers. Made by the section about tools and permissions."""

    def __init__(self, theme: Theme, servers: ToolServersViewModel) -> None:
        title = QCoreApplication.translate("ToolServersGroup", "Tool servers (MCP)")
        words = QCoreApplication.translate(
            "ToolServersGroup",
            "Programs and addresses that offer tools. Nothing starts before you switch it on.",
        )
        super().__init__(theme, title, words)
        self._servers = servers
        self._cards = CardColumn[ServerRow, ServerCard](theme, self._card, ServerCard.show_row)
        self._add = push_button(self.tr("Add a server"), "secondary", theme, icon="plus")
        self._import = push_button(self.tr("Import from another program"), "quiet", theme)
        self._found = FoundServers(theme)
        self._form = QWidget()
        self._kind = Segments(
            theme,
            {
                _PROGRAM: (self.tr("A program"), self.tr("A program on this computer")),
                _ADDRESS: (self.tr("An address"), self.tr("A server at an address")),
            },
        )
        self._name = Field(theme, self.tr("Name of the server"))
        self._command = Field(
            theme,
            self.tr("Command"),
            placeholder="mcp-server-time --local-timezone Europe/Berlin",
            hint=self.tr("The program and what it is given, as you would type it in a terminal."),
        )
        self._variables = Field(
            theme,
            self.tr("Variables (optional)"),
            hint=self.tr("NAME=value, with blanks between. Keys go into the keyring."),
            hides=True,
        )
        self._url = Field(
            theme, self.tr("Address of the server"), placeholder="https://tools.example.com/mcp"
        )
        self._header = Field(
            theme,
            self.tr("Header (optional)"),
            hint=self.tr("Authorization: Bearer … It goes into the keyring."),
            hides=True,
        )
        self._keep = push_button(
            self.tr("Keep"), "secondary", theme, name=self.tr("Keep the server")
        )
        self._outcome = Outcome(theme)
        self._kind_value = _PROGRAM
        self._lay_out()
        self._connect()
        self._on_kind_chosen(_PROGRAM)
        self._show(servers.view)

    def _lay_out(self) -> None:
        row = Flow()
        row.add(self._add, self._import)
        self.column.addWidget(self._cards)
        self.column.addLayout(row)
        self._lay_out_form()
        for part in (self._form, self._found, self._outcome):
            self.column.addWidget(part)

    def _lay_out_form(self) -> None:
        fields = (self._name, self._command, self._variables, self._url, self._header)
        column = stack(self._form, 8, self._kind, *fields)
        column.addWidget(self._keep, 0, Qt.AlignmentFlag.AlignLeft)
        self._form.hide()

    def _connect(self) -> None:
        self._add.clicked.connect(self._on_add_clicked)
        self._import.clicked.connect(self._on_import_clicked)
        self._found.taken.connect(self._servers.take_over)
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
            bring_into_view(self._form)
        else:
            self._close_form()

    def _on_import_clicked(self) -> None:
        self._servers.look_for_others()
        if self._found.isVisible():
            bring_into_view(self._found)

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
