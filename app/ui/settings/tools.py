"""`ToolsSection` is the settings section about tools: rules, limits, notes file, other sources.

`SavedRuleList` lists the rules; a `SavedRuleCard` shows what its rule covers, how it was used, and
what can be done about it.
"""

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QDir, Signal
from PySide6.QtWidgets import QFileDialog, QFrame, QPushButton, QVBoxLayout, QWidget

from app.config.settings import Settings
from app.ui.approval.revealed_text import DiffView, Setting
from app.ui.approval.rule_card import TrialList
from app.ui.settings.section import (
    GROUP_GAP_PX,
    SettingsGroup,
    SettingsSection,
    StatusMessage,
)
from app.ui.theme import Theme
from app.ui.widgets.buttons import IconLabel, Kind, push_button, set_button_text
from app.ui.widgets.chips import ChoiceChip
from app.ui.widgets.flow_layout import line_of
from app.ui.widgets.fonts import Weight
from app.ui.widgets.labels import one_line, plain_label, set_ink, spoken
from app.ui.widgets.surfaces import set_card, stack
from app.ui.widgets.system_dialogs import make_file_dialog
from app.viewmodels.approval.permissions import PermissionsViewModel
from app.viewmodels.approval.rule_texts import PermissionsView, RuleRow
from app.viewmodels.preferences import Preferences


class SavedRuleCard(QFrame):
    """Shows one rule as long as it is listed. Made by the list of rules."""

    tried = Signal(str)
    """The rule should be tried on past calls; argument: its id."""
    revoked = Signal(str)
    """The rule should be revoked, or removed if it has ended; argument: its id."""

    def __init__(self, theme: Theme, row: RuleRow) -> None:
        super().__init__()
        self._theme = theme
        self._rule_id = row.rule_id
        # Names of tools and what they are given are others' words: one line, nothing hidden in it.
        self._name = f"{one_line(row.names)} {one_line(row.about)}".strip()
        self._icon = IconLabel(row.icon, theme, "warn" if row.is_ended else "ink-2")
        self._names = plain_label(one_line(row.names), theme, weight=Weight.DemiBold, wraps=True)
        self._about = plain_label(one_line(row.about), theme, elides=True, is_code=True)
        self._words = plain_label("", theme, size="small", ink="ink-2", wraps=True)
        self._summary = plain_label("", theme, size="small", ink="ink-2", wraps=True)
        self._trials = TrialList(theme)
        self._change: DiffView | None = None
        self._try = self._button(self.tr("Try on past calls"))
        self._show_change = self._button(self.tr("Show change"))
        self._revoke = self._button(self.tr("Revoke"), "danger")
        self._column = QVBoxLayout(self)
        self._lay_out()
        self._try.clicked.connect(self._on_try_clicked)
        self._revoke.clicked.connect(self._on_revoke_clicked)
        self._show_change.clicked.connect(self._on_show_change_clicked)
        self._row = row
        self.show_row(row)

    def show_row(self, row: RuleRow) -> None:
        """Show how it stands with the rule now."""
        self._row = row
        set_card(self, "plain")
        self._words.setText(one_line(row.words))
        set_ink(self._words, "warn" if row.is_ended else "ink-2")
        self._about.setVisible(bool(row.about))
        self._try.setVisible(not row.is_ended and not row.denies)
        self._show_change.setVisible(bool(row.change))
        words = self.tr("Remove") if row.is_ended else self.tr("Revoke")
        set_button_text(self._revoke, words, f"{words}: {self._name}")

    def show_trials(self, view: PermissionsView) -> None:
        """Show what the rule would have let through, if it was the one that was tried."""
        is_tried = view.tried == self._rule_id
        self._summary.setText(view.trial_words if is_tried else "")
        self._summary.setVisible(is_tried)
        self._trials.show_rows(view.trials if is_tried else ())

    def _lay_out(self) -> None:
        labels = (self._names, self._about, self._words)
        top = line_of(self._icon, labels, self._try, self._show_change, self._revoke)
        self._column.setContentsMargins(14, 9, 14, 9)
        self._column.setSpacing(8)
        for part in (top, self._summary, self._trials):
            self._column.addWidget(part)

    def _button(self, text: str, kind: Kind = "secondary") -> QPushButton:
        return push_button(text, kind, self._theme, name=f"{text}: {self._name}")

    def _on_try_clicked(self) -> None:
        self.tried.emit(self._rule_id)

    def _on_revoke_clicked(self) -> None:
        self.revoked.emit(self._rule_id)

    def _on_show_change_clicked(self) -> None:
        if self._change is None:
            name = self.tr("What changed in the tool")
            self._change = DiffView(self._theme, name, Setting.BOXED)
            self._change.show_diff(self._row.change)
            self._column.addWidget(self._change)
        else:
            self._change.setVisible(self._change.isHidden())


