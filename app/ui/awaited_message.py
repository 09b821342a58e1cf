"""Brings the message that somebody searched for into view, once its chat is there."""

from collections.abc import Sequence

from PySide6.QtCore import QObject

from app.chat.items import Item, ReplyPart, UserMessage
from app.store.words import Words, words_of
from app.ui.find.transcript_pane import TranscriptPane
from app.viewmodels.chat.chat import ChatViewModel


class AwaitedMessage(QObject):
    """Goes once to a message of a chat that opens. Made by the chat page; ends with it.

    Whoever opens another chat meanwhile does not wait any more.
    """

    def __init__(self, chat: ChatViewModel, pane: TranscriptPane, parent: QObject) -> None:
        super().__init__(parent)
        self._chat = chat
        self._pane = pane
        self._conversation_id = ""
        self._message_id = ""
        self._words = ""
        chat.opened.connect(self._on_chat_opened)
        chat.transcript.modelReset.connect(self._go_there)

    def wait_for(self, conversation_id: str, message_id: str, words: str) -> None:
        """Goes to this message when the chat shows it, or else to the last with these words."""
        self._conversation_id = conversation_id if words else ""
        self._message_id, self._words = message_id, words
        self._go_there()

    def _go_there(self) -> None:
        if not self._conversation_id or self._chat.conversation_id != self._conversation_id:
            return
        transcript = self._chat.transcript
        rows = transcript.rows_of_message(self._message_id)
        if not rows:
            rows = _last_with(words_of(self._words), transcript.rows)
        if rows:
            self._conversation_id = ""
            self._pane.show_hit(rows, self._words)

    def _on_chat_opened(self, conversation_id: str) -> None:
        # Where an imported chat opens, a new one was shown before.
        if conversation_id not in ("", self._conversation_id):
            self._conversation_id = ""


def _last_with(words: Words, items: Sequence[Item]) -> list[int]:
    for row in range(len(items) - 1, -1, -1):
        item = items[row]
        if isinstance(item, UserMessage | ReplyPart) and words.are_in(item.text):
            return [row]
    return []
