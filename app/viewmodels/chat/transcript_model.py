"""The transcript of the open chat, as a Qt list model of typed items."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QCoreApplication, QObject, Qt

from app.chat.items import CallChange, Change, Handover, Item, Notice, Replaced, Thought, ToolCall
from app.chat.session import ConversationSession
from app.viewmodels.i18n import localized, translate_marked
from app.viewmodels.rows import Index, RowsModel
from app.viewmodels.tool_call_texts import target_words


class TranscriptModel(RowsModel[Item]):
    """Mirrors one session's transcript: a row an item, oldest first.

    Calls that were looked up carry what they changed, also when their chat is shown again. One for
    the window's life; `show` points it at another session or at none.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(_text_of, parent)
        self._session: ConversationSession | None = None
        self._unsubscribe: Callable[[], None] | None = None
        self._changes: dict[str, CallChange] = {}
        # The same item each time, or its row would be laid out anew.
        self._with_change: dict[str, tuple[ToolCall, ToolCall]] = {}

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Item | str | None:
        """Return the row, with what its call changed, or its text."""
        value = super().data(index, role)
        return self._dressed(value) if isinstance(value, ToolCall) else value

    def item_of(self, key: str) -> Item | None:
        """Return the item with this key, with what its call changed."""
        row = self._row_of(key)
        if row is None:
            return None
        item = self._rows[row]
        return self._dressed(item) if isinstance(item, ToolCall) else item

    def show_change(self, key: str, change: CallChange | None) -> None:
        """Show what the call with this key changed, now or once its chat is shown again."""
        if change == self._changes.get(key):
            return
        self._with_change.pop(key, None)
        if change is None:
            del self._changes[key]
        else:
            self._changes[key] = change
        if (row := self._row_of(key)) is not None:
            self.mirror(Replaced(row), self._rows)

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

    def _dressed(self, item: ToolCall) -> ToolCall:
        change = self._changes.get(item.key)
        if change is None:
            return item
        plain, dressed = self._with_change.get(item.key, (None, item))
        if plain is not item:
            dressed = replace(item, change=change)
            self._with_change[item.key] = (item, dressed)
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
