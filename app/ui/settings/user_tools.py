"""`UserToolsGroup` shows a person's own tools in the settings: a card for each folder of them.

`UserToolFolderCard` shows one folder: a line, and all of it when it is opened.
"""

from PySide6.QtCore import QCoreApplication, QDir, Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QFileDialog, QVBoxLayout, QWidget

from app.ui.approval.revealed_text import RevealedText
from app.ui.settings.card_column import CardColumn, CardLine, OpeningCard, tool_part
from app.ui.settings.section import SettingsGroup, StatusMessage, scroll_into_view
from app.ui.theme import Theme
from app.ui.widgets.buttons import push_button
from app.ui.widgets.flow_layout import FlowLayout
from app.ui.widgets.fonts import Weight
from app.ui.widgets.labels import breakable, one_line, plain_label
from app.ui.widgets.system_dialogs import make_file_dialog
from app.viewmodels.states import Dot
from app.viewmodels.user_tools import UserToolFolderRow, UserToolsView, UserToolsViewModel


class UserToolFolderCard(OpeningCard[QWidget]):
    """Shows one folder: its tools and its code. Made by the part about own tools."""

    allowed = Signal(str, str)
    """The person allows the folder as it is shown; arguments: its name, and its fingerprint."""

    def __init__(self, theme: Theme, row: UserToolFolderRow) -> None:
        name = one_line(row.name)
        super().__init__(theme, row.name, self.tr("Tools in {folder}").format(folder=name))
        self._row = row
        self.show_row(row)

    def show_row(self, row: UserToolFolderRow) -> None:
        """Show how it stands now."""
        before, self._row = self._row, row
        words = row.words
        if row.package:
            brought = self.tr("{words} · from the package {package}")
            words = brought.format(words=words, package=row.package)
        warns = row.dot is Dot.WARN
        line = CardLine(row.title, words, row.problem, row.dot, is_on=row.is_on, warns=warns)
        with self._keyboard_kept():
            self._show_line(line, can_switch=row.is_on or row.can_allow)
            if before != row:
                self._renew_details()

    def _make_details(self) -> QWidget:
        row, details = self._row, QWidget()
        column = QVBoxLayout(details)
        column.setContentsMargins(0, 6, 0, 0)
        column.setSpacing(8)
        for sentence in row.findings:
            column.addWidget(self._small(sentence))
        for tool in row.tools:
            effects = self._small(tool.effect_words)
            part = tool_part(self._theme, tool.name, tool.problem, tool.description, effects)
            column.addWidget(part)
        if row.shown:
            title, bold = one_line(row.shown_title), Weight.DemiBold
            heading = plain_label(title, self._theme, size="secondary", weight=bold, wraps=True)
            column.addWidget(heading)
            text = RevealedText(self._theme, row.shown_title)
            text.show_text(row.shown)
            column.addWidget(text)
        if row.can_allow:
            allow = push_button(
                self.tr("Allow this code"),
                "primary",
                self._theme,
                name=self.tr("Allow the code in {folder}").format(folder=one_line(row.name)),
            )
            allow.clicked.connect(self._on_allow_clicked)
            hint = self.tr(
                "Every call needs your approval, and runs in the sandbox if there is one."
            )
            column.addWidget(self._small(hint))
            column.addWidget(allow, 0, Qt.AlignmentFlag.AlignLeft)
        return details

    def _small(self, words: str) -> QWidget:
        return plain_label(one_line(words), self._theme, size="small", ink="ink-2", wraps=True)

    def _on_allow_clicked(self) -> None:
        self.allowed.emit(self._row.name, self._row.fingerprint)


class UserToolsGroup(SettingsGroup):
    """Everything about own tools. Made by the section about tools and permissions."""

    def __init__(self, theme: Theme, own: UserToolsViewModel) -> None:
        title = QCoreApplication.translate("UserToolsGroup", "Your own tools")
        words = QCoreApplication.translate(
            "UserToolsGroup",
            "Each folder with a tool.toml file is a set of tools. No code runs until you allow "
            "it, and changed files are shown to you again.",
        )
        super().__init__(theme, title, words)
        self._own = own
        self._cards = CardColumn[UserToolFolderRow, UserToolFolderCard](
            theme, self._card, UserToolFolderCard.show_row
        )
        self._place = plain_label("", theme, size="small", ink="ink-2", wraps=True)
        self._refresh = push_button(
            self.tr("Refresh"),
            "quiet",
            theme,
            icon="refresh-cw",
            name=self.tr("Refresh folder"),
        )
        self._import_folder = push_button(self.tr("Import a folder…"), "secondary", theme)
        self._import_zip = push_button(self.tr("Import a zip file…"), "secondary", theme)
        self._outcome = StatusMessage(theme)
        self._lay_out()
        self._refresh.clicked.connect(own.refresh)
        self._import_folder.clicked.connect(self._on_import_folder_clicked)
        self._import_zip.clicked.connect(self._on_import_zip_clicked)
        own.changed.connect(self._show)
        self._show(own.view)

    def showEvent(self, event: QShowEvent) -> None:
        """Begin to read all the folders."""
        super().showEvent(event)
        if not event.spontaneous():
            self._own.begin_showing()

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop reading folders that are not allowed."""
        super().hideEvent(event)
        if not event.spontaneous():
            self._own.end_showing()

    def _lay_out(self) -> None:
        row = FlowLayout()
        row.add(self._import_folder, self._import_zip, self._refresh)
        self.column.addWidget(self._place)
        self.column.addWidget(self._cards)
        self.column.addLayout(row)
        self.column.addWidget(self._outcome)

    def _show(self, view: UserToolsView) -> None:
        folder = breakable(one_line(view.folder))
        self._place.setText(self.tr("Stored in {folder}.").format(folder=folder))
        self._cards.show_rows(view.rows)
        self._outcome.show_words("", view.problem)
        if view.problem:
            self._cards.await_new(awaits=False)
            scroll_into_view(self._outcome)

    def _on_import_folder_clicked(self) -> None:
        dialog = self._dialog(self.tr("Choose a folder with a tool.toml file"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.open()

    def _on_import_zip_clicked(self) -> None:
        dialog = self._dialog(self.tr("Choose a zip file with tools"))
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
        self._own.install(path)

    def _card(self, row: UserToolFolderRow) -> UserToolFolderCard:
        card = UserToolFolderCard(self._theme, row)
        card.allowed.connect(self._own.allow)
        card.switched_off.connect(self._own.switch_off)
        return card
