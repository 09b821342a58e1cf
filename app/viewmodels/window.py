"""What one window shows, handed over in one piece."""

from dataclasses import dataclass

from app.paths import Paths
from app.viewmodels.activity import ActivityViewModel
from app.viewmodels.approval import ApprovalViewModel
from app.viewmodels.archive import ArchiveViewModel
from app.viewmodels.catalog import CatalogViewModel
from app.viewmodels.chat import ChatViewModel
from app.viewmodels.connection import ConnectionViewModel
from app.viewmodels.conversation_list import ConversationListModel
from app.viewmodels.diagnostics import DiagnosticsViewModel
from app.viewmodels.exporting import ExportViewModel
from app.viewmodels.importing import ImportViewModel
from app.viewmodels.language import SpokenLanguage
from app.viewmodels.network import NetworkViewModel
from app.viewmodels.notices import NoticesViewModel
from app.viewmodels.own_tools import OwnToolsViewModel
from app.viewmodels.permissions import PermissionsViewModel
from app.viewmodels.preferences import Preferences
from app.viewmodels.search import SearchViewModel
from app.viewmodels.setup import SetupViewModel
from app.viewmodels.tool_servers import ToolServersViewModel


@dataclass(frozen=True, slots=True)
class WindowViewModels:
    """The view models behind a window.

    Connection, setup, catalog, preferences, language, notices, network, diagnostics and
    permissions are the program's; chat, approval, activity and the list of conversations belong
    to this window alone.
    """

    connection: ConnectionViewModel
    setup: SetupViewModel
    catalog: CatalogViewModel
    preferences: Preferences
    language: SpokenLanguage
    conversations: ConversationListModel
    chat: ChatViewModel
    approval: ApprovalViewModel
    search: SearchViewModel
    palette_search: SearchViewModel
    exporting: ExportViewModel
    activity: ActivityViewModel
    importing: ImportViewModel
    archive: ArchiveViewModel
    notices: NoticesViewModel
    network: NetworkViewModel
    diagnostics: DiagnosticsViewModel
    tool_servers: ToolServersViewModel
    own_tools: OwnToolsViewModel
    paths: Paths
    permissions: PermissionsViewModel
