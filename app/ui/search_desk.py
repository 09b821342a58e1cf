"""Joins the search of the sidebar, and that of the palette, to the chats that they find."""

from PySide6.QtCore import QObject, Signal

from app.ui.chat_page import ChatPage
from app.ui.sidebar.search_pane import SearchPane
from app.viewmodels.window import WindowViewModels


class SearchDesk(QObject):
    """Opens what was found, at its message. Made by the workbench; ends with it."""

    opened = Signal()
    """A chat was opened, and the keyboard should go there."""

    def __init__(self, pane: SearchPane, page: ChatPage, models: WindowViewModels) -> None:
        super().__init__(pane)
        self._page = page
        self._models = models
        search = models.search
        pane.typed.connect(search.search)
        pane.hit_chosen.connect(search.choose)
        pane.more_requested.connect(search.find_more)
        search.results_changed.connect(pane.show_results)
        search.failed.connect(pane.show_failure)
        models.conversations.deleted.connect(search.refresh)
        for each in (search, models.palette_search):
            each.hit_opened.connect(self._on_hit_opened)
            each.archived_opened.connect(self._on_archived_opened)

    def _on_hit_opened(self, conversation_id: str, message_id: str, words: str) -> None:
        self._models.archive.close()
        self._models.chat.open(conversation_id)
        self._page.show_message(conversation_id, message_id, words)
        self.opened.emit()

    def _on_archived_opened(self, conversation_id: str, message_id: str, words: str) -> None:
        self._page.show_message(conversation_id, message_id, words)
        self._models.archive.open(conversation_id)
        self.opened.emit()
