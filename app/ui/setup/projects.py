"""The section of the settings about the projects: each in a card, and a new one below."""

from typing import get_args

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.error_text import ErrorText
from app.settings import LOCAL_PROJECT, ProjectColour
from app.ui.parts.buttons import Kind, push_button
from app.ui.parts.choice_chip import ChoiceChip
from app.ui.parts.colour_mark import ColourMark, colour_choices, colour_ink
from app.ui.parts.fields import Field
from app.ui.parts.labels import one_line, plain_label
from app.ui.parts.surfaces import set_card
from app.ui.parts.words import spoken
from app.ui.setup.section import SettingsSection
from app.ui.theme import Theme
from app.viewmodels.projects import ProjectsViewModel
from app.viewmodels.states import ProjectRow, SettingsView


class ProjectsSection(SettingsSection):
    """Names, colours and switching of what is there; removal, asked about in its card.

    Made by the settings page.
    """

    add_requested = Signal(str, str, str)
    """A project should be added; arguments: address, key and name as typed."""

    def __init__(self, theme: Theme, projects: ProjectsViewModel) -> None:
        super().__init__(theme, QCoreApplication.translate("Settings", "Projects"), "server")
        self._projects = projects
        self._shown: tuple[tuple[str, bool, bool], ...] = ()
        self._cards = QWidget()
        self._problem = plain_label("", theme, size="secondary", ink="bad", wraps=True)
        self._name = Field(theme, self.tr("Name of the project"))
        self._address = Field(
            theme, self.tr("Address of the project"), placeholder="https://service.example.com"
        )
        self._key = Field(theme, self.tr("Key of the project"), hides=True)
        self._add = push_button(self.tr("Test and add"), "secondary", theme)
        self._lay_out()
        self._add.clicked.connect(self._on_add_clicked)
        projects.changed.connect(self._show)
        projects.problem_changed.connect(self._show_problem)
        self._show(projects.rows)
        self._show_problem(None)

    def show_state(self, view: SettingsView) -> None:
        """Shows how the test of a new project went."""
        self._add.setEnabled(not view.is_checking)
        if view.check_words and self._address.text:
            for part in (self._name, self._address, self._key):
                part.set_text("")
        is_asked = bool(self._address.text or self._key.text)
        self._address.show_error(view.address_error if is_asked else "")
        self._key.show_error(view.key_error if is_asked else "")

    def _lay_out(self) -> None:
        self.add_group(
            self.tr("Your projects"),
            self.tr("Each has its own address, key and chats. Use takes effect at once."),
        )
        column = QVBoxLayout(self._cards)
        column.setContentsMargins(0, 0, 0, 0)
        self.column.addWidget(self._cards)
        self.column.addWidget(self._problem)
        self.column.addSpacing(8)
        self.add_group(
            self.tr("Add a project"),
            self.tr("Its key is kept in this computer’s keyring, never in a file."),
        )
        for part in (self._name, self._address, self._key):
            self.column.addWidget(part)
        row = QHBoxLayout()
        row.addWidget(self._add)
        row.addStretch(1)
        self.column.addLayout(row)
        self.column.addStretch(1)

    def _show(self, rows: tuple[ProjectRow, ...]) -> None:
        """Makes the cards anew where projects came, went or took over; names stay as typed."""
        shown = tuple((row.project_id, row.is_now, row.is_test) for row in rows)
        if shown == self._shown:
            return
        self._shown = shown
        column = self._cards.layout()
        while column and (item := column.takeAt(0)):
            if card := item.widget():
                card.hide()
                card.deleteLater()
        for row in rows:
            if column:
                column.addWidget(_ProjectCard(self._theme, row, self._projects))

    def _show_problem(self, words: ErrorText | None) -> None:
        self._problem.setText(spoken(words) if words else "")
        self._problem.setVisible(words is not None)

    def _on_add_clicked(self) -> None:
        self.add_requested.emit(self._address.text, self._key.text, self._name.text)


class _ProjectCard(QFrame):
    """One project, and the question whether it should go."""

    def __init__(self, theme: Theme, row: ProjectRow, projects: ProjectsViewModel) -> None:
        super().__init__()
        set_card(self, "chosen" if row.is_now else "plain")
        self._theme = theme
        self._row = row
        self._projects = projects
        self._mark = ColourMark(theme, colour_ink(row.colour))
        self._name = QLineEdit(row.name)
        self._name.setMaxLength(60)
        self._name.setAccessibleName(self.tr("Name of {project}").format(project=row.name))
        self._name.setFont(theme.font("secondary"))
        self._name.editingFinished.connect(self._on_name_editing_finished)
        self._colour = ChoiceChip(theme, self.tr("Colour of {project}").format(project=row.name))
        self._colour.offer(colour_choices())
        self._colour.show_value(row.colour)
        self._colour.chosen.connect(self._on_colour_chosen)
        self._question = self._make_question()
        self._lay_out()

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.setSpacing(8)
        for part in (self._mark, self._name, self._colour):
            line.addWidget(part)
        if self._row.is_test:
            test = plain_label(self.tr("Test"), self._theme, size="caption", ink="warn")
            line.addWidget(test)
        if not self._row.is_now:
            self._add_button(line, self.tr("Use"), "secondary").clicked.connect(
                self._on_use_clicked
            )
        if self._row.project_id != LOCAL_PROJECT:
            remove = self._add_button(line, self.tr("Remove…"), "quiet")
            remove.clicked.connect(self._question.show)
        where = self._row.address or self.tr("The bundled service on this computer")
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 9, 14, 9)
        column.addLayout(line)
        column.addWidget(
            plain_label(one_line(where), self._theme, size="small", ink="ink-2", wraps=True)
        )
        column.addWidget(self._question)

    def _make_question(self) -> QWidget:
        question = QWidget(self)
        column = QVBoxLayout(question)
        column.setContentsMargins(0, 4, 0, 0)
        words = self.tr(
            "The key leaves this computer’s keyring. Chats on the service stay there. What is kept "
            "of them on this computer can be deleted or stay."
        )
        column.addWidget(plain_label(words, self._theme, size="small", wraps=True))
        line = QHBoxLayout()
        delete = self._add_button(line, self.tr("Remove and delete kept chats"), "danger")
        keep = self._add_button(line, self.tr("Remove, keep chats"), "secondary")
        cancel = self._add_button(line, self.tr("Cancel"), "quiet")
        line.addStretch(1)
        delete.clicked.connect(self._on_delete_clicked)
        keep.clicked.connect(self._on_keep_clicked)
        cancel.clicked.connect(question.hide)
        column.addLayout(line)
        question.hide()
        return question

    def _add_button(self, line: QHBoxLayout, text: str, kind: Kind) -> QPushButton:
        button = push_button(text, kind, self._theme, name=f"{text}: {one_line(self._row.name)}")
        line.addWidget(button)
        return button

    def _on_name_editing_finished(self) -> None:
        if self._name.text().strip() != self._row.name:
            self._projects.rename(self._row.project_id, self._name.text())

    def _on_colour_chosen(self, value: str) -> None:
        for colour in get_args(ProjectColour):
            if colour == value:
                self._mark.show_ink(colour_ink(colour))
                self._projects.recolour(self._row.project_id, colour)

    def _on_use_clicked(self) -> None:
        self._projects.switch(self._row.project_id)

    def _on_delete_clicked(self) -> None:
        self._projects.remove(self._row.project_id, is_data_deleted=True)

    def _on_keep_clicked(self) -> None:
        self._projects.remove(self._row.project_id, is_data_deleted=False)
