"""Connect to the bundled service or a project, from the first-run page or the settings."""

from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import SecretStr
from PySide6.QtCore import QObject, Signal

from app.api.address import AddressRefused, KeyRefused, check_api_key, check_base_url
from app.api.errors import InvalidKey
from app.common.error_messages import ErrorMessage, explain
from app.common.errors import UserFacingError
from app.config.key_store import KeyLocation
from app.config.settings import Project, Provider, SettingsFile, origin_of
from app.tasks import TaskOwner
from app.viewmodels.connection import ConnectionViewModel
from app.viewmodels.i18n import error_handler, localized
from app.viewmodels.settings.model_download import ModelDownloadViewModel
from app.viewmodels.settings.models import (
    OFFLINE_MODEL,
    PROVIDER_NAMES,
    ModelRow,
    ModelsViewModel,
)
from app.viewmodels.settings.projects import ProjectsViewModel
from app.viewmodels.settings.setting_texts import address_words, key_words, provider_key_words

# Where the providers answer, for whoever types it as a project's address.
_PROVIDER_ORIGINS: Final[Mapping[Provider, str]] = {
    "openai": "https://api.openai.com",
    "anthropic": "https://api.anthropic.com",
    "google": "https://generativelanguage.googleapis.com",
    "openrouter": "https://openrouter.ai",
}

FirstRunCard = Literal["model", "key", "project"]
"""The cards of the first page: a model on this computer, a provider's, or a service."""


@dataclass(frozen=True, slots=True)
class FirstRunView:
    """The first page.

    `found` are the models of this computer. `busy` is the card whose choice is being tried, if any.
    Each card has its error, that of the project one for each field; all may be empty. `listed` are
    the models of `provider`, once it has said which there are for the key. Where the address of a
    project is that of a model server or provider, `recognised` says so and `leads_to` is the card
    that takes it.
    """

    found: tuple[ModelRow, ...] = ()
    is_looking: bool = False
    busy: FirstRunCard | None = None
    model_error: str = ""
    provider_error: str = ""
    address_error: str = ""
    key_error: str = ""
    provider: Provider | None = None
    listed: tuple[ModelRow, ...] = ()
    recognised: str = ""
    leads_to: FirstRunCard | None = None


@dataclass(frozen=True, slots=True)
class SettingsView:
    """The state of testing a project's connection.

    `subject` is the id of the project that is tested, empty for a new one. While `is_checking` an
    answer is awaited; `check_words` say that it holds. The two errors belong to their fields.
    """

    subject: str = ""
    is_checking: bool = False
    check_words: str = ""
    address_error: str = ""
    key_error: str = ""


