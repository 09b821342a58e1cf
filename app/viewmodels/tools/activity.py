"""The Activity page: the tool calls of this chat, or of all chats."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Signal

from app.chat.call_log import CallLog, CallLogEntry
from app.chat.items import CallState, Inserted, Removed, Replaced, ToolCall
from app.common.error_messages import ErrorMessage
from app.import_export.chat_export import appearing_file, settle
from app.tasks import TaskOwner
from app.viewmodels.i18n import error_handler, localized, translate_marked, translate_sentence
from app.viewmodels.import_export import WorkView
from app.viewmodels.rows import Index, RowsModel
from app.viewmodels.tools.activity_texts import (
    ActivityRow,
    activity_row,
    call_details_view,
    spoken_row,
    verdict_words,
)
from local_tools.errors import ToolError
from local_tools.ledger.steps import CallKey
from local_tools.undo.undo import UndoError

_SCREENFUL: Final = 30
_ALLOWED: Final = frozenset({CallState.DONE, CallState.FAILED, CallState.RUNNING})
_STATES: Final = {
    "waiting": frozenset({CallState.WAITING, CallState.RUNNING}),
    "denied": frozenset({CallState.DENIED, CallState.ANSWERED, CallState.REFUSED}),
    "failed": frozenset({CallState.FAILED, CallState.INTERRUPTED}),
}


@dataclass(frozen=True, slots=True)
class ActivityFilter:
    """Which calls are listed; an empty text stands for all.

    `decision` is one of waiting, you, rule, denied, failed.
    """

    is_all_chats: bool = False
    tool: str = ""
    decision: str = ""
    text: str = ""

    def matches(self, entry: CallLogEntry) -> bool:
        """Return whether this call is listed, if it is one of the right chat."""
        call = entry.call
        if self.tool and call.tool != self.tool:
            return False
        if not self._matches_decision(call):
            return False
        words = f"{translate_marked('Tools', call.title)}\n{call.target}\n{call.input_text}"
        return self.text.casefold() in words.casefold()

    def _matches_decision(self, call: ToolCall) -> bool:
        if self.decision in ("you", "rule"):
            by_rule = call.decider is not None and call.decider.is_rule
            return call.state in _ALLOWED and by_rule is (self.decision == "rule")
        return not self.decision or call.state in _STATES[self.decision]


async def undo_call(call_log: CallLog, key: CallKey) -> tuple[str, bool]:
    """Undo a call; return what that has led to, in words, and whether it is bad."""
    try:
        sentence = await call_log.undo(key)
    except UndoError as exc:
        return translate_sentence("Undo", exc.sentence), True
    except ToolError as exc:
        return str(exc), True
    return translate_sentence("Undo", sentence), False


class ActivityModel(RowsModel[ActivityRow]):
    """The rows, newest first; the next ones are asked for when somebody scrolls to them."""

    more_wanted = Signal()
    """The end of the rows that are known is in sight."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(lambda row: f"{row.title} {row.target}", parent, spoken_of=spoken_row)
        self.has_more = False

    def canFetchMore(self, parent: Index) -> bool:
        """Return whether there are more."""
        return self.has_more and not parent.isValid()

    def fetchMore(self, parent: Index) -> None:
        """Ask for the next calls."""
        if self.canFetchMore(parent):
            # Views ask again until the rows have come.
            self.has_more = False
            self.more_wanted.emit()


