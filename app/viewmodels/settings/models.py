"""The models of the bundled service: which there are, which answers, and the keys of providers."""

from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal

from pydantic import SecretStr
from PySide6.QtCore import QObject, Signal

from app.api.address import AddressRefused, KeyRefused, check_api_key, check_base_url
from app.error_text import ErrorText, explain
from app.errors import UserFacingError
from app.key_store import Kept
from app.service.provider_keys import ProviderKeys
from app.settings import Provider, SettingsFile
from app.tasks import TaskOwner
from app.viewmodels.connection import ConnectionViewModel
from app.viewmodels.failures import failure_route, translated
from app.viewmodels.preferences import Preferences
from app.viewmodels.settings.field_words import address_words, provider_key_words
from app.viewmodels.settings.model_words import (
    OFFLINE_MODEL,
    PROVIDER_NAMES,
    model_choices,
    name_of,
    provider_of,
    provider_rows,
)
from app.viewmodels.settings.states import CheckState, ModelRow, ModelsPart, ModelsView

ModelPlace = Literal[Provider, "address"]

_LONGEST_NAME: Final = 200


@dataclass(frozen=True, slots=True)
class ModelSources:
    """How models are asked; the composition knows, tests give their own.

    `find` says which models there are on this computer; it may take a second. `check` returns
    once a model has begun to answer with these keys, and raises `UserFacingError` otherwise.
    """

    find: Callable[[], Awaitable[Sequence[ModelRow]]]
    check: Callable[[str, Mapping[Provider, SecretStr]], Awaitable[None]]


