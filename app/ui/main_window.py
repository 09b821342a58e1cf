"""The window: sidebar, chat, right panel, and the pages that take their place."""

from pathlib import Path
from typing import Final

from PySide6.QtCore import QByteArray, QSettings, QSize, Qt, QUrl, Signal
from PySide6.QtGui import QCloseEvent, QDesktopServices, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QMainWindow, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from app.ui.chat_page import ChatPage
from app.ui.notice_bar import NoticeBar
from app.ui.parts.surfaces import set_surface
from app.ui.setup.first_run import FirstRun
from app.ui.setup.settings_page import SettingsPage
from app.ui.sidebar.sidebar import Sidebar
from app.ui.skills_panel import SkillsPanel
from app.ui.theme import Theme
from app.viewmodels.approval import ApprovalViewModel
from app.viewmodels.catalog import CatalogViewModel
from app.viewmodels.chat import ChatViewModel
from app.viewmodels.connection import ConnectionViewModel
from app.viewmodels.conversation_list import ConversationListModel
from app.viewmodels.setup import SetupViewModel
from app.viewmodels.states import BannerView, StatusView

_SIZE: Final = QSize(1360, 860)
_LEAST_SIZE: Final = QSize(720, 480)
_SIDEBAR_PX: Final = 272
_PANEL_PX: Final = 300
# Below these widths of the window the panel, and then the sidebar, give way to the chat.
_PANEL_FROM_PX: Final = 1000
_SIDEBAR_FROM_PX: Final = 760


