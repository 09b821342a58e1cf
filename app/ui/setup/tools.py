"""The section of the settings about what tools may do, and what they need to be told."""

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QDir
from PySide6.QtWidgets import QFileDialog

from app.settings import Settings
from app.ui.parts.buttons import push_button
from app.ui.parts.choice_chip import ChoiceChip
from app.ui.parts.file_dialog import make_file_dialog
from app.ui.parts.labels import one_line, plain_label, set_ink
from app.ui.setup.rule_list import RuleList
from app.ui.setup.section import SettingsSection
from app.ui.theme import Theme
from app.viewmodels.approval.permissions import PermissionsViewModel
from app.viewmodels.approval.rule_states import PermissionsView
from app.viewmodels.preferences import Preferences


class ToolsSection(SettingsSection):
    """What was allowed, when a person is asked again, and the file that notes are added to.

    Made by the settings page.
    """

    tables = ("tools",)

    def __init__(
        self, theme: Theme, preferences: Preferences, permissions: PermissionsViewModel
    ) -> None:
        title = QCoreApplication.translate("Settings", "Tools and permissions")
        super().__init__(theme, title, "shield-check")
        self._preferences = preferences
        self._permissions = permissions
        self._rules = RuleList(theme)
        self._minutes = ChoiceChip(theme, self.tr("Ask again after a card has waited"))
        self._calls = ChoiceChip(theme, self.tr("Pause a reply after this many tool calls"))
        self._sandbox = plain_label("", theme, size="small", wraps=True)
        self._place = plain_label("", theme, size="small", ink="ink-2", wraps=True)
        self._choose = push_button(
            self.tr("Choose…"), "secondary", theme, name=self.tr("Choose the file for notes")
        )
        self._forget = push_button(
            self.tr("None"), "quiet", theme, name=self.tr("Take notes in no file")
        )
        self._add_rules()
        self._add_limits()
        self._add_notes()
        self._connect()
        self._show(preferences.current)
        self._show_rules(permissions.view)

    def begin(self) -> None:
        """Looks what is allowed now, and what the sandbox holds."""
        self._permissions.look()

    def _add_rules(self) -> None:
        self.add_group(
            self.tr("What has been allowed"),
            self.tr("Each rule covers exactly what it says, and ends when the tool changes."),
        )
        self.column.addWidget(self._rules)

    def _add_limits(self) -> None:
        self._minutes.offer([(str(n), self.tr("%n minutes", "", n)) for n in (1, 5, 10, 30, 60)])
        self._calls.offer([(str(n), str(n)) for n in (5, 10, 25, 50, 100)])
        self.add_group(self.tr("Limits"), self.tr("When Parley stops and asks you again."))
        self.add_row(self.tr("Ask again after a card has waited"), self._minutes)
        self.add_row(self.tr("Pause a reply after this many tool calls"), self._calls)
        self.add_row(self.tr("Sandbox"), self._sandbox)

    def _add_notes(self) -> None:
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

    def _connect(self) -> None:
        self._choose.clicked.connect(self._on_choose_clicked)
        self._forget.clicked.connect(self._on_forget_clicked)
        self._preferences.changed.connect(self._show)
        self._permissions.changed.connect(self._show_rules)
        self._rules.tried.connect(self._permissions.try_rule)
        self._rules.revoked.connect(self._permissions.revoke)
        self._minutes.chosen.connect(self._on_minutes_chosen)
        self._calls.chosen.connect(self._on_calls_chosen)

    def _show_rules(self, view: PermissionsView) -> None:
        self._rules.show_view(view)
        self._sandbox.setText(one_line(view.sandbox_words))
        set_ink(self._sandbox, "good" if view.sandbox_holds else "warn")

    def _show(self, settings: Settings) -> None:
        self._minutes.show_value(str(settings.tools.card_minutes))
        self._calls.show_value(str(settings.tools.calls_per_reply))
        chosen = settings.tools.notes_file
        self._place.setText(one_line(chosen) if chosen else self.tr("No file is chosen yet."))
        self._forget.setVisible(bool(chosen))

    def _on_choose_clicked(self) -> None:
        chosen = self._preferences.current.tools.notes_file
        folder = str(Path(chosen).parent) if chosen else QDir.homePath()
        dialog = make_file_dialog(self, self.tr("The file for notes"), folder)
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

    def _on_minutes_chosen(self, value: str) -> None:
        self._change(card_minutes=int(value))

    def _on_calls_chosen(self, value: str) -> None:
        self._change(calls_per_reply=int(value))

    def _keep(self, notes_file: str) -> None:
        self._change(notes_file=notes_file)

    def _change(self, **chosen: str | int) -> None:
        tools = self._preferences.current.tools
        self._preferences.change(tools.model_copy(update=chosen))
