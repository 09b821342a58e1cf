"""A person's own tools in the settings: a card for each folder of them."""

from PySide6.QtCore import QDir, Qt
from PySide6.QtWidgets import QFileDialog, QVBoxLayout, QWidget

from app.ui.parts.buttons import push_button
from app.ui.parts.flow import Flow
from app.ui.parts.fonts import Weight
from app.ui.parts.labels import breakable, one_line, plain_label
from app.ui.setup.outcome import Outcome
from app.ui.setup.own_tools.card import OwnSetCard
from app.ui.theme import Theme
from app.viewmodels.tools.own_tool_states import OwnSetRow, OwnToolsView
from app.viewmodels.tools.own_tools import OwnToolsViewModel


class OwnToolsGroup(QWidget):
    """Everything about own tools. Made by the section about tools and permissions."""

    def __init__(self, theme: Theme, own: OwnToolsViewModel) -> None:
        super().__init__()
        self._theme = theme
        self._own = own
        self._cards: dict[str, OwnSetCard] = {}
        self._card_column = QVBoxLayout()
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

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        title = plain_label(
            self.tr("Your own tools"), self._theme, weight=Weight.DemiBold, wraps=True
        )
        column.addWidget(title)
        words = self.tr(
            "One folder with a tool.toml for each set of tools. Nothing of it runs before you "
            "have allowed its code, and a changed file is shown to you again."
        )
        column.addWidget(plain_label(words, self._theme, size="small", ink="ink-2", wraps=True))
        column.addWidget(self._place)
        self._card_column.setSpacing(8)
        column.addLayout(self._card_column)
        line = QWidget()
        row = Flow(line, spacing_px=8)
        row.setContentsMargins(0, 0, 0, 0)
        row.add(self._bring_folder, self._bring_zip, self._look)
        column.addWidget(line)
        column.addWidget(self._outcome)

    def _show(self, view: OwnToolsView) -> None:
        folder = breakable(one_line(view.folder))
        self._place.setText(self.tr("They lie in {folder}").format(folder=folder))
        if [row.name for row in view.rows] != list(self._cards):
            self._make_cards(view)
        for row in view.rows:
            self._cards[row.name].show_row(row)
        self._outcome.show_words("", view.problem)

    def _make_cards(self, view: OwnToolsView) -> None:
        kept = {row.name for row in view.rows}
        for name in [name for name in self._cards if name not in kept]:
            card = self._cards.pop(name)
            card.hide()
            self._card_column.removeWidget(card)
            card.deleteLater()
        cards = {row.name: self._cards.get(row.name) or self._card(row) for row in view.rows}
        for position, card in enumerate(cards.values()):
            self._card_column.insertWidget(position, card)
            card.show()
        self._cards = cards

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
        dialog = QFileDialog(self, title, QDir.homePath())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setLabelText(QFileDialog.DialogLabel.Accept, self.tr("Import"))
        dialog.fileSelected.connect(self._own.bring_in)
        return dialog

    def _card(self, row: OwnSetRow) -> OwnSetCard:
        card = OwnSetCard(self._theme, row)
        card.allowed.connect(self._own.allow)
        card.switched_off.connect(self._own.switch_off)
        self._theme.fit(card)
        return card