class SettingsViewModel(QObject):
    """Apply the choices of the first-run page and of the settings, and say what is wrong with them.

    One for the run; `projects` are those that it adds to, `models` those of this computer.
    """

    first_run_changed = Signal(object)
    """The first-run page; argument: a `FirstRunView`."""
    settings_changed = Signal(object)
    """The settings; argument: a `SettingsView`."""
    finished = Signal()
    """A choice was made and holds: the page may close."""

    def __init__(
        self,
        settings: SettingsFile,
        connection: ConnectionViewModel,
        projects: ProjectsViewModel,
        models: ModelsViewModel,
        download: ModelDownloadViewModel,
    ) -> None:
        super().__init__()
        self._settings = settings
        self._connection = connection
        self.projects = projects
        self.models = models
        self.download = download
        self._tasks = TaskOwner(error_handler(self._on_task_failed))
        self.first_run = FirstRunView(is_looking=True)
        self.settings = SettingsView()
        models.found.connect(self._on_models_found)
        download.finished.connect(self._on_download_finished)

    def look_for_models(self) -> None:
        """Look which models there are on this computer; what an earlier check said is past."""
        self.first_run = FirstRunView(is_looking=True)
        self._show(subject="", check_words="", address_error="", key_error="")
        self.models.refresh()

    def use_local(self, model_id: str) -> None:
        """Connect to the bundled service with this model."""
        self._try("model", self._use_local(model_id), "connect to this computer")

    def use_file(self, file: Path) -> None:
        """Connect to the bundled service with the model in this file."""
        self._try("model", self._use_file(file), "open a model file")

    def list_of_provider(self, provider: Provider, key: str) -> None:
        """Ask a provider which models it has for this key, which is kept when it says so."""
        self._show_first(provider_error="", provider=provider, listed=())
        try:
            secret = check_api_key(key)
        except KeyRefused as error:
            self._show_first(provider_error=provider_key_words(error.fault))
            return
        self._try("key", self._list_of(provider, secret), "list a provider's models")

    def restart_service(self) -> None:
        """Start the bundled service again, if that is at work; replies under way end."""
        if self._settings.current.connection.kind == "local":
            self._connection.retry()

    def use_offline(self) -> None:
        """Connect to the bundled service with its built-in assistant."""
        self.use_local(OFFLINE_MODEL)

    def use_hosted(self, address: str, key: str, name: str = "") -> None:
        """Connect to the project with this address and key, once both hold."""
        self._show(subject="", address_error="", key_error="")
        self._show_first(recognised="", leads_to=None)
        base_url = self._read_address(address)
        if base_url and self._recognises(base_url):
            return
        secret = self._read_key(key)
        if base_url and secret:
            self._check(self._use_hosted(base_url, secret, name))

    def change_project(self, project_id: str, address: str, key: str) -> None:
        """Give a project another address or key, once both hold.

        Without a key, that of before must do; it goes to no other address.
        """
        self._show(subject=project_id, address_error="", key_error="")
        base_url = self._read_address(address)
        secret = self._read_key(key) if key else None
        if base_url and (secret or not key):
            for project in self._settings.current.hosted:
                if project.id == project_id:
                    changed = project.model_copy(update={"base_url": base_url})
                    self._check(self._change(changed, secret))

    async def aclose(self) -> None:
        """End what is under way, with the projects and the models."""
        await self._tasks.aclose()
        await self.download.aclose()
        await self.projects.aclose()
        await self.models.aclose()

    def _read_address(self, address: str) -> str:
        """Return the address as it is used; empty if it cannot be, which is then said."""
        try:
            return check_base_url(address)
        except AddressRefused as error:
            self._show(address_error=address_words(error.fault))
            return ""

    def _read_key(self, key: str) -> SecretStr | None:
        """Return the key; None if it cannot be one, which is then said."""
        try:
            return check_api_key(key)
        except KeyRefused as error:
            # One thing at a time: the address comes first.
            words = "" if self.settings.address_error else key_words(error.fault)
            self._show(key_error=words)
            return None

    def _check(self, work: Coroutine[object, object, str]) -> None:
        self._show(is_checking=True, check_words="")
        self._tasks.start(self._checked(work), name="check the connection")

    async def _checked(self, work: Coroutine[object, object, str]) -> None:
        try:
            words = await work
        except InvalidKey as error:
            self._show(key_error=localized(explain(error)))
        except UserFacingError as error:
            self._show(address_error=localized(explain(error)))
        else:
            self._show(check_words=words)
            self.finished.emit()
        finally:
            self._show(is_checking=False)

    def _try(self, card: FirstRunCard, work: Coroutine[object, object, None], name: str) -> None:
        """Try a choice of the first page, whose failure is said on its card."""
        self._show_first(busy=card, model_error="", provider_error="")
        self._tasks.start(self._tried(card, work), name=name)

    async def _tried(self, card: FirstRunCard, work: Coroutine[object, object, None]) -> None:
        try:
            await work
        except UserFacingError as error:
            words = localized(explain(error))
            if card == "key":
                self._show_first(provider_error=words)
            else:
                self._show_first(model_error=words)
        finally:
            self._show_first(busy=None)

    async def _use_local(self, model_id: str) -> None:
        await self._connection.use_local(model_id)
        self.finished.emit()

    async def _use_file(self, file: Path) -> None:
        row = await self.models.read_file(file)
        await self._use_local(row.model_id)

    async def _list_of(self, provider: Provider, key: SecretStr) -> None:
        listed = await self.models.list_of(provider, key)
        self._show_first(provider=provider, listed=listed)

    def _recognises(self, base_url: str) -> bool:
        """Say so where somebody took the address of models for that of a project."""
        origin = _place_of(base_url)
        for row in self.first_run.found:
            if row.address and _place_of(row.address) == origin:
                words = self.tr(
                    "This is the address of {server} on this computer. Choose one of its models."
                )
                self._show_first(recognised=words.format(server=row.server), leads_to="model")
                return True
        for provider, place in _PROVIDER_ORIGINS.items():
            if origin == _place_of(place):
                words = self.tr("This is the address of {provider}. Enter its key here.")
                name = PROVIDER_NAMES[provider]
                self._show_first(
                    recognised=words.format(provider=name), provider=provider, leads_to="key"
                )
                return True
        return False

    async def _use_hosted(self, base_url: str, key: SecretStr, name: str) -> str:
        return self._connected(await self._connection.use_hosted(base_url, key, name))

    async def _change(self, project: Project, key: SecretStr | None) -> str:
        return self._connected(await self._connection.change(project, key))

    def _connected(self, kept: KeyLocation) -> str:
        if kept is KeyLocation.KEYRING:
            return self.tr("Connected. The key is stored in this computer’s keyring.")
        return self.tr(
            "Connected. No keyring is available. The key is stored only until Parley closes."
        )

    def _on_download_finished(self, file: Path) -> None:
        """Talk to what was downloaded where nobody else answers yet; else only list it."""
        if self._settings.current.connection.kind == "undecided":
            self.use_file(file)
        else:
            self.models.show_downloaded(file)

    def _on_models_found(self, rows: Sequence[ModelRow]) -> None:
        self._show_first(found=tuple(rows), is_looking=False)

    def _show_first(self, **changes: Any) -> None:
        """Change what the first page shows; what is not named stays."""
        self.first_run = replace(self.first_run, **changes)
        self.first_run_changed.emit(self.first_run)

    def _show(
        self,
        *,
        subject: str | None = None,
        is_checking: bool | None = None,
        check_words: str | None = None,
        address_error: str | None = None,
        key_error: str | None = None,
    ) -> None:
        """Change what the pages show in common; None leaves a part as it is."""
        shown = self.settings
        self.settings = replace(
            shown,
            subject=shown.subject if subject is None else subject,
            is_checking=shown.is_checking if is_checking is None else is_checking,
            check_words=shown.check_words if check_words is None else check_words,
            address_error=shown.address_error if address_error is None else address_error,
            key_error=shown.key_error if key_error is None else key_error,
        )
        self.settings_changed.emit(self.settings)
        self._show_first(
            busy="project" if self.settings.is_checking else None,
            address_error=self.settings.address_error,
            key_error=self.settings.key_error,
        )

    def _on_task_failed(self, words: ErrorMessage) -> None:
        self._show(address_error=localized(words))


def _place_of(base_url: str) -> str:
    """Return where an address leads; this computer has two names."""
    return origin_of(base_url).replace("//localhost:", "//127.0.0.1:")
