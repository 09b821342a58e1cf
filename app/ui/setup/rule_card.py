"""One rule in the settings: what it covers, how it was used, and what can be done about it."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QPushButton, QVBoxLayout

from app.ui.approval.diff_view import DiffView
from app.ui.approval.revealed_text import Setting
from app.ui.approval.trial_list import TrialList
from app.ui.parts.buttons import Kind, push_button, set_button_text
from app.ui.parts.flow import line_of
from app.ui.parts.fonts import Weight
from app.ui.parts.icon_label import IconLabel
from app.ui.parts.labels import one_line, plain_label, set_ink
from app.ui.parts.surfaces import set_card
from app.ui.theme import Theme
from app.viewmodels.approval.rule_states import PermissionsView, RuleRow


class RuleCard(QFrame):
    """Shows a rule; it is always the same one. Made by the list of rules."""

    tried = Signal(str)
    """What would it have let through; argument: the rule's id."""
    revoked = Signal(str)
    """It should hold no longer, or leave the list; argument: the rule's id."""

    def __init__(self, theme: Theme, row: RuleRow) -> None:
        super().__init__()
        self._theme = theme
        self._rule_id = row.rule_id
        # Names of tools are others' words; what a rule is about is the person's own.
        self._name = f"{one_line(row.names)} {one_line(row.about)}".strip()
        self._icon = IconLabel(row.icon, theme, "warn" if row.is_ended else "ink-2")
        self._names = plain_label(one_line(row.names), theme, weight=Weight.DemiBold, wraps=True)
        self._about = plain_label(one_line(row.about), theme, elides=True, is_code=True)
        self._words = plain_label("", theme, size="small", ink="ink-2", wraps=True)
        self._summary = plain_label("", theme, size="small", ink="ink-2", wraps=True)
        self._trials = TrialList(theme)
        self._change: DiffView | None = None
        self._try = self._button(self.tr("Try on history"))
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
        """Shows how it stands with the rule now."""
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
        """Shows what the rule would have let through, if it was the one that was tried."""
        is_tried = view.tried == self._rule_id
        words = f"{view.tried_words} · {view.run_words}" if is_tried else ""
        self._summary.setText(words)
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
            name = self.tr("How the tool has changed")
            self._change = DiffView(self._theme, name, Setting.BOXED)
            self._change.show_diff(self._row.change)
            self._column.addWidget(self._change)
        else:
            self._change.setVisible(self._change.isHidden())
