"""`PrivacySection` is the settings section about local data: where it lies, export and import."""

from pathlib import Path

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy

from app.paths import Paths
from app.ui.import_export.import_export_controller import ImportExportController
from app.ui.settings.section import SettingsSection
from app.ui.theme import Theme
from app.ui.widgets.buttons import Asked, ConfirmButton, push_button
from app.ui.widgets.labels import one_line, plain_label, set_plain_tooltip
from app.ui.widgets.system_dialogs import open_folder
from app.viewmodels.import_export import WorkView
from app.viewmodels.window import WindowViewModels


class PrivacySection(SettingsSection):
    """Shows where data is stored; exports, imports and deletes chats.

    Made by `SettingsSections`.
    """

    work_done = Signal(object)
    """Something was deleted here; argument: the `WorkView` that says so."""

    def __init__(self, theme: Theme, models: WindowViewModels) -> None:
        title = QCoreApplication.translate("Settings", "Privacy and data")
        super().__init__(theme, title, "eye-off")
        self._controller = ImportExportController(self, theme, models)
        self._archive = models.archive
        self._conversations = models.conversations
        self._connection = models.app.connection
        self._copies = self._ask_copies(theme)
        self._imported = self._ask_imported(theme)
        self._add_places(models.app.paths)
        self._add_exchange()
        self._add_deletion()
        self._conversations.copies_forgotten.connect(self._on_copies_forgotten)

    def _add_places(self, paths: Paths) -> None:
        self.add_group(
            self.tr("Stored on this computer"),
            self.tr(
                "Chats are stored so that they open quickly and can be searched. Tool calls "
                "are recorded so that you can review them. Nobody else on this computer can "
                "read these folders. Keys are stored in the system’s keyring, or in memory "
                "until Parley closes if there is none. Never in a file."
            ),
        )
        for words, path in (
            (self.tr("Chats and tool calls"), paths.data),
            (self.tr("Settings"), paths.config),
            (self.tr("Log"), paths.logs),
        ):
            shown = self._path_label(path)
            button = self._button(self.tr("Open folder"), f"{self.tr('Open folder')}: {words}")
            button.setProperty("folder", str(path))
            button.clicked.connect(self._on_folder_clicked)
            self.add_row(words, shown, button)

    def _add_exchange(self) -> None:
        self.add_group(
            self.tr("Export"),
            self.tr(
                "Saves every chat in this connection to one JSON file that Parley can import "
                "again. To export a single chat, open it and choose “Export chat”."
            ),
        )
        export = self._button(self.tr("Export all chats…"))
        export.clicked.connect(self._controller.export_all)
        self.add_row(self.tr("All chats in this connection"), export)
        self.add_group(
            self.tr("Import"),
            self.tr(
                "Import JSON or zip files that Parley, ChatGPT or Claude exported. Imported "
                "chats stay on this computer, where you can read and search them."
            ),
        )
        choose = self._button(self.tr("Choose files…"), self.tr("Choose files to import"))
        choose.clicked.connect(self._controller.choose_import)
        self.add_row(self.tr("Import chats"), choose)
        show = self._button(self.tr("Show"), self.tr("Show imported chats"))
        show.clicked.connect(self._on_show_clicked)
        self.add_row(self.tr("Imported chats"), show)

    def _add_deletion(self) -> None:
        self.add_group(
            self.tr("Delete from this computer"),
            self.tr("To delete a single chat permanently, delete it in the chat list."),
        )
        self.add_row(
            self.tr("Chats in this connection"),
            self._copies,
            words=self.tr(
                "Deletes messages, chat names, pins, drafts, undelivered messages, and what "
                "tools read and wrote from this computer. Stops replies in progress. Chats "
                "on the service are not deleted: they stay listed, and those you open are "
                "stored here again."
            ),
        )
        self.add_row(
            self.tr("Imported chats"),
            self._imported,
            words=self.tr("They are stored only on this computer."),
        )

    def _ask_copies(self, theme: Theme) -> ConfirmButton:
        asked = Asked(
            self.tr("Delete local copies of this connection’s chats…"),
            self.tr("Keep local copies of this connection’s chats"),
            self.tr("Delete local copies of this connection’s chats permanently"),
        )
        ask = ConfirmButton(theme, asked)
        ask.confirmed.connect(self._on_copies_confirmed)
        return ask

    def _ask_imported(self, theme: Theme) -> ConfirmButton:
        asked = Asked(
            self.tr("Delete imported chats…"),
            self.tr("Keep imported chats"),
            self.tr("Delete imported chats permanently"),
        )
        ask = ConfirmButton(theme, asked)
        ask.confirmed.connect(self._archive.delete_all)
        return ask

    def _path_label(self, path: Path) -> QLabel:
        """Make a label that is as wide as the path where there is room, and cuts it elsewhere."""
        shown = one_line(str(path))
        label = plain_label(shown, self._theme, size="small", ink="ink-2", elides=True)
        label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        set_plain_tooltip(label, shown)
        return label

    def _button(self, text: str, name: str = "") -> QPushButton:
        return push_button(text, "secondary", self._theme, name=name)

    def begin(self) -> None:
        """Withdraw what was asked when the settings were open last."""
        for ask in (self._copies, self._imported):
            ask.begin()

    def _on_copies_confirmed(self) -> None:
        # Not the workspace of the list: that may show imported chats, which are not to be deleted.
        if workspace := self._connection.workspace:
            self._conversations.purge_local_data(workspace)

    def _on_copies_forgotten(self) -> None:
        words = self.tr("Local copies of this connection’s chats were deleted.")
        self.work_done.emit(WorkView(words))

    def _on_show_clicked(self) -> None:
        self._archive.open()

    def _on_folder_clicked(self) -> None:
        open_folder(Path(self.sender().property("folder")))
