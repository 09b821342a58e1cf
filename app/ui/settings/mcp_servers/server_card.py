"""`ServerCard` shows one MCP server in the settings: a line, and its details when opened.

`ServerDetails` shows its command, tools, changes and output. `ServerAccessForm` in it sets what the
server may access.
"""

from PySide6.QtCore import QDir, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QLabel, QPushButton, QVBoxLayout, QWidget

from app.ui.approval.revealed_text import RevealedText
from app.ui.settings.card_column import CardLine, OpeningCard, tool_part
from app.ui.theme import Theme
from app.ui.widgets.buttons import Kind, push_button, set_button_text
from app.ui.widgets.flow_layout import FlowLayout
from app.ui.widgets.fonts import Weight
from app.ui.widgets.labels import one_line, plain_label
from app.ui.widgets.surfaces import stack
from app.ui.widgets.system_dialogs import make_file_dialog
from app.ui.widgets.toggles import Switch
from app.viewmodels.mcp_servers.server_texts import ServerChangeRow, ServerRow, ServerToolRow


class ServerAccessForm(QWidget):
    """Shows and changes what one server may access. Made by its card.

    Choices take effect with `start_requested`, which carries them.
    """

    start_requested = Signal(str, bool, bool)
    """Start the server; arguments: its folder or "", whether it may write, and connect."""

    def __init__(self, theme: Theme, row: ServerRow) -> None:
        super().__init__()
        self._theme = theme
        self._row = row
        self._folder = row.folder
        self._place = plain_label("", theme, size="small", ink="ink-2", wraps=True)
        name = one_line(row.name)
        self._choose = push_button(
            self.tr("Choose…"),
            "secondary",
            theme,
            name=self.tr("Choose a folder for {server}").format(server=name),
        )
        self._none = push_button(
            self.tr("None"),
            "quiet",
            theme,
            name=self.tr("No folder for {server}").format(server=name),
        )
        self._writes = Switch(theme, self.tr("Change files in the folder"))
        self._connects = Switch(theme, self.tr("Use the network"))
        self._start = push_button("", "primary", theme)
        self._lay_out()
        self._choose.clicked.connect(self._on_choose_clicked)
        self._none.clicked.connect(self._on_none_clicked)
        self._start.clicked.connect(self._on_start_clicked)
        self._writes.switched.connect(self._on_writes_switched)
        self._connects.switched.connect(self._on_connects_switched)
        self._apply(row)

    def show_row(self, row: ServerRow) -> None:
        """Show the current access; choices that were not started yet stay."""
        before, self._row = self._row, row
        if _bounds(before) != _bounds(row):
            self._apply(row)
        self._show()

    def _apply(self, row: ServerRow) -> None:
        self._folder = row.folder
        self._chosen_writes, self._chosen_connects = row.may_write, row.may_connect
        self._show()

    def _lay_out(self) -> None:
        choices = QWidget(self)
        folder = self._line(self.tr("Folder it can read"), self._choose, self._none)
        writes = self._line(self.tr("Can change files there"), self._writes)
        connects = self._line(self.tr("Can use the network"), self._connects)
        stack(choices, 6, folder, self._place, writes, connects)
        # A server elsewhere has no bounds here.
        choices.setVisible(self._row.is_program)
        stack(self, 6, choices).addWidget(self._start, 0, Qt.AlignmentFlag.AlignLeft)

    def _line(self, words: str, *controls: QWidget) -> QWidget:
        line = QWidget()
        row = FlowLayout(line, spacing_px=6)
        row.setContentsMargins(0, 0, 0, 0)
        label: QLabel = plain_label(words, self._theme, size="secondary", wraps=True)
        row.add(label, grows=True)
        row.add(*controls)
        return line

    def _on_writes_switched(self, may: bool) -> None:
        self._chosen_writes = may
        self._show()

    def _on_connects_switched(self, may: bool) -> None:
        self._chosen_connects = may
        self._show()

    def _show(self) -> None:
        shown = one_line(self._folder) if self._folder else self.tr("None of your files")
        self._place.setText(shown)
        self._none.setVisible(bool(self._folder))
        self._writes.show_on(self._chosen_writes)
        self._connects.show_on(self._chosen_connects)
        row = self._row
        is_other = (self._folder, self._chosen_writes, self._chosen_connects) != _bounds(row)
        words = self.tr("Apply and restart") if row.is_on else self.tr("Turn on")
        name = self.tr("{what}: {server}").format(what=words, server=one_line(row.name))
        set_button_text(self._start, words, name)
        self._start.setVisible(not row.is_on or is_other)

    def _on_choose_clicked(self) -> None:
        folder = self._folder or QDir.homePath()
        dialog = make_file_dialog(self, self.tr("Folder the server can read"), folder)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(self._on_dialog_file_selected)
        dialog.open()

    def _on_dialog_file_selected(self, path: str) -> None:
        self._folder = path
        self._show()

    def _on_none_clicked(self) -> None:
        self._folder = ""
        self._show()

    def _on_start_clicked(self) -> None:
        self.start_requested.emit(self._folder, self._chosen_writes, self._chosen_connects)


