"""`ModelsSection` is the settings section about models: the list, the default, and the keys.

`ModelCard` shows what a model is and whether it answers. `KeyCard` says whether there is a key for
a provider and takes a new one.
"""

from dataclasses import dataclass
from typing import Final, get_args

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.config.settings import Provider
from app.ui.composer.model_list import ModelList
from app.ui.settings.card_column import CardColumn
from app.ui.settings.section import (
    FORM_MARGINS_PX,
    GAP_PX,
    GroupCard,
    SettingsSection,
    StatusMessage,
    form_card,
    keep_in_place,
)
from app.ui.theme import Theme
from app.ui.widgets.buttons import Asked, ConfirmButton, Kind, push_button, set_button_text
from app.ui.widgets.chips import ChoiceChip
from app.ui.widgets.empty_place import EmptyPlace
from app.ui.widgets.fields import Field, KeyEdit
from app.ui.widgets.flow_layout import FlowLayout
from app.ui.widgets.fonts import Weight
from app.ui.widgets.labels import breakable, one_line, plain_label, set_ink
from app.ui.widgets.scaling import hold_size
from app.ui.widgets.stylesheet import Token
from app.ui.widgets.surfaces import set_card, stack
from app.viewmodels.chat.model_choice import ModelOption, listed_rows
from app.viewmodels.rows import RowsModel
from app.viewmodels.settings.models import (
    OFFLINE_MODEL,
    PROVIDER_NAMES,
    CheckState,
    ModelChoice,
    ModelPlace,
    ModelsPart,
    ModelsView,
    ModelsViewModel,
    ProviderRow,
)


class KeyCard(QFrame):
    """Takes a key and never shows one that is stored. Made by the section about models."""

    given = Signal(str, str)
    """A key should be kept; arguments: the provider and the key as typed."""
    remove_requested = Signal(str)
    """The key should go; argument: the provider."""

    def __init__(self, theme: Theme, row: ProviderRow) -> None:
        super().__init__()
        self._provider: Provider = row.provider
        self._name = plain_label(row.name, theme, weight=Weight.DemiBold)
        self._words = plain_label("", theme, size="small", ink="ink-2", wraps=True)
        self._key = KeyEdit(theme, self.tr("{provider} key").format(provider=row.name))
        self.setFocusProxy(self._key)
        keep, remove = self.tr("Save"), self.tr("Remove key")
        self._keep = push_button(keep, "secondary", theme, name=f"{keep}: {row.name}")
        self._remove = push_button(remove, "quiet", theme, name=f"{remove}: {row.name}")
        self._lay_out()
        self._keep.clicked.connect(self._on_keep_clicked)
        self._key.returnPressed.connect(self._on_keep_clicked)
        self._remove.clicked.connect(self._on_remove_clicked)
        self.show_row(row)

    def show_row(self, row: ProviderRow) -> None:
        """Show whether a key is stored; clear the field after a typed key was stored."""
        self._words.setText(one_line(row.words))
        self._remove.setVisible(row.has_key)
        self._key.setPlaceholderText(
            self.tr("Replace key") if row.has_key else self.tr("Paste the key")
        )

    def clear(self) -> None:
        """Clear the field after the key was stored."""
        self._key.clear()

    def _lay_out(self) -> None:
        names = QWidget()
        column = QVBoxLayout(names)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self._name)
        column.addWidget(self._words)
        row = FlowLayout(self)
        row.setContentsMargins(14, 9, 14, 9)
        row.add(names, grows=True)
        # Last what every card has, so that the fields of all providers end at the same place.
        row.add(self._remove, self._key, self._keep)

    def _on_keep_clicked(self) -> None:
        self.given.emit(self._provider, self._key.text())

    def _on_remove_clicked(self) -> None:
        self.remove_requested.emit(self._provider)


