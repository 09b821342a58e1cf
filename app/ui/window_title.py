"""The title of a window: which chat is open in it."""

from typing import Final

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.ui.parts.labels import title_line
from app.viewmodels.chat.chat import ChatViewModel
from app.viewmodels.chat.states import ChatViewState

_LIMIT: Final = 60
# What Qt puts the mark of an unsaved document in place of; written twice it is just text.
_PLACEHOLDER: Final = "[*]"


class WindowTitle(QObject):
    """Names the window after the chat, so that two can be told apart. Ends with the window."""

    def __init__(self, chat: ChatViewModel, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        chat.state_changed.connect(self._show)
        self._show(chat.state)

    def _show(self, state: ChatViewState) -> None:
        title = self.tr("Parley")
        if state.is_open or state.is_read_only:
            name = title_line(state.title, _LIMIT).replace(_PLACEHOLDER, _PLACEHOLDER * 2)
            title = self.tr("{chat} — Parley").format(chat=name)
        self._window.setWindowTitle(title)
