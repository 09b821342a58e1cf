"""The section of the settings about the projects: each in a card, and a new one below."""

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.error_text import ErrorText
from app.ui.parts.buttons import push_button, set_button_text
from app.ui.parts.fields import Field
from app.ui.parts.words import spoken
from app.ui.setup.outcome import Outcome
from app.ui.setup.project_card import ProjectCard
from app.ui.setup.section import GAP_PX, SettingsSection
from app.ui.theme import Theme
from app.viewmodels.settings.projects import ProjectsViewModel
from app.viewmodels.settings.states import ProjectRow, SettingsView


class ProjectsSection(SettingsSection):
    """Whom the window can talk to: what is there, each in its card, and a new project.

    Made by the settings page.
    """

    add_requested = Signal(str, str, str)
    """A project should be added; arguments: address, key and name as typed."""

    change_requested = Signal(str, str, str)
    """Another address or key of a project should be tested; arguments: its id, and both."""

    def __init__(self, theme: Theme, projects: ProjectsViewModel) -> None:
        super().__init__(theme, QCoreApplication.translate("Settings", "Projects"), "server")
        self._projects = projects
        self._shown: list[str] = []
        self._made: list[ProjectCard] = []
        self._view: SettingsView | None = None
        self._cards = QVBoxLayout()
        self._problem, self._added = Outcome(theme), Outcome(theme)
        self._name = Field(theme, self.tr("Name of the project"))
        self._address = Field(
            theme, self.tr("Address of the project"), placeholder="https://service.example.com"
        )
        self._key = Field(theme, self.tr("Key of the project"), hides=True)
        self._add = push_button(self.tr("Test and add"), "secondary", theme)
        self._lay_out()
        for signal in (
            self._add.clicked,
            self._name.submitted,
            self._address.submitted,
            self._key.submitted,
        ):
            signal.connect(self._on_add_clicked)
        projects.changed.connect(self._show)
        projects.problem_changed.connect(self._show_problem)
        self._show(projects.rows)
        self._show_problem(None)

    def begin(self) -> None:
        """Shows every card as new, under the names that hold now."""
        self._shown = []
        self._show(self._projects.rows)

    def open_key(self) -> QWidget | None:
        """Opens the field for the key that is needed, and returns it; None where none is."""
        return next((field for card in self._made if (field := card.open_key())), None)

    def show_state(self, view: SettingsView) -> None:
        """Shows how the test of a project went, in its card or below the new one."""
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
            self.tr("Your projects"),
            self.tr("Each has its own address, key and chats. “Use” switches to it at once."),
        )
        self._cards.setSpacing(GAP_PX)
        self.column.addLayout(self._cards)
        self.column.addWidget(self._problem)
        self.add_group(
            self.tr("Add a project"),
            self.tr(
                "Its key is kept in this computer’s keyring or, where there is none, until Parley "
                "closes; never in a file."
            ),
        )
        for part in (self._name, self._address, self._key):
            self.column.addWidget(part)
        self.column.addWidget(self._add, 0, Qt.AlignmentFlag.AlignLeft)
        self.column.addWidget(self._added)
        self.column.addStretch(1)

    def _show(self, rows: tuple[ProjectRow, ...]) -> None:
        """Makes the cards anew where projects came or went; else what is typed in them stays."""
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
            card.change_requested.connect(self.change_requested)
            if self._view:
                card.show_state(self._view)
            self._cards.addWidget(card)
            card.show()

    def _show_problem(self, words: ErrorText | None) -> None:
        self._problem.show_words("", spoken(words) if words else "")

    def _on_add_clicked(self) -> None:
        if self._add.isEnabled():
            self.add_requested.emit(self._address.text, self._key.text, self._name.text)