class ActivityViewModel(QObject):
    """Reads the record of calls while somebody looks at it.

    One for the window's life; `show` and `show_chat` say whose calls these are, `set_visible`
    whether they are seen. `aclose` ends what is under way.
    """

    failed = Signal(object)
    """Something could not be read or done; argument: the `ErrorMessage`."""
    loaded = Signal()
    """The first calls that fit are listed, or there are none."""
    details_changed = Signal(object)
    """Everything about the call that was opened; argument: a `CallDetailsView`, or None."""
    reported = Signal(str, bool)
    """What checking or undoing has led to; arguments: the words, and whether that is bad.

    Empty words take back what was found: something was recorded after it, or other calls are shown.
    """
    work_changed = Signal(object)
    """An export has ended, well or not; argument: a `WorkView`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows = ActivityModel(self)
        self.rows.more_wanted.connect(self._on_rows_more_wanted)
        self._call_log: CallLog | None = None
        self._conversation_id = ""
        self._filter = ActivityFilter()
        self._before: int | None = None
        self._open: CallKey | None = None
        self._is_visible = False
        self._has_verdict = False
        self._ends: tuple[Callable[[], None], ...] = ()
        self._route = error_handler(self.failed.emit)
        # Apart: listing other calls cancels what reads, but never an undo.
        self._reads = TaskOwner(self._route)
        self._tasks = TaskOwner(error_handler(self._on_task_failed))

    @property
    def filter(self) -> ActivityFilter:
        """Which calls are listed."""
        return self._filter

    def show(self, call_log: CallLog | None) -> None:
        """Show the calls of another profile, or none."""
        self._unsubscribe()
        self._call_log = call_log
        if call_log:
            undone = call_log.subscribe_undone(self._on_undone)
            self._ends = (call_log.subscribe(self._on_step), undone)
        self.open(None)
        self._reload()

    def show_chat(self, conversation_id: str) -> None:
        """Follow the chat that is open: unless all chats are listed, its calls are listed."""
        if conversation_id != self._conversation_id:
            self._conversation_id = conversation_id
            if not self._filter.is_all_chats:
                self.open(None)
                self._withdraw_report()
                self._reload()

    def set_visible(self, is_visible: bool) -> None:
        """Read the record only while the list is in sight."""
        if is_visible != self._is_visible:
            self._is_visible = is_visible
            if is_visible:
                self._reload()

    def list_only(self, chosen: ActivityFilter) -> None:
        """List only the calls that this filter lets through."""
        if chosen != self._filter:
            self._filter = chosen
            self._reload()

    def open(self, key: CallKey | None) -> None:
        """Show everything about a call, or about none any more."""
        self._open = key
        if key is None:
            self.details_changed.emit(None)
        elif self._call_log:
            self._reads.start(self._show_details(self._call_log, key), name="call")

    def undo(self) -> None:
        """Undo the call that is open."""
        if self._call_log and self._open:
            # Undoing is a step, too, which must not take back the report of its own.
            self._has_verdict = False
            undo = self._undo(self._call_log, self._open, self._listed_chat)
            self._tasks.start(undo, name="undo call")

    def verify(self) -> None:
        """Check the whole record."""
        if self._call_log:
            self._tasks.start(self._verify(self._call_log), name="verify record")

    def export(self, file: Path) -> None:
        """Write the steps of the listed chat's calls, or of all chats, as lines of JSON."""
        if self._call_log:
            self._tasks.start(self._export(self._call_log, file), name="export record")

    async def aclose(self) -> None:
        """End what is under way."""
        self._unsubscribe()
        self._call_log = None
        await self._reads.aclose()
        await self._tasks.aclose()

    @property
    def _listed_chat(self) -> str | None:
        """The chat whose calls are listed: empty for all, None where there can be no call."""
        if self._filter.is_all_chats:
            return ""
        return self._conversation_id or None

    def _unsubscribe(self) -> None:
        for end in self._ends:
            end()
        self._ends = ()

    def _reload(self) -> None:
        self._reads.cancel()
        self._before = None
        self.rows.has_more = False
        self.rows.replace_all([])
        if self._call_log is None or self._listed_chat is None:
            self.loaded.emit()
        elif self._is_visible:
            self._reads.start(self._read(self._call_log, self._listed_chat), name="calls")
            if self._open:
                self.open(self._open)

    async def _read(self, call_log: CallLog, conversation_id: str) -> None:
        """Read on until a screenful fits, or there are no more."""
        chosen, count = self._filter, 0
        while count < _SCREENFUL:
            page = await call_log.page(conversation_id, self._before)
            rows = [activity_row(call) for call in page.calls if chosen.matches(call)]
            if rows:
                self._append(rows)
            count, self._before = count + len(rows), page.before
            if page.before is None:
                break
        self.rows.has_more = self._before is not None
        self.loaded.emit()

    def _append(self, new: list[ActivityRow]) -> None:
        # What was recorded while the page was read has come by `_refresh`.
        known = {row.key for row in self.rows.rows}
        new = [row for row in new if row.key not in known]
        before = self.rows.rows
        if new:
            self.rows.mirror(Inserted(len(before), len(new)), [*before, *new])

    async def _refresh(self, call_log: CallLog, key: CallKey) -> None:
        call = await call_log.call(key)
        rows = list(self.rows.rows)
        at = next((n for n, row in enumerate(rows) if row.key == key), None)
        if call is None or not self._filter.matches(call):
            if at is not None:
                self.rows.mirror(Removed(at, 1), rows)
            return
        row = activity_row(call)
        if at is None:
            self._insert(row, rows)
        elif rows[at] != row:
            rows[at] = row
            self.rows.mirror(Replaced(at), rows)

    def _insert(self, row: ActivityRow, rows: list[ActivityRow]) -> None:
        at = next((n for n, known in enumerate(rows) if known.asked_at <= row.asked_at), len(rows))
        # A call older than all rows is shown when its page is loaded.
        if at < len(rows) or self._before is None:
            rows.insert(at, row)
            self.rows.mirror(Inserted(at, 1), rows)

    async def _show_details(self, call_log: CallLog, key: CallKey) -> None:
        details = await call_log.details(key)
        if key == self._open:
            self.details_changed.emit(call_details_view(details) if details else None)

    async def _undo(self, call_log: CallLog, key: CallKey, listed: str | None) -> None:
        words, is_bad = await undo_call(call_log, key)
        if call_log is self._call_log and listed == self._listed_chat:
            # Below the calls of another chat it would not be known what was meant.
            self.reported.emit(words, is_bad)
        await self._show_details(call_log, key)

    async def _refresh_undone(self, call_log: CallLog) -> None:
        for key in await call_log.undone([row.key for row in self.rows.rows]):
            await self._refresh(call_log, key)
        if self._open:
            # It may be possible now, or no longer.
            await self._show_details(call_log, self._open)

    async def _verify(self, call_log: CallLog) -> None:
        found = await call_log.verify()
        self._has_verdict = found.state != "broken"
        self.reported.emit(verdict_words(found), found.state == "broken")

    async def _export(self, call_log: CallLog, file: Path) -> None:
        with appearing_file(file, may_replace=True) as part:
            count = await call_log.export(self._listed_chat or "", part)
            await asyncio.to_thread(settle, [part])
        words = self.tr("%n steps exported to {name}.", "", count).format(name=file.name)
        left_out = self.tr("Text that was not sent or was masked is not included.")
        self.work_changed.emit(WorkView(f"{words} {left_out}", path=str(file)))

    def _on_rows_more_wanted(self) -> None:
        if self._call_log and self._listed_chat is not None:
            self._reads.start(self._read(self._call_log, self._listed_chat), name="more calls")

    def _on_step(self, key: CallKey) -> None:
        if self._has_verdict:
            self._withdraw_report()
        if self._call_log is None or not self._is_visible:
            return
        listed = self._listed_chat
        if listed is not None and self._call_log.is_of_chat(key, listed):
            self._reads.start(self._refresh(self._call_log, key), name="follow call")
        if key == self._open:
            self._reads.start(self._show_details(self._call_log, key), name="call")

    def _on_undone(self) -> None:
        if self._call_log and self._is_visible:
            self._reads.start(self._refresh_undone(self._call_log), name="follow undo")

    def _withdraw_report(self) -> None:
        self._has_verdict = False
        self.reported.emit("", False)

    def _on_task_failed(self, words: ErrorMessage) -> None:
        self.reported.emit(localized(words), True)
