"""The models of the bundled service: the list, the default, and the providers' keys.

`ModelsViewModel` lists and checks them; the functions make what the settings say of models and of
the keys of their providers.
"""

import re
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Final, Literal, get_args

from pydantic import SecretStr
from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.api.address import AddressRefused, KeyRefused, check_api_key, check_base_url
from app.api.models import Model, name_of_model_id
from app.common.error_messages import ErrorCode, ErrorMessage, explain
from app.common.errors import UserFacingError
from app.config.key_store import KeyLocation
from app.config.settings import Provider, Settings, SettingsFile, origin_of
from app.service.child import ModelKeys
from app.service.models import KeptKey, ProviderKeys
from app.tasks import TaskOwner
from app.viewmodels.connection import ConnectionViewModel
from app.viewmodels.i18n import error_handler, localized
from app.viewmodels.preferences import Preferences
from app.viewmodels.settings.setting_texts import address_words, found_words, provider_key_words
from app.viewmodels.states import Dot

OFFLINE_MODEL: Final = "offline"
# Names of products, the same in every language.
PROVIDER_NAMES: Final[Mapping[Provider, str]] = {
    "openai": "OpenAI",
    "anthropic": "Anthropic",
    "google": "Google",
    "openrouter": "OpenRouter",
    "deepseek": "DeepSeek",
    "groq": "Groq",
    "mistral": "Mistral",
    "together": "Together",
    "fireworks": "Fireworks",
    "xai": "xAI",
}
_ADDRESS: Final = re.compile(r"@(https?://[^@\s]+)\Z")
_FILE: Final = "file"


@dataclass(frozen=True, slots=True)
class ModelRow:
    """A model that can be chosen; `model_id` is what the service is told.

    `server` names the program that it was found in ("Ollama"), and `address` is where that answers;
    empty where it does not run. Of a model file, `size_bytes` is known, whether it `fits` into
    this computer's memory, and whether it `is_own`: it was downloaded here and can be deleted.
    """

    model_id: str
    name: str
    server: str = ""
    address: str = ""
    size_bytes: int = 0
    fits: bool = True
    is_own: bool = False


class CheckState(Enum):
    """The state of a check whether a model answers."""

    NONE = "none"
    RUNNING = "running"
    GOOD = "good"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A model in the settings.

    `words` say what it is. `is_added` ones were named by the person and can be removed.
    `is_own` ones are files that were downloaded here and can be deleted.
    `check_words` say what the last check found, empty when there was none.
    """

    model_id: str
    name: str
    words: str
    is_now: bool = False
    is_added: bool = False
    is_own: bool = False
    check: CheckState = CheckState.NONE
    check_words: str = ""


@dataclass(frozen=True, slots=True)
class ProviderRow:
    """A provider of models elsewhere; `words` say where its key is, never what it is."""

    provider: Provider
    name: str
    words: str
    has_key: bool


ModelsPart = Literal["models", "add", "keys"]


@dataclass(frozen=True, slots=True)
class ModelsView:
    """The models in the settings.

    `servers` are the addresses of model servers with a key; the keys of those in `keyless` cannot
    be had now, as without a keyring they end with the program. `listed` are all models that a chat
    may choose, as the service on this computer lists them.

    `said` is what a change has led to, `problem` why one does not hold, and `about` to which part
    of the page that belongs; both may be empty.
    """

    models: tuple[ModelChoice, ...]
    providers: tuple[ProviderRow, ...]
    servers: tuple[str, ...] = ()
    keyless: frozenset[str] = frozenset()
    listed: tuple[Model, ...] = ()
    is_looking: bool = False
    said: str = ""
    problem: str = ""
    about: ModelsPart = "models"


Checks = Mapping[str, tuple[CheckState, str]]
"""By a model's id, how its check stands and what it found."""


def provider_of(model_id: str) -> Provider | None:
    """Return the provider whose key the model needs; None where it needs none."""
    if _ADDRESS.search(model_id):
        return None
    name = model_id.partition(":")[0]
    return next((provider for provider in get_args(Provider) if provider == name), None)


