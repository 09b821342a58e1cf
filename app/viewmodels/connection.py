"""`ConnectionViewModel` connects the windows to the bundled service or to a hosted project.

`KnownProjects` finds the projects in the settings, and their keys.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal, get_args
from urllib.parse import urlsplit

from pydantic import SecretStr
from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.api.client import ApiClient
from app.api.errors import InvalidKey, KeyMissing, ServiceGone
from app.chat.workspace import Workspace
from app.common.error_messages import FOR_SETTINGS, ErrorCode, ErrorMessage, explain
from app.common.errors import UserFacingError
from app.config.key_store import KeyLocation, KeyStore
from app.config.settings import (
    LOCAL_PROJECT,
    ConnectionSettings,
    Project,
    ProjectColour,
    SettingsFile,
    first_id_at,
    origin_of,
)
from app.service.process import ServiceProcess, ServiceState
from app.tasks import TaskOwner
from app.viewmodels.i18n import error_handler
from app.viewmodels.states import BannerView, Dot, StatusView

_TEST_KEY_PREFIX: Final = "pk_test_"
_ID_BYTES: Final = 8


class KnownProjects:
    """Finds projects and their keys, and stores both. Made by the connection."""

    def __init__(self, settings: SettingsFile, keys: KeyStore) -> None:
        self._settings = settings
        self._keys = keys

    async def find_or_make(self, base_url: str, key: SecretStr, name: str) -> Project:
        """Return the project with this address and key, or a new one.

        A new project gets an id that was never used, and so no other project's data or key. What
        an earlier version stored by the address alone is found if its key is the same.
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
        """Return the project's key for its address; None if none is stored."""
        return await self._keys.load(key_entry(project))

    def place_of_key(self, project: Project) -> KeyLocation:
        """Return where the key is that `key_of` has found."""
        return self._keys.place_of(key_entry(project))

    async def keep(self, project: Project, key: SecretStr) -> KeyLocation:
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
                # Remove the key, as no project refers to it any more.
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
        """Write the connection, and the project that it names if one is given, into the settings.

        Raises:
            UserFacingError: the settings could not be written.
        """
        settings = self._settings.current
        settings = settings.with_connection(connection)
        if project:
            settings = settings.with_table(settings.projects.with_project(project))
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
    """Return whether this is a test key."""
    return key.get_secret_value().startswith(_TEST_KEY_PREFIX)


def host_of(base_url: str) -> str:
    """Return the host as people call the service."""
    return urlsplit(base_url).hostname or base_url


@dataclass(frozen=True, slots=True)
class Connectors:
    """How connections are made; the composition knows, tests give their own."""

    start_service: Callable[[str], Awaitable[ServiceProcess]]
    change_models: Callable[[ServiceProcess, str], Awaitable[None]]
    connect: Callable[[str, SecretStr], Awaitable[ApiClient]]
    open_workspace: Callable[[str, ApiClient], Awaitable[Workspace]]