def _bounds(row: ServerRow) -> tuple[str, bool, bool]:
    return row.folder, row.may_write, row.may_connect


class ServerDetails(QWidget):
    """Shows a server in full; nothing is cut and nothing hidden. Made by its card when opened."""

    tool_switched = Signal(str, bool)
    """A tool is to be offered or not; arguments: its name, and whether."""
    changes_seen = Signal()
    """The person has seen what changed."""
    removed = Signal()
    """The server is to be forgotten."""
    signed_out = Signal()
    """What the sign-in gave is to be forgotten."""

    def __init__(self, theme: Theme, row: ServerRow) -> None:
        super().__init__()
        self._theme = theme
        self.bounds = ServerAccessForm(theme, row)
        self._made_of: tuple[object, ...] | None = None
        self._lists = QWidget()
        self._log = RevealedText(theme, self.tr("Last output of the server"))
        self._log_title = self._heading(self.tr("Last output"))
        self._sign_out = push_button(
            self.tr("Sign out"),
            "quiet",
            theme,
            name=self.tr("Sign out of {server}").format(server=one_line(row.name)),
        )
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 6, 0, 0)
        self._column.setSpacing(8)
        self._lay_out(row)
        self.show_row(row)

    def show_row(self, row: ServerRow) -> None:
        """Show how it stands now."""
        self.bounds.show_row(row)
        if (row.tools, row.changes) != self._made_of:
            self._made_of = (row.tools, row.changes)
            self._make_lists(row)
        self._log.show_text("\n".join(row.log))
        for widget in (self._log, self._log_title):
            widget.setVisible(bool(row.log))
        self._sign_out.setVisible(row.sign_in.kind == "done")

    def _lay_out(self, row: ServerRow) -> None:
        is_program = row.is_program
        title = self.tr("Runs this command") if is_program else self.tr("Connects to")
        self._column.addWidget(self._heading(title))
        exact = RevealedText(self._theme, title)
        exact.show_text(row.start_text)
        self._column.addWidget(exact)
        if row.hint:
            hint = one_line(row.hint)
            self._column.addWidget(
                plain_label(hint, self._theme, size="small", ink="warn", wraps=True)
            )
        if row.given:
            names = ", ".join(map(one_line, row.given))
            words = self.tr("Receives: {names}").format(names=names)
            self._column.addWidget(self._small(words))
        self._column.addWidget(self.bounds)
        if row.limits:
            self._column.addWidget(self._small(row.limits))
        self._column.addWidget(self._lists)
        self._column.addWidget(self._log_title)
        self._column.addWidget(self._log)
        remove = push_button(
            self.tr("Remove"),
            "quiet",
            self._theme,
            name=self.tr("Remove {server}").format(server=one_line(row.name)),
        )
        remove.clicked.connect(self.removed)
        self._sign_out.clicked.connect(self.signed_out)
        self._column.addWidget(self._sign_out, 0, Qt.AlignmentFlag.AlignLeft)
        self._column.addWidget(remove, 0, Qt.AlignmentFlag.AlignLeft)

    def _make_lists(self, row: ServerRow) -> None:
        lists = QWidget()
        column = stack(lists, 8)
        if row.changes:
            self._add_changes(column, row.changes)
        if row.tools:
            column.addWidget(self._heading(self.tr("Tools")))
            hint = self.tr(
                "Every call needs your approval. The server provides these descriptions."
            )
            column.addWidget(self._small(hint))
        for tool in row.tools:
            column.addWidget(self._tool(tool))
        self._column.replaceWidget(self._lists, lists)
        self._lists.hide()
        self._lists.deleteLater()
        self._lists = lists
        lists.show()

    def _add_changes(self, column: QVBoxLayout, changes: tuple[ServerChangeRow, ...]) -> None:
        column.addWidget(self._heading(self.tr("What changed")))
        for change in changes:
            column.addWidget(plain_label(one_line(change.words), self._theme, wraps=True))
            text = RevealedText(self._theme, one_line(change.words))
            text.show_text(change.text)
            column.addWidget(text)
        seen = push_button(self.tr("Accept changes"), "secondary", self._theme)
        seen.clicked.connect(self.changes_seen)
        column.addWidget(seen, 0, Qt.AlignmentFlag.AlignLeft)

    def _tool(self, tool: ServerToolRow) -> QWidget:
        ends: tuple[QWidget, ...] = ()
        if not tool.problem:
            switch = self._tool_switch(tool, one_line(tool.name))
            ends = (self._small(tool.effect_words), switch)
        return tool_part(self._theme, tool.name, tool.problem, tool.description, *ends)

    def _tool_switch(self, tool: ServerToolRow, name: str) -> Switch:
        switch = Switch(self._theme, name)
        switch.show_on(tool.is_on)
        switch.switched.connect(lambda is_on: self.tool_switched.emit(tool.name, is_on))
        return switch

    def _heading(self, words: str) -> QWidget:
        return plain_label(words, self._theme, size="secondary", weight=Weight.DemiBold, wraps=True)

    def _small(self, words: str) -> QWidget:
        return plain_label(words, self._theme, size="small", ink="ink-2", wraps=True)


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
        self._restart = _button(theme, self.tr("Restart"), "secondary", name)
        self._sign_in = _button(theme, self.tr("Sign in…"), "primary", name)
        self._cancel = _button(theme, self.tr("Cancel"), "secondary", name)
        super().__init__(theme, row.name, name, self._restart, self._sign_in, self._cancel)
        self._row = row
        self._restart.clicked.connect(self._on_restart_clicked)
        self._sign_in.clicked.connect(self._on_sign_in_clicked)
        self._cancel.clicked.connect(self._on_cancel_clicked)
        self.show_row(row)

    def show_row(self, row: ServerRow) -> None:
        """Show how it stands now."""
        before, self._row = self._row, row
        warns = bool(row.changes)
        line = CardLine(row.name, row.words, row.problem, row.dot, is_on=row.is_on, warns=warns)
        with self._keyboard_kept():
            self._show_line(line)
            self._restart.setVisible(row.can_start_again)
            self._sign_in.setVisible(row.sign_in.kind == "wanted")
            self._cancel.setVisible(row.sign_in.kind == "waiting")
            if _what(before) != _what(row):
                # Another server took the same name: the user has to read its details anew.
                self._renew_details()
            elif self._details:
                self._details.show_row(row)

    def _make_details(self) -> ServerDetails:
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

    def _on_restart_clicked(self) -> None:
        self.start_again_requested.emit(self._row.name)

    def _on_sign_in_clicked(self) -> None:
        self.sign_in_requested.emit(self._row.name)

    def _on_cancel_clicked(self) -> None:
        self.given_up.emit(self._row.name)

    def _on_signed_out(self) -> None:
        self.signed_out.emit(self._row.name)


def _what(row: ServerRow) -> tuple[object, ...]:
    """Return what of a server the person has to see before it is switched on."""
    return row.is_program, row.start_text, row.given, row.hint, row.limits


def _button(theme: Theme, words: str, kind: Kind, server: str) -> QPushButton:
    return push_button(words, kind, theme, name=f"{words} {server}")
