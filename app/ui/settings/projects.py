"""`ProjectsSection` is the settings section about projects: a card for each, and a new one below.

`ProjectCard` changes the name, colour, address and key of one project, and removes it.
"""

from typing import Final, get_args

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QFrame, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.common.error_messages import ErrorMessage
from app.config.settings import LOCAL_PROJECT, ProjectColour
from app.ui.settings.section import GAP_PX, SettingsSection, StatusMessage, form_card
from app.ui.theme import Theme
from app.ui.widgets.buttons import Kind, push_button, set_button_text
from app.ui.widgets.chips import ChoiceChip
from app.ui.widgets.fields import Field
from app.ui.widgets.flow_layout import FlowLayout
from app.ui.widgets.labels import one_line, plain_label, spoken
from app.ui.widgets.marks import ProjectBadge, colour_choices, colour_ink
from app.ui.widgets.surfaces import set_card
from app.viewmodels.settings.projects import ProjectRow, ProjectsViewModel
from app.viewmodels.settings.settings import SettingsView, SettingsViewModel

_NAME_LIMIT: Final = 60


class ProjectCard(QFrame):
    """Changes one project; address and key take effect once the service has accepted them.

    Made by the section about projects.
    """

    change_requested = Signal(str, str, str)
    """Address and key should be tested; arguments: the project's id, and both as typed."""

    def __init__(self, theme: Theme, row: ProjectRow, projects: ProjectsViewModel) -> None:
        super().__init__()
        self._theme = theme
        self._row = row
        self._projects = projects
        self._badge = ProjectBadge(theme, colour_ink(row.colour))
        self._name = QLineEdit(row.name)
        self._name.setMaxLength(_NAME_LIMIT)
        self._name.setAccessibleName(self.tr("Name of {project}").format(project=row.name))
        self._name.setFont(theme.font("secondary"))
        self._name.editingFinished.connect(self._on_name_editing_finished)
        self._colour = ChoiceChip(theme, self.tr("Colour of {project}").format(project=row.name))
        self._colour.offer(colour_choices())
        self._colour.show_value(row.colour)
        self._colour.chosen.connect(self._on_colour_chosen)
        self._address = Field(theme, self.tr("Address of {project}").format(project=row.name))
        self._key = Field(
            theme,
            self.tr("Key of {project}").format(project=row.name),
            hides=True,
        )
        self._test_label = plain_label(self.tr("Test"), theme, size="caption", ink="warn")
        self._where = plain_label("", theme, size="small", ink="ink-2", wraps=True)
        self._outcome = StatusMessage(theme)
        self._fields = self._make_fields()
        self._question = self._make_question()
        self._lay_out()
        self.show_row(row)

    def show_state(self, view: SettingsView) -> None:
        """Show how the test of address and key went."""
        is_meant = view.subject == self._row.project_id
        self._test.setEnabled(not view.is_checking)
        self._address.show_error(view.address_error if is_meant else "")
        self._key.show_error(view.key_error if is_meant else "")
        self._outcome.show_words(view.check_words if is_meant else "", "")
        if is_meant and view.check_words:
            self._key.set_text("")
            self._fields.hide()

    def show_row(self, row: ProjectRow) -> None:
        """Show how it stands with the project; what is typed stays as it is."""
        self._row = row
        set_card(self, "chosen" if row.is_now else "plain")
        self._test_label.setVisible(row.is_test)
        self._use.setVisible(not row.is_now)
        where = row.address or self.tr("The local service with the chosen model")
        words = f"{where} · {row.key_words}" if row.key_words else where
        self._where.setText(one_line(words))
        if self._fields.isHidden():
            self._address.set_text(row.address)
        self._key.show_hint(
            self.tr("Takes effect once the service accepts it.")
            if row.needs_key
            else self.tr(
                "Leave empty to keep the current key. If you change the address, enter its key."
            )
        )

    def open_key(self) -> QWidget | None:
        """Open the field for a key where one is needed, and return it."""
        if not self._row.needs_key:
            return None
        self._on_change_clicked()
        return self._key

    def _lay_out(self) -> None:
        line = FlowLayout()
        line.add(self._badge)
        line.add(self._name, grows=True)
        line.add(self._colour, self._test_label)
        self._use = self._add_button(line, self.tr("Use"), "secondary")
        self._use.clicked.connect(self._on_use_clicked)
        if self._row.project_id != LOCAL_PROJECT:
            change = self._add_button(line, self.tr("Change…"), "quiet")
            change.clicked.connect(self._on_change_clicked)
            remove = self._add_button(line, self.tr("Remove…"), "quiet")
            remove.clicked.connect(self._on_remove_clicked)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 9, 14, 9)
        column.addLayout(line)
        for widget in (self._where, self._outcome, self._fields, self._question):
            column.addWidget(widget)

    def _make_fields(self) -> QWidget:
        fields = QWidget(self)
        column = QVBoxLayout(fields)
        column.setContentsMargins(0, 4, 0, 0)
        column.addWidget(self._address)
        column.addWidget(self._key)
        line = FlowLayout()
        self._test = self._add_button(line, self.tr("Test and use"), "secondary")
        cancel = self._add_button(line, self.tr("Cancel"), "quiet")
        column.addLayout(line)
        for signal in (self._test.clicked, self._address.submitted, self._key.submitted):
            signal.connect(self._on_test_clicked)
        cancel.clicked.connect(fields.hide)
        fields.hide()
        return fields

    def _make_question(self) -> QWidget:
        question = QWidget(self)
        column = QVBoxLayout(question)
        column.setContentsMargins(0, 4, 0, 0)
        words = self.tr(
            "Removing this connection deletes its key and the local copies of its chats. "
            "Chats on the service are not deleted. If you remove only the key, the "
            "connection stays in this list, and its chats appear again once you enter the "
            "key."
        )
        column.addWidget(plain_label(words, self._theme, size="small", wraps=True))
        line = FlowLayout()
        delete = self._add_button(line, self.tr("Remove with local copies"), "danger")
        keep = self._add_button(line, self.tr("Remove key only"), "secondary")
        cancel = self._add_button(line, self.tr("Cancel"), "quiet", self.tr("Cancel removal"))
        delete.clicked.connect(self._on_delete_clicked)
        keep.clicked.connect(self._on_keep_clicked)
        cancel.clicked.connect(question.hide)
        column.addLayout(line)
        question.hide()
        return question

    def _add_button(self, line: FlowLayout, text: str, kind: Kind, spoken: str = "") -> QPushButton:
        name = f"{spoken or text}: {one_line(self._row.name)}"
        button = push_button(text, kind, self._theme, name=name)
        line.add(button)
        return button

    def _on_name_editing_finished(self) -> None:
        if self._name.text().strip() != self._row.name:
            self._projects.rename(self._row.project_id, self._name.text())

    def _on_colour_chosen(self, value: str) -> None:
        for colour in get_args(ProjectColour):
            if colour == value:
                self._badge.show_ink(colour_ink(colour))
                self._projects.recolour(self._row.project_id, colour)

    def _on_use_clicked(self) -> None:
        self._projects.switch(self._row.project_id)

    def _on_change_clicked(self) -> None:
        self._question.hide()
        self._fields.show()
        self._address.setFocus()

    def _on_remove_clicked(self) -> None:
        self._fields.hide()
        self._question.show()

    def _on_test_clicked(self) -> None:
        if self._test.isEnabled():
            id_ = self._row.project_id
            self.change_requested.emit(id_, self._address.text, self._key.text)

    def _on_delete_clicked(self) -> None:
        self._projects.remove(self._row.project_id)

    def _on_keep_clicked(self) -> None:
        self._question.hide()
        self._projects.forget_key(self._row.project_id)