class ConnectionViewModel(QObject):
    """Keeps one workspace connected, and says how it is.

    One for the window's life. `start` connects to what the settings say; `use_local` and
    `use_hosted` change that. `aclose` ends the workspace and the bundled service.
    """

    workspace_changed = Signal(object)
    """Another profile is at work; argument: the `Workspace`, or None."""
    models_changed = Signal()
    """The bundled service has other models or keys than before."""
    became_ready = Signal()
    """The service answers, for the first time or again."""
    status_changed = Signal(object)
    """The state of the connection has changed; argument: a `StatusView`."""
    banner_changed = Signal(object)
    """What the whole window should know; argument: a `BannerView`, or None."""
    damage_found = Signal(object)
    """The bundled service found its database damaged; argument: a `PutAside`."""
    setup_needed = Signal()
    """Nobody has said yet whom to talk to."""

    def __init__(
        self,
        settings: SettingsFile,
        keys: KeyStore,
        connectors: Connectors,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._settings = settings
        self._known = KnownProjects(settings, keys)
        self._connectors = connectors
        self._service: ServiceProcess | None = None
        self._workspace: Workspace | None = None
        self._key_place: KeyLocation | None = None
        self._tasks = TaskOwner(error_handler(self._on_task_failed))
        # Closed after the replies have ended, as they would break off otherwise.
        self._serving = TaskOwner(error_handler(self._on_task_failed))
        self._local_client: ApiClient | None = None
        # The tasks of one profile; closed when another one is chosen.
        self._reaching = TaskOwner(error_handler(self._on_task_failed))
        # Two quick choices must not open two profiles at once.
        self._switching = asyncio.Lock()
        self._make_status: Callable[[], StatusView] = _not_connected
        self.status = _not_connected()

    @property
    def workspace(self) -> Workspace | None:
        """The profile at work."""
        return self._workspace

    @property
    def key_place(self) -> KeyLocation | None:
        """Where the key of the hosted project is; None where there is none."""
        return self._key_place

    async def start(self) -> None:
        """Connect to what the settings say, or ask for a first choice."""
        connection = self._settings.current.connection
        async with self._switching:
            if connection.kind == "undecided":
                self._show_status(_not_connected)
                self.setup_needed.emit()
            elif connection.kind == "local":
                await self._open_local(connection.model)
            elif project := self._settings.current.hosted_now:
                await self._open_kept_hosted(project)

    async def use_local(self, model: str) -> None:
        """Talk to the bundled service with this model from now on.

        Raises:
            UserFacingError: the choice could not be kept, or the service not be started.
        """
        async with self._switching:
            # Kept first: what cannot be kept must not be talked to in this run alone.
            self._known.connect(ConnectionSettings(kind="local", model=model))
            if self._service and self._service.state in _AT_WORK:
                # Running replies continue with the model and keys that they started with.
                await self._connectors.change_models(self._service, model)
                self.models_changed.emit()
            else:
                await self._open_local(model)

    async def use_model(self, model: str) -> None:
        """Let the bundled service answer with this model and the keys of now; nothing restarts.

        Raises:
            UserFacingError: the choice could not be kept, or the service not be started.
        """
        connection = self._settings.current.connection
        if connection.kind == "hosted":
            self._known.connect(connection.model_copy(update={"model": model}))
        else:
            await self.use_local(model)

    async def switch(self, project_id: str) -> None:
        """Talk to another project that is known already; what was written before is kept.

        Raises:
            UserFacingError: the choice could not be kept, or the service not be started.
        """
        settings = self._settings.current
        if project_id == LOCAL_PROJECT:
            await self.use_local(settings.connection.model)
            return
        async with self._switching:
            for project in (other for other in settings.hosted if other.id == project_id):
                self._known.choose(project)
                await self._open_kept_hosted(project)

    async def use_hosted(self, base_url: str, key: SecretStr, name: str = "") -> KeyLocation:
        """Talk to this project from now on, once it has accepted the key; return where that is.

        A project with this address and this key is the same one; any other is a new one, without
        a trace of those that were there.

        Raises:
            UserFacingError: the service did not answer, refused the key, or nothing was kept.
        """
        async with self._switching:
            project = await self._known.find_or_make(base_url, key, name)
            return await self._use(project, key)

    async def change(self, project: Project, key: SecretStr | None) -> KeyLocation:
        """Give a project another address or key, once that holds; the key of before is dropped.

        Without a key the one of before must hold, which never goes to another address.

        Raises:
            UserFacingError: the service did not answer, refused the key, or nothing was kept.
        """
        async with self._switching:
            key = key or await self._known.key_of(project)
            if key is None:
                host = host_of(project.base_url)
                raise UserFacingError(ErrorCode.KEY_MISSING, {"host": host})
            return await self._use(project, key)

    def translate_status(self) -> None:
        """Say how it is in another language, which the program speaks from now on."""
        self._show_status(self._make_status)

    def retry(self) -> None:
        """Start the bundled service again, or connect again; replies under way end."""
        self._tasks.start(self.start(), name="connect again")

    def tell_service(self) -> None:
        """Tell the bundled service at work what holds for it now; one that starts is told then."""
        self._tasks.start(self._tell_service(), name="tell the service")

    def load_model(self, model: str | None) -> None:
        """Have the bundled service load a model that will soon be asked; None is the default."""
        wanted = model or self._settings.current.connection.model
        if self._service and self._service.state in _AT_WORK:
            self._tasks.start(self._service.load_model(wanted), name="load model")

    async def aclose(self) -> None:
        """End the workspace and the bundled service; no process is left."""
        await self._tasks.aclose()
        await self._reaching.aclose()
        await self._close()
        await self._serving.aclose()

    async def _tell_service(self) -> None:
        async with self._switching:
            if self._service and self._service.state in _AT_WORK:
                model = self._settings.current.connection.model
                await self._connectors.change_models(self._service, model)

    async def _open_local(self, model: str) -> None:
        # Its workspace and its service end before others begin: both would use one data folder.
        await self._close()
        service = await self._connectors.start_service(model)
        self._service = service
        service.subscribe(self._on_service_state)
        client = await self._connectors.connect(service.address.base_url, service.address.api_key)
        self._local_client = client
        # Before the service answers: what is kept here can be read while it starts.
        await self._work_with(LOCAL_PROJECT, client)
        self._serving.start(service.run(), name="bundled service")

    async def _use(self, project: Project, key: SecretStr) -> KeyLocation:
        client = await self._connectors.connect(project.base_url, key)
        try:
            await client.list_agents()
            # After a request with this key: what does not hold is never kept.
            self._key_place = kept = await self._known.keep(project, key)
        # Also when it is cancelled: nobody else knows this client yet.
        except BaseException:
            await client.aclose()
            raise
        await self._close()
        await self._work_with(project.id, client)
        self._show_reached(project.base_url, key)
        if kept is KeyLocation.SESSION:
            words = explain(UserFacingError(ErrorCode.KEY_NOT_KEPT))
            self.banner_changed.emit(BannerView(Dot.WARN, words))
        return kept

    async def _open_kept_hosted(self, project: Project) -> None:
        base_url, key = project.base_url, await self._known.key_of(project)
        self._key_place = self._known.place_of_key(project) if key else None
        # What is kept here can be read without a key, too.
        client = await self._connectors.connect(base_url, key or SecretStr(""))
        if key is None:
            client.send_nothing(partial(KeyMissing, host_of(base_url)))
        await self._close()
        await self._work_with(project.id, client)
        if key is None:
            self._show_key_missing(base_url)
            return
        host = host_of(base_url)
        self._show_status(lambda: StatusView(Dot.WARN, host, self.tr("connecting…")))
        self._reaching.start(self._reach(base_url, key, client), name="reach the service")

    async def _reach(self, base_url: str, key: SecretStr, client: ApiClient) -> None:
        """Find out whether the service answers; what is kept here can be read meanwhile."""
        try:
            await client.list_agents()
        except UserFacingError as error:
            self._show_unreached(base_url, error)
        else:
            self._show_reached(base_url, key)

    def _show_unreached(self, base_url: str, error: UserFacingError) -> None:
        is_key = isinstance(error, InvalidKey)
        host = host_of(base_url)

        def status() -> StatusView:
            words = self.tr("key not accepted") if is_key else self.tr("unreachable")
            return StatusView(Dot.BAD, host, words, needs_key=is_key)

        self._show_status(status)
        can_mend = error.reason in FOR_SETTINGS
        action: Literal["settings", "retry"] = "settings" if can_mend else "retry"
        self.banner_changed.emit(BannerView(Dot.BAD, explain(error), action))

    def _show_key_missing(self, base_url: str) -> None:
        host = host_of(base_url)
        self._show_status(lambda: StatusView(Dot.BAD, host, self.tr("no key"), needs_key=True))
        self.banner_changed.emit(BannerView(Dot.BAD, explain(KeyMissing(host)), "settings"))

    def _show_reached(self, base_url: str, key: SecretStr) -> None:
        host, is_test = host_of(base_url), is_test_key(key)
        self._show_status(lambda: StatusView(Dot.GOOD, host, self.tr("connected"), is_test))
        self._catch_up()

    async def _work_with(self, profile_id: str, client: ApiClient) -> None:
        self._workspace = await self._connectors.open_workspace(profile_id, client)
        self.banner_changed.emit(None)
        self.workspace_changed.emit(self._workspace)

    async def _close(self) -> None:
        # It would report on a service that nobody talks to any more.
        self._reaching.cancel()
        workspace, self._workspace = self._workspace, None
        if workspace:
            # Before it closes: whoever shows it has to let go of its chats first.
            self.workspace_changed.emit(None)
            await workspace.aclose()
        service, self._service = self._service, None
        self._local_client = None
        if service:
            await service.aclose()

    def _on_service_state(self, state: ServiceState) -> None:
        self._show_status(partial(_status_of, state))
        match state:
            case ServiceState.READY:
                self.banner_changed.emit(None)
                if self._service and self._service.put_aside:
                    self.damage_found.emit(self._service.put_aside)
                self._catch_up()
            case ServiceState.RESTARTING:
                words = explain(UserFacingError(ErrorCode.SERVICE_RESTARTING))
                self.banner_changed.emit(BannerView(Dot.WARN, words))
            case ServiceState.FAILED:
                if self._local_client:
                    # The port is given back, and another program may have it next (threat 52).
                    self._local_client.send_nothing(ServiceGone)
                said = self._service.last_words if self._service else ""
                words = explain(UserFacingError(ErrorCode.SERVICE_FAILED, {"message": said}))
                self.banner_changed.emit(BannerView(Dot.BAD, words, "retry"))

    def _catch_up(self) -> None:
        if self._workspace:
            self._tasks.start(self._workspace.sessions.reload(), name="reload chats")
        self.became_ready.emit()

    def _on_task_failed(self, words: ErrorMessage) -> None:
        self.banner_changed.emit(BannerView(Dot.BAD, words, "retry"))

    def _show_status(self, make: Callable[[], StatusView]) -> None:
        # The maker is kept, not the words: another language needs them anew.
        self._make_status = make
        self.status = make()
        self.status_changed.emit(self.status)


_AT_WORK: Final = frozenset({ServiceState.STARTING, ServiceState.READY, ServiceState.RESTARTING})


def _not_connected() -> StatusView:
    words = QCoreApplication.translate("ConnectionViewModel", "Not connected")
    return StatusView(Dot.WARN, words, "")


def _status_of(state: ServiceState) -> StatusView:
    """Return what stands at the foot of the sidebar while the bundled service is in this state."""
    name = QCoreApplication.translate("ConnectionViewModel", "Local service")
    match state:
        case ServiceState.READY:
            words = QCoreApplication.translate("ConnectionViewModel", "ready")
            return StatusView(Dot.GOOD, name, words)
        case ServiceState.RESTARTING:
            words = QCoreApplication.translate("ConnectionViewModel", "restarting…")
            return StatusView(Dot.WARN, name, words)
        case ServiceState.FAILED:
            words = QCoreApplication.translate("ConnectionViewModel", "stopped")
            return StatusView(Dot.BAD, name, words)
        case _:
            words = QCoreApplication.translate("ConnectionViewModel", "starting…")
            return StatusView(Dot.WARN, name, words)
