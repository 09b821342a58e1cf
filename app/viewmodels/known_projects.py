"""The projects that are known here: what the settings say of them, and their keys."""

import secrets
from typing import Final, get_args
from urllib.parse import urlsplit

from pydantic import SecretStr

from app.common.errors import UserFacingError
from app.config.key_store import KeptIn, KeyStore
from app.config.settings import (
    ConnectionSettings,
    Project,
    ProjectColour,
    SettingsFile,
    first_id_at,
    origin_of,
)

_TEST_KEY_PREFIX: Final = "pk_test_"
_ID_BYTES: Final = 8


class KnownProjects:
    """Finds projects and their keys, and keeps both together. Made by the connection."""

    def __init__(self, settings: SettingsFile, keys: KeyStore) -> None:
        self._settings = settings
        self._keys = keys

    async def find_or_make(self, base_url: str, key: SecretStr, name: str) -> Project:
        """Return the project with this address and key, or a new one.

        A new one's id, and so its data and key, is no other one's, nor was it ever. What an
        earlier version kept at an address it finds again by its key, which stayed behind there.
        """
        settings, origin = self._settings.current, origin_of(base_url)
        known = [project for project in settings.hosted if origin_of(project.base_url) == origin]
        first = Project(
            id=first_id_at(base_url), name=name, base_url=base_url, colour=self._next_colour()
        )
        if all(project.id != first.id for project in settings.hosted):
            known.append(first)
        for project in known:
            if await self._keys.load(key_entry(project)) == key:
                again = {"base_url": base_url, "name": name or project.name}
                return project.model_copy(update=again)
        new_id = f"{first.id}#{secrets.token_hex(_ID_BYTES)}"
        return first.model_copy(update={"id": new_id})

    async def key_of(self, project: Project) -> SecretStr | None:
        """Return the project's key for its address, if it is here."""
        return await self._keys.load(key_entry(project))

    def place_of_key(self, project: Project) -> KeptIn:
        """Says where the key is that `key_of` has found."""
        return self._keys.place_of(key_entry(project))

    async def keep(self, project: Project, key: SecretStr) -> KeptIn:
        """Keep the project with this key as the one at work, and no other key of it.

        Raises:
            UserFacingError: the settings could not be written.
        """
        before = [other for other in self._settings.current.hosted if other.id == project.id]
        entry, entries_before = key_entry(project), {key_entry(other) for other in before}
        kept = await self._keys.save(entry, key)
        try:
            self.choose(project.model_copy(update={"is_test": is_test_key(key)}))
        except UserFacingError:
            if entry not in entries_before:
                # Nothing would lead to this key any more, not even to remove it.
                await self._keys.forget(entry)
            raise
        for left in entries_before - {entry}:
            await self._keys.forget(left)
        return kept

    def choose(self, project: Project) -> None:
        """Make this project the one at work.

        Raises:
            UserFacingError: the settings could not be written.
        """
        model = self._settings.current.connection.model
        self.connect(ConnectionSettings(kind="hosted", project=project.id, model=model), project)

    def connect(self, connection: ConnectionSettings, project: Project | None = None) -> None:
        """Keep whom the window talks to, with the state of the project that it names.

        Raises:
            UserFacingError: the settings could not be written.
        """
        settings = self._settings.current
        settings = settings.with_connection(connection)
        if project:
            settings = settings.with_section(settings.projects.with_project(project))
        self._settings.keep(settings)

    def _next_colour(self) -> ProjectColour:
        # The first one that no project has; when all are in use, they begin again.
        settings = self._settings.current
        colours: tuple[ProjectColour, ...] = get_args(ProjectColour)
        used = [settings.projects.local_colour, *(project.colour for project in settings.hosted)]
        return min(colours, key=used.count)


def key_entry(project: Project) -> str:
    """Return the name under which the key lies: the project, and scheme, host and port.

    So a key stays behind where the address becomes another, whoever changed it. The first
    project of an address has the name that earlier versions gave its key.
    """
    origin = origin_of(project.base_url)
    is_first = project.id == first_id_at(project.base_url)
    return origin if is_first else f"{project.id} {origin}"


def is_test_key(key: SecretStr) -> bool:
    """Tells whether this is a test key."""
    return key.get_secret_value().startswith(_TEST_KEY_PREFIX)


def host_of(base_url: str) -> str:
    """Return the host as people call the service."""
    return urlsplit(base_url).hostname or base_url