class ModelsViewModel(QObject):
    """Lists the models, chooses one, checks whether it answers, and takes the providers' keys.

    Whatever concerns the bundled service holds at once: at work, it starts again for it. One for
    the run.
    """

    changed = Signal(object)
    """The models, the keys, or what is said of them; argument: a `ModelsView`."""
    found = Signal(object)
    """This computer was looked through; argument: a tuple of `ModelRow`."""

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
        self._places: dict[Provider, Kept] | None = None
        self._checks: dict[str, tuple[CheckState, str]] = {}
        self._tasks = TaskOwner(failure_route(self._on_task_failed))
        self.view = ModelsView((), ())
        self._show()
        connection.status_changed.connect(self._on_connection_status_changed)

    def look(self) -> None:
        """Looks which models there are on this computer; what was said before is past."""
        self._show(is_looking=True, said="", problem="")
        self._tasks.start(self._look(), name="look for models")

    def choose(self, model_id: str) -> None:
        """Lets the bundled service answer with this model, which can be taken back."""
        if not self._is_key_missing(model_id):
            self._start(self._choose_anew(model_id), "models", "choose a model")

    def check(self, model_id: str) -> None:
        """Finds out whether the model answers, and says so beside it."""
        if not self._is_key_missing(model_id):
            self._note_check(model_id, CheckState.RUNNING, self.tr("Asking it…"))
            self._tasks.start(self._check(model_id), name="check a model")

    def add(self, place: ModelPlace, name: str, address: str = "") -> None:
        """Adds a model of a provider, or of a server that speaks as OpenAI's at an address."""
        name = name.strip()
        if not name or not name.isprintable() or "://" in name or len(name) > _LONGEST_NAME:
            self._show_fault("add", self.tr("Enter the model’s name, as its provider writes it."))
            return
        model_id = f"{place}:{name}"
        if place == "address":
            try:
                model_id = f"openai:{name}@{check_base_url(address)}"
            except AddressRefused as error:
                self._show_fault("add", address_words(error.fault))
                return
        self._note_added(tuple(dict.fromkeys((*self._settings.current.models.added, model_id))))

    def remove(self, model_id: str) -> None:
        """Removes a model that was added; one that answers stays in use until another is."""
        added = self._settings.current.models.added
        self._note_added(tuple(other for other in added if other != model_id))

    def keep_key(self, provider: Provider, key: str) -> None:
        """Keeps the key of a provider, in place of an earlier one."""
        try:
            secret = check_api_key(key)
        except KeyRefused as error:
            self._show_fault("keys", provider_key_words(error.fault))
            return
        self._start(self._keep_key(provider, secret), "keys", "keep a key")

    def remove_key(self, provider: Provider) -> None:
        """Removes the key of a provider."""
        self._start(self._remove_key(provider), "keys", "remove a key")

    async def aclose(self) -> None:
        """Ends what is under way."""
        await self._tasks.aclose()

    def _start(self, work: Coroutine[object, object, str], part: ModelsPart, name: str) -> None:
        self._show(said="", problem="", about=part)
        self._tasks.start(self._said(work), name=name)

    async def _said(self, work: Coroutine[object, object, str]) -> None:
        words = await work
        self._places = await self._keys.places()
        self._show(said=words)

    async def _look(self) -> None:
        try:
            self._rows = tuple(await self._sources.find())
            self._places = await self._keys.places()
        finally:
            self._show(is_looking=False)
        self.found.emit(self._rows)

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
            words = self.tr("{model} answers as soon as you use the project on this computer.")
        else:
            words = self.tr("The service on this computer started again: {model} answers now.")
        return words.format(model=name)

    async def _check(self, model_id: str) -> None:
        try:
            await self._sources.check(model_id, await self._keys.load())
        except UserFacingError as error:
            self._note_check(model_id, CheckState.BAD, translated(explain(error)))
        else:
            self._note_check(model_id, CheckState.GOOD, self.tr("It answers."))

    async def _keep_key(self, provider: Provider, key: SecretStr) -> str:
        kept = await self._keys.keep(provider, key)
        await self._start_again()
        if kept is Kept.KEYRING:
            return self.tr("The key is in this computer’s keyring.")
        return self.tr("No keyring was found, so the key is kept until Parley closes.")

    async def _remove_key(self, provider: Provider) -> str:
        await self._keys.forget(provider)
        model_id = self._settings.current.connection.model
        if provider_of(model_id) != provider:
            await self._start_again()
            return self.tr("The key is gone from this computer.")
        await self._connection.use_model(OFFLINE_MODEL)
        words = self.tr("The key is gone. The built-in assistant answers, since {model} needs it.")
        return words.format(model=name_of(model_id, self._rows))

    async def _start_again(self) -> None:
        """Hands the keys to the service on this computer, if that is at work."""
        connection = self._settings.current.connection
        if connection.kind == "local":
            await self._connection.use_model(connection.model)

    def _is_key_missing(self, model_id: str) -> bool:
        provider = provider_of(model_id)
        if provider is None or provider in self._settings.current.models.keyed:
            return False
        words = self.tr("This model needs a key of {provider}. Give it below.")
        self._show_fault("models", words.format(provider=PROVIDER_NAMES[provider]))
        return True

    def _note_added(self, added: tuple[str, ...]) -> None:
        settings = self._settings.current
        models = settings.models.model_copy(update={"added": added})
        try:
            self._settings.keep(settings.with_section(models))
        except UserFacingError as error:
            self._on_task_failed(explain(error))
        else:
            self._show(said="", problem="")

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
        """Shows everything anew; None leaves what is said, and of which part, as it is."""
        view = self.view
        self.view = ModelsView(
            models=model_choices(self._settings.current, self._rows, self._checks),
            providers=provider_rows(self._settings.current, self._places),
            is_looking=view.is_looking if is_looking is None else is_looking,
            said=view.said if said is None else said,
            problem=view.problem if problem is None else problem,
            about=about or view.about,
        )
        self.changed.emit(self.view)

    def _on_connection_status_changed(self) -> None:
        self._show()

    def _on_task_failed(self, words: ErrorText) -> None:
        self._show(problem=translated(words))
