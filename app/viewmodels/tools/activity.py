"""The Activity panel: what tools did in this chat, or in all of them."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Signal

from app.chat.call_log import CallLog, CallLogEntry
from app.chat.items import CallState, Inserted, Removed, Replaced, is_rule
from app.common.error_messages import ErrorMessage
from app.import_export.chat_export import appearing_file, settle
from app.tasks import TaskOwner
from app.viewmodels.i18n import error_handler, localized, translate_marked
from app.viewmodels.import_export import WorkView
from app.viewmodels.rows import Index, RowsModel
from app.viewmodels.tools.activity_texts import (
    ActivityRow,
    activity_row,
    spoken_row,
    story_view,
    undo_said,
    verdict_words,
)
from local_tools.errors import ToolError
from local_tools.ledger.ledger import CallKey

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

    def takes(self, call: CallLogEntry) -> bool:
        """Whether this call is listed, if it is one of the right chat."""
        if self.tool and call.tool != self.tool:
            return False
        if not self._takes_decision(call):
            return False
        facts = call.facts
        words = f"{translate_marked('Tools', facts.title)}\n{facts.target}\n{facts.input_text}"
        return self.text.casefold() in words.casefold()

    def _takes_decision(self, call: CallLogEntry) -> bool:
        facts = call.facts
        if self.decision in ("you", "rule"):
            by_rule = is_rule(facts.decided_by)
            return facts.state in _ALLOWED and by_rule is (self.decision == "rule")
        return not self.decision or facts.state in _STATES[self.decision]


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
        """Asks for them."""
        if self.canFetchMore(parent):
            self.has_more = False
            self.more_wanted.emit()


class ActivityViewModel(QObject):
    """Reads the record of calls while somebody looks at it.

    One for the window's life; `show` and `show_chat` say whose calls these are, `attend` whether
    they are seen. `aclose` ends what is under way.
    """

    failed = Signal(object)
    """Something could not be read or done; argument: the `ErrorMessage`."""
    loaded = Signal()
    """The first calls that fit are listed, or there are none."""
    story_changed = Signal(object)
    """Everything about the call that was opened; argument: a `StoryView`, or None."""
    told = Signal(str, bool)
    """What checking or undoing has led to; arguments: the words, and whether that is bad.

    Empty words take back what was found, since something was recorded after it.
    """
    work_changed = Signal(object)
    """How an export went; argument: a `WorkView`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows = ActivityModel(self)
        self.rows.more_wanted.connect(self._on_rows_more_wanted)
        self._book: CallLog | None = None
        self._conversation_id = ""
        self._filter = ActivityFilter()
        self._before: int | None = None
        self._open: CallKey | None = None
        self._is_seen = False
        self._has_verdict = False
        self._unsubscribe: Callable[[], None] | None = None
        self._route = error_handler(self.failed.emit)
        self._reads = TaskOwner(self._route)
        self._tasks = TaskOwner(error_handler(self._on_task_failed))

    @property
    def filter(self) -> ActivityFilter:
        """Which calls are listed."""
        return self._filter

    def show(self, book: CallLog | None) -> None:
        """Show the calls of another profile, or none."""
        if self._unsubscribe:
            self._unsubscribe()
            self._unsubscribe = None
        self._book = book
        if book:
            self._unsubscribe = book.subscribe(self._on_step)
        self.open(None)
        self._reload()

    def show_chat(self, conversation_id: str) -> None:
        """Another chat is open."""
        if conversation_id != self._conversation_id:
            self._conversation_id = conversation_id
            if not self._filter.is_all_chats:
                self.open(None)
                self._reload()

    def attend(self, is_seen: bool) -> None:
        """The list came into sight, or went out of it: nothing is read that nobody sees."""
        if is_seen != self._is_seen:
            self._is_seen = is_seen
            if is_seen:
                self._reload()

    def list_only(self, chosen: ActivityFilter) -> None:
        """List other calls."""
        if chosen != self._filter:
            self._filter = chosen
            self._reload()

    def open(self, key: CallKey | None) -> None:
        """Tells everything about a call; None for no call any more."""
        self._open = key
        if key is None:
            self.story_changed.emit(None)
        elif self._book:
            self._reads.start(self._tell_story(self._book, key), name="call")

    def undo(self) -> None:
        """Undoes the call that is open."""
        if self._book and self._open:
            self._has_verdict = False
            self._tasks.start(self._undo(self._book, self._open), name="undo call")

    def verify(self) -> None:
        """Check the whole record."""
        if self._book:
            self._tasks.start(self._verify(self._book), name="verify record")

    def export(self, file: Path) -> None:
        """Write the steps of the listed chat's calls, or of all chats, as lines of JSON."""
        if self._book:
            self._tasks.start(self._export(self._book, file), name="export record")

    async def aclose(self) -> None:
        """End what is under way."""
        if self._unsubscribe:
            self._unsubscribe()
            self._unsubscribe = None
        self._book = None
        await self._reads.aclose()
        await self._tasks.aclose()

    @property
    def _listed_chat(self) -> str | None:
        """The chat whose calls are listed: empty for all, None where there can be no call."""
        if self._filter.is_all_chats:
            return ""
        return self._conversation_id or None

    def _reload(self) -> None:
        self._reads.cancel()
        self._before = None
        self.rows.has_more = False
        self.rows.replace_all([])
        if self._book is None or self._listed_chat is None:
            self.loaded.emit()
        elif self._is_seen:
            self._reads.start(self._read(self._book, self._listed_chat), name="calls")
            if self._open:
                self.open(self._open)

    async def _read(self, book: CallLog, conversation_id: str) -> None:
        """Read on until a screenful fits, or there are no more."""
        chosen, count = self._filter, 0
        while count < _SCREENFUL:
            page = await book.page(conversation_id, self._before)
            rows = [activity_row(call) for call in page.calls if chosen.takes(call)]
            if rows:
                self._append(rows)
            count, self._before = count + len(rows), page.before
            if page.before is None:
                break
        self.rows.has_more = self._before is not None
        self.loaded.emit()

    def _append(self, new: list[ActivityRow]) -> None:
        known = {row.key for row in self.rows.rows}
        new = [row for row in new if row.key not in known]
        before = self.rows.rows
        if new:
            self.rows.mirror(Inserted(len(before), len(new)), [*before, *new])

    async def _follow(self, book: CallLog, key: CallKey) -> None:
        call = await book.call(key)
        rows = list(self.rows.rows)
        at = next((n for n, row in enumerate(rows) if row.key == key), None)
        if call is None or not self._filter.takes(call):
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
        # One that is older than all of these comes with its page.
        if at < len(rows) or self._before is None:
            rows.insert(at, row)
            self.rows.mirror(Inserted(at, 1), rows)

    async def _tell_story(self, book: CallLog, key: CallKey) -> None:
        story = await book.story(key)
        if key == self._open:
            self.story_changed.emit(story_view(story) if story else None)

    async def _undo(self, book: CallLog, key: CallKey) -> None:
        try:
            words = await book.put_back(key)
        except ToolError as exc:
            self.told.emit(undo_said(str(exc)), True)
        else:
            self.told.emit(undo_said(words), False)
        await self._tell_story(book, key)

    async def _verify(self, book: CallLog) -> None:
        found = await book.verify()
        self._has_verdict = found.state != "broken"
        self.told.emit(verdict_words(found), found.state == "broken")

    async def _export(self, book: CallLog, file: Path) -> None:
        with appearing_file(file, may_replace=True) as part:
            count = await book.export(self._listed_chat or "", part)
            await asyncio.to_thread(settle, [part])
        words = self.tr("%n steps exported to {name}.", "", count).format(name=file.name)
        left_out = self.tr("What was kept back or masked is not in it.")
        self.work_changed.emit(WorkView(f"{words} {left_out}", path=str(file)))

    def _on_rows_more_wanted(self) -> None:
        if self._book and self._listed_chat is not None:
            self._reads.start(self._read(self._book, self._listed_chat), name="more calls")

    def _on_step(self, key: CallKey) -> None:
        if self._has_verdict:
            self._has_verdict = False
            self.told.emit("", False)
        if self._book is None or not self._is_seen:
            return
        if self._listed_chat in ("", key.conversation_id):
            self._reads.start(self._follow(self._book, key), name="follow call")
        if key == self._open:
            self._reads.start(self._tell_story(self._book, key), name="call")

    def _on_task_failed(self, words: ErrorMessage) -> None:
        self.told.emit(localized(words), True)
