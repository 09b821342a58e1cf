"""`FirstRun` is the page of the first start: the user chooses a service to connect to."""

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.ui.settings.choice_card import ChoiceCard, ModelChooser
from app.ui.theme import Theme
from app.ui.widgets.accessible import announce, set_role
from app.ui.widgets.buttons import push_button, set_button_text
from app.ui.widgets.fields import Field
from app.ui.widgets.fonts import Weight
from app.ui.widgets.labels import one_line, plain_label
from app.ui.widgets.surfaces import set_surface
from app.viewmodels.settings.settings import Choice, FirstRunView

_COLUMN_PX: Final = 560
_CARD_GAP_PX: Final = 12


class FirstRun(QWidget):
    """Offers three choices; the fields of a choice and its errors stand in its card.

    Until the person chooses, this computer is chosen, or the built-in demo where no model was
    found: a choice that needs one cannot be started without. What it shows comes through
    `show_state`. Made by the window.
    """

    local_chosen = Signal(str)
    """Talk to the bundled service; argument: the model's id."""
    hosted_chosen = Signal(str, str)
    """Talk to a hosted project; arguments: address and key as typed."""
    offline_chosen = Signal()
    """Talk to the built-in demonstration assistant."""
    look_requested = Signal()
    """Models should be looked for again."""
    postponed = Signal()
    """Not now."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._models = ModelChooser(theme)
        self._refresh = push_button(self.tr("Look again"), "secondary", theme)
        self._view = FirstRunView("", ())
        self._address = Field(
            theme, self.tr("Service address"), placeholder="https://service.example.com"
        )
        self._key = Field(
            theme,
            self.tr("Project key"),
            hint=self.tr(
                "Kept in this computer’s keyring or, where there is none, until Parley closes; "
                "never in a file."
            ),
            hides=True,
        )
        self._problem = plain_label("", theme, size="secondary", ink="bad", wraps=True)
        self._later = push_button(self.tr("Later"), "quiet", theme)
        self._start = push_button(self.tr("Start chatting"), "primary", theme)
        self._group = QButtonGroup(self)
        self._cards = self._make_cards()
        self._lay_out()
        self._connect()
        self._cards[Choice.THIS_COMPUTER].choose()
        # From the first choice of the person on, what is found changes it no more.
        self._is_chosen_by_person = False

    @property
    def choice(self) -> Choice:
        """The card that is chosen now."""
        return next(choice for choice, card in self._cards.items() if card.is_chosen)

    def choose(self, choice: Choice) -> None:
        """Choose a card."""
        self._cards[choice].choose()

    def take_focus(self) -> None:
        """Move the focus to the chosen card: arrows choose another, Enter starts."""
        self._cards[self.choice].take_focus()

    def show_state(self, view: FirstRunView) -> None:
        """Show what was found, and what is wrong with the choice made."""
        self._view = view
        self._cards[Choice.THIS_COMPUTER].show_words(one_line(view.found_words))
        self._models.show_models(view.models)
        self._models.setVisible(bool(view.models))
        self._refresh.setVisible(not view.models and not view.is_looking)
        self._follow_findings()
        is_hosted = self.choice is Choice.HOSTED
        self._address.show_error(view.address_error if is_hosted else "")
        self._key.show_error(view.key_error if is_hosted else "")
        self._show_problem("" if is_hosted else one_line(view.address_error or view.key_error))
        self._show_start()
        set_button_text(
            self._start, self.tr("Connecting…") if view.is_checking else self.tr("Start chatting")
        )

    def _show_problem(self, words: str) -> None:
        is_other = words != self._problem.text()
        self._problem.setText(words)
        self._problem.setVisible(bool(words))
        if is_other:
            announce(self, words)

    def _follow_findings(self) -> None:
        if self._is_chosen_by_person or self._view.is_looking or self._view.is_checking:
            return
        had_keyboard = self._cards[self.choice].has_keyboard
        self.choose(Choice.THIS_COMPUTER if self._view.models else Choice.OFFLINE)
        self._is_chosen_by_person = False
        if had_keyboard:
            self.take_focus()

    def _show_start(self) -> None:
        is_possible = self.choice is not Choice.THIS_COMPUTER or bool(self._view.models)
        # Off while it connects, it would lose the keyboard to whatever is next.
        self._start.setEnabled(is_possible)

    def _make_cards(self) -> dict[Choice, ChoiceCard]:
        rows = (
            (
                Choice.THIS_COMPUTER,
                "monitor",
                self.tr("On this computer"),
                self.tr("Looking for models…"),
                _body(self._models, self._refresh),
            ),
            (
                Choice.HOSTED,
                "cloud",
                self.tr("A hosted project"),
                self.tr("You have a service address and a project key."),
                _body(self._address, self._key),
            ),
            (
                Choice.OFFLINE,
                "plane",
                self.tr("Try it offline"),
                self.tr(
                    "A built-in demonstration assistant: no model, no network. "
                    "It shows tools and approvals."
                ),
                QWidget(),
            ),
        )
        return {
            choice: ChoiceCard(
                self._theme, self._group, icon=icon, title=title, words=words, body=body
            )
            for choice, icon, title, words, body in rows
        }

    def _lay_out(self) -> None:
        set_surface(self, "bg")
        # Screen readers do not read the name of a plain widget.
        set_role(self, QAccessible.Role.Grouping)
        self.setAccessibleName(self.tr("Where should Parley connect?"))
        page = QWidget()
        page.setMaximumWidth(_COLUMN_PX)
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 24, 0, 24)
        column.setSpacing(_CARD_GAP_PX)
        column.addStretch(1)
        column.addLayout(self._make_heading())
        for card in self._cards.values():
            column.addWidget(card)
        column.addWidget(self._problem)
        column.addLayout(self._make_buttons())
        column.addStretch(1)
        frame = QWidget()
        row = QHBoxLayout(frame)
        row.setContentsMargins(24, 0, 24, 0)
        row.addStretch(1)
        row.addWidget(page, 1000)
        row.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(frame)
        outside = QVBoxLayout(self)
        outside.setContentsMargins(0, 0, 0, 0)
        outside.addWidget(scroll)

    def _make_heading(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(8)
        column.setContentsMargins(0, 0, 0, 8)
        title = self.tr("Where should Parley connect?")
        column.addWidget(
            plain_label(title, self._theme, size="heading", weight=Weight.Bold, wraps=True)
        )
        words = self.tr(
            "Your key is kept in this computer’s keyring, where there is one. You can add more "
            "later."
        )
        column.addWidget(plain_label(words, self._theme, ink="ink-2", wraps=True))
        return column

    def _make_buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(0, 6, 0, 0)
        row.setSpacing(8)
        row.addStretch(1)
        row.addWidget(self._later)
        row.addWidget(self._start)
        return row

    def _connect(self) -> None:
        self._refresh.clicked.connect(self.look_requested)
        self._later.clicked.connect(self.postponed)
        self._start.clicked.connect(self._on_start_clicked)
        self._address.submitted.connect(self._on_start_clicked)
        self._key.submitted.connect(self._on_start_clicked)
        for card in self._cards.values():
            card.chosen.connect(self._on_card_chosen)
            card.submitted.connect(self._on_start_clicked)

    def _on_card_chosen(self) -> None:
        self._is_chosen_by_person = True
        self._problem.hide()
        self._show_start()

    def _on_start_clicked(self) -> None:
        if self._view.is_checking or not self._start.isEnabled():
            return
        match self.choice:
            case Choice.THIS_COMPUTER:
                self.local_chosen.emit(self._models.model_id)
            case Choice.HOSTED:
                self.hosted_chosen.emit(self._address.text, self._key.text)
            case Choice.OFFLINE:
                self.offline_chosen.emit()


def _body(*widgets: QWidget) -> QWidget:
    body = QWidget()
    column = QVBoxLayout(body)
    column.setContentsMargins(0, 8, 0, 2)
    column.setSpacing(10)
    for widget in widgets:
        fills = isinstance(widget, Field)
        column.addWidget(widget, 0, Qt.AlignmentFlag(0) if fills else Qt.AlignmentFlag.AlignLeft)
    return body
