"""What one window shows, handed over in one piece."""

from dataclasses import dataclass

from app.paths import Paths
from app.viewmodels.approval.approval import ApprovalViewModel
from app.viewmodels.approval.permissions import PermissionsViewModel
from app.viewmodels.chat.catalog import CatalogViewModel
from app.viewmodels.chat.chat import ChatViewModel
from app.viewmodels.connection import ConnectionViewModel
from app.viewmodels.exchange.exporting import ExportViewModel
from app.viewmodels.exchange.importing import ImportViewModel
from app.viewmodels.notices import NoticesViewModel
from app.viewmodels.preferences import Preferences
from app.viewmodels.settings.about import AboutModels
from app.viewmodels.settings.agents import AgentsViewModel
from app.viewmodels.settings.language import SpokenLanguage
from app.viewmodels.settings.network import NetworkViewModel
from app.viewmodels.settings.setup import SetupViewModel
from app.viewmodels.sidebar.archive import ArchiveViewModel
from app.viewmodels.sidebar.conversation_list import ConversationListModel
from app.viewmodels.sidebar.search import SearchViewModel
from app.viewmodels.tools.activity import ActivityViewModel
from app.viewmodels.tools.own_tools import OwnToolsViewModel
from app.viewmodels.tools.tool_servers import ToolServersViewModel


@dataclass(frozen=True, slots=True)
class WindowViewModels:
    """The view models behind a window.

    Connection, setup, catalog, preferences, language, notices, network, agents, about and
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
    agents: AgentsViewModel
    about: AboutModels
    tool_servers: ToolServersViewModel
    own_tools: OwnToolsViewModel
    paths: Paths
    permissions: PermissionsViewModel
