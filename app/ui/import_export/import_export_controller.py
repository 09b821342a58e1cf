"""`ImportExportController` asks for format and file of an export or import, and starts it.

`ProgressBar` shows how an export or import is going and how it ended. `ArchiveNote` stands in the
composer's place while an imported chat is shown.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QDir, QObject, QPoint, QStandardPaths, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QProgressBar,
    QVBoxLayout,
    QWidget,
)

from app.import_export.chat_export import ExportFormat
from app.ui.commands import CommandGroup, Commands
from app.ui.theme import Theme
from app.ui.widgets.accessible import announce
from app.ui.widgets.buttons import icon_button, push_button
from app.ui.widgets.labels import one_line, plain_label, set_ink
from app.ui.widgets.menus import make_menu, place_of_menu, within
from app.ui.widgets.surfaces import hairline, set_card, set_surface
from app.ui.widgets.system_dialogs import make_file_dialog, open_folder
from app.ui.widgets.toast import Toast
from app.viewmodels.import_export import WorkView
from app.viewmodels.window import WindowViewModels


class ArchiveNote(QWidget):
    """Says where the chat came from, offers to continue it, and leads back to the project's chats.

    Made by the chat's page.
    """

    continue_requested = Signal()
    """The chat should go on as one of the project."""
    left = Signal()
    """The chats of the project should be shown again."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        card = QFrame()
        set_card(card, "plain")
        self._words = plain_label("", theme, size="secondary", ink="ink-2", wraps=True)
        back = push_button(self.tr("Back to your chats"), "secondary", theme)
        back.clicked.connect(self.left)
        self._continue = push_button(self.tr("Continue"), "secondary", theme)
        self._continue.clicked.connect(self.continue_requested)
        row = QHBoxLayout(card)
        row.setContentsMargins(16, 10, 10, 10)
        row.setSpacing(12)
        row.addWidget(self._words, 1)
        row.addWidget(self._continue)
        row.addWidget(back)
        outside = QVBoxLayout(self)
        outside.setContentsMargins(0, 0, 0, 0)
        outside.addWidget(card)

    def show_words(self, words: str, *, can_continue: bool) -> None:
        """Show these words, and whether the chat can be continued."""
        self._words.setText(words)
        self.setAccessibleName(words)
        self._continue.setVisible(can_continue)

    def show_refusal(self, words: str) -> None:
        """Say why the chat was not continued."""
        self._words.setText(words)
        self.setAccessibleName(words)
        announce(self, words)


_HEADER_PX: Final = 52