class SavedRuleList(QWidget):
    """Keeps a card for each rule while there is that rule. Made by the section about tools."""

    tried = Signal(str)
    """A rule should be tried on past calls; argument: its id."""
    revoked = Signal(str)
    """A rule should be revoked, or removed if it has ended; argument: its id."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._cards: dict[str, SavedRuleCard] = {}
        words = self.tr("No rules yet. Every call needs your approval.")
        self._none = QFrame()
        set_card(self._none, "plain")
        none = stack(self._none, 0, plain_label(words, theme, ink="ink-2", wraps=True))
        none.setContentsMargins(14, 9, 14, 9)
        self._outcome = StatusMessage(theme)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addWidget(self._none)
        self._column.addWidget(self._outcome)

    def show_view(self, view: PermissionsView) -> None:
        """Show these rules."""
        known = {row.rule_id: row for row in view.rules}
        for rule_id in self._cards.keys() - known.keys():
            card = self._cards.pop(rule_id)
            card.setParent(None)
            card.deleteLater()
        for row in view.rules:
            found = self._cards.get(row.rule_id)
            if found is None:
                self._add(SavedRuleCard(self._theme, row), row.rule_id)
            else:
                found.show_row(row)
        for card in self._cards.values():
            card.show_trials(view)
        self._none.setVisible(not view.rules)
        self._outcome.show_words("", spoken(view.problem) if view.problem else "")

    def _add(self, card: SavedRuleCard, rule_id: str) -> None:
        self._cards[rule_id] = card
        card.tried.connect(self.tried)
        card.revoked.connect(self.revoked)
        self._theme.fit(card)
        # Above the message below the rules.
        self._column.insertWidget(self._column.count() - 1, card)


class ToolsSection(SettingsSection):
    """What was allowed, when a person is asked again, and the file that notes are added to.

    Made by `SettingsSections`.
    """

    tables = ("tools",)

    def __init__(
        self,
        theme: Theme,
        preferences: Preferences,
        permissions: PermissionsViewModel,
        sources: Iterable[SettingsGroup] = (),
    ) -> None:
        """Add `sources`, the groups about where other tools come from, below everything else."""
        title = QCoreApplication.translate("Settings", "Tools and permissions")
        super().__init__(theme, title, "shield-check")
        self._preferences = preferences
        self._permissions = permissions
        self._rules = SavedRuleList(theme)
        self._minutes = ChoiceChip(theme, self.tr("Ask again if unanswered for"))
        self._calls = ChoiceChip(theme, self.tr("Pause a reply after this many tool calls"))
        self._sandbox = plain_label("", theme, size="small", wraps=True)
        self._place = plain_label("", theme, size="small", ink="ink-2", wraps=True)
        self._choose = push_button(
            self.tr("Choose…"), "secondary", theme, name=self.tr("Choose a notes file")
        )
        self._forget = push_button(
            self.tr("None"), "quiet", theme, name=self.tr("Use no notes file")
        )
        self._add_rules()
        self._add_limits()
        self._add_notes()
        self._add_sources(sources)
        self._connect()
        self._show(preferences.current)
        self._show_rules(permissions.view)

    def begin(self) -> None:
        """Read the rules and the state of the sandbox again."""
        self._permissions.look()

    def _add_rules(self) -> None:
        self.add_group(
            self.tr("Rules"),
            self.tr("Each rule covers exactly what it says, and ends when the tool changes."),
        )
        self.column.addWidget(self._rules)

    def _add_limits(self) -> None:
        self._minutes.offer([(str(n), self.tr("%n minutes", "", n)) for n in (1, 5, 10, 30, 60)])
        self._calls.offer([(str(n), str(n)) for n in (5, 10, 25, 50, 100)])
        self.add_group(self.tr("Limits"), self.tr("When Parley stops and asks you again."))
        self.add_row(self.tr("Ask again if unanswered for"), self._minutes)
        self.add_row(self.tr("Pause a reply after this many tool calls"), self._calls)
        self.add_row(self.tr("Sandbox"), self._sandbox)

    def _add_notes(self) -> None:
        self.add_group(
            self.tr("Notes"),
            self.tr(
                "The assistant can ask to add notes to the end of this file. You see each "
                "note first, and existing text is never changed."
            ),
        )
        self.add_row(self.tr("Notes file"), self._place, self._choose, self._forget)

    def _add_sources(self, sources: Iterable[SettingsGroup]) -> None:
        for group in sources:
            self.column.addSpacing(GROUP_GAP_PX)
            self.column.addWidget(group)

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
        self._place.setText(one_line(chosen) if chosen else self.tr("No file chosen"))
        self._forget.setVisible(bool(chosen))

    def _on_choose_clicked(self) -> None:
        chosen = self._preferences.current.tools.notes_file
        folder = str(Path(chosen).parent) if chosen else QDir.homePath()
        dialog = make_file_dialog(self, self.tr("Notes file"), folder)
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
