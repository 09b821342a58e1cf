"""The view models: `AppViewModels` for all windows, `WindowViewModels` for one window."""

from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject

from app.approvals.queue import ApprovalQueue
from app.chat.workspace import Workspace
from app.config.settings import Settings
from app.import_export.chat_export import Writers
from app.paths import Paths, resources
from app.store.search import ARCHIVE_PROFILE
from app.store.store import Store
from app.viewmodels.approval.approval import ApprovalViewModel
from app.viewmodels.approval.permissions import PermissionsViewModel
from app.viewmodels.chat.catalog import CatalogViewModel
from app.viewmodels.chat.chat import ChatViewModel
from app.viewmodels.chat.code_files import CodeFiles
from app.viewmodels.chat.drafts import LeftDrafts
from app.viewmodels.chat.last_chat import LastChat
from app.viewmodels.connection import ConnectionViewModel
from app.viewmodels.i18n import SpokenLanguage
from app.viewmodels.import_export import ExportViewModel, ImportedChats, ImportViewModel
from app.viewmodels.mcp_servers.server_list import McpServersViewModel
from app.viewmodels.notices import NoticesViewModel
from app.viewmodels.preferences import Preferences
from app.viewmodels.settings.about import AboutModels
from app.viewmodels.settings.agents import AgentsViewModel
from app.viewmodels.settings.settings import SettingsViewModel
from app.viewmodels.sidebar.archive import ArchiveViewModel
from app.viewmodels.sidebar.conversation_list import ConversationListModel
from app.viewmodels.sidebar.search import SearchViewModel
from app.viewmodels.states import BannerView, OpenChats
from app.viewmodels.tools.activity import ActivityViewModel
from app.viewmodels.user_tools import UserToolsViewModel
from local_tools.registry import ToolRegistry


@dataclass(frozen=True, slots=True)
class AppViewModels:
    """The view models that all windows share, and what each window makes its own from."""

    connection: ConnectionViewModel
    retry: Callable[[], None]
    dismiss: Callable[[BannerView], None]
    setup: SettingsViewModel
    preferences: Preferences
    language: SpokenLanguage
    importing: ImportViewModel
    store: Store
    approvals: ApprovalQueue
    writers: Writers
    registry: ToolRegistry
    imported: ImportedChats
    open_chats: OpenChats
    notices: NoticesViewModel
    agents: AgentsViewModel
    about: AboutModels
    mcp_servers: McpServersViewModel
    user_tools: UserToolsViewModel
    paths: Paths
    permissions: PermissionsViewModel
    left_drafts: LeftDrafts = field(default_factory=LeftDrafts)


