"""Build and wire all objects of a run of the program, and close them in order."""

import os
import sys
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from functools import partial
from pathlib import Path

from pydantic import SecretStr
from PySide6.QtWidgets import QApplication

from app.api.ca_certificate import PinnedCaCertificate
from app.api.client import ApiClient, ChatApi
from app.api.network import Network, ProxySettings, Trust
from app.approvals.policy import Policy
from app.approvals.queue import ApprovalQueue
from app.approvals.rule_engine import PermissionRules
from app.chat.call_log import CallLog
from app.chat.conversations import Conversations
from app.chat.deletions import purge_local_data
from app.chat.dependencies import ChatDependencies
from app.chat.message_attachments import Attachments
from app.chat.rewind import Rewind
from app.chat.sessions import Sessions
from app.chat.workspace import RulePermissions, Workspace
from app.common.clock import SystemClock
from app.common.error_messages import ErrorCode, ErrorMessage, explain
from app.common.errors import UserFacingError
from app.config.key_store import KeyStore
from app.config.settings import Provider, Settings, SettingsFile
from app.environment import given_variables
from app.import_export.archive_service import ArchiveService
from app.import_export.chat_export import Writers
from app.mcp_servers.servers import ToolServers
from app.mcp_servers.sign_ins import SignIns
from app.paths import Paths, resources
from app.platform.desktop_motion import wants_motion
from app.platform.desktop_notifications import DesktopNotifications
from app.platform.hardening import given_umask
from app.service.agent_trial import TrialLaunch
from app.service.catalog import ServiceCatalog
from app.service.child import EngineChoice, ModelKeys
from app.service.model_downloads import (
    ModelDownload,
    OfferedModel,
    list_model_files,
    suggest_model,
)
from app.service.models import (
    FoundModel,
    ProviderKeys,
    check_model,
    delete_model_file,
    find_models,
    list_provider_models,
    read_model_file,
)
from app.service.process import ServiceProcess
from app.store.search import ARCHIVE_PROFILE
from app.store.store import ProfileStore, Store
from app.tasks import TaskOwner
from app.ui.desktop.notifications import (
    NotificationBackend,
    NotificationController,
    TrayNotifications,
)
from app.ui.desktop.qt_desktop import QtDesktop
from app.ui.desktop.tray_icon import TrayIcon
from app.ui.import_export.pdf import pdf_writer
from app.ui.import_export.web_page import web_page_writer
from app.ui.main_window import MainWindow
from app.ui.settings.sections import SettingsSections
from app.ui.theme import Theme
from app.ui.windows import Windows
from app.user_tools.user_tools import ApprovedSnapshots, UserTools
from app.viewmodels.approval.call_texts import sandbox_banner
from app.viewmodels.approval.permissions import PermissionsViewModel
from app.viewmodels.connection import ConnectionViewModel, Connectors
from app.viewmodels.i18n import SpokenLanguage, error_handler
from app.viewmodels.import_export import ImportedChats, ImportViewModel
from app.viewmodels.mcp_servers.server_list import McpServersViewModel
from app.viewmodels.notices import NoticesViewModel
from app.viewmodels.preferences import Preferences
from app.viewmodels.settings.about import about_models
from app.viewmodels.settings.agent_editing import trial_tools
from app.viewmodels.settings.agents import AgentsViewModel
from app.viewmodels.settings.model_download import DownloadSources, ModelDownloadViewModel
from app.viewmodels.settings.models import ModelRow, ModelSources, ModelsViewModel
from app.viewmodels.settings.projects import ProjectsViewModel
from app.viewmodels.settings.settings import SettingsViewModel
from app.viewmodels.startup_notices import KeptFile, start_banner
from app.viewmodels.states import Banners, BannerView, Dot, OpenChats
from app.viewmodels.user_tools import UserToolsViewModel
from app.viewmodels.window import AppViewModels, WindowViewModels
from local_tools.attachments.intake import FileIntake
from local_tools.context import Desktop
from local_tools.execution.call_runner import CallRunner, HostActions
from local_tools.execution.outputs import OutputFiles
from local_tools.execution.tool_runner import ToolRunner
from local_tools.ledger.ledger import Ledger
from local_tools.ledger.steps import CallKey, LedgerError
from local_tools.mcp.registry_bridge import McpToolProvider
from local_tools.mcp.server import ServerEnvironment
from local_tools.recovery.files import PutAside, is_no_folder, put_aside
from local_tools.registry import ToolRegistry, described_built_in_tools
from local_tools.sandbox.choice import SandboxChoice, sandboxes_of_system
from local_tools.sandbox.protected_paths import protected_paths
from local_tools.sandbox.types import SandboxState
from local_tools.threads import run_in_thread
from local_tools.undo.undo import UndoStore
from local_tools.user_tools.folder_check import OwnPreviews
from local_tools.user_tools.packages import packaged_tools


