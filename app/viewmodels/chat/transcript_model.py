"""The transcript of the open chat, as a Qt list model of typed items."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QCoreApplication, QObject, Qt

from app.chat.items import (
    CallChange,
    Change,
    Handover,
    Item,
    Notice,
    Replaced,
    Thought,
    ToolCall,
    UserMessage,
)
from app.chat.session import ConversationSession
from app.viewmodels.i18n import localized, translate_marked
from app.viewmodels.rows import Index, RowsModel
from app.viewmodels.tool_call_texts import target_words


class TranscriptModel(RowsModel[Item]):
    """Mirrors one session's transcript: a row an item, oldest first.

    Calls that were looked up carry what they changed, also when their chat is shown again, and the
    message that is edited says so. One for the window's life; `show` points it at another session
    or at none.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(_text_of, parent)
        self._session: ConversationSession | None = None
        self._unsubscribe: Callable[[], None] | None = None
        self._changes: dict[str, CallChange] = {}
        # The same item each time, or its row would be laid out anew.
        self._dressed_items: dict[str, tuple[Item, Item]] = {}
        self._edited_key = ""

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Item | str | None:
        """Return the row, with what is known of it in this window, or its text."""
        value = super().data(index, role)
        return value if value is None or isinstance(value, str) else self._dressed(value)

    def item_of(self, key: str) -> Item | None:
        """Return the item with this key, with what is known of it in this window."""
        row = self._row_of(key)
        return None if row is None else self._dressed(self._rows[row])

    def show_change(self, key: str, change: CallChange | None) -> None:
        """Show what the call with this key changed, now or once its chat is shown again."""
        if change == self._changes.get(key):
            return
        if change is None:
            del self._changes[key]
        else:
            self._changes[key] = change
        self._dress_anew(key)

    def mark_edited(self, key: str) -> None:
        """Mark the message whose row has this key as the one that is edited; empty for none."""
        before, self._edited_key = self._edited_key, key
        for changed in {before, key}:
            self._dress_anew(changed)

    def show(self, session: ConversationSession | None) -> None:
        """Show this session's transcript from now on."""
        if self._unsubscribe:
            self._unsubscribe()
            self._unsubscribe = None
        self._session = session
        if session:
            self._unsubscribe = session.transcript.subscribe(self._on_transcript_change)
        self.replace_all(session.transcript.items if session else ())

    def rows_of_message(self, message_id: str) -> list[int]:
        """Return the rows of this message of the service or of this turn, in their order."""
        if not message_id or not self._session:
            return []
        keys = self._session.keys_of(message_id)
        return [row for row, item in enumerate(self._rows) if item.key in keys]

    def _row_of(self, key: str) -> int | None:
        return next((row for row, item in enumerate(self._rows) if item.key == key), None)

    def _dress_anew(self, key: str) -> None:
        self._dressed_items.pop(key, None)
        if (row := self._row_of(key)) is not None:
            self.mirror(Replaced(row), self._rows)

    def _dressed(self, item: Item) -> Item:
        if item.key != self._edited_key and item.key not in self._changes:
            return item
        plain, dressed = self._dressed_items.get(item.key, (None, item))
        if plain is not item:
            if isinstance(item, ToolCall):
                dressed = replace(item, change=self._changes.get(item.key))
            elif isinstance(item, UserMessage):
                dressed = replace(item, is_edited=True)
            self._dressed_items[item.key] = (item, dressed)
        return dressed

    def _on_transcript_change(self, change: Change) -> None:
        if self._session:
            self.mirror(change, self._session.transcript.items)


def _text_of(item: Item) -> str:
    match item:
        case Handover():
            return item.to_display_name
        case ToolCall():
            return f"{translate_marked('Tools', item.title)} {target_words(item.target)}"
        case Thought():
            # Nobody who goes through the rows hears what was thought before it is opened.
            return QCoreApplication.translate("Transcript", "Thought")
        case Notice():
            return localized(item.words)
        case _:
            return item.text
