"""Projects and models in a test, as the program has them, without a window.

async with projects_desk(tmp_path, keyring) as desk:
    await desk.connection.use_hosted(service.base_url, service.api_key)
"""

import asyncio
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from pydantic import SecretStr

from app.api.client import ApiClient
from app.approvals.policy import Policy
from app.approvals.queue import ApprovalQueue
from app.chat.conversations import Conversations
from app.chat.dependencies import ChatDependencies
from app.chat.sessions import Sessions
from app.chat.workspace import Workspace
from app.common.error_messages import ErrorCode
from app.common.errors import UserFacingError
from app.config.key_store import KeyStore
from app.config.settings import Provider, SettingsFile
from app.paths import paths_under
from app.service.child import ModelKeys
from app.service.models import ProviderKeys
from app.service.process import RestartPolicy, ServiceProcess
from app.store.store import Store
from app.viewmodels.connection import ConnectionViewModel, Connectors
from app.viewmodels.preferences import Preferences
from app.viewmodels.settings.model_download import ModelDownloadViewModel
from app.viewmodels.settings.models import ModelRow, ModelSources, ModelsViewModel
from app.viewmodels.settings.projects import ProjectsViewModel
from app.viewmodels.settings.settings import SettingsViewModel
from local_tools.ledger.ledger import Ledger
from local_tools.registry import ToolRegistry
from local_tools.undo.undo import UndoStore
from tests.support.model_downloads import HandHub
from tests.support.tool_calls import call_runner
from tests.support.window import KeyringInMemory

_STAND_IN = Path(__file__).with_name("fake_service_program.py")


class ProjectSettingsFixture:
    """The view models about projects and models, over a real store and a keyring in memory.

    The service on this computer is a stand-in. `started` has the model and the keys of each start,
    `changed` those that a running service was sent, and `told` the instructions sent with them.
    Providers and addresses in `silent` do not answer when a key is tried. `found` is the result of
    a search for models, `files` and `listed` are what is known of files and providers. `fault` is
    raised by a check of a model, `delete_fault` by the removal of a project's data.
    """

    def __init__(self, folder: Path, keyring: KeyringInMemory, way: str = "good") -> None:
        self._way = way
        paths = paths_under(folder)
        paths.make()
        self._paths = paths
        self.store, self._ledger = Store(paths.store_file), Ledger(paths.ledger_file)
        self.settings = SettingsFile(paths.settings_file)
        self.started: list[tuple[str, dict[str, str]]] = []
        self.changed: list[tuple[str, dict[str, str]]] = []
        self.told: asyncio.Queue[str] = asyncio.Queue()
        self.found: Sequence[ModelRow] = ()
        self.fault: UserFacingError | None = None
        self.files: dict[Path, ModelRow] = {}
        self.deleted: list[Path] = []
        self.listed: dict[str, Sequence[ModelRow]] = {}
        self.refused_keys: set[str] = set()
        self.silent: set[str] = set()
        self.delete_fault: UserFacingError | None = None
        self.checked: list[tuple[str, dict[str, str]]] = []
        keys = KeyStore(lambda: keyring)
        self._provider_keys = ProviderKeys(self.settings, keys, self._try_keys)
        connectors = Connectors(self._start_service, self._change_models, self._connect, self._open)
        self.connection = ConnectionViewModel(self.settings, keys, connectors)
        self.projects = ProjectsViewModel(self.settings, keys, self.connection, self._delete)
        sources = ModelSources(
            self._find, self._check, self._read_file, self._list_of, self._delete_file
        )
        self.preferences = Preferences(self.settings)
        self.models = ModelsViewModel(
            self.settings, self.preferences, self.connection, self._provider_keys, sources
        )
        self.setup = SettingsViewModel(
            self.settings,
            self.connection,
            self.projects,
            self.models,
            ModelDownloadViewModel(HandHub().sources),
        )

    @property
    def profile(self) -> str:
        """The profile of the current connection; empty without one."""
        workspace = self.connection.workspace
        return workspace.store.profile if workspace else ""

    async def open(self) -> None:
        """Open the stored data, and connect as the settings say."""
        await self.store.open()
        await self._ledger.open()
        await self.connection.start()

    async def aclose(self) -> None:
        """End everything."""
        await self.setup.aclose()
        await self.connection.aclose()
        await self._ledger.close()
        await self.store.close()

    async def _start_service(self, model: str) -> ServiceProcess:
        self.started.append((model, _plain(await self._provider_keys.load())))
        return ServiceProcess(
            self._paths.service_data,
            command=lambda fd: [sys.executable, "-I", "-S", str(_STAND_IN), self._way, str(fd)],
            restarts=RestartPolicy((0.0, 0.0)),
        )

    async def _change_models(self, service: ServiceProcess, model: str) -> None:
        keys = await self._provider_keys.load_all()
        self.changed.append((model, _plain(keys.providers) | _plain(keys.addresses)))
        own = self.settings.current.agents.instructions
        self.told.put_nowait(own)
        await service.change_models(model, (), keys, own)

    async def _connect(self, base_url: str, key: SecretStr) -> ApiClient:
        return ApiClient(base_url, key)

    async def _open(self, profile: str, client: ApiClient) -> Workspace:
        registry = ToolRegistry.built_in()
        store = self.store.profile(profile)
        undo = UndoStore(self._paths.undo_folder)
        dependencies = ChatDependencies(
            client=client,
            store=store,
            ledger=self._ledger,
            registry=registry,
            runner=call_runner(registry, undo),
            undo=undo,
            approvals=ApprovalQueue(),
            policy=Policy(registry),
        )
        sessions = Sessions(dependencies)
        conversations = Conversations(dependencies, sessions)
        return Workspace(client, store, conversations, sessions, self._ledger)

    async def _delete(self, profile: str) -> None:
        if self.delete_fault:
            raise self.delete_fault
        await self.store.profile(profile).conversations.forget_all()

    async def _find(self) -> Sequence[ModelRow]:
        return self.found

    async def _read_file(self, file: Path) -> ModelRow:
        if file not in self.files:
            raise UserFacingError(ErrorCode.MODEL_FILE_REFUSED, {"message": "No model."})
        return self.files[file]

    async def _delete_file(self, file: Path) -> None:
        if self.fault:
            raise self.fault
        self.deleted.append(file)

    async def _list_of(self, provider: Provider, key: SecretStr) -> Sequence[ModelRow]:
        await self._try_keys(ModelKeys({provider: key}))
        return self.listed.get(provider, ())

    async def _try_keys(self, keys: ModelKeys) -> bool:
        asked = [*keys.providers.items(), *keys.addresses.items()]
        for where, key in asked:
            if key.get_secret_value() in self.refused_keys:
                raise UserFacingError(ErrorCode.MODELS_KEY_REFUSED, {"provider": where})
        return not self.silent.intersection(where for where, _ in asked)

    async def _check(self, model: str, keys: ModelKeys) -> None:
        self.checked.append((model, _plain(keys.providers)))
        if self.fault:
            raise self.fault


@asynccontextmanager
async def projects_desk(
    folder: Path, keyring: KeyringInMemory, way: str = "good"
) -> AsyncIterator[ProjectSettingsFixture]:
    """Open the view models with everything in `folder`, and end them with the block.

    The stand-in for the service behaves in this `way`.
    """
    desk = ProjectSettingsFixture(folder, keyring, way)
    try:
        await desk.open()
        yield desk
    finally:
        await desk.aclose()


def _plain(keys: Mapping[Provider, SecretStr] | Mapping[str, SecretStr]) -> dict[str, str]:
    return {str(name): key.get_secret_value() for name, key in keys.items()}