class Composition:
    """One run of the program: makes, wires and closes the objects behind its windows.

    Made on the GUI thread before the loop runs anything else; `start` opens the stored data and
    connects; `aclose` ends turns, service and files, in that order, and may be called once.
    """

    def __init__(
        self, application: QApplication, paths: Paths, keys: KeyStore, window: MainWindow
    ) -> None:
        # The window closes first, then what is behind it; the loop ends when both are done.
        application.setQuitOnLastWindowClosed(False)
        self._paths = paths
        self._store = Store(paths.store_file)
        self._ledger = Ledger(paths.ledger_file)
        self._registry = ToolRegistry()
        self._undo = UndoStore(paths.undo_folder)
        self._sandboxes = _sandboxes(paths)
        self._workers = ToolRunner(sandboxes=self._sandboxes, umask=given_umask())
        self._mcp_tools = McpToolProvider(self._registry)
        self._outputs = OutputFiles(paths.undo_folder)
        self._runner = self._make_runner()
        self._settings = SettingsFile(paths.settings_file)
        self._network = Network(lambda: _route(self._settings.current), Trust())
        self._servers, self.mcp_servers = self._make_servers(keys)
        self._user_tools = _make_user_tools(paths, self._registry, self._sandboxes)
        self.user_tools = UserToolsViewModel(self._user_tools)
        self._approvals = ApprovalQueue(expires_after_s=_life_of_card(self._settings))
        self._damaged: dict[KeptFile, PutAside | None] = {}
        self._banners = Banners()
        self._is_open = False
        self._opening = TaskOwner(error_handler(self._on_opening_failed))
        self.language = SpokenLanguage(
            resources() / "translations", self._settings.current.language.choice
        )
        self.theme = Theme(resources(), application.styleHints())
        self.theme.wear(self._settings.current.appearance)
        self.theme.apply(application)
        self._provider_keys = ProviderKeys(self._settings, keys)
        self.connection = self._make_connection(keys)
        self.importing = ImportViewModel(self._store.archive)
        archived = self._store.profile(ARCHIVE_PROFILE).conversations
        self._imported = ImportedChats(self._open_archive, archived.forget_all)
        self.preferences = Preferences(self._settings)
        self.agents = AgentsViewModel(
            self.preferences,
            self.connection,
            _catalog(paths),
            tools=self._registry.definitions,
            launch=self._trial_launch,
        )
        self.about = about_models(paths, self.preferences, self._network, self.language)
        self.permissions = PermissionsViewModel(self.preferences, self._workers.sandbox_state)
        self.connection.workspace_changed.connect(self.permissions.show_workspace)
        self.setup = self._make_setup(keys)
        open_chats = OpenChats()
        self.tray = TrayIcon(self.theme)
        self._notifications = _notification_backend(self.tray)
        self.notices = NoticesViewModel(
            self.preferences, open_chats, lambda: self.windows.is_in_front, self._notifications.look
        )
        self.app = self._make_app_models(open_chats, application)
        self.sections = SettingsSections(self.app)
        self.windows = self._make_windows(window)
        self._name_parts_of_first_window()
        self._connect()

    def _connect(self) -> None:
        self.connection.banner_changed.connect(self._on_connection_banner_changed)
        self.connection.damage_found.connect(self._on_connection_damage_found)
        self.about.updates.notice_changed.connect(self._show_banner)
        self.preferences.changed.connect(self._on_preferences_changed)
        NotificationController(self.notices, self._notifications, self.windows)
        self.connection.workspace_changed.connect(self.notices.show_workspace)
        self.notices.count_changed.connect(self.tray.show_count)
        self.tray.opened.connect(self.windows.come_forward)
        self.tray.chat_begun.connect(self.windows.begin_chat)
        self.tray.quit_chosen.connect(self.windows.close_all)
        self.preferences.changed.connect(self.tray.show_settings)
        self.tray.show_settings(self._settings.current)
        self.language.changed.connect(self._on_language_changed)
        self.windows.renewed.connect(self._name_parts_of_first_window)

    def _make_runner(self) -> CallRunner:
        return CallRunner(
            self._workers,
            HostActions(self._registry, Desktop(QtDesktop())),
            self._undo,
            self._outputs,
            servers=self._mcp_tools,
            attachments=self._attached,
        )

    def _make_connection(self, keys: KeyStore) -> ConnectionViewModel:
        connectors = Connectors(
            self._make_service,
            self._change_models,
            self._network.client_for,
            self._open_workspace,
        )
        return ConnectionViewModel(self._settings, keys, connectors)

    def _make_servers(self, keys: KeyStore) -> tuple[ToolServers, McpServersViewModel]:
        sign_ins = SignIns(keys, self._network, QtDesktop().open_page)
        around = ServerEnvironment(
            self._sandboxes, os.environ, sign_ins.client_for, umask=given_umask()
        )
        servers = ToolServers(self._paths.tool_servers_file, keys, self._mcp_tools, around)
        return servers, McpServersViewModel(servers, sign_ins, Path.home(), given_variables())

    def _make_setup(self, keys: KeyStore) -> SettingsViewModel:
        settings, connection = self._settings, self.connection
        sources = _model_sources(self._paths, self._check_model)
        return SettingsViewModel(
            settings,
            connection,
            ProjectsViewModel(settings, keys, connection, self._delete_data),
            ModelsViewModel(settings, self.preferences, connection, self._provider_keys, sources),
            ModelDownloadViewModel(_download_sources(self._paths)),
        )

    def _make_app_models(self, open_chats: OpenChats, application: QApplication) -> AppViewModels:
        themes, family = resources() / "themes", application.font().family
        return AppViewModels(
            connection=self.connection,
            retry=self.retry,
            dismiss=self.dismiss,
            setup=self.setup,
            preferences=self.preferences,
            language=self.language,
            importing=self.importing,
            store=self._store,
            approvals=self._approvals,
            writers=Writers(web_page_writer(themes), pdf_writer(themes, family)),
            registry=self._registry,
            imported=self._imported,
            open_chats=open_chats,
            notices=self.notices,
            agents=self.agents,
            about=self.about,
            mcp_servers=self.mcp_servers,
            user_tools=self.user_tools,
            permissions=self.permissions,
            paths=self._paths,
        )

    def _make_windows(self, first: MainWindow) -> Windows:
        return Windows(
            self.theme,
            self._make_window_models,
            self.sections,
            first,
            self._paths.window_file,
            stays=lambda: self.tray.keeps_running,
        )

    def _make_window_models(self, is_first: bool) -> WindowViewModels:
        return WindowViewModels(self.app, is_first=is_first)

    def _name_parts_of_first_window(self) -> None:
        """Name the view models of the first window, which is what tests and the self-test drive."""
        parts = self.windows.first_models
        self.window = self.windows.first
        self.conversations = parts.conversations
        self.catalog = parts.catalog
        self.chat = parts.chat
        self.approval = parts.approval
        self.search = parts.search
        self.palette_search = parts.palette_search
        self.exporting = parts.exporting
        self.archive = parts.archive

    async def start(self) -> None:
        """Open what this computer remembers, then connect as the settings say."""
        if await self.open():
            await self.connect()

    async def open(self) -> bool:
        """Open what this computer remembers; false, and said in the window, where that fails."""
        try:
            for folder in filter(is_no_folder, self._paths.inner_folders):
                with suppress(OSError):
                    self._damaged[KeptFile.FOLDER] = PutAside(put_aside(folder))
            # Another try after a failure does not open these again.
            if KeptFile.CHATS not in self._damaged:
                self._damaged[KeptFile.CHATS] = await self._store.open()
            if KeptFile.CALLS not in self._damaged:
                self._damaged[KeptFile.CALLS] = await self._open_ledger()
                # Describing all tools takes long: meanwhile the window has to paint and take keys.
                for tool in await run_in_thread(described_built_in_tools):
                    self._registry.add(tool)
            await self._servers.load()
            self._damaged[KeptFile.SERVERS] = self._servers.put_aside
            self._show_damage()
            await self._user_tools.refresh_allowed()
        except UserFacingError as error:
            self._banners.startup = BannerView(Dot.BAD, explain(error), "retry")
            self._show_banner()
            return False
        self._is_open = True
        return True

    def retry(self) -> None:
        """Connect again; where the files of this computer could not be opened, open them first."""
        if self._is_open:
            self.connection.retry()
        elif self._opening.is_idle:
            self._opening.start(self.start(), name="open again")

    def dismiss(self, banner: BannerView) -> None:
        """Show the next banner in place of one that a person has closed, in every window."""
        self._banners.close(banner)
        if banner == self.about.updates.notice:
            self.about.updates.dismiss_notice()
        self._show_banner()

    async def connect(self) -> None:
        """Connect as the settings say; may be cancelled, as a keyring can take its time."""
        try:
            await self.connection.start()
            self.windows.reopen()
        except UserFacingError as error:
            self._on_connection_banner_changed(BannerView(Dot.BAD, explain(error)))

    async def sandbox_state(self) -> SandboxState:
        """Return what the sandbox of tools was found to enforce."""
        return await self._workers.sandbox_state()

    async def ask_for_motion(self) -> None:
        """Find out whether the desktop lets things move."""
        self.theme.system_has_motion = await wants_motion()

    async def try_sandbox(self) -> None:
        """Find out what the sandbox of tools enforces, and show a banner if that is not all."""
        found = sandbox_banner(await self.sandbox_state())
        self._banners.startup = self._banners.startup or found
        self._show_banner()

    async def aclose(self) -> None:
        """Close everything; what arrived is kept and no process is left."""
        async with AsyncExitStack() as last_to_first:
            last_to_first.callback(self.language.close)
            last_to_first.push_async_callback(self._opening.aclose)
            # Among the last to close, as what ends before still writes.
            last_to_first.push_async_callback(self._store.close)
            last_to_first.push_async_callback(self._ledger.close)
            last_to_first.callback(self.tray.close)
            last_to_first.push_async_callback(self._servers.aclose)
            last_to_first.push_async_callback(self.mcp_servers.aclose)
            parts = (self.connection, self.setup, self.importing, self._imported, self.windows)
            # The notices close first: turns that end by closing are no news.
            own = (self.sections, self.agents, self.about, self.permissions, self.user_tools)
            for part in (*own, *parts, self._notifications, self.notices):
                last_to_first.push_async_callback(part.aclose)
            # Now, before all of the above: turns that wait for a person end, undecided.
            self._approvals.close()

    def _show_banner(self) -> None:
        """Show the banner of the connection, else of the start, else of a newer version."""
        self.windows.show_banner(self._banners.shown or self.about.updates.notice)

    def _show_damage(self) -> None:
        self._banners.startup = start_banner(self._damaged, self._settings)
        self._show_banner()

    async def _open_ledger(self) -> PutAside | None:
        try:
            return await self._ledger.open()
        except LedgerError as error:
            raise UserFacingError(ErrorCode.LEDGER_UNUSABLE, {"message": str(error)}) from error

    def _on_opening_failed(self, words: ErrorMessage) -> None:
        self._on_connection_banner_changed(BannerView(Dot.BAD, words, "retry"))

    def _on_connection_banner_changed(self, banner: BannerView | None) -> None:
        self._banners.show_connection(banner)
        self._show_banner()

    def _on_connection_damage_found(self, put_aside: PutAside) -> None:
        self._damaged[KeptFile.SERVICE] = put_aside
        self._show_damage()

    def open_model_file(self, file: Path) -> None:
        """Choose the model of a file that this or another start of the program was given."""
        if self._settings.current.connection.kind == "undecided":
            self.setup.use_file(file)
            return
        # That page shows the outcome.
        self.windows.show_models()
        self.setup.models.open_file(file)

    def _on_preferences_changed(self, settings: Settings) -> None:
        self.theme.wear(settings.appearance)
        self.language.speak(settings.language.choice)

    def _on_language_changed(self) -> None:
        """Rebuild the windows, and translate again the texts that objects keep.

        All other texts are translated at each use.
        """
        self.connection.translate_status()
        self.mcp_servers.translate()
        self.about.updates.translate()
        self.tray.translate()
        self.windows.renew()

    async def _trial_launch(self) -> TrialLaunch:
        settings = self._settings.current
        keys = await self._provider_keys.load_all()
        return TrialLaunch(settings.connection.model, settings.models.added, keys)

    async def _check_model(self, model: str, keys: ModelKeys) -> None:
        """Ask a model with the instructions and tools that a chat has."""
        tools = trial_tools(self._registry.definitions(), None)
        await check_model(model, keys, tools, self.preferences.current.agents.instructions)

    async def _make_service(self, model: str) -> ServiceProcess:
        keys = await self._provider_keys.load_all()
        settings = self.preferences.current
        return ServiceProcess(
            self._paths.service_data,
            model=model,
            models=settings.models.added,
            keys=keys,
            instructions=settings.agents.instructions,
            engine=_engine_of(settings),
        )

    async def _change_models(self, service: ServiceProcess, model: str) -> None:
        keys = await self._provider_keys.load_all()
        settings = self.preferences.current
        own, engine = settings.agents.instructions, _engine_of(settings)
        await service.change_models(model, settings.models.added, keys, own, engine)

    async def _delete_data(self, profile: str) -> None:
        await purge_local_data(self._store.profile(profile), self._ledger, self._undo)

    async def _attached(self, key: CallKey, sha256: str) -> bytes | None:
        """Return what is attached to the chat of a call."""
        return await self._store.profile(key.profile).attachments.content(
            key.conversation_id, sha256
        )

    async def _open_workspace(self, profile: str, client: ApiClient) -> Workspace:
        store = self._store.profile(profile)
        clock = SystemClock()
        rules = PermissionRules(store.rules, self._registry.definitions, clock)
        await rules.load()
        given = (self._registry, store, self._ledger, clock, Path.home())
        permissions = RulePermissions(rules, *given, self._workers.sandbox_state)
        return self._workspace(store, client, permissions)

    async def _open_archive(self) -> Workspace:
        store = self._store.profile(ARCHIVE_PROFILE)
        service = ArchiveService(self._store.archive, store)
        return self._workspace(store, service, None)

    def _workspace(
        self, store: ProfileStore, client: ChatApi, permissions: RulePermissions | None
    ) -> Workspace:
        dependencies = ChatDependencies(
            client=client,
            store=store,
            ledger=self._ledger,
            registry=self._registry,
            runner=self._runner,
            undo=self._undo,
            approvals=self._approvals,
            policy=Policy(
                self._registry,
                notes_file=lambda: _notes_file(self._settings.current),
                sandbox=self._workers.sandbox_state,
                rules=permissions.rules if permissions else None,
                own_folders=self._paths.own_folders,
            ),
            calls_before_pause=lambda: self._settings.current.tools.calls_per_reply,
        )
        sessions = Sessions(dependencies)
        conversations = Conversations(dependencies, sessions)
        parts = (client, store, conversations, sessions, self._ledger)
        call_log = CallLog(
            store.profile,
            self._ledger,
            store.turns,
            self._registry,
            self._undo,
            self._outputs,
            versions_of=sessions.versions.members,
            on_undone=sessions.read_calls,
        )
        if permissions is None:
            return Workspace(*parts, is_archive=True)
        attachments = Attachments(store, FileIntake(self._workers), client)
        rewind = Rewind(store.profile, self._ledger, self._undo, call_log.show_undone)
        return Workspace(*parts, False, permissions, call_log, attachments, rewind)