def name_of(model_id: str, found: Sequence[ModelRow]) -> str:
    """Return the name that people know the model by."""
    if model_id == OFFLINE_MODEL:
        return QCoreApplication.translate("Models", "Demo")
    known = {row.model_id: row.name for row in found}
    return known.get(model_id) or name_of_model_id(model_id)


def model_choices(
    settings: Settings, found: Sequence[ModelRow], checks: Checks
) -> tuple[ModelChoice, ...]:
    """Return the built-in assistant, what was found and added, and what is in use for all that."""
    offline, now = _offline(), settings.connection.model
    choices = {offline.model_id: offline}
    for row in found:
        words = found_words(row.server, row.size_bytes)
        choices[row.model_id] = ModelChoice(row.model_id, row.name, words, is_own=row.is_own)
    for model_id in (*settings.models.added, now):
        name = name_of(model_id, found)
        choices.setdefault(model_id, ModelChoice(model_id, name, _words_of(model_id, settings)))
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
    settings: Settings, places: Mapping[Provider, KeyLocation] | None
) -> tuple[ProviderRow, ...]:
    """Return the providers with where their keys are; `places` are None while that is unknown."""
    keyed = settings.models.keyed
    return tuple(
        ProviderRow(provider, name, _key_words(provider, settings, places), provider in keyed)
        for provider, name in PROVIDER_NAMES.items()
    )


def _offline() -> ModelChoice:
    words = QCoreApplication.translate(
        "Models", "Included with Parley. No language model, no network; shows tools and approvals."
    )
    return ModelChoice(OFFLINE_MODEL, name_of(OFFLINE_MODEL, ()), words)


def _words_of(model_id: str, settings: Settings) -> str:
    translate = QCoreApplication.translate
    provider, at = provider_of(model_id), _ADDRESS.search(model_id)
    if provider:
        words = translate("Models", "From {provider}, with your key. Your messages are sent there.")
        return words.format(provider=PROVIDER_NAMES[provider])
    if at:
        if origin_of(at[1]) in map(origin_of, settings.models.servers):
            words = translate(
                "Models", "At {address}, with your key. Your messages are sent there."
            )
        else:
            words = translate(
                "Models", "At {address}. Your messages are sent there, without a key."
            )
        return words.format(address=at[1])
    if model_id.startswith(f"{_FILE}:"):
        return translate("Models", "Model file {path}.").format(path=model_id.partition(":")[2])
    return translate("Models", "Not found on this computer.")


def _key_words(
    provider: Provider, settings: Settings, places: Mapping[Provider, KeyLocation] | None
) -> str:
    translate = QCoreApplication.translate
    if provider not in settings.models.keyed:
        return translate("Models", "No key yet.")
    if places is None:
        return translate("Models", "Looking in this computer’s keyring…")
    match places.get(provider):
        case KeyLocation.KEYRING:
            return translate("Models", "Stored in this computer’s keyring.")
        case KeyLocation.SESSION:
            return translate("Models", "No keyring is available. Stored only until Parley closes.")
        case None:
            return translate("Models", "Not found in this computer’s keyring. Enter it again.")


ModelPlace = Literal[Provider, "address"]

_LONGEST_NAME: Final = 200


@dataclass(frozen=True, slots=True)
class ModelSources:
    """How models are asked; the composition knows, tests give their own.

    `find` says which models there are on this computer; it may take a second. `check` returns
    once a model has begun to answer with these keys, and raises `UserFacingError` otherwise.
    `read_file` says what a model file is, and `list_of` which models a provider has for a key; both
    raise it too, as `delete_file` does, which deletes a file that was downloaded here.
    """

    find: Callable[[], Awaitable[Sequence[ModelRow]]]
    check: Callable[[str, ModelKeys], Awaitable[None]]
    read_file: Callable[[Path], Awaitable[ModelRow]]
    list_of: Callable[[Provider, SecretStr], Awaitable[Sequence[ModelRow]]]
    delete_file: Callable[[Path], Awaitable[None]]


