"""One model in the settings: what it is, and whether it answers."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from app.ui.parts.buttons import Kind, push_button
from app.ui.parts.flow import Flow
from app.ui.parts.fonts import Weight
from app.ui.parts.labels import one_line, plain_label, set_ink
from app.ui.parts.stacking import stack
from app.ui.parts.surfaces import set_card
from app.ui.parts.tokens import Token
from app.ui.theme import Theme
from app.viewmodels.settings.model_words import OFFLINE_MODEL
from app.viewmodels.settings.states import CheckState, ModelChoice

_INKS: dict[CheckState, Token] = {CheckState.GOOD: "good", CheckState.BAD: "bad"}


class ModelCard(QFrame):
    """Shows a model; it is always the same one. Made by the section about models."""

    chosen = Signal(str)
    """The service should answer with it; argument: the model's id."""
    check_requested = Signal(str)
    """Does it answer; argument: the model's id."""
    remove_requested = Signal(str)
    """It should leave the list; argument: the model's id."""

    def __init__(self, theme: Theme, choice: ModelChoice) -> None:
        super().__init__()
        self._theme = theme
        self._model_id = choice.model_id
        name = one_line(choice.name)
        self._name = plain_label(name, theme, weight=Weight.DemiBold, elides=True)
        self._now = plain_label(self.tr("In use"), theme, size="small", ink="accent")
        self._words = plain_label("", theme, size="small", ink="ink-2", wraps=True)
        self._result = plain_label("", theme, size="small", wraps=True)
        self._use = self._button(self.tr("Use"), name)
        self._check = self._button(self.tr("Check"), name)
        self._remove = self._button(self.tr("Remove"), name, "quiet")
        self._lay_out()
        self._use.clicked.connect(self._on_use_clicked)
        self._check.clicked.connect(self._on_check_clicked)
        self._remove.clicked.connect(self._on_remove_clicked)
        self.show_choice(choice)

    def show_choice(self, choice: ModelChoice) -> None:
        """Shows how it stands with the model now."""
        set_card(self, "chosen" if choice.is_now else "plain")
        self._now.setVisible(choice.is_now)
        self._use.setVisible(not choice.is_now)
        self._words.setText(one_line(choice.words))
        self._check.setVisible(choice.model_id != OFFLINE_MODEL)
        self._check.setEnabled(choice.check is not CheckState.RUNNING)
        self._remove.setVisible(choice.is_added and not choice.is_now)
        self._result.setText(one_line(choice.check_words))
        self._result.setVisible(bool(choice.check_words))
        set_ink(self._result, _INKS.get(choice.check, "ink-2"))

    def _lay_out(self) -> None:
        names = QWidget()
        stack(names, 2, self._name, self._words, self._result)
        row = Flow(self)
        row.setContentsMargins(14, 9, 14, 9)
        row.add(names, grows=True)
        row.add(self._now, self._use, self._check, self._remove)

    def _button(self, text: str, name: str, kind: Kind = "secondary") -> QPushButton:
        return push_button(text, kind, self._theme, name=f"{text}: {name}")

    def _on_use_clicked(self) -> None:
        self.chosen.emit(self._model_id)

    def _on_check_clicked(self) -> None:
        self.check_requested.emit(self._model_id)

    def _on_remove_clicked(self) -> None:
        self.remove_requested.emit(self._model_id)
