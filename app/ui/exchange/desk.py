"""Where people ask for exports and imports: the menu of formats, and the choice of a file."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QDir, QObject, QPoint, QStandardPaths
from PySide6.QtGui import QAction, QCursor
from PySide6.QtWidgets import QFileDialog, QWidget

from app.exchange.exporting import ExportFormat
from app.ui.commands import CommandGroup, Commands
from app.ui.parts.file_dialog import make_file_dialog
from app.ui.parts.menus import make_menu
from app.ui.theme import Theme
from app.viewmodels.window import WindowViewModels

_HEADER_PX: Final = 52


class ExchangeDesk(QObject):
    """Asks what to write where, and what to read. Made by a part of a window; ends with it."""

    def __init__(
        self,
        window: QWidget,
        theme: Theme,
        models: WindowViewModels,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._chat = models.chat
        self._conversations = models.conversations
        self._exporting = models.exporting
        self._importing = models.importing
        self._archive = models.archive
        self._wanted: tuple[str, ...] = ()
        self._kind = ExportFormat.JSON
        self._menu = make_menu(window, self.tr("Export as"), theme)
        for kind, words in (
            (ExportFormat.MARKDOWN, self.tr("Markdown…")),
            (ExportFormat.HTML, self.tr("Web page…")),
            (ExportFormat.PDF, self.tr("PDF…")),
            (ExportFormat.JSON, self.tr("JSON…")),
        ):
            self._menu.addAction(self._format_action(kind, words))

    def add_to(self, commands: Commands) -> None:
        """Adds what can be asked here to the commands of the window."""
        group = CommandGroup.CHAT
        self._export_open = commands.add(
            "export-chat",
            self.tr("Export chat…"),
            self.export_open,
            group=group,
            keys="Ctrl+Shift+S",
            icon="download",
        )
        self._on_chat_opened(self._chat.conversation_id)
        self._chat.opened.connect(self._on_chat_opened)
        commands.add(
            "export-all-chats",
            self.tr("Export all chats…"),
            self.export_all,
            group=group,
            icon="download",
        )
        commands.add(
            "import-chats",
            self.tr("Import chats…"),
            self.choose_import,
            group=group,
            icon="upload",
        )
        commands.add(
            "imported-chats",
            self.tr("Imported chats"),
            self._archive.toggle,
            group=group,
            icon="archive",
        )

    def export_open(self) -> None:
        """Asks for a format for the open chat, below the line with its title."""
        if self._chat.conversation_id:
            below = QPoint(self._window.width() // 2, _HEADER_PX)
            self.export((self._chat.conversation_id,), self._window.mapToGlobal(below))

    def export_here(self, conversation_ids: Sequence[str]) -> None:
        """Asks for a format for these chats, at the pointer."""
        self.export(conversation_ids, QCursor.pos())

    def export(self, conversation_ids: Sequence[str], at: QPoint) -> None:
        """Asks for a format for these chats; `at` is where on the screen."""
        if conversation_ids:
            self._wanted = tuple(conversation_ids)
            self._menu.popup(at)

    def export_all(self) -> None:
        """Asks where everything should be written."""
        self._wanted, self._kind = (), ExportFormat.JSON
        self._ask_file(self.tr("Export all chats"), self._exporting.several_name(self._kind))

    def choose_import(self) -> None:
        """Asks which files should be imported."""
        dialog = make_file_dialog(self._window, self.tr("Import chats"), _documents())
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.setNameFilter(self.tr("Exported chats ({patterns})").format(patterns="*.json *.zip"))
        dialog.filesSelected.connect(self._on_import_dialog_files_selected)
        dialog.open()

    def _format_action(self, kind: ExportFormat, words: str) -> QAction:
        action = QAction(words, self)
        action.setData(kind)
        action.triggered.connect(self._on_format_triggered)
        return action

    def _on_chat_opened(self, conversation_id: str) -> None:
        self._export_open.setEnabled(bool(conversation_id))

    def _on_format_triggered(self) -> None:
        action = self.sender()
        kind = action.data() if isinstance(action, QAction) else None
        if isinstance(kind, ExportFormat):
            self._ask_where(kind)

    def _ask_where(self, kind: ExportFormat) -> None:
        self._kind = kind
        if len(self._wanted) == 1:
            name = self._exporting.file_name(self._title_of(self._wanted[0]), kind)
            self._ask_file(self.tr("Export chat"), name)
        elif kind.holds_several:
            self._ask_file(self.tr("Export chats"), self._exporting.several_name(kind))
        else:
            self._ask_folder(self.tr("Where should a folder with the chats be made?"))

    def _ask_file(self, title: str, name: str) -> None:
        dialog = make_file_dialog(self._window, title, _documents())
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(self._kind.value)
        dialog.selectFile(name)
        dialog.fileSelected.connect(self._on_save_dialog_file_selected)
        dialog.open()

    def _ask_folder(self, title: str) -> None:
        dialog = make_file_dialog(self._window, title, _documents())
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(self._on_folder_dialog_file_selected)
        dialog.open()

    def _title_of(self, conversation_id: str) -> str:
        if conversation_id == self._chat.conversation_id:
            return self._chat.state.title
        titles = {row.conversation_id: row.title for row in self._conversations.rows}
        return titles.get(conversation_id, "")

    def _on_save_dialog_file_selected(self, file: str) -> None:
        if self._wanted:
            self._exporting.export(self._wanted, self._kind, Path(file))
        else:
            self._exporting.export_all(self._kind, Path(file))

    def _on_folder_dialog_file_selected(self, folder: str) -> None:
        self._exporting.export_into(self._wanted, self._kind, Path(folder))

    def _on_import_dialog_files_selected(self, files: list[str]) -> None:
        self._importing.import_files([Path(file) for file in files])


def _documents() -> str:
    place = QStandardPaths.StandardLocation.DocumentsLocation
    return QStandardPaths.writableLocation(place) or QDir.homePath()