class ModelsViewModel(QObject):
    """Lists the models, chooses one, checks whether it answers, and takes the providers' keys.

    Whatever concerns the bundled service holds at once, and cuts off no reply. One for the run.
    """

    changed = Signal(object)
    """The models, the keys, or what is said of them, have changed; argument: a `ModelsView`."""
    found = Signal(object)
    """This computer was searched for models; argument: a tuple of `ModelRow`."""

    def __init__(
        self,
        settings: SettingsFile,
        preferences: Preferences,
        connection: ConnectionViewModel,
        keys: ProviderKeys,
        sources: ModelSources,
    ) -> None:
        super().__init__()
        self._settings = settings
        self._preferences = preferences
        self._connection = connection
        self._keys = keys
        self._sources = sources
        self._rows: tuple[ModelRow, ...] = ()
        self._listed: tuple[Model, ...] = ()
        self._is_wanted = False
        self._places: dict[Provider, KeyLocation] | None = None
        self._keyless: frozenset[str] = frozenset()
        self._checks: dict[str, tuple[CheckState, str]] = {}
        self._tasks = TaskOwner(error_handler(self._on_task_failed))
        self.view = ModelsView((), ())
        self._show()
        connection.status_changed.connect(self._on_connection_status_changed)
        connection.models_changed.connect(self._start_listing)

    def refresh(self) -> None:
        """Look which models there are on this computer; what was said before is past."""
        self._is_wanted = True
        self._show(is_looking=True, said="", problem="")
        self._tasks.start(self._refresh(), name="look for models")
        self._start_listing()

    def choose(self, model_id: str) -> None:
        """Choose the bundled service's model; the choice can be undone."""
        if not self._is_key_missing(model_id):
            self._start(self._choose_anew(model_id), "models", "choose a model")

    async def read_file(self, file: Path) -> ModelRow:
        """Say what a model file is, and keep it among the models that were added.

        Raises:
            UserFacingError: it is none, or the settings could not be written.
        """
        row = await self._sources.read_file(file)
        if all(row.model_id != known.model_id for known in self._rows):
            self._rows = (*self._rows, row)
        added = (*self._settings.current.models.added, row.model_id)
        self._keep_added(tuple(dict.fromkeys(added)))
        return row

    async def offer_file(self, file: Path) -> str:
        """Let chats choose the model of a file, and return its id; it fails as `read_file` does."""
        row = await self.read_file(file)
        await self._tell_service()
        return row.model_id

    async def list_of(self, provider: Provider, key: SecretStr) -> tuple[ModelRow, ...]:
        """Ask a provider which models it has for a key, and keep the key of one that says so.

        Raises:
            UserFacingError: it lists none, or the key could not be kept.
        """
        rows = tuple(await self._sources.list_of(provider, key))
        if not rows:
            raise UserFacingError(ErrorCode.MODELS_UNLISTED, {"provider": PROVIDER_NAMES[provider]})
        await self._keys.keep(provider, key, is_taken=True)
        return rows

    def check(self, model_id: str) -> None:
        """Find out whether the model answers, and say so beside it."""
        if not self._is_key_missing(model_id):
            self._note_check(model_id, CheckState.RUNNING, self.tr("Checking…"))
            self._tasks.start(self._check(model_id), name="check a model")

    def add(self, place: ModelPlace, name: str, address: str = "") -> None:
        """Add a model of a provider, or of a server that speaks as OpenAI's at an address."""
        name = name.strip()
        # In an id, “@” and an address after the name say where messages are sent.
        if not name or not name.isprintable() or "://" in name or len(name) > _LONGEST_NAME:
            words = self.tr("Enter the model name exactly as its provider writes it.")
            self._show_fault("add", words)
            return
        model_id = f"{place}:{name}"
        if place == "address":
            try:
                model_id = f"openai:{name}@{check_base_url(address)}"
            except AddressRefused as error:
                self._show_fault("add", address_words(error.fault))
                return
        self._note_added(tuple(dict.fromkeys((*self._settings.current.models.added, model_id))))

    def open_file(self, file: Path) -> None:
        """Choose the model of a file, and add it to those that were added."""
        self._start(self._open_file(file), "models", "open a model file")

    def apply_settings(self) -> None:
        """Tell the service on this computer how the settings run models now."""
        self._tasks.start(self._tell_service(), name="tell the service of the models")

    def show_downloaded(self, file: Path) -> None:
        """List a file that was downloaded just now, and say what can be done with it."""
        self._start(self._show_downloaded(file), "models", "list a downloaded model")

    async def _open_file(self, file: Path) -> str:
        return await self._choose_anew((await self.read_file(file)).model_id)

    async def _show_downloaded(self, file: Path) -> str:
        await self._refresh()
        words = self.tr("{model} has been downloaded. Choose “Use”, or choose the model in a chat.")
        return words.format(model=name_of(f"{_FILE}:{file}", self._rows))

    def delete_file(self, model_id: str) -> None:
        """Delete the file of a model that was downloaded here."""
        self._start(self._delete_file(model_id), "models", "delete a model file")

    async def _delete_file(self, model_id: str) -> str:
        name = name_of(model_id, self._rows)
        await self._sources.delete_file(Path(model_id.partition(":")[2]))
        self.remove(model_id)
        self._rows = tuple(row for row in self._rows if row.model_id != model_id)
        return self.tr("The file of {model} is deleted.").format(model=name)

    def remove(self, model_id: str) -> None:
        """Remove a model that was added; one that answers stays in use until another is."""
        added = self._settings.current.models.added
        self._note_added(tuple(other for other in added if other != model_id))

    def keep_key(self, provider: Provider, key: str) -> None:
        """Keep the key of a provider, in place of an earlier one."""
        try:
            secret = check_api_key(key)
        except KeyRefused as error:
            self._show_fault("keys", provider_key_words(error.fault))
            return
        self._start(self._keep_key(self._keys.keep(provider, secret)), "keys", "keep a key")

    def keep_address_key(self, address: str, key: str) -> None:
        """Keep the key of a model server that speaks as OpenAI's, at any address."""
        try:
            secret, base_url = check_api_key(key), check_base_url(address)
        except KeyRefused as error:
            self._show_fault("keys", provider_key_words(error.fault))
            return
        except AddressRefused as error:
            self._show_fault("keys", address_words(error.fault))
            return
        keeping = self._keep_key(self._keys.keep_address(base_url, secret), is_address=True)
        self._start(keeping, "keys", "keep a key")

    def remove_server(self, base_url: str) -> None:
        """Remove a model server and its key."""
        self._start(self._remove_server(base_url), "keys", "remove a key")

    def remove_key(self, provider: Provider) -> None:
        """Remove the key of a provider."""
        self._start(self._remove_key(provider), "keys", "remove a key")

    async def aclose(self) -> None:
        """End what is under way; the connection outlives this, and tells of its own end."""
        self._connection.status_changed.disconnect(self._on_connection_status_changed)
        self._connection.models_changed.disconnect(self._start_listing)
        await self._tasks.aclose()

    def _start(self, work: Coroutine[object, object, str], part: ModelsPart, name: str) -> None:
        self._show(said="", problem="", about=part)
        self._tasks.start(self._said(work), name=name)

    async def _said(self, work: Coroutine[object, object, str]) -> None:
        words = await work
        await self._look_for_keys()
        self._show(said=words)

    async def _refresh(self) -> None:
        try:
            self._rows = tuple(await self._sources.find())
            await self._look_for_keys()
        finally:
            self._show(is_looking=False)
        self.found.emit(self._rows)

    async def _look_for_keys(self) -> None:
        self._places = await self._keys.places()
        self._keyless = await self._keys.keyless_addresses()

    async def _choose_anew(self, model_id: str) -> str:
        before = self._settings.current.connection.model
        words = await self._choose(model_id)
        if before != model_id:
            self._preferences.note(partial(self._choose_again, before), "models.model")
        return words

    def _choose_again(self, model_id: str) -> None:
        if not self._is_key_missing(model_id):
            self._start(self._choose(model_id), "models", "choose a model")

    async def _choose(self, model_id: str) -> str:
        await self._connection.use_model(model_id)
        name = name_of(model_id, self._rows)
        if self._settings.current.connection.kind == "hosted":
            words = self.tr("{model} answers once you switch to the local connection.")
        else:
            words = self.tr(
                "{model} answers from your next message on, except in chats with their own model."
            )
        return words.format(model=name)

    async def _check(self, model_id: str) -> None:
        try:
            await self._sources.check(model_id, await self._keys.load_all())
        except UserFacingError as error:
            self._note_check(model_id, CheckState.BAD, localized(explain(error)))
        else:
            self._note_check(model_id, CheckState.GOOD, self.tr("The model answered."))

    async def _keep_key(self, keeping: Awaitable[KeptKey], *, is_address: bool = False) -> str:
        kept = await keeping
        await self._tell_service(is_first=True)
        stored = self.tr("No keyring is available. The key is stored only until Parley closes.")
        if kept.location is KeyLocation.KEYRING:
            stored = self.tr("Key stored in this computer’s keyring.")
        if not is_address or kept.has_models:
            return stored
        # What was typed stays in its fields, to be mended there.
        doubt = self.tr("However, no models were found there. Check the address and the server.")
        self._show_fault("keys", f"{stored} {doubt}")
        return ""

    async def _remove_server(self, base_url: str) -> str:
        await self._keys.forget_address(base_url)
        await self._tell_service()
        return self.tr("Key removed from this computer.")

    async def _list(self) -> None:
        workspace = self._connection.workspace
        if workspace is None or self._settings.current.connection.kind != "local":
            self._listed = ()
        else:
            await workspace.client.learn_extensions()
            if workspace.client.offers_models:
                self._listed = await workspace.client.list_models()
        self._show()

    async def _remove_key(self, provider: Provider) -> str:
        await self._keys.forget(provider)
        model_id = self._settings.current.connection.model
        if provider_of(model_id) != provider:
            await self._tell_service()
            return self.tr("Key removed from this computer.")
        await self._connection.use_model(OFFLINE_MODEL)
        name = name_of(model_id, self._rows)
        return self.tr("Key removed. {model} needs it, so the demo answers now.").format(model=name)

    async def _tell_service(self, *, is_first: bool = False) -> None:
        """Hand models and keys to the service on this computer, if that is at work.

        With `is_first`, who has not chosen yet what answers is connected, and sees a list.
        """
        now = self._settings.current.connection
        if now.kind == "local" or (is_first and now.kind == "undecided"):
            await self._connection.use_model(now.model)

    def _is_key_missing(self, model_id: str) -> bool:
        provider = provider_of(model_id)
        if provider is None or provider in self._settings.current.models.keyed:
            return False
        words = self.tr("This model needs a key from {provider}. Enter it below.")
        self._show_fault("models", words.format(provider=PROVIDER_NAMES[provider]))
        return True

    def _keep_added(self, added: tuple[str, ...]) -> None:
        settings = self._settings.current
        models = settings.models.model_copy(update={"added": added})
        self._settings.keep(settings.with_table(models))

    def _note_added(self, added: tuple[str, ...]) -> None:
        try:
            self._keep_added(added)
        except UserFacingError as error:
            self._on_task_failed(explain(error))
        else:
            self._show(said="", problem="")
            self.apply_settings()

    def _note_check(self, model_id: str, state: CheckState, words: str) -> None:
        self._checks[model_id] = state, words
        self._show(problem="")

    def _show_fault(self, part: ModelsPart, words: str) -> None:
        self._show(said="", problem=words, about=part)

    def _show(
        self,
        *,
        is_looking: bool | None = None,
        said: str | None = None,
        problem: str | None = None,
        about: ModelsPart | None = None,
    ) -> None:
        """Show everything anew; None leaves what is said, and of which part, as it is."""
        view = self.view
        self.view = ModelsView(
            models=model_choices(self._settings.current, self._rows, self._checks),
            providers=provider_rows(self._settings.current, self._places),
            servers=self._settings.current.models.servers,
            keyless=self._keyless,
            listed=self._listed,
            is_looking=view.is_looking if is_looking is None else is_looking,
            said=view.said if said is None else said,
            problem=view.problem if problem is None else problem,
            about=about or view.about,
        )
        self.changed.emit(self.view)

    def _on_connection_status_changed(self) -> None:
        self._show()
        if self._is_wanted and not self._listed and self._connection.status.dot is Dot.GOOD:
            self._start_listing()

    def _start_listing(self) -> None:
        self._tasks.start(self._list(), name="list models")

    def _on_task_failed(self, words: ErrorMessage) -> None:
        self._show(problem=localized(words))
