"""What a server on this computer may reach, chosen before it is switched on."""

from PySide6.QtCore import QDir, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QLabel, QWidget

from app.ui.settings.section import Segments
from app.ui.theme import Theme
from app.ui.widgets.buttons import push_button, set_button_text
from app.ui.widgets.flow_layout import FlowLayout
from app.ui.widgets.labels import one_line, plain_label
from app.ui.widgets.surfaces import stack
from app.ui.widgets.system_dialogs import make_file_dialog
from app.viewmodels.mcp_servers.server_texts import ServerRow

_YES, _NO = "yes", "no"


class ServerAccessForm(QWidget):
    """Shows and changes the bounds of one server. Made by its card.

    Nothing holds before `start_requested`, which says what is chosen then.
    """

    start_requested = Signal(str, bool, bool)
    """Start the server; arguments: its folder or "", whether it may write, whether connect."""

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
            name=self.tr("Choose the folder of {server}").format(server=name),
        )
        self._none = push_button(
            self.tr("None"),
            "quiet",
            theme,
            name=self.tr("No folder for {server}").format(server=name),
        )
        self._writes = self._switch(self.tr("Change files in the folder"))
        self._connects = self._switch(self.tr("Use the network"))
        self._start = push_button("", "primary", theme)
        self._lay_out()
        self._choose.clicked.connect(self._on_choose_clicked)
        self._none.clicked.connect(self._on_none_clicked)
        self._start.clicked.connect(self._on_start_clicked)
        self._writes.chosen.connect(self._on_writes_chosen)
        self._connects.chosen.connect(self._on_connects_chosen)
        self._take(row)

    def show_row(self, row: ServerRow) -> None:
        """Show what holds now; what was chosen and not started yet outlives other news."""
        before, self._row = self._row, row
        if _bounds(before) != _bounds(row):
            self._take(row)
        self._show()

    def _take(self, row: ServerRow) -> None:
        self._folder = row.folder
        self._writes.show_value(_YES if row.may_write else _NO)
        self._connects.show_value(_YES if row.may_connect else _NO)
        self._chosen_writes, self._chosen_connects = row.may_write, row.may_connect
        self._show()

    def _lay_out(self) -> None:
        choices = QWidget(self)
        folder = self._line(self.tr("Folder that it sees"), self._choose, self._none)
        writes = self._line(self.tr("May change files there"), self._writes)
        connects = self._line(self.tr("May use the network"), self._connects)
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

    def _switch(self, name: str) -> Segments:
        return Segments(
            self._theme,
            {
                _NO: (self.tr("No"), self.tr("{what}: no").format(what=name)),
                _YES: (self.tr("Yes"), self.tr("{what}: yes").format(what=name)),
            },
        )

    def _on_writes_chosen(self, value: str) -> None:
        self._chosen_writes = value == _YES
        self._show()

    def _on_connects_chosen(self, value: str) -> None:
        self._chosen_connects = value == _YES
        self._show()

    def _show(self) -> None:
        shown = one_line(self._folder) if self._folder else self.tr("None of your files.")
        self._place.setText(shown)
        self._none.setVisible(bool(self._folder))
        row = self._row
        is_other = (self._folder, self._chosen_writes, self._chosen_connects) != _bounds(row)
        words = self.tr("Start again with this") if row.is_on else self.tr("Switch on")
        name = self.tr("{what}: {server}").format(what=words, server=one_line(row.name))
        set_button_text(self._start, words, name)
        self._start.setVisible(not row.is_on or is_other)

    def _on_choose_clicked(self) -> None:
        folder = self._folder or QDir.homePath()
        dialog = make_file_dialog(self, self.tr("The folder that the server sees"), folder)
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
