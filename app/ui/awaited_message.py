"""Brings the message that somebody searched for into view, once its chat is there."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QObject

from app.chat.items import Item, ReplyPart, UserMessage
from app.store.words import Words, words_of
from app.ui.transcript.keyboard import Keyboard
from app.viewmodels.chat import ChatViewModel

# What is kept is shown first, then what the service has: the rows are others then.
_ARRIVALS: Final = 2


class AwaitedMessage(QObject):
    """Goes to a message of a chat that opens. Made by the chat page; ends with it."""

    def __init__(self, chat: ChatViewModel, keyboard: Keyboard, parent: QObject) -> None:
        super().__init__(parent)
        self._chat = chat
        self._keyboard = keyboard
        self._conversation_id = ""
        self._message_id = ""
        self._words = words_of("")
        self._left = 0
        chat.transcript.modelReset.connect(self._go_there)

    def wait_for(self, conversation_id: str, message_id: str, words: str) -> None:
        """Goes to this message when the chat shows it, or else to the last with these words."""
        self._conversation_id, self._message_id = conversation_id, message_id
        self._words = words_of(words)
        self._left = _ARRIVALS if words else 0
        self._go_there()

    def _go_there(self) -> None:
        if not self._left or self._chat.conversation_id != self._conversation_id:
            return
        row = _row_of(self._chat.transcript.rows, self._message_id, self._words)
        if row is not None:
            self._left -= 1
            self._keyboard.go_to_message(row)


def _row_of(items: Sequence[Item], message_id: str, words: Words) -> int | None:
    rows = range(len(items) - 1, -1, -1)
    for row in rows:
        if items[row].key == f"m:{message_id}":
            return row
    # A message of a turn of this computer has the key of the turn.
    for row in rows:
        item = items[row]
        if isinstance(item, UserMessage | ReplyPart) and words.are_in(item.text):
            return row
    return None
