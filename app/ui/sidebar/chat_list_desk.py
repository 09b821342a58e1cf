"""What is asked for in the list of chats, and who does it."""

from collections.abc import Sequence

from PySide6.QtCore import QObject

from app.settings import ChatOrder, Chats, Settings
from app.ui.sidebar.sidebar import Sidebar
from app.viewmodels.window import WindowViewModels


class ChatListDesk(QObject):
    """Joins the sidebar's list to the model of conversations and to what the person prefers.

    Made by the workbench; ends with the sidebar.
    """

    def __init__(self, sidebar: Sidebar, models: WindowViewModels) -> None:
        super().__init__(sidebar)
        self._sidebar = sidebar
        self._models = models
        conversations = models.conversations
        sidebar.delete_requested.connect(conversations.delete_all)
        sidebar.untitled_seen.connect(conversations.name)
        sidebar.pin_requested.connect(self._on_sidebar_pin_requested)
        sidebar.order_requested.connect(self._on_sidebar_order_requested)
        conversations.deleted.connect(models.chat.leave)
        conversations.deletion_changed.connect(sidebar.show_deletion)
        conversations.problem_changed.connect(sidebar.show_problem)
        models.archive.failed.connect(sidebar.show_problem)
        models.chat.opened.connect(sidebar.show_open)
        models.archive.opened.connect(self._show_place)
        models.archive.closed.connect(self._show_place)
        models.preferences.changed.connect(self._show_order)
        self._show_order(models.preferences.current)

    def _show_order(self, settings: Settings) -> None:
        order = settings.chats.order
        self._sidebar.show_order(order)
        self._models.conversations.sort_by("desc" if order == "newest" else "asc")

    def _show_place(self) -> None:
        self._sidebar.show_archive(is_archive=self._models.archive.is_open)

    def _on_sidebar_pin_requested(self, conversation_ids: Sequence[str], is_pinned: bool) -> None:
        self._models.conversations.pin(conversation_ids, is_pinned=is_pinned)

    def _on_sidebar_order_requested(self, order: ChatOrder) -> None:
        self._models.preferences.change(Chats(order=order))
