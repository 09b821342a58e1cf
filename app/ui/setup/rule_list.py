"""The rules in the settings, one below the other."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.ui.parts.labels import plain_label
from app.ui.parts.words import spoken
from app.ui.setup.outcome import Outcome
from app.ui.setup.rule_card import RuleCard
from app.ui.theme import Theme
from app.viewmodels.approval.rule_states import PermissionsView


class RuleList(QWidget):
    """Keeps a card for each rule while there is that rule. Made by the section about tools."""

    tried = Signal(str)
    """What would a rule have let through; argument: its id."""
    revoked = Signal(str)
    """A rule should hold no longer; argument: its id."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._cards: dict[str, RuleCard] = {}
        words = self.tr("Nothing yet: every call asks.")
        self._none = plain_label(words, theme, size="secondary", ink="ink-2", wraps=True)
        self._outcome = Outcome(theme)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addWidget(self._none)
        self._column.addWidget(self._outcome)

    def show_view(self, view: PermissionsView) -> None:
        """Shows these rules."""
        known = {row.rule_id: row for row in view.rules}
        for rule_id in self._cards.keys() - known.keys():
            card = self._cards.pop(rule_id)
            card.setParent(None)
            card.deleteLater()
        for row in view.rules:
            found = self._cards.get(row.rule_id)
            if found is None:
                self._add(RuleCard(self._theme, row), row.rule_id)
            else:
                found.show_row(row)
        for card in self._cards.values():
            card.show_trials(view)
        self._none.setVisible(not view.rules)
        self._outcome.show_words("", spoken(view.problem) if view.problem else "")

    def _add(self, card: RuleCard, rule_id: str) -> None:
        self._cards[rule_id] = card
        card.tried.connect(self.tried)
        card.revoked.connect(self.revoked)
        self._theme.fit(card)
        # Before what is said below the rules.
        self._column.insertWidget(self._column.count() - 1, card)
