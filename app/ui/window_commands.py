"""What can be done with windows: another one, the open chat in its own, quit."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QKeySequence

from app.ui.commands import CommandGroup, Commands
from app.viewmodels.chat.chat import ChatViewModel


class WindowCommands(QObject):
    """Adds its commands to those of a window. Made by the window; ends with it."""

    window_requested = Signal(str)
    """Another window should open; argument: the chat it shows, empty for a new one."""
    quit_requested = Signal()
    """Every window should close."""

    def __init__(self, chat: ChatViewModel, commands: Commands) -> None:
        super().__init__(commands)
        self._chat = chat
        self._open_again = self._add_to(commands)
        chat.opened.connect(self._on_chat_opened)
        self._on_chat_opened(chat.conversation_id)

    def _add_to(self, commands: Commands) -> QAction:
        commands.add(
            "new-window",
            self.tr("New window"),
            self._open_new_chat,
            group=CommandGroup.PROGRAM,
            keys="Ctrl+Shift+N",
        )
        open_again = commands.add(
            "open-in-new-window",
            self.tr("Open in a new window"),
            self._open_chat,
            group=CommandGroup.CHAT,
            keys="Ctrl+Shift+O",
        )
        commands.add(
            "quit",
            self.tr("Quit"),
            self.quit_requested.emit,
            group=CommandGroup.PROGRAM,
            keys=QKeySequence.StandardKey.Quit,
            icon="x",
        )
        return open_again

    def _open_new_chat(self) -> None:
        self.window_requested.emit("")

    def _open_chat(self) -> None:
        self.window_requested.emit(self._chat.conversation_id)

    def _on_chat_opened(self, conversation_id: str) -> None:
        # An imported chat is read in the window that shows the others of its kind.
        can_open = bool(conversation_id) and not self._chat.state.is_read_only
        self._open_again.setEnabled(can_open)
