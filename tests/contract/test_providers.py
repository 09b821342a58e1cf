"""Each provider that our app takes a key for is one that our service's program knows."""

from typing import get_args

from app.config.settings import Provider as Offered
from app.viewmodels.settings.models import PROVIDER_NAMES
from local_server.assistant.models.providers import PROVIDERS, provider_title


def test_every_provider_of_the_settings_has_a_name() -> None:
    assert set(PROVIDER_NAMES) == set(get_args(Offered))


def test_service_knows_every_provider_of_the_settings_by_the_same_name() -> None:
    titles = {provider: provider_title(provider) for provider in PROVIDERS}
    assert {name: titles.get(name) for name in PROVIDER_NAMES} == dict(PROVIDER_NAMES)