class AddressKeyCard(QFrame):
    """Takes the address of a model server and its key. Made by the section about models."""

    given = Signal(str, str)
    """A key should be kept; arguments: address and key as typed."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        set_card(self, "plain")
        self._address = Field(
            theme,
            self.tr("Address of another model server"),
            placeholder="https://models.example.org/v1",
            hint=self.tr(
                "An OpenAI-compatible server (Azure, vLLM, LiteLLM …). The key is sent only to "
                "this host, over https or on this computer."
            ),
        )
        self._key = Field(
            theme, self.tr("Key for this server"), placeholder=self.tr("Paste the key"), hides=True
        )
        self.setFocusProxy(self._address)
        self._keep = push_button(
            self.tr("Save"), "secondary", theme, name=self.tr("Save other model server")
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(*FORM_MARGINS_PX)
        column.setSpacing(8)
        column.addWidget(self._address)
        column.addWidget(self._key)
        column.addLayout(_left_aligned(self._keep))
        for signal in (self._keep.clicked, self._address.submitted, self._key.submitted):
            signal.connect(self._on_keep_clicked)

    def clear(self) -> None:
        """Empty the fields: what was typed is kept now."""
        self._address.set_text("")
        self._key.set_text("")

    def _on_keep_clicked(self) -> None:
        self.given.emit(self._address.text, self._key.text)


_INKS: dict[CheckState, Token] = {CheckState.GOOD: "good", CheckState.BAD: "bad"}


class ModelCard(QFrame):
    """Shows one model as long as it is listed. Made by the section about models."""

    chosen = Signal(str)
    """The service should answer with this model; argument: its id."""
    check_requested = Signal(str)
    """It should be checked whether the model answers; argument: its id."""
    remove_requested = Signal(str)
    """The model should leave the list; argument: its id."""
    delete_confirmed = Signal(str)
    """The model's file should be deleted; argument: the model's id."""

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
        asked = Asked(
            self.tr("Delete the file of {name}…").format(name=name),
            self.tr("Keep the file of {name}").format(name=name),
            self.tr("Delete the file of {name} permanently").format(name=name),
        )
        self._delete = ConfirmButton(theme, asked)
        self._lay_out()
        self._use.clicked.connect(self._on_use_clicked)
        self._check.clicked.connect(self._on_check_clicked)
        self._remove.clicked.connect(self._on_remove_clicked)
        self._delete.confirmed.connect(self._on_delete_confirmed)
        self.show_choice(choice)

    def show_choice(self, choice: ModelChoice) -> None:
        """Show how it stands with the model now."""
        set_card(self, "chosen" if choice.is_now else "plain")
        self._now.setVisible(choice.is_now)
        self._use.setVisible(not choice.is_now)
        self._words.setText(one_line(choice.words))
        self._check.setVisible(choice.model_id != OFFLINE_MODEL)
        self._check.setEnabled(choice.check is not CheckState.RUNNING)
        self._remove.setVisible(choice.is_added and not choice.is_now and not choice.is_own)
        self._delete.setVisible(choice.is_own and not choice.is_now)
        self._result.setText(one_line(choice.check_words))
        self._result.setVisible(bool(choice.check_words))
        set_ink(self._result, _INKS.get(choice.check, "ink-2"))

    def _lay_out(self) -> None:
        names = QWidget()
        stack(names, 2, self._name, self._words, self._result)
        row = FlowLayout(self)
        row.setContentsMargins(14, 9, 14, 9)
        row.add(names, grows=True)
        row.add(self._now, self._use, self._check, self._remove, self._delete)

    def _button(self, text: str, name: str, kind: Kind = "secondary") -> QPushButton:
        return push_button(text, kind, self._theme, name=f"{text}: {name}")

    def _on_use_clicked(self) -> None:
        self.chosen.emit(self._model_id)

    def _on_check_clicked(self) -> None:
        self.check_requested.emit(self._model_id)

    def _on_remove_clicked(self) -> None:
        self.remove_requested.emit(self._model_id)

    def _on_delete_confirmed(self) -> None:
        self.delete_confirmed.emit(self._model_id)


_AT_ADDRESS: ModelPlace = "address"
_MODELS_SHOWN: Final = 8
_COLUMN_PX: Final = 720
# Gaps of the list, and the edges of what scrolls.
_AROUND_PX: Final = 28
_NONE_HEIGHT_PX: Final = 180


@dataclass(frozen=True, slots=True)
class _ServerRow:
    """A model server with a key, which may not be had now; `name` is its address."""

    name: str
    is_keyless: bool = False


class _ServerCard(QFrame):
    """Shows one model server as long as it has a key. Made by the section about models."""

    remove_requested = Signal(str)
    """The server and its key should go; argument: its address."""

    def __init__(self, theme: Theme, row: _ServerRow) -> None:
        super().__init__()
        set_card(self, "plain")
        self._row = row
        name = one_line(row.name)
        remove = self.tr("Remove key")
        button = push_button(remove, "quiet", theme, name=f"{remove}: {name}")
        button.clicked.connect(self._on_button_clicked)
        words = self.tr("No key was found in this computer’s keyring. Add the address again.")
        self._keyless = plain_label(words, theme, size="secondary", ink="warn", wraps=True)
        names = QWidget()
        title = plain_label(breakable(name), theme, weight=Weight.DemiBold, wraps=True)
        stack(names, 2, title, self._keyless)
        line = FlowLayout(self)
        line.setContentsMargins(14, 9, 14, 9)
        line.add(names, grows=True)
        line.add(button)
        self.show_row(row)

    def show_row(self, row: _ServerRow) -> None:
        """Show it as it is now; an address never changes."""
        self._row = row
        self._keyless.setVisible(row.is_keyless)

    def _on_button_clicked(self) -> None:
        self.remove_requested.emit(self._row.name)


class ModelsSection(SettingsSection):
    """The models of the service on this computer, one card each, and the keys of providers.

    Made by `SettingsSections`.
    """

    tables = ("models",)

    def __init__(self, theme: Theme, models: ModelsViewModel, files: QWidget | None = None) -> None:
        super().__init__(theme, QCoreApplication.translate("Settings", "Models"), "cpu")
        self._files = files
        self._models = models
        self._cards: dict[str, ModelCard] = {}
        self._card_column = QVBoxLayout()
        self._key_cards: dict[Provider, KeyCard] = {}
        self._outcomes: dict[ModelsPart, StatusMessage] = {
            part: StatusMessage(theme) for part in get_args(ModelsPart)
        }
        self._refresh = push_button("", "secondary", theme, icon="refresh-cw")
        self._place = ChoiceChip(theme, self.tr("Model location"))
        self._name = Field(theme, self.tr("Model name"), placeholder="gpt-5")
        self._address = Field(
            theme,
            self.tr("Server address"),
            placeholder="http://127.0.0.1:1234/v1",
            hint=self.tr("An OpenAI-compatible server. Add its key below if it needs one."),
        )
        self._add = push_button(self.tr("Add"), "secondary", theme, name=self.tr("Add model"))
        self._place_value: ModelPlace = "openai"
        # The card whose key is being kept.
        self._key_card_to_clear: KeyCard | AddressKeyCard | None = None
        self._address_card = AddressKeyCard(theme)
        self._servers = CardColumn[_ServerRow, _ServerCard](
            theme, self._server_card, _ServerCard.show_row
        )
        self._listed: RowsModel[ModelOption] = RowsModel(
            lambda row: row.display_name,
            self,
            spoken_of=lambda row: ", ".join(filter(None, (row.display_name, row.details))),
        )
        self._list = ModelList(self._listed, theme)
        # No ways to add models below the list: this page has them all.
        self._list.show_ways(is_local=False)
        self._list.resized.connect(self._fit_list)
        self._none = EmptyPlace(theme, "cpu")
        self._none.show_words(
            self.tr("No models to choose from"),
            self.tr("Models appear here once you switch to the local connection."),
        )
        hold_size(self._none, height_px=_NONE_HEIGHT_PX)
        self._lay_out()
        self._connect()
        self._on_place_chosen("openai")
        self._show(models.view)

    @property
    def keys(self) -> QWidget:
        """Where the key of the first provider is written."""
        return next(iter(self._key_cards.values()))

    @property
    def address(self) -> QWidget:
        """Where the address of a model server is written."""
        return self._address_card

    def _lay_out(self) -> None:
        self.add_group(
            self.tr("Model on this computer"),
            self.tr("Changes apply from your next message. Replies in progress continue."),
        )
        self._card_column.setSpacing(GAP_PX)
        self.column.addLayout(self._card_column)
        self.column.addLayout(_left_aligned(self._refresh))
        self.column.addWidget(self._outcomes["models"])
        if self._files:
            self.column.addWidget(self._files)
        self._lay_out_adding()
        self.add_group(
            self.tr("Provider keys"),
            self.tr(
                "Keys are stored in this computer’s keyring, or only until Parley closes if "
                "there is none. The local service sends each key to its provider only."
            ),
        )
        keys = GroupCard(self._theme)
        for row in self._models.view.providers:
            card = self._key_cards[row.provider] = KeyCard(self._theme, row)
            keys.add(card)
        self.column.addWidget(keys)
        self.column.addWidget(self._servers)
        self.column.addWidget(self._address_card)
        self.column.addWidget(self._outcomes["keys"])
        self.add_group(
            self.tr("All models"),
            self.tr(
                "The same list as in a chat: models on this computer, and those available with "
                "your keys. The model you choose here answers in chats without a model of "
                "their own."
            ),
        )
        self.column.addWidget(self._none)
        self.column.addWidget(self._list)

    def _lay_out_adding(self) -> None:
        self.add_group(
            self.tr("Add model"),
            self.tr("Models running on this computer are found automatically. Add others by name."),
        )
        choices = [(str(provider), name) for provider, name in PROVIDER_NAMES.items()]
        self._place.offer([*choices, (_AT_ADDRESS, self.tr("Server at an address"))])
        self._place.stand_as_field()
        self.column.addWidget(form_card(self._add, self._place, self._name, self._address))
        self.column.addWidget(self._outcomes["add"])

    def _connect(self) -> None:
        models = self._models
        self._refresh.clicked.connect(models.refresh)
        self._place.chosen.connect(self._on_place_chosen)
        for signal in (self._add.clicked, self._name.submitted, self._address.submitted):
            signal.connect(self._on_add_clicked)
        for card in self._key_cards.values():
            card.given.connect(self._on_card_given)
            card.remove_requested.connect(models.remove_key)
        self._address_card.given.connect(self._on_address_card_given)
        self._list.chosen.connect(self._on_list_chosen)
        models.changed.connect(self._show)

    def _show(self, view: ModelsView) -> None:
        used = self.window().focusWidget()
        if self.isAncestorOf(used):
            # Cards and messages come and go above.
            keep_in_place(used)
        if [choice.model_id for choice in view.models] != list(self._cards):
            self._make_cards(view)
        for choice in view.models:
            self._cards[choice.model_id].show_choice(choice)
        for row in view.providers:
            self._key_cards[row.provider].show_row(row)
        self._servers.show_rows(
            tuple(_ServerRow(address, address in view.keyless) for address in view.servers)
        )
        self._show_listed(view)
        if self._key_card_to_clear and view.about == "keys" and (view.said or view.problem):
            # What was typed for another provider meanwhile stays.
            if view.said:
                self._key_card_to_clear.clear()
            self._key_card_to_clear = None
        for part, outcome in self._outcomes.items():
            is_meant = part == view.about
            outcome.show_words(view.said if is_meant else "", view.problem if is_meant else "")
        self._refresh.setEnabled(not view.is_looking)
        words = self.tr("Looking…") if view.is_looking else self.tr("Refresh")
        set_button_text(self._refresh, words, self.tr("Refresh models"))

    def _show_listed(self, view: ModelsView) -> None:
        rows = listed_rows(view.listed, is_local=True)
        if list(self._listed.rows) != rows:
            self._listed.replace_all(rows)
        self._list.show_chosen(next((m.id for m in view.listed if m.is_default), None))
        self._list.setVisible(bool(rows))
        self._none.setVisible(not rows)

    def _fit_list(self) -> None:
        """Make the list as high as its models, up to some; the rest scrolls."""
        # What stands below the list has one line, unless the window is very narrow.
        wanted = self._list.wanted_height(_MODELS_SHOWN, self._theme.px(_COLUMN_PX))
        # `hold_size` takes pixels of the design, and what was measured is scaled already.
        scale = self._theme.px(100) / 100
        hold_size(
            self._list,
            height_px=round(
                (wanted + self._list.search.sizeHint().height() + self._theme.px(_AROUND_PX))
                / scale
            ),
        )
        self._theme.fit(self._list)

    def _server_card(self, row: "_ServerRow") -> "_ServerCard":
        card = _ServerCard(self._theme, row)
        card.remove_requested.connect(self._models.remove_server)
        return card

    def _on_list_chosen(self, model: object) -> None:
        if isinstance(model, ModelOption) and model.model and model.is_available:
            self._models.choose(model.model)

    def _on_address_card_given(self, address: str, key: str) -> None:
        self._key_card_to_clear = self._address_card
        self._models.keep_address_key(address, key)

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
            card.delete_confirmed.connect(self._models.delete_file)
            self._card_column.addWidget(card)
            card.show()

    def _on_place_chosen(self, value: str) -> None:
        self._place_value = next(place for place in get_args(ModelPlace) if place == value)
        self._place.show_value(value)
        self._address.setVisible(value == _AT_ADDRESS)

    def _on_card_given(self, provider: Provider, key: str) -> None:
        self._key_card_to_clear = self._key_cards[provider]
        self._models.keep_key(provider, key)

    def _on_add_clicked(self) -> None:
        before = len(self._models.view.models)
        self._models.add(self._place_value, self._name.text, self._address.text)
        if len(self._models.view.models) > before:
            self._name.set_text("")
            self._address.set_text("")


def _left_aligned(widget: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.addWidget(widget)
    row.addStretch(1)
    return row
