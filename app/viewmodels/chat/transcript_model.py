"""The transcript of the open chat, as a Qt list model of typed items."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QObject

from app.chat.items import Change, Handover, Item, Notice, Thought, ToolCall
from app.chat.session import ConversationSession
from app.viewmodels.i18n import localized, translate_marked
from app.viewmodels.rows import RowsModel


class TranscriptModel(RowsModel[Item]):
    """Mirrors one session's transcript: a row an item, oldest first.

    One for the window's life; `show` points it at another session or at none.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(_text_of, parent)
        self._session: ConversationSession | None = None
        self._unsubscribe: Callable[[], None] | None = None

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

    def _on_transcript_change(self, change: Change) -> None:
        if self._session:
            self.mirror(change, self._session.transcript.items)


def _text_of(item: Item) -> str:
    match item:
        case Handover():
            return item.to_display_name
        case ToolCall():
            return f"{translate_marked('Tools', item.title)} {item.target}"
        case Thought():
            # Nobody who goes through the rows hears what was thought before it is opened.
            return QCoreApplication.translate("Transcript", "Thought")
        case Notice():
            return localized(item.words)
        case _:
            return item.text
