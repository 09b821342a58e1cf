"""The section of the settings about models: which there are, which answers, whose keys are here."""

from typing import get_args

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.settings import Provider
from app.ui.parts.buttons import push_button, set_button_text
from app.ui.parts.choice_chip import ChoiceChip
from app.ui.parts.fields import Field
from app.ui.setup.key_card import KeyCard
from app.ui.setup.model_card import ModelCard
from app.ui.setup.outcome import Outcome
from app.ui.setup.section import GAP_PX, SettingsSection
from app.ui.theme import Theme
from app.viewmodels.settings.model_words import PROVIDER_NAMES
from app.viewmodels.settings.models import ModelPlace, ModelsViewModel
from app.viewmodels.settings.states import ModelsPart, ModelsView

_AT_ADDRESS: ModelPlace = "address"


class ModelsSection(SettingsSection):
    """The models of the service on this computer, one card each, and the keys of providers.

    Made by the settings page.
    """

    tables = ("models",)

    def __init__(self, theme: Theme, models: ModelsViewModel) -> None:
        super().__init__(theme, QCoreApplication.translate("Settings", "Models"), "cpu")
        self._models = models
        self._cards: dict[str, ModelCard] = {}
        self._card_column = QVBoxLayout()
        self._key_cards: dict[Provider, KeyCard] = {}
        self._outcomes: dict[ModelsPart, Outcome] = {
            part: Outcome(theme) for part in get_args(ModelsPart)
        }
        self._look = push_button("", "quiet", theme, icon="refresh-cw")
        self._place = ChoiceChip(theme, self.tr("Where the model is"))
        self._name = Field(theme, self.tr("Name of the model"), placeholder="gpt-5")
        self._address = Field(
            theme,
            self.tr("Address of the server"),
            placeholder="http://127.0.0.1:1234/v1",
            hint=self.tr("A server that speaks as OpenAI’s does. No key is sent there."),
        )
        self._add = push_button(self.tr("Add"), "secondary", theme, name=self.tr("Add the model"))
        self._place_value: ModelPlace = "openai"
        # The card whose key is being kept.
        self._given: KeyCard | None = None
        self._lay_out()
        self._connect()
        self._on_place_chosen("openai")
        self._show(models.view)

    def _lay_out(self) -> None:
        self.add_group(
            self.tr("What answers on this computer"),
            self.tr(
                "A new choice takes effect at once: the service starts again, which cuts off a "
                "reply that is being written."
            ),
        )
        self._card_column.setSpacing(GAP_PX)
        self.column.addLayout(self._card_column)
        self.column.addLayout(_left(self._look))
        self.column.addWidget(self._outcomes["models"])
        self._lay_out_adding()
        self.add_group(
            self.tr("Keys of providers"),
            self.tr(
                "A key is kept in this computer’s keyring or, where there is none, until Parley "
                "closes. It is given to the service on this computer alone, which shows it to its "
                "provider and to nobody else."
            ),
        )
        for row in self._models.view.providers:
            card = self._key_cards[row.provider] = KeyCard(self._theme, row)
            self.column.addWidget(card)
        self.column.addWidget(self._outcomes["keys"])
        self.column.addStretch(1)

    def _lay_out_adding(self) -> None:
        self.add_group(
            self.tr("Add a model"),
            self.tr("Models that run here are found by themselves; others have to be named."),
        )
        choices = [(str(provider), name) for provider, name in PROVIDER_NAMES.items()]
        self._place.offer([*choices, (_AT_ADDRESS, self.tr("A server at an address"))])
        self.column.addLayout(_left(self._place))
        self.column.addWidget(self._name)
        self.column.addWidget(self._address)
        self.column.addLayout(_left(self._add))
        self.column.addWidget(self._outcomes["add"])

    def _connect(self) -> None:
        models = self._models
        self._look.clicked.connect(models.look)
        self._place.chosen.connect(self._on_place_chosen)
        for signal in (self._add.clicked, self._name.submitted, self._address.submitted):
            signal.connect(self._on_add_clicked)
        for card in self._key_cards.values():
            card.given.connect(self._on_card_given)
            card.remove_requested.connect(models.remove_key)
        models.changed.connect(self._show)

    def _show(self, view: ModelsView) -> None:
        if [choice.model_id for choice in view.models] != list(self._cards):
            self._make_cards(view)
        for choice in view.models:
            self._cards[choice.model_id].show_choice(choice)
        for row in view.providers:
            self._key_cards[row.provider].show_row(row)
        if self._given and view.about == "keys" and (view.said or view.problem):
            # What was typed for another provider meanwhile stays.
            if view.said:
                self._given.clear()
            self._given = None
        for part, outcome in self._outcomes.items():
            is_meant = part == view.about
            outcome.show_words(view.said if is_meant else "", view.problem if is_meant else "")
        self._look.setEnabled(not view.is_looking)
        words = self.tr("Looking…") if view.is_looking else self.tr("Look again")
        set_button_text(self._look, words, self.tr("Look for models again"))

    def _make_cards(self, view: ModelsView) -> None:
        for card in self._cards.values():
            card.hide()
            self._card_column.removeWidget(card)
            card.deleteLater()
        self._cards = {choice.model_id: ModelCard(self._theme, choice) for choice in view.models}
        for card in self._cards.values():
            card.chosen.connect(self._models.choose)
            card.check_requested.connect(self._models.check)
            card.remove_requested.connect(self._models.remove)
            self._card_column.addWidget(card)
            card.show()

    def _on_place_chosen(self, value: str) -> None:
        self._place_value = next(place for place in get_args(ModelPlace) if place == value)
        self._place.show_value(value)
        self._address.setVisible(value == _AT_ADDRESS)

    def _on_card_given(self, provider: Provider, key: str) -> None:
        self._given = self._key_cards[provider]
        self._models.keep_key(provider, key)

    def _on_add_clicked(self) -> None:
        before = len(self._models.view.models)
        self._models.add(self._place_value, self._name.text, self._address.text)
        if len(self._models.view.models) > before:
            self._name.set_text("")
            self._address.set_text("")


def _left(widget: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.addWidget(widget)
    row.addStretch(1)
    return row
