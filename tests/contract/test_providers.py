"""The providers that our app knows are those of our service's program."""

from typing import get_args

from app.api.models import is_model_id, name_of_model_id
from app.config.settings import Provider as Offered
from app.viewmodels.settings.models import PROVIDER_NAMES
from local_server.assistant.models.providers import PROVIDERS, provider_title


def test_every_provider_of_the_settings_has_a_name() -> None:
    assert set(PROVIDER_NAMES) == set(get_args(Offered))


def test_service_knows_every_provider_of_the_settings_by_the_same_name() -> None:
    titles = {provider: provider_title(provider) for provider in PROVIDERS}
    assert {name: titles.get(name) for name in PROVIDER_NAMES} == dict(PROVIDER_NAMES)


def test_every_provider_s_models_are_known_as_those_of_our_service() -> None:
    named = {provider: name_of_model_id(f"{provider}:m") for provider in PROVIDERS}

    assert named == dict.fromkeys(PROVIDERS, "m")
    assert all(is_model_id(f"{provider}:m") for provider in PROVIDERS)
    assert not is_model_id("none:m")
