"""The keys of the providers of models, which the bundled service is handed when it starts."""

import asyncio
from typing import Final

from pydantic import SecretStr

from app.key_store import Kept, KeyStore
from app.settings import Provider, SettingsFile

_ENTRY: Final = "provider:{provider}"


class ProviderKeys:
    """Keeps one key for each provider in the system's keyring, and knows for whom there is one.

    The settings say which providers have one, so that nobody who has none is ever asked to unlock
    a keyring. One for the run.
    """

    def __init__(self, settings: SettingsFile, keys: KeyStore) -> None:
        self._settings = settings
        self._keys = keys

    async def load(self) -> dict[Provider, SecretStr]:
        """Returns the keys that can be had now, by provider."""
        keyed = self._settings.current.models.keyed
        found = await asyncio.gather(*(self._keys.load(_entry(provider)) for provider in keyed))
        return {provider: key for provider, key in zip(keyed, found, strict=True) if key}

    async def places(self) -> dict[Provider, Kept]:
        """Says where the keys are that can be had now."""
        return {provider: self._keys.place_of(_entry(provider)) for provider in await self.load()}

    async def keep(self, provider: Provider, key: SecretStr) -> Kept:
        """Keeps the key of a provider, in place of an earlier one, and says where.

        Raises:
            UserFacingError: the settings could not be written; then nothing was kept.
        """
        others = self._others(provider)
        self._note((*others, provider))
        return await self._keys.save(_entry(provider), key)

    async def forget(self, provider: Provider) -> None:
        """Removes the key of a provider.

        Raises:
            UserFacingError: the settings could not be written; the key is gone all the same.
        """
        await self._keys.forget(_entry(provider))
        self._note(self._others(provider))

    def _others(self, provider: Provider) -> tuple[Provider, ...]:
        return tuple(name for name in self._settings.current.models.keyed if name != provider)

    def _note(self, keyed: tuple[Provider, ...]) -> None:
        settings = self._settings.current
        models = settings.models.model_copy(update={"keyed": keyed})
        self._settings.keep(settings.with_section(models))


def _entry(provider: Provider) -> str:
    return _ENTRY.format(provider=provider)