class WindowViewModels(QObject):
    """The view models of one window, and `app`, those that it shares with the others.

    They show a profile or the archive. The first window opens the chat that was open last. Made
    with its window; `aclose` ends what is under way in it.
    """

    def __init__(
        self, app: AppViewModels, *, is_first: bool, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.app: Final = app
        self._profile = ARCHIVE_PROFILE
        self.conversations: Final = ConversationListModel()
        self.catalog: Final = CatalogViewModel(app.agents.looks, app.agents.looks_by_title)
        self.chat: Final = ChatViewModel(
            app.registry, Path.home(), app.open_chats, left_drafts=app.left_drafts
        )
        self._last_chat = LastChat(self.chat) if is_first else None
        self.approval: Final = ApprovalViewModel(app.approvals)
        self.search: Final = SearchViewModel(app.store.search)
        self.palette_search: Final = SearchViewModel(app.store.search)
        self.exporting: Final = ExportViewModel(app.writers)
        self.activity: Final = ActivityViewModel()
        self.archive: Final = ArchiveViewModel(app.imported, lambda: app.connection.workspace)
        self.code_files: Final = CodeFiles(app.paths.previews_folder, resources() / "mermaid")
        app.open_chats.add(self.chat)
        self._connect()

    def show_workspace(self, workspace: Workspace | None) -> None:
        """Work with this profile from now on."""
        self.archive.close()
        self.exporting.show_project(workspace)
        self._show(workspace)

    def open_model_file(self, file: Path) -> None:
        """Answer the next messages of the open chat with the model of a file."""
        self.chat.chosen.choose_model_file(self.app.setup.models.offer_file(file))

    def withdraw(self) -> None:
        """Let another window show the chat of this one, which is gone."""
        self.app.open_chats.remove(self.chat)

    @property
    def is_idle(self) -> bool:
        """Whether nothing runs that shows its outcome here: no summary, no copy, no export."""
        return all(part.is_idle for part in (self.chat.revisions, self.archive, self.exporting))

    async def finish(self) -> None:
        """Wait for the end of what runs and shows its outcome here."""
        for part in (self.chat.revisions, self.archive, self.exporting):
            await part.finish()

    async def aclose(self) -> None:
        """Keep the draft and end what is under way here."""
        # What is shared lives on, and would call into a window that is gone.
        self.app.connection.workspace_changed.disconnect(self.show_workspace)
        self.app.connection.became_ready.disconnect(self._on_connection_became_ready)
        self.app.connection.models_changed.disconnect(self.catalog.load_models)
        self.app.importing.finished.disconnect(self.conversations.refresh)
        self.app.agents.switched.disconnect(self.catalog.load)
        self.app.preferences.changed.disconnect(self._on_preferences_changed)
        async with AsyncExitStack() as last_to_first:
            last_to_first.push_async_callback(self.approval.aclose)
            parts = (self.conversations, self.catalog, self.search, self.palette_search)
            # The chat first: its draft is kept before somebody else may show it.
            for part in (
                *parts,
                self.archive,
                self.exporting,
                self.activity,
                self.code_files,
                self.chat,
            ):
                last_to_first.push_async_callback(part.aclose)
            if self._last_chat:
                last_to_first.push_async_callback(self._last_chat.aclose)

    def _connect(self) -> None:
        self.app.connection.workspace_changed.connect(self.show_workspace)
        self.app.connection.became_ready.connect(self._on_connection_became_ready)
        self.app.connection.models_changed.connect(self.catalog.load_models)
        self.app.importing.finished.connect(self.conversations.refresh)
        self.app.agents.switched.connect(self.catalog.load)
        self.app.preferences.changed.connect(self._on_preferences_changed)
        self.catalog.loaded.connect(self._on_catalog_loaded)
        self.catalog.models_loaded.connect(self._on_catalog_models_loaded)
        self.chat.opened.connect(self.app.notices.look_again)
        self.chat.drafts.begun.connect(self._on_drafts_begun)
        self.chat.opened.connect(self.activity.show_chat)
        self.archive.opened.connect(self._on_archive_opened)
        self.archive.closed.connect(self._on_archive_closed)
        self.archive.chat_requested.connect(self.chat.open)

    def _show(self, workspace: Workspace | None) -> None:
        self.exporting.show(workspace)
        self.activity.show(workspace.call_log if workspace else None)
        self.approval.show_permissions(workspace.permissions if workspace else None)
        (self._last_chat or self.chat).show_workspace(workspace)
        self._profile = workspace.store.profile if workspace else ARCHIVE_PROFILE
        self._on_preferences_changed(self.app.preferences.current)
        self.conversations.show(workspace.conversations if workspace else None)
        is_local = self.app.preferences.current.connection.kind == "local"
        self.catalog.show(workspace.client if workspace else None, is_local=is_local)
        for search in (self.search, self.palette_search):
            search.show(tuple(dict.fromkeys((self._profile, ARCHIVE_PROFILE))))

    def _on_catalog_loaded(self) -> None:
        self.chat.chosen.agents.offer(self.catalog.agents.rows)

    def _on_catalog_models_loaded(self) -> None:
        self.chat.chosen.models.offer(self.catalog.models.rows)

    def _on_preferences_changed(self, settings: Settings) -> None:
        self.chat.chosen.agents.begin_with(settings.agents.new_chats.get(self._profile, ""))
        is_local = settings.connection.kind == "local"
        self.chat.chosen.own_instructions = settings.agents.instructions if is_local else ""

    def _on_drafts_begun(self) -> None:
        """Have the model loaded while its question is written, where that takes a while."""
        model = self.chat.chosen.model
        if self.catalog.is_local and model.state == "loadable":
            self.app.connection.load_model(model.model)

    def _on_connection_became_ready(self) -> None:
        self.conversations.refresh()
        self.catalog.load()

    def _on_archive_opened(self, workspace: Workspace) -> None:
        self._show(workspace)
        self.conversations.refresh()

    def _on_archive_closed(self) -> None:
        self._show(self.app.connection.workspace)
        self.conversations.refresh()
        self.catalog.load()
