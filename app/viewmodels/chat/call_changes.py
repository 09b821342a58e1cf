"""What the opened tool calls of the chat changed, looked up on a thread, and undoing them."""

from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QObject, Signal

from app.chat.items import CallState, ToolCall
from app.chat.workspace import Workspace
from app.tasks import OnError, TaskOwner
from app.viewmodels.chat.transcript_model import TranscriptModel
from app.viewmodels.rows import ROW_ROLE
from app.viewmodels.tools.activity import undo_call
from local_tools.ledger.steps import CallKey


@dataclass(frozen=True, slots=True)
class _Looked:
    """How a call stood when it was looked up: another state has another answer."""

    state: CallState
    is_undone: bool


class CallChanges(QObject):
    """Looks up a call when its row is opened, never while somebody scrolls.

    The answer goes into the rows of `transcript`. Made by the chat's view model; ends with it.
    """

    reported = Signal(str, bool)
    """What undoing has led to; arguments: the words, and whether that is bad."""

    def __init__(
        self, transcript: TranscriptModel, on_error: OnError, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._transcript = transcript
        self._tasks = TaskOwner(on_error)
        self._workspace: Workspace | None = None
        self._conversation_id = ""
        self._looked: dict[str, _Looked] = {}
        self._undoing: set[str] = set()
        transcript.dataChanged.connect(self._on_transcript_data_changed)

    def follow(self, workspace: Workspace | None, conversation_id: str) -> None:
        """Look up calls of this chat from now on."""
        self._workspace, self._conversation_id = workspace, conversation_id

    def look(self, key: str) -> None:
        """Look up the call whose row, with this key, was opened; other rows have nothing to say."""
        item = self._transcript.item_of(key)
        if isinstance(item, ToolCall) and self._workspace is not None:
            self._looked[key] = _looked_at(item)
            work = self._look(self._workspace, self._conversation_id, item)
            self._tasks.start(work, name="look up call")

    def undo(self, key: str) -> None:
        """Undo the call whose row has this key."""
        item = self._transcript.item_of(key)
        # A double click is one.
        if isinstance(item, ToolCall) and self._workspace is not None and key not in self._undoing:
            self._undoing.add(key)
            self._tasks.start(self._undo(self._workspace, item), name="undo call")

    async def aclose(self) -> None:
        """End what is under way."""
        self.follow(None, "")
        await self._tasks.aclose()

    async def _look(self, workspace: Workspace, conversation_id: str, item: ToolCall) -> None:
        if workspace.call_log is not None:
            sources = workspace.sessions.versions.sources(conversation_id)
            places = (conversation_id, *sources)
            change = await workspace.call_log.change(item.call_id, places)
            self._transcript.show_change(item.key, change)

    async def _undo(self, workspace: Workspace, item: ToolCall) -> None:
        call_log, change = workspace.call_log, item.change
        try:
            if call_log is not None and change is not None:
                key = CallKey(call_log.profile, change.conversation_id, item.call_id)
                self.reported.emit(*await undo_call(call_log, key))
        finally:
            self._undoing.discard(item.key)
        # A call before it, of the same file, may be next.
        for looked in tuple(self._looked):
            self.look(looked)

    def _on_transcript_data_changed(self, first: QModelIndex, last: QModelIndex) -> None:
        for row in range(first.row(), last.row() + 1) if self._looked else ():
            item = self._transcript.data(first.siblingAtRow(row), ROW_ROLE)
            looked = self._looked.get(item.key) if isinstance(item, ToolCall) else None
            if isinstance(item, ToolCall) and looked not in (None, _looked_at(item)):
                self.look(item.key)


def _looked_at(item: ToolCall) -> _Looked:
    return _Looked(item.state, item.is_undone)