def _route(settings: Settings) -> ProxySettings:
    chosen = settings.network
    authority = None
    if chosen.authority_file:
        authority = PinnedCaCertificate(Path(chosen.authority_file), chosen.authority_fingerprint)
    return ProxySettings(chosen.proxy, chosen.proxy_address, authority)


def _sandboxes(paths: Paths) -> SandboxChoice:
    places = protected_paths(Path.home(), paths.own_folders)
    return SandboxChoice(sandboxes_of_system(places))


def _make_user_tools(paths: Paths, registry: ToolRegistry, sandboxes: SandboxChoice) -> UserTools:
    allowed, show = ApprovedSnapshots(paths.allowed_tools_folder), OwnPreviews(sandboxes)
    return UserTools(paths.own_tools_folder, allowed, registry, show, packaged_tools)


def _life_of_card(file: SettingsFile) -> Callable[[], float]:
    return lambda: file.current.tools.card_minutes * 60.0


def _engine_of(settings: Settings) -> EngineChoice:
    return EngineChoice(settings.models.engine, settings.models.window)


def _notes_file(settings: Settings) -> Path | None:
    chosen = settings.tools.notes_file
    return Path(chosen) if chosen else None


def _catalog(paths: Paths) -> ServiceCatalog:
    return ServiceCatalog(paths.service_data, os.environ)


