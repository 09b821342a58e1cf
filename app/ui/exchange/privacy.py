"""The section of the settings about what is kept on this computer, and how it gets in and out."""

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy

from app.paths import Paths
from app.ui.exchange.desk import ExchangeDesk
from app.ui.parts.buttons import push_button, set_button_text
from app.ui.parts.labels import one_line, plain_label, set_plain_tooltip
from app.ui.setup.section import SettingsSection
from app.ui.theme import Theme
from app.viewmodels.window import WindowViewModels


class PrivacySection(SettingsSection):
    """Says where things lie; exports everything, and imports. Made by the settings page."""

    def __init__(self, theme: Theme, models: WindowViewModels) -> None:
        title = QCoreApplication.translate("Settings", "Privacy and data")
        super().__init__(theme, title, "eye-off")
        self._desk = ExchangeDesk(self, theme, models)
        self._archive = models.archive
        self._keep = self._button(self.tr("Keep"), self.tr("Keep the imported chats"))
        self._delete = push_button("", "danger", theme)
        self._ask_no_longer()
        self._add_places(models.paths)
        self._add_exchange()
        self.column.addWidget(self._desk.bar)
        self.column.addStretch(1)

    def _add_places(self, paths: Paths) -> None:
        self.add_group(
            self.tr("What is kept on this computer"),
            self.tr(
                "Chats are kept so that they open at once and can be searched, what tools did so "
                "that it can be looked up. Nobody else on this computer can read these folders. "
                "Keys are in the system’s keyring, never in a file."
            ),
        )
        for words, path in (
            (self.tr("Chats and what tools did"), paths.data),
            (self.tr("Settings"), paths.config),
            (self.tr("Log"), paths.logs),
        ):
            shown = self._path_label(path)
            button = self._button(self.tr("Open folder"), f"{self.tr('Open folder')}: {words}")
            button.setProperty("folder", str(path))
            button.clicked.connect(self._on_folder_clicked)
            self.add_row(words, shown, button)

    def _add_exchange(self) -> None:
        self.column.addSpacing(8)
        self.add_group(
            self.tr("Export"),
            self.tr(
                "Writes every chat of this project into one JSON file, which Parley can import "
                "again. A single chat is exported from the line above it."
            ),
        )
        export = self._button(self.tr("Export all chats…"))
        export.clicked.connect(self._desk.export_all)
        self.add_row(self.tr("All chats of this project"), export)
        self.column.addSpacing(8)
        self.add_group(
            self.tr("Import"),
            self.tr(
                "Takes files that Parley, ChatGPT and Claude export: JSON, or the zip as it came. "
                "Imported chats are kept on this computer only, can be searched and read, and are "
                "sent to nobody."
            ),
        )
        choose = self._button(self.tr("Choose files…"), self.tr("Choose files to import"))
        choose.clicked.connect(self._desk.choose_import)
        self.add_row(self.tr("Chats from a file"), choose)
        show = self._button(self.tr("Show"), self.tr("Show imported chats"))
        show.clicked.connect(self._on_show_clicked)
        self._delete.clicked.connect(self._on_delete_clicked)
        self._keep.clicked.connect(self._ask_no_longer)
        self.add_row(self.tr("Imported chats"), show, self._keep, self._delete)

    def _path_label(self, path: Path) -> QLabel:
        """Makes a label that is as wide as the path where there is room, and cuts it elsewhere."""
        shown = one_line(str(path))
        label = plain_label(shown, self._theme, size="small", ink="ink-2", elides=True)
        label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        set_plain_tooltip(label, shown)
        return label

    def _button(self, text: str, name: str = "") -> QPushButton:
        return push_button(text, "secondary", self._theme, name=name)

    def begin(self) -> None:
        """Asks nothing that was asked when the settings were open before."""
        self._ask_no_longer()

    def _ask_no_longer(self) -> None:
        set_button_text(self._delete, self.tr("Delete all…"), self.tr("Delete imported chats…"))
        self._keep.hide()

    def _on_delete_clicked(self) -> None:
        if self._keep.isHidden():
            words = self.tr("Delete for ever")
            set_button_text(self._delete, words, self.tr("Delete imported chats for ever"))
            self._keep.show()
            self._keep.setFocus()
        else:
            self._ask_no_longer()
            self._archive.delete_all()

    def _on_show_clicked(self) -> None:
        self._archive.open()

    def _on_folder_clicked(self) -> None:
        folder = self.sender().property("folder")
        QDesktopServices.openUrl(QUrl.fromLocalFile(folder))