class ImportExportController(QObject):
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
        self._importing = models.app.importing
        self._archive = models.archive
        self._chosen_ids: tuple[str, ...] = ()
        self._at = QPoint()
        self._kind = ExportFormat.JSON
        self._menu = make_menu(window, self.tr("Export as"), theme)
        for kind, words in (
            (ExportFormat.MARKDOWN, self.tr("Markdown…")),
            (ExportFormat.HTML, self.tr("Web page…")),
            (ExportFormat.PDF, self.tr("PDF…")),
            (ExportFormat.JSON, self.tr("JSON…")),
        ):
            self._menu.addAction(self._format_action(kind, words))
        self._menu.addSeparator()
        self._thoughts = QAction(self.tr("Include the models’ thinking"), self, checkable=True)
        self._thoughts.triggered.connect(self._on_thoughts_triggered)
        self._menu.addAction(self._thoughts)

    def add_to(self, commands: Commands) -> None:
        """Add the commands of import and export to those of the window."""
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
        """Ask for a format for the open chat, below the line with its title."""
        if self._chat.conversation_id:
            below = QPoint(self._window.width() // 2, _HEADER_PX)
            self.export((self._chat.conversation_id,), self._window.mapToGlobal(below))

    def export_at(self, at: QPoint) -> None:
        """Ask for a format for the open chat; `at` is below the button that was pressed."""
        if self._chat.conversation_id:
            self.export((self._chat.conversation_id,), at)

    def export_here(self, conversation_ids: Sequence[str]) -> None:
        """Ask for a format for these chats, at the pointer, or where the keyboard is."""
        self.export(conversation_ids, place_of_menu())

    def export(self, conversation_ids: Sequence[str], at: QPoint) -> None:
        """Ask for a format for these chats; `at` is where on the screen."""
        if conversation_ids:
            self._chosen_ids = tuple(conversation_ids)
            self._thoughts.setChecked(False)
            self._at = within(self._window, self._menu, at)
            self._menu.popup(self._at)

    def export_all(self) -> None:
        """Ask for the file that all chats are exported to."""
        self._chosen_ids, self._kind = (), ExportFormat.JSON
        self._thoughts.setChecked(False)
        self._ask_file(self.tr("Export all chats"), self._exporting.several_name(self._kind))

    def choose_import(self) -> None:
        """Ask which files should be imported."""
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

    def _on_thoughts_triggered(self) -> None:
        # The click closed the menu, from which a format is still to be chosen.
        self._menu.popup(self._at)

    def _on_format_triggered(self) -> None:
        action = self.sender()
        kind = action.data() if isinstance(action, QAction) else None
        if isinstance(kind, ExportFormat):
            self._ask_where(kind)

    def _ask_where(self, kind: ExportFormat) -> None:
        self._kind = kind
        if len(self._chosen_ids) == 1:
            name = self._exporting.file_name(self._title_of(self._chosen_ids[0]), kind)
            self._ask_file(self.tr("Export chat"), name)
        elif kind.holds_several:
            self._ask_file(self.tr("Export chats"), self._exporting.several_name(kind))
        else:
            self._ask_folder(self.tr("Choose a folder for the export"))

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
        self._exporting.include_thoughts(is_wanted=self._thoughts.isChecked())
        if self._chosen_ids:
            self._exporting.export(self._chosen_ids, self._kind, Path(file))
        else:
            self._exporting.export_all(self._kind, Path(file))

    def _on_folder_dialog_file_selected(self, folder: str) -> None:
        self._exporting.include_thoughts(is_wanted=self._thoughts.isChecked())
        self._exporting.export_into(self._chosen_ids, self._kind, Path(folder))

    def _on_import_dialog_files_selected(self, files: list[str]) -> None:
        self._importing.import_files([Path(file) for file in files])


def _documents() -> str:
    place = QStandardPaths.StandardLocation.DocumentsLocation
    return QStandardPaths.writableLocation(place) or QDir.homePath()


_BAR_WIDTH_PX: Final = 160
_STEPS: Final = 1000


class ProgressBar(QWidget):
    """Shows the `WorkView` of what runs or failed, or nothing and takes no room then.

    What went well is told by a toast over `page`, above its `foots`. Made by the window's contents.
    """

    cancelled = Signal()
    """What runs should end."""
    dismissed = Signal()
    """The person has read the result, and the bar may go."""
    imported_requested = Signal()
    """The imported chats should be shown."""

    def __init__(self, theme: Theme, page: QWidget, foots: Sequence[QWidget] = ()) -> None:
        super().__init__()
        set_surface(self, "panel")
        self._path = ""
        self._toast = Toast(theme, page, foots)
        self._words = plain_label("", theme, size="secondary", wraps=True)
        self._share = QProgressBar()
        self._share.setRange(0, _STEPS)
        self._share.setTextVisible(False)
        self._share.setFixedSize(_BAR_WIDTH_PX, 4)
        self._share.setAccessibleName(self.tr("Progress"))
        self._cancel = push_button(self.tr("Cancel"), "secondary", theme)
        self._close = icon_button("x", self.tr("Close"), theme)
        outside = QVBoxLayout(self)
        outside.setContentsMargins(0, 0, 0, 0)
        outside.setSpacing(0)
        outside.addWidget(hairline())
        row = QHBoxLayout()
        row.setContentsMargins(16, 6, 12, 6)
        row.setSpacing(12)
        outside.addLayout(row)
        row.addWidget(self._words, 1)
        row.addWidget(self._share, 0, Qt.AlignmentFlag.AlignVCenter)
        for button in (self._cancel, self._close):
            row.addWidget(button)
        self._cancel.clicked.connect(self.cancelled)
        self._close.clicked.connect(self.dismissed)
        self.hide()

    def show_work(self, view: WorkView | None) -> None:
        """Show how the work is going; None hides the bar."""
        is_good = view is not None and not view.is_running and not view.is_bad
        self.setVisible(view is not None and not is_good)
        if view is None:
            self._toast.dismiss()
        elif is_good:
            self._path = view.path
            if view.has_imported:
                self._toast.show_words(view.words, self.tr("Show"), self.imported_requested.emit)
            else:
                action = self.tr("Show in folder") if view.path else ""
                self._toast.show_words(view.words, action, self._open_folder)
        else:
            self._show_bar(view)

    def _show_bar(self, view: WorkView) -> None:
        self._toast.dismiss()
        if view.is_bad:
            announce(self, view.words)
        self._words.setText(one_line(view.words))
        set_ink(self._words, "bad" if view.is_bad else "ink")
        self.setAccessibleName(self._words.text())
        self._share.setValue(int(view.share * _STEPS))
        self._share.setVisible(view.is_running)
        self._cancel.setVisible(view.is_running)
        self._close.setVisible(not view.is_running)

    def _open_folder(self) -> None:
        open_folder(Path(self._path).parent)