def _notification_backend(tray: TrayIcon) -> NotificationBackend:
    return DesktopNotifications() if sys.platform == "linux" else TrayNotifications(tray.icon)


def _model_sources(
    paths: Paths, check: Callable[[str, ModelKeys], Awaitable[None]]
) -> ModelSources:
    async def find() -> tuple[ModelRow, ...]:
        return tuple(map(_row, await find_models(paths.service_data, os.environ)))

    async def read_file(file: Path) -> ModelRow:
        return _row(await read_model_file(file, os.environ))

    async def list_of(provider: Provider, key: SecretStr) -> tuple[ModelRow, ...]:
        return tuple(map(_row, await list_provider_models(provider, key)))

    async def delete_file(file: Path) -> None:
        await delete_model_file(file, paths.service_data, os.environ)

    return ModelSources(find, check, read_file, list_of, delete_file)


def _download_sources(paths: Paths) -> DownloadSources:
    def download(offer: OfferedModel) -> ModelDownload:
        return ModelDownload(offer, paths.service_data, os.environ)

    list_files = partial(list_model_files, environ=os.environ)
    return DownloadSources(partial(suggest_model, os.environ), download, list_files)


def _row(model: FoundModel) -> ModelRow:
    return ModelRow(
        model.model_id,
        model.name,
        model.server,
        model.address,
        model.size_bytes,
        model.fits,
        model.is_own,
    )