class MainWindow(QMainWindow):
    """Puts the parts in their places and joins them to their view models.

    Geometry alone is kept in `geometry_file`. Closing the window emits `closed`; whoever runs the
    program ends it then.
    """

    closed = Signal()
    """The person closed the window."""

    def __init__(
        self,
        *,
        theme: Theme,
        connection: ConnectionViewModel,
        conversations: ConversationListModel,
        catalog: CatalogViewModel,
        chat: ChatViewModel,
        approval: ApprovalViewModel,
        setup: SetupViewModel,
        geometry_file: Path,
    ) -> None:
        super().__init__()
        self._geometry = QSettings(str(geometry_file), QSettings.Format.IniFormat)
        self._connection = connection
        self._conversations = conversations
        self._catalog = catalog
        self._chat = chat
        self._setup = setup
        self._sidebar = Sidebar(conversations, theme)
        self._chat_page = ChatPage(theme, chat, catalog, approval)
        self._first_run = FirstRun(theme)
        self._first_page = QWidget()
        self._banners = (self._chat_page.banner, NoticeBar(theme))
        self._panel = SkillsPanel(catalog.skills, theme)
        self._settings = SettingsPage(theme)
        self._centre = QStackedWidget()
        self._pages = QStackedWidget()
        self._splitter = QSplitter(Qt.Orientation.Horizontal)
        self._lay_out()
        self._join_sidebar()
        self._join_chat()
        self._join_setup()
        self._restore_geometry()
        self._chat_page.take_focus()

    def show_banner(self, banner: BannerView | None) -> None:
        """Shows a sentence above the chat and the first page, or takes it away."""
        for bar in self._banners:
            bar.show_banner(banner)

    def come_forward(self) -> None:
        """Shows the window in front: another start of the program asked for it."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Keeps the geometry, and lets the program end."""
        self._geometry.setValue("window", self.saveGeometry())
        self._geometry.setValue("splitter", self._splitter.saveState())
        self._geometry.sync()
        event.accept()
        self.closed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Folds the sides away where there is no room for them, and back."""
        super().resizeEvent(event)
        before, now = event.oldSize().width(), event.size().width()
        if _crosses(_PANEL_FROM_PX, before, now):
            self._show_panel(now >= _PANEL_FROM_PX)
        if _crosses(_SIDEBAR_FROM_PX, before, now):
            self._show_sidebar(now >= _SIDEBAR_FROM_PX)

    def _lay_out(self) -> None:
        self.setWindowTitle(self.tr("Parley"))
        self.resize(_SIZE)
        self.setMinimumSize(_LEAST_SIZE)
        self._centre.addWidget(self._chat_page)
        set_surface(self._first_page, "bg")
        column = QVBoxLayout(self._first_page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._banners[-1])
        column.addWidget(self._first_run, 1)
        self._centre.addWidget(self._first_page)
        for number, (part, stretch) in enumerate(
            ((self._sidebar, 0), (self._centre, 1), (self._panel, 0))
        ):
            self._splitter.addWidget(part)
            self._splitter.setStretchFactor(number, stretch)
            self._splitter.setCollapsible(number, False)
        self._splitter.setHandleWidth(1)
        self._splitter.setSizes([_SIDEBAR_PX, _SIZE.width() - _SIDEBAR_PX - _PANEL_PX, _PANEL_PX])
        self._pages.addWidget(self._splitter)
        self._pages.addWidget(self._settings)
        self.setCentralWidget(self._pages)
        for keys, slot in (
            (QKeySequence(QKeySequence.StandardKey.New), self._on_new_chat_pressed),
            (QKeySequence("Ctrl+,"), self._open_settings),
            (QKeySequence(QKeySequence.StandardKey.Quit), self.close),
        ):
            QShortcut(keys, self).activated.connect(slot)

    def _join_sidebar(self) -> None:
        sidebar = self._sidebar
        sidebar.chat_chosen.connect(self._on_sidebar_chat_chosen)
        sidebar.new_chat_requested.connect(self._on_new_chat_requested)
        sidebar.delete_requested.connect(self._conversations.delete)
        sidebar.settings_requested.connect(self._open_settings)
        self._connection.status_changed.connect(self._show_status)
        self._show_status(self._connection.status)
        self._conversations.deleted.connect(self._chat.leave)
        self._conversations.problem_changed.connect(sidebar.show_problem)
        self._chat.opened.connect(sidebar.show_open)

    def _join_chat(self) -> None:
        page = self._chat_page
        page.header.panel_toggled.connect(self._show_panel)
        page.header.sidebar_requested.connect(self._on_header_sidebar_requested)
        page.settings_requested.connect(self._open_settings)
        page.link_confirmed.connect(_open_link)
        for bar in self._banners:
            bar.retry_requested.connect(self._connection.retry)
            bar.settings_requested.connect(self._open_settings)
        self._connection.banner_changed.connect(self.show_banner)
        self._panel.reload_requested.connect(self._catalog.load)
        self._catalog.failed.connect(self._panel.show_failure)
        self._catalog.loaded.connect(self._panel.show_loaded)

    def _join_setup(self) -> None:
        setup, first_run, settings = self._setup, self._first_run, self._settings
        self._connection.setup_needed.connect(self._on_connection_setup_needed)
        first_run.local_chosen.connect(setup.use_local)
        first_run.hosted_chosen.connect(setup.use_hosted)
        first_run.offline_chosen.connect(setup.use_offline)
        first_run.postponed.connect(self._show_chat)
        first_run.postponed.connect(self._connection.postpone)
        setup.first_run_changed.connect(first_run.show_state)
        setup.finished.connect(self._show_chat)
        setup.settings_changed.connect(settings.show_state)
        settings.local_chosen.connect(setup.use_local)
        settings.hosted_chosen.connect(setup.use_hosted)
        settings.theme_chosen.connect(setup.choose_theme)
        settings.closed.connect(self._on_settings_closed)
        first_run.show_state(setup.first_run)
        settings.show_state(setup.settings)

    def _restore_geometry(self) -> None:
        window, splitter = self._geometry.value("window"), self._geometry.value("splitter")
        if isinstance(window, QByteArray):
            self.restoreGeometry(window)
        if isinstance(splitter, QByteArray):
            self._splitter.restoreState(splitter)

    def _show_chat(self) -> None:
        if self._centre.currentWidget() is not self._chat_page:
            self._centre.setCurrentWidget(self._chat_page)
            self._show_panel(self.width() >= _PANEL_FROM_PX)
        self._chat_page.take_focus()

    def _show_panel(self, is_open: bool) -> None:
        is_chat = self._centre.currentWidget() is self._chat_page
        self._panel.setVisible(is_open and is_chat)
        self._chat_page.header.show_panel(is_open)

    def _show_sidebar(self, is_open: bool) -> None:
        self._sidebar.setVisible(is_open)
        self._chat_page.header.show_sidebar(is_open)

    def _show_status(self, status: StatusView) -> None:
        self._sidebar.show_project(status.name)
        self._sidebar.show_status(status)

    def _open_settings(self) -> None:
        self._setup.look_for_models()
        self._pages.setCurrentWidget(self._settings)

    def _on_settings_closed(self) -> None:
        self._pages.setCurrentWidget(self._splitter)
        self._chat_page.take_focus()

    def _on_connection_setup_needed(self) -> None:
        self._centre.setCurrentWidget(self._first_page)
        self._first_run.take_focus()
        self._panel.hide()
        self._setup.look_for_models()

    def _on_sidebar_chat_chosen(self, conversation_id: str) -> None:
        self._chat.open(conversation_id)
        self._chat_page.take_focus()

    def _on_new_chat_pressed(self) -> None:
        # Behind another page nobody would see what has become of the open chat.
        if self._chat_page.isVisible():
            self._on_new_chat_requested()

    def _on_new_chat_requested(self) -> None:
        self._chat.open("")
        self._chat_page.take_focus()

    def _on_header_sidebar_requested(self) -> None:
        self._show_sidebar(is_open=True)


def _crosses(border: int, before: int, now: int) -> bool:
    """Tells whether the width went over this border, in either direction or at the first show."""
    return before < 0 or (before < border) != (now < border)


def _open_link(address: str) -> None:
    """Opens an address that the person has seen whole and confirmed."""
    QDesktopServices.openUrl(QUrl(address))
