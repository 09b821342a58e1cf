"""The key of one provider of models in the settings: whether there is one, and a new one."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QLineEdit, QVBoxLayout, QWidget

from app.settings import Provider
from app.ui.parts.buttons import push_button
from app.ui.parts.flow import Flow
from app.ui.parts.fonts import Weight
from app.ui.parts.labels import one_line, plain_label
from app.ui.parts.line_edit import LineEdit
from app.ui.parts.surfaces import set_card
from app.ui.theme import Theme
from app.viewmodels.settings.states import ProviderRow


class KeyCard(QFrame):
    """Takes a key and never shows one. Made by the section about models."""

    given = Signal(str, str)
    """A key should be kept; arguments: the provider and the key as typed."""
    remove_requested = Signal(str)
    """The key should go; argument: the provider."""

    def __init__(self, theme: Theme, row: ProviderRow) -> None:
        super().__init__()
        set_card(self, "plain")
        self._provider: Provider = row.provider
        self._name = plain_label(row.name, theme, weight=Weight.DemiBold)
        self._words = plain_label("", theme, size="small", ink="ink-2", wraps=True)
        self._key = LineEdit()
        self._key.setEchoMode(QLineEdit.EchoMode.Password)
        self._key.setFont(theme.font("secondary"))
        self._key.setAccessibleName(self.tr("Key of {provider}").format(provider=row.name))
        keep, remove = self.tr("Keep"), self.tr("Remove key")
        self._keep = push_button(keep, "secondary", theme, name=f"{keep}: {row.name}")
        self._remove = push_button(remove, "quiet", theme, name=f"{remove}: {row.name}")
        self._lay_out()
        self._keep.clicked.connect(self._on_keep_clicked)
        self._key.returnPressed.connect(self._on_keep_clicked)
        self._remove.clicked.connect(self._on_remove_clicked)
        self.show_row(row)

    def show_row(self, row: ProviderRow) -> None:
        """Shows whether there is a key; one that was typed and is kept leaves the field."""
        self._words.setText(one_line(row.words))
        self._remove.setVisible(row.has_key)
        self._key.setPlaceholderText(
            self.tr("Another key") if row.has_key else self.tr("Paste the key")
        )

    def clear(self) -> None:
        """Empties the field: what was typed is kept now."""
        self._key.clear()

    def _lay_out(self) -> None:
        names = QWidget()
        column = QVBoxLayout(names)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self._name)
        column.addWidget(self._words)
        row = Flow(self)
        row.setContentsMargins(14, 9, 14, 9)
        row.add(names, grows=True)
        # At the end is what every card has: the fields of all providers end at one place.
        row.add(self._remove, self._key, self._keep)

    def _on_keep_clicked(self) -> None:
        self.given.emit(self._provider, self._key.text())

    def _on_remove_clicked(self) -> None:
        self.remove_requested.emit(self._provider)
