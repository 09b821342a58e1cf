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
        self._shown = chat.conversation_id
        self._shown_before = ""
        self._move = self._add_to(commands)
        chat.opened.connect(self._on_chat_opened)
        self._on_chat_opened(self._shown)

    def open_in_window(self, conversation_id: str) -> None:
        """Opens a chat in a window of its own; where it is the one shown here, it moves there."""
        if conversation_id == self._shown:
            self._move_chat()
        else:
            self.window_requested.emit(conversation_id)

    def forget(self, conversation_id: str) -> None:
        """This chat was deleted: it does not come back when another one leaves."""
        if conversation_id == self._shown_before:
            self._shown_before = ""

    def _add_to(self, commands: Commands) -> QAction:
        commands.add(
            "new-window",
            self.tr("New window"),
            self._open_new_chat,
            group=CommandGroup.PROGRAM,
            keys="Ctrl+Shift+N",
        )
        move = commands.add(
            "open-in-new-window",
            self.tr("Open in a new window"),
            self._move_chat,
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
        return move

    def _open_new_chat(self) -> None:
        self.window_requested.emit("")

    def _move_chat(self) -> None:
        """A chat is in one window only: what was shown here before comes back."""
        conversation_id = self._shown
        if conversation_id:
            before = self._shown_before
            self._chat.open(before if before != conversation_id else "")
            self.window_requested.emit(conversation_id)

    def _on_chat_opened(self, conversation_id: str) -> None:
        if conversation_id != self._shown:
            self._shown_before, self._shown = self._shown, conversation_id
        # An imported chat is read in the window that shows the others of its kind.
        self._move.setEnabled(bool(conversation_id) and not self._chat.state.is_read_only)