class ProjectsSection(SettingsSection):
    """The connections of the program: a card for each project, and one to add another.

    Made by `SettingsSections`.
    """

    def __init__(self, theme: Theme, setup: SettingsViewModel) -> None:
        super().__init__(theme, QCoreApplication.translate("Settings", "Connections"), "server")
        self._setup = setup
        self._projects = setup.projects
        self._shown: list[str] = []
        self._made: list[ProjectCard] = []
        self._view: SettingsView | None = None
        self._cards = QVBoxLayout()
        self._problem, self._added = StatusMessage(theme), StatusMessage(theme)
        self._name = Field(theme, self.tr("Connection name"))
        self._address = Field(
            theme, self.tr("Connection address"), placeholder="https://service.example.com"
        )
        self._key = Field(theme, self.tr("Project key"), hides=True)
        self._add = push_button(self.tr("Test and add"), "secondary", theme)
        self._lay_out()
        for signal in (
            self._add.clicked,
            self._name.submitted,
            self._address.submitted,
            self._key.submitted,
        ):
            signal.connect(self._on_add_clicked)
        setup.settings_changed.connect(self._show_state)
        self._projects.changed.connect(self._show)
        self._projects.problem_changed.connect(self._show_problem)
        self._show(self._projects.rows)
        self._show_problem(None)

    def begin(self) -> None:
        """Show every card as new, under the names that hold now."""
        self._shown = []
        self._show(self._projects.rows)

    def open_key(self) -> QWidget | None:
        """Open the field for the key that is needed, and return it; None where none is."""
        return next((field for card in self._made if (field := card.open_key())), None)

    def _show_state(self, view: SettingsView) -> None:
        """Show how the test of a project went, in its card or below the new one."""
        self._view = view
        for card in self._made:
            card.show_state(view)
        is_new = not view.subject
        self._add.setEnabled(not view.is_checking)
        words = self.tr("Testing…") if view.is_checking and is_new else self.tr("Test and add")
        set_button_text(self._add, words)
        if is_new and view.check_words:
            for part in (self._name, self._address, self._key):
                part.set_text("")
        self._address.show_error(view.address_error if is_new else "")
        self._key.show_error(view.key_error if is_new else "")
        self._added.show_words(view.check_words if is_new else "", "")

    def _lay_out(self) -> None:
        self.add_group(
            self.tr("Your connections"),
            self.tr(
                "Each connection has its own address, key and chats. Choose “Use” to switch to it."
            ),
        )
        self._cards.setSpacing(GAP_PX)
        self.column.addLayout(self._cards)
        self.column.addWidget(self._problem)
        self.add_group(
            self.tr("Add connection"),
            self.tr(
                "The key is stored in this computer’s keyring, or only until Parley closes "
                "if there is none. Never in a file."
            ),
        )
        self.column.addWidget(form_card(self._add, self._name, self._address, self._key))
        self.column.addWidget(self._added)

    def _show(self, rows: tuple[ProjectRow, ...]) -> None:
        """Make the cards anew where projects came or went; else what is typed in them stays."""
        shown = [row.project_id for row in rows]
        if shown == self._shown:
            for card, row in zip(self._made, rows, strict=True):
                card.show_row(row)
            return
        self._shown = shown
        for old in self._made:
            old.hide()
            self._cards.removeWidget(old)
            old.deleteLater()
        self._made = [ProjectCard(self._theme, row, self._projects) for row in rows]
        for card in self._made:
            card.change_requested.connect(self._setup.change_project)
            if self._view:
                card.show_state(self._view)
            self._cards.addWidget(card)
            card.show()

    def _show_problem(self, words: ErrorMessage | None) -> None:
        self._problem.show_words("", spoken(words) if words else "")

    def _on_add_clicked(self) -> None:
        if self._add.isEnabled():
            self._setup.use_hosted(self._address.text, self._key.text, self._name.text)
