"""What the opened tool calls of the chat changed, looked up on a thread, and undoing them."""

from collections.abc import Callable
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

    It is looked up again when its chat is shown again, and when any call was undone, since a call
    before that may be next. The answer goes into the rows of `transcript`. Made by the chat's view
    model; ends with it.
    """

    reported = Signal(str, bool)
    """What undoing in the chat that is shown has led to; arguments: the words, and whether bad."""

    def __init__(
        self, transcript: TranscriptModel, on_error: OnError, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._transcript = transcript
        self._tasks = TaskOwner(on_error)
        self._workspace: Workspace | None = None
        self._conversation_id = ""
        self._unsubscribe: Callable[[], None] | None = None
        self._looked: dict[str, _Looked] = {}
        # To be looked up one after the other: of two answers about a call, the later is right.
        self._wanted: dict[str, None] = {}
        self._is_looking = False
        self._undoing: set[str] = set()
        transcript.dataChanged.connect(self._on_transcript_data_changed)
        transcript.modelReset.connect(self._look_again)

    def follow(self, workspace: Workspace | None, conversation_id: str) -> None:
        """Look up calls of this chat from now on."""
        if workspace is not self._workspace:
            if self._unsubscribe:
                self._unsubscribe()
            call_log = workspace.call_log if workspace else None
            self._unsubscribe = call_log.subscribe_undone(self._look_again) if call_log else None
        self._workspace, self._conversation_id = workspace, conversation_id

    def look(self, key: str) -> None:
        """Look up the call whose row, with this key, was opened; other rows have nothing to say."""
        item = self._transcript.item_of(key)
        if isinstance(item, ToolCall) and self._workspace is not None:
            self._looked[key] = _looked_at(item)
            self._wanted[key] = None
            if not self._is_looking:
                self._is_looking = True
                self._tasks.start(self._look_up(), name="look up calls")

    def undo(self, key: str) -> None:
        """Undo the call whose row has this key."""
        item = self._transcript.item_of(key)
        # A double click is one.
        if isinstance(item, ToolCall) and self._workspace is not None and key not in self._undoing:
            self._undoing.add(key)
            undo = self._undo(self._workspace, item, self._conversation_id)
            self._tasks.start(undo, name="undo call")

    async def aclose(self) -> None:
        """End what is under way."""
        self.follow(None, "")
        await self._tasks.aclose()

    async def _look_up(self) -> None:
        try:
            while self._wanted:
                key = next(iter(self._wanted))
                del self._wanted[key]
                await self._look_up_one(key)
        finally:
            self._is_looking = False

    async def _look_up_one(self, key: str) -> None:
        workspace, item = self._workspace, self._transcript.item_of(key)
        if workspace is None or workspace.call_log is None or not isinstance(item, ToolCall):
            return
        sources = workspace.sessions.versions.sources(self._conversation_id)
        places = (self._conversation_id, *sources)
        change = await workspace.call_log.change(item.call_id, places)
        self._transcript.show_change(key, change)

    async def _undo(self, workspace: Workspace, item: ToolCall, shown_id: str) -> None:
        call_log, change = workspace.call_log, item.change
        try:
            if call_log is not None and change is not None:
                key = CallKey(call_log.profile, change.conversation_id, item.call_id)
                words, is_bad = await undo_call(call_log, key)
                if (workspace, shown_id) == (self._workspace, self._conversation_id):
                    # In another chat it would not be known what was meant.
                    self.reported.emit(words, is_bad)
        finally:
            self._undoing.discard(item.key)
        # Where it failed, it may not be possible any more.
        self.look(item.key)

    def _look_again(self) -> None:
        for key in tuple(self._looked):
            self.look(key)

    def _on_transcript_data_changed(self, first: QModelIndex, last: QModelIndex) -> None:
        for row in range(first.row(), last.row() + 1) if self._looked else ():
            item = self._transcript.data(first.siblingAtRow(row), ROW_ROLE)
            looked = self._looked.get(item.key) if isinstance(item, ToolCall) else None
            if isinstance(item, ToolCall) and looked not in (None, _looked_at(item)):
                self.look(item.key)


def _looked_at(item: ToolCall) -> _Looked:
    return _Looked(item.state, item.is_undone)
