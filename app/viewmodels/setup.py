"""The first-run page and the settings: choosing whom to talk to."""

import importlib.metadata
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import replace

from pydantic import SecretStr
from PySide6.QtCore import QObject, Signal

from app.api.address import AddressRefused, KeyRefused, check_api_key, check_base_url
from app.api.errors import InvalidKey
from app.error_text import ErrorText, explain
from app.errors import UserFacingError
from app.key_store import Kept
from app.settings import SettingsFile
from app.tasks import TaskOwner
from app.viewmodels.connection import ConnectionViewModel
from app.viewmodels.failures import failure_route, translated
from app.viewmodels.field_words import address_words, key_words
from app.viewmodels.projects import ProjectsViewModel
from app.viewmodels.states import FirstRunView, ModelRow, SettingsView

_OFFLINE_MODEL = "offline"


class SetupViewModel(QObject):
    """Takes the choice of the first-run page and of the settings, and says what is wrong with it.

    One for the run; `projects` are those that it adds to. `find_models` asks the bundled service
    which models there are on this computer; it may take a second.
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
        find_models: Callable[[], Awaitable[Sequence[ModelRow]]],
        projects: ProjectsViewModel,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._settings = settings
        self._connection = connection
        self._find_models = find_models
        self.projects = projects
        self._tasks = TaskOwner(failure_route(self._on_task_failed))
        self.first_run = FirstRunView(found_words=self.tr("Starts the bundled service."), models=())
        self.settings = self._settings_view()

    def look_for_models(self) -> None:
        """Looks which models there are on this computer; what an earlier check said is past."""
        self._show(check_words="", address_error="", key_error="")
        self._tasks.start(self._look_for_models(), name="look for models")

    def use_local(self, model_id: str) -> None:
        """Talks to the bundled service with this model."""
        self._check(self._use_local(model_id))

    def use_offline(self) -> None:
        """Talks to the bundled service with its built-in assistant."""
        self.use_local(_OFFLINE_MODEL)

    def use_hosted(self, address: str, key: str, name: str | None = None) -> None:
        """Talks to this project, once address and key hold; with a name it is a new one."""
        self._show(address_error="", key_error="")
        try:
            base_url = check_base_url(address)
        except AddressRefused as error:
            self._show(address_error=address_words(error.fault))
            return
        try:
            secret = check_api_key(key)
        except KeyRefused as error:
            self._show(key_error=key_words(error.fault))
            return
        self._check(self._use_hosted(base_url, secret, name))

    async def aclose(self) -> None:
        """Ends what is under way, with the projects."""
        await self._tasks.aclose()
        await self.projects.aclose()

    def _check(self, work: Coroutine[object, object, str]) -> None:
        self._show(is_checking=True, check_words="")
        self._tasks.start(self._checked(work), name="check the connection")

    async def _checked(self, work: Coroutine[object, object, str]) -> None:
        try:
            words = await work
        except InvalidKey as error:
            self._show(key_error=translated(explain(error)))
        except UserFacingError as error:
            self._show(address_error=translated(explain(error)))
        else:
            self._show_settings(replace(self._settings_view(), check_words=words))
            self.finished.emit()
        finally:
            self._show(is_checking=False)

    async def _use_local(self, model_id: str) -> str:
        await self._connection.use_local(model_id)
        return self.tr("Parley now talks to the service on this computer.")

    async def _use_hosted(self, base_url: str, key: SecretStr, name: str | None) -> str:
        if await self._connection.use_hosted(base_url, key, name) is Kept.KEYRING:
            return self.tr("Connected. The key is in this computer’s keyring.")
        return self.tr("Connected. No keyring was found, so the key is kept until Parley closes.")

    async def _look_for_models(self) -> None:
        models = tuple(await self._find_models())
        found = [model for model in models if model.model_id != _OFFLINE_MODEL]
        words = (
            self.tr("Starts the bundled service. Models found: %n", "", len(found))
            if found
            else self.tr("Starts the bundled service. No model was found on this computer yet.")
        )
        self.first_run = replace(self.first_run, models=models, found_words=words)
        self.first_run_changed.emit(self.first_run)
        self._show_settings(replace(self.settings, models=models))

    def _show(
        self,
        *,
        is_checking: bool | None = None,
        check_words: str | None = None,
        address_error: str | None = None,
        key_error: str | None = None,
    ) -> None:
        """Changes what both pages show in common; None leaves a part as it is."""
        shown = self.settings
        self._show_settings(
            replace(
                shown,
                is_checking=shown.is_checking if is_checking is None else is_checking,
                check_words=shown.check_words if check_words is None else check_words,
                address_error=shown.address_error if address_error is None else address_error,
                key_error=shown.key_error if key_error is None else key_error,
            )
        )
        self.first_run = replace(
            self.first_run,
            is_checking=self.settings.is_checking,
            address_error=self.settings.address_error,
            key_error=self.settings.key_error,
        )
        self.first_run_changed.emit(self.first_run)

    def _show_settings(self, view: SettingsView) -> None:
        self.settings = view
        self.settings_changed.emit(view)

    def _settings_view(self) -> SettingsView:
        connection = self._settings.current.connection
        hosted = self._settings.current.hosted_now
        is_hosted = hosted is not None
        return SettingsView(
            is_local=connection.kind == "local",
            is_hosted=is_hosted,
            address=hosted.base_url if hosted else "",
            key_words=self._key_words() if is_hosted else "",
            models=self.first_run.models,
            model_id=connection.model,
            version=importlib.metadata.version("parley"),
        )

    def _key_words(self) -> str:
        match self._connection.key_place:
            case Kept.KEYRING:
                return self.tr("Kept in this computer’s keyring")
            case Kept.SESSION:
                return self.tr("Kept until Parley closes: no keyring was found")
            case None:
                return self.tr("There is no key for this project on this computer")

    def _on_task_failed(self, words: ErrorText) -> None:
        self._show(address_error=translated(words))
