"""A person's own tools in the settings: a card for each folder of them."""

from PySide6.QtCore import QCoreApplication, QDir
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QFileDialog

from app.ui.parts.buttons import push_button
from app.ui.parts.file_dialog import make_file_dialog
from app.ui.parts.flow import Flow
from app.ui.parts.labels import breakable, one_line, plain_label
from app.ui.setup.card_column import CardColumn
from app.ui.setup.into_view import bring_into_view
from app.ui.setup.outcome import Outcome
from app.ui.setup.own_tools.card import OwnSetCard
from app.ui.setup.section import SettingsGroup
from app.ui.theme import Theme
from app.viewmodels.tools.own_tool_states import OwnSetRow, OwnToolsView
from app.viewmodels.tools.own_tools import OwnToolsViewModel


class OwnToolsGroup(SettingsGroup):
    """Everything about own tools. Made by the section about tools and permissions."""

    def __init__(self, theme: Theme, own: OwnToolsViewModel) -> None:
        title = QCoreApplication.translate("OwnToolsGroup", "Your own tools")
        words = QCoreApplication.translate(
            "OwnToolsGroup",
            "One folder with a tool.toml for each set of tools. Nothing of it runs before you "
            "have allowed its code, and a changed file is shown to you again.",
        )
        super().__init__(theme, title, words)
        self._own = own
        self._cards = CardColumn[OwnSetRow, OwnSetCard](theme, self._card, OwnSetCard.show_row)
        self._place = plain_label("", theme, size="small", ink="ink-2", wraps=True)
        self._look = push_button(
            self.tr("Look again"), "secondary", theme, name=self.tr("Look at the folder again")
        )
        self._bring_folder = push_button(self.tr("Import a folder…"), "secondary", theme)
        self._bring_zip = push_button(self.tr("Import a zip file…"), "secondary", theme)
        self._outcome = Outcome(theme)
        self._lay_out()
        self._look.clicked.connect(own.look)
        self._bring_folder.clicked.connect(self._on_bring_folder_clicked)
        self._bring_zip.clicked.connect(self._on_bring_zip_clicked)
        own.changed.connect(self._show)
        self._show(own.view)

    def showEvent(self, event: QShowEvent) -> None:
        """Only now are all the folders looked at."""
        super().showEvent(event)
        if not event.spontaneous():
            self._own.begin_showing()

    def hideEvent(self, event: QHideEvent) -> None:
        """From now on only what is allowed is."""
        super().hideEvent(event)
        if not event.spontaneous():
            self._own.end_showing()

    def _lay_out(self) -> None:
        row = Flow()
        row.add(self._bring_folder, self._bring_zip, self._look)
        self.column.addWidget(self._place)
        self.column.addWidget(self._cards)
        self.column.addLayout(row)
        self.column.addWidget(self._outcome)

    def _show(self, view: OwnToolsView) -> None:
        folder = breakable(one_line(view.folder))
        self._place.setText(self.tr("They lie in {folder}").format(folder=folder))
        self._cards.show_rows(view.rows)
        self._outcome.show_words("", view.problem)
        if view.problem:
            self._cards.await_new(awaits=False)
            bring_into_view(self._outcome)

    def _on_bring_folder_clicked(self) -> None:
        dialog = self._dialog(self.tr("The folder with a tool.toml"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.open()

    def _on_bring_zip_clicked(self) -> None:
        dialog = self._dialog(self.tr("The zip file with the tools"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilter(self.tr("Zip files") + " (*.zip)")
        dialog.open()

    def _dialog(self, title: str) -> QFileDialog:
        dialog = make_file_dialog(self, title, QDir.homePath())
        dialog.setLabelText(QFileDialog.DialogLabel.Accept, self.tr("Import"))
        dialog.fileSelected.connect(self._on_dialog_file_selected)
        return dialog

    def _on_dialog_file_selected(self, path: str) -> None:
        self._cards.await_new()
        self._own.bring_in(path)

    def _card(self, row: OwnSetRow) -> OwnSetCard:
        card = OwnSetCard(self._theme, row)
        card.allowed.connect(self._own.allow)
        card.switched_off.connect(self._own.switch_off)
        return card
