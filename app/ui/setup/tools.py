"""The section of the settings about what tools need to be told."""

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QDir, Qt
from PySide6.QtWidgets import QFileDialog

from app.settings import Settings
from app.ui.parts.buttons import push_button
from app.ui.parts.labels import one_line, plain_label
from app.ui.setup.section import SettingsSection
from app.ui.theme import Theme
from app.viewmodels.preferences import Preferences


class ToolsSection(SettingsSection):
    """The file that notes are added to. Made by the settings page."""

    def __init__(self, theme: Theme, preferences: Preferences) -> None:
        super().__init__(theme, QCoreApplication.translate("Settings", "Tools"), "wrench")
        self._preferences = preferences
        self._place = plain_label("", theme, size="small", ink="ink-2", wraps=True)
        self._choose = push_button(
            self.tr("Choose…"), "secondary", theme, name=self.tr("Choose the file for notes")
        )
        self._forget = push_button(
            self.tr("None"), "quiet", theme, name=self.tr("Take notes in no file")
        )
        self._choose.clicked.connect(self._on_choose_clicked)
        self._forget.clicked.connect(self._on_forget_clicked)
        self.add_group(
            self.tr("Notes"),
            self.tr(
                "The assistant may ask to add a note at the end of one file. You see each note "
                "before it is added; what is in the file stays."
            ),
        )
        self.add_row(self.tr("File for notes"), self._choose, self._forget)
        self.column.addWidget(self._place)
        self.column.addStretch(1)
        preferences.changed.connect(self._show)
        self._show(preferences.current)

    def _show(self, settings: Settings) -> None:
        chosen = settings.tools.notes_file
        self._place.setText(one_line(chosen) if chosen else self.tr("No file is chosen yet."))
        self._forget.setVisible(bool(chosen))

    def _on_choose_clicked(self) -> None:
        chosen = self._preferences.current.tools.notes_file
        folder = str(Path(chosen).parent) if chosen else QDir.homePath()
        dialog = QFileDialog(self, self.tr("The file for notes"), folder)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        # Notes are added; nothing is replaced.
        dialog.setOption(QFileDialog.Option.DontConfirmOverwrite)
        dialog.setLabelText(QFileDialog.DialogLabel.Accept, self.tr("Choose"))
        dialog.setDefaultSuffix("md")
        dialog.fileSelected.connect(self._on_dialog_file_selected)
        dialog.open()

    def _on_dialog_file_selected(self, path: str) -> None:
        self._keep(path)

    def _on_forget_clicked(self) -> None:
        self._keep("")

    def _keep(self, notes_file: str) -> None:
        tools = self._preferences.current.tools
        self._preferences.change(tools.model_copy(update={"notes_file": notes_file}))
