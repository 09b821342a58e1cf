"""What is said of models and of the keys of their providers in the settings."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, get_args

from PySide6.QtCore import QCoreApplication

from app.key_store import Kept
from app.settings import Provider, Settings
from app.viewmodels.settings.states import CheckState, ModelChoice, ModelRow, ProviderRow

OFFLINE_MODEL: Final = "offline"
# Names of products, the same in every language.
PROVIDER_NAMES: Final[Mapping[Provider, str]] = {
    "openai": "OpenAI",
    "anthropic": "Anthropic",
    "google": "Google",
    "openrouter": "OpenRouter",
}
_ADDRESS: Final = re.compile(r"@(https?://[^@\s]+)\Z")

Checks = Mapping[str, tuple[CheckState, str]]
"""By a model's id, how its check stands and what it found."""


def provider_of(model_id: str) -> Provider | None:
    """Returns the provider whose key the model needs; None where it needs none."""
    if _ADDRESS.search(model_id):
        return None
    name = model_id.partition(":")[0]
    return next((provider for provider in get_args(Provider) if provider == name), None)


def name_of(model_id: str, found: Sequence[ModelRow]) -> str:
    """Returns the name that people know the model by."""
    if model_id == OFFLINE_MODEL:
        return QCoreApplication.translate("Models", "Built-in assistant")
    known = {row.model_id: row.name for row in found}
    return known.get(model_id) or _ADDRESS.sub("", model_id.partition(":")[2])


def model_choices(
    settings: Settings, found: Sequence[ModelRow], checks: Checks
) -> tuple[ModelChoice, ...]:
    """Returns the built-in assistant, what was found and added, and what is in use for all that."""
    offline, now = _offline(), settings.connection.model
    where = QCoreApplication.translate("Models", "On this computer, in {server}.")
    choices = {offline.model_id: offline}
    for row in found:
        words = where.format(server=row.server)
        choices[row.model_id] = ModelChoice(row.model_id, row.name, words)
    for model_id in (*settings.models.added, now):
        name = name_of(model_id, found)
        choices.setdefault(model_id, ModelChoice(model_id, name, _words_of(model_id)))
    return tuple(
        replace(
            choice,
            is_now=choice.model_id == now,
            is_added=choice.model_id in settings.models.added,
            check=checks.get(choice.model_id, (CheckState.NONE, ""))[0],
            check_words=checks.get(choice.model_id, (CheckState.NONE, ""))[1],
        )
        for choice in choices.values()
    )


def provider_rows(
    settings: Settings, places: Mapping[Provider, Kept] | None
) -> tuple[ProviderRow, ...]:
    """Returns the providers with where their keys are; `places` are None while that is unknown."""
    keyed = settings.models.keyed
    return tuple(
        ProviderRow(provider, name, _key_words(provider, settings, places), provider in keyed)
        for provider, name in PROVIDER_NAMES.items()
    )


def _offline() -> ModelChoice:
    words = QCoreApplication.translate(
        "Models", "Comes with Parley: no language model, no network. It shows tools and approvals."
    )
    return ModelChoice(OFFLINE_MODEL, name_of(OFFLINE_MODEL, ()), words)


def _words_of(model_id: str) -> str:
    translate = QCoreApplication.translate
    provider, at = provider_of(model_id), _ADDRESS.search(model_id)
    if provider:
        words = translate("Models", "Of {provider}, with your key. What you write goes there.")
        return words.format(provider=PROVIDER_NAMES[provider])
    if at:
        words = translate("Models", "At {address}. What you write goes there, but no key.")
        return words.format(address=at[1])
    return translate("Models", "Was not found on this computer just now.")


def _key_words(
    provider: Provider, settings: Settings, places: Mapping[Provider, Kept] | None
) -> str:
    translate = QCoreApplication.translate
    if provider not in settings.models.keyed:
        return translate("Models", "No key yet.")
    if places is None:
        return translate("Models", "Looking in this computer’s keyring…")
    match places.get(provider):
        case Kept.KEYRING:
            return translate("Models", "Kept in this computer’s keyring.")
        case Kept.SESSION:
            return translate("Models", "Kept until Parley closes: no keyring was found.")
        case None:
            return translate("Models", "It is not in this computer’s keyring. Give it again.")
