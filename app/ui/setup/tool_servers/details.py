"""All that is known of one server: what is started, what it offers, what changed, what it said."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.ui.approval.revealed_text import RevealedText
from app.ui.parts.buttons import push_button
from app.ui.parts.fonts import Weight
from app.ui.parts.labels import one_line, plain_label
from app.ui.parts.stacking import stack
from app.ui.setup.segments import Segments
from app.ui.setup.tool_part import tool_part
from app.ui.setup.tool_servers.bounds import ServerBoundsForm
from app.ui.theme import Theme
from app.viewmodels.tools.tool_server_states import ServerChangeRow, ServerRow, ServerToolRow

_ON, _OFF = "on", "off"


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
        self.bounds = ServerBoundsForm(theme, row)
        self._made_of: tuple[object, ...] | None = None
        self._lists = QWidget()
        self._log = RevealedText(theme, self.tr("The last that the server said"))
        self._log_title = self._heading(self.tr("The last that it said"))
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
        """Shows how it stands now."""
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
        title = self.tr("Starts exactly this") if is_program else self.tr("Asks this address")
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
            words = self.tr("It is given: {names}").format(names=names)
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
            name=self.tr("Remove the server {server}").format(server=one_line(row.name)),
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
            column.addWidget(self._heading(self.tr("What it offers")))
            hint = self.tr("Every call asks first. The words are the server’s own.")
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
        seen = push_button(self.tr("I have seen this"), "secondary", self._theme)
        seen.clicked.connect(self.changes_seen)
        column.addWidget(seen, 0, Qt.AlignmentFlag.AlignLeft)

    def _tool(self, tool: ServerToolRow) -> QWidget:
        ends: tuple[QWidget, ...] = ()
        if not tool.problem:
            switch = self._tool_switch(tool, one_line(tool.name))
            ends = (self._small(tool.effect_words), switch)
        return tool_part(self._theme, tool.name, tool.problem, tool.description, *ends)

    def _tool_switch(self, tool: ServerToolRow, name: str) -> Segments:
        switch = Segments(
            self._theme,
            {
                _ON: (self.tr("On"), self.tr("Offer {tool}").format(tool=name)),
                _OFF: (self.tr("Off"), self.tr("Do not offer {tool}").format(tool=name)),
            },
        )
        switch.show_value(_ON if tool.is_on else _OFF)
        switch.chosen.connect(lambda value: self.tool_switched.emit(tool.name, value == _ON))
        return switch

    def _heading(self, words: str) -> QWidget:
        return plain_label(words, self._theme, size="secondary", weight=Weight.DemiBold, wraps=True)

    def _small(self, words: str) -> QWidget:
        return plain_label(words, self._theme, size="small", ink="ink-2", wraps=True)
