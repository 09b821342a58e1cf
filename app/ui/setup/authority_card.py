"""The certificate of an authority in the settings: whose it is, its fingerprint, until when."""

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout

from app.ui.parts.buttons import push_button
from app.ui.parts.flow import Flow
from app.ui.parts.fonts import Weight
from app.ui.parts.labels import one_line, plain_label
from app.ui.parts.surfaces import set_card
from app.ui.theme import Theme
from app.viewmodels.settings.states import AuthorityRow

_PAIRS_IN_A_GROUP: Final = 8


class AuthorityCard(QFrame):
    """Shows one certificate, offered or accepted. Made by the section about the network."""

    accepted = Signal()
    """The person has compared the fingerprint, and trusts the authority."""
    declined = Signal()
    """The person does not trust what is offered."""
    removed = Signal()
    """The authority should not count any more."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._name = plain_label("", theme, weight=Weight.DemiBold, wraps=True)
        self._file = plain_label("", theme, size="small", ink="ink-2", wraps=True)
        self._words = plain_label("", theme, size="small", ink="ink-2", wraps=True)
        self._problem = plain_label("", theme, size="small", ink="bad", wraps=True)
        self._hash = plain_label("", theme, is_code=True, wraps=True)
        self._hint = plain_label(
            self.tr("Compare the fingerprint with the one that the authority tells you."),
            theme,
            size="small",
            ink="warn",
            wraps=True,
        )
        self._accept = push_button(self.tr("Trust this authority"), "secondary", theme)
        self._decline = push_button(self.tr("Cancel"), "quiet", theme)
        self._remove = push_button(
            self.tr("Remove"), "secondary", theme, name=self.tr("Remove the authority")
        )
        self._lay_out(theme)
        self._accept.clicked.connect(self.accepted)
        self._decline.clicked.connect(self.declined)
        self._remove.clicked.connect(self.removed)

    def show_row(self, row: AuthorityRow) -> None:
        """Shows this certificate."""
        set_card(self, "chosen" if row.is_offered else "plain")
        for label, words in (
            (self._name, row.name),
            (self._file, row.file),
            (self._words, row.words),
            (self._problem, row.problem),
        ):
            label.setText(one_line(words))
            label.setVisible(bool(words))
        self._hash.setText(_in_groups(one_line(row.fingerprint)))
        for part in (self._hint, self._accept, self._decline):
            part.setVisible(row.is_offered)
        self._remove.setVisible(not row.is_offered)

    def _lay_out(self, theme: Theme) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 10, 14, 10)
        column.setSpacing(4)
        title = self.tr("Fingerprint (SHA-256)")
        caption = plain_label(title, theme, size="small", ink="ink-2")
        for label in (self._name, self._words, self._problem, self._file):
            column.addWidget(label)
        column.addSpacing(4)
        for label in (caption, self._hash, self._hint):
            column.addWidget(label)
        buttons = Flow()
        buttons.add(self._accept, self._decline, self._remove)
        column.addSpacing(4)
        column.addLayout(buttons)


def _in_groups(fingerprint: str) -> str:
    """The pairs in lines of their own, where a line can end."""
    pairs = fingerprint.split(":")
    groups = (pairs[at : at + _PAIRS_IN_A_GROUP] for at in range(0, len(pairs), _PAIRS_IN_A_GROUP))
    return "\n".join(":".join(group) for group in groups)
