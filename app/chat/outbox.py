"""Send the messages of one chat in order, one turn at a time."""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable

from app.chat.chat_settings import ChatSettings
from app.chat.dependencies import ChatDependencies
from app.chat.journal import Journal
from app.chat.notices import is_held, is_waiting, turn_of, was_delivered
from app.chat.sync import ChatSync
from app.chat.tool_calls import RecordError
from app.chat.transcript import Transcript
from app.chat.turn import Turn, TurnOutcome, failed
from app.common.error_messages import ErrorCode
from app.common.errors import UserFacingError
from app.store.errors import StoreError
from app.store.records import StoredFailure, StoredTurn, TurnState
from app.tasks import TaskOwner
from local_tools.ledger.steps import LedgerError

log = logging.getLogger(__name__)


class Outbox:
    """Works off what was accepted, in order; what still waits can be moved and withdrawn.

    After a turn that did not end well the rest waits for a click: it may no longer be meant.
    `on_change` is called whenever the state changed, `on_title` with a name that the service made.
    Made by a session, lives as long; its tasks are the session's.
    """

    def __init__(
        self,
        dependencies: ChatDependencies,
        *,
        journal: Journal,
        transcript: Transcript,
        settings: ChatSettings,
        sync: ChatSync,
        tasks: TaskOwner,
        on_change: Callable[[], None],
        on_title: Callable[[str], Awaitable[None]],
    ) -> None:
        self._dependencies = dependencies
        self._journal = journal
        self._transcript = transcript
        self._settings = settings
        self._sync = sync
        self._tasks = tasks
        self._on_change = on_change
        self._on_title = on_title
        self._waiting: deque[str] = deque()
        self._current = ""
        self._turn: Turn | None = None
        self._task: asyncio.Task[TurnOutcome] | None = None
        self._is_working = False
        self._is_reconciling = False

    @property
    def state(self) -> TurnState | None:
        """Where the turn at work stands; None when none is."""
        if self._is_reconciling:
            return TurnState.UNCONFIRMED
        if self._turn is not None:
            return self._turn.state
        return TurnState.QUEUED if self._waiting else None

    @property
    def queued(self) -> int:
        """How many messages wait for the one at work."""
        return len(self._waiting)

    @property
    def is_busy(self) -> bool:
        """Whether a turn is at work or about to be."""
        return self._is_working

    def add(self, turn_id: str) -> None:
        """Send this message, or go on with its calls, when those before it are done."""
        # A second click, or a reload that finds the same turn resumable.
        if turn_id == self._current or turn_id in self._waiting:
            return
        self._waiting.append(turn_id)
        self._sort()
        if not self._is_working:
            # Set before the task has begun: a second `add` in the same step must not start another.
            self._is_working = True
            self._tasks.start(self._work(), name="chat")
        self._on_change()

    def stop(self) -> None:
        """End the turn at work; one that was about to begin waits for a click."""
        if self._task is not None:
            self._task.cancel()
        else:
            self._hold_waiting()

    def stop_call(self, key: str) -> None:
        """End the tool call in the row of this key, if it runs; the reply goes on."""
        if self._turn is not None and key.startswith(f"{self._current}:"):
            self._turn.stop_call()

    async def withdraw(self, key: str) -> str:
        """Withdraw a message that was not sent; return its text, empty when it was too late.

        Raises:
            StoreError: it could not be written down; the message stays.
        """
        # Between the click and now the turn may have begun: then it is no longer to be had.
        turn = self._find_waiting(key)
        if turn is None or turn.turn_id == self._current:
            return ""
        if turn.turn_id in self._waiting:
            self._waiting.remove(turn.turn_id)
            self._on_change()
        try:
            await self._journal.withdraw(turn.turn_id)
        except StoreError:
            self._journal.hold(turn.turn_id)
            raise
        self._settings.remove_attachments(turn.turn_id)
        return turn.words

    async def move(self, key: str, by: int) -> None:
        """Move a message that waits before (`by` -1) or behind (1) the one that waits beside it.

        Raises:
            StoreError: it could not be written down; the order stays.
        """
        turn = self._find_waiting(key)
        if turn is not None and await self._journal.move(turn.turn_id, by, self._current):
            self._sort()
            self._on_change()

    async def send_held(self, key: str) -> None:
        """Send a held message before others that are; a second click does nothing.

        Raises:
            StoreError: it could not be written down; the message stays held.
        """
        turn = self._find_waiting(key)
        if turn is None or not is_held(turn):
            return
        first = next(filter(is_held, self._journal.turns))
        # The first of them has none to pass; another is moved in front of those before it.
        if turn is first:
            await self._journal.advance(turn.turn_id, TurnState.QUEUED)
        else:
            await self._journal.requeue(turn.turn_id)
        self.add(turn.turn_id)

    def _find_waiting(self, key: str) -> StoredTurn | None:
        turn = self._journal.get(turn_of(key))
        return turn if turn is not None and is_waiting(turn) else None

    async def _work(self) -> None:
        try:
            while self._waiting:
                self._current = self._waiting.popleft()
                if not await self._work_on(self._current):
                    self._hold_waiting()
        finally:
            self._current = ""
            self._is_working = False
            self._on_change()

    def _sort(self) -> None:
        """Put what is shown first in front."""
        places = {turn.turn_id: place for place, turn in enumerate(self._journal.turns)}
        self._waiting = deque(sorted(self._waiting, key=lambda turn_id: places.get(turn_id, 0)))

    def _hold_waiting(self) -> None:
        for turn_id in self._waiting:
            self._journal.hold(turn_id)
        self._waiting.clear()

    async def _work_on(self, turn_id: str) -> bool:
        """Bring a turn to its end; say whether the next one may follow."""
        stored = self._journal.get(turn_id)
        if stored is None:
            return True
        turn = self._turn = Turn(
            self._dependencies,
            stored,
            journal=self._journal,
            transcript=self._transcript,
            settings=self._settings,
            tasks=self._tasks,
            on_state=self._on_change,
            on_title=self._on_title,
        )
        try:
            ending = await self._ending_of(turn, stored)
            # Before the state is written: the next start must find no call open of a turn that
            # ended.
            await self._finish(turn, ending)
            if ending.state.is_under_way:
                # The program closes; the next start finds the turn as it is.
                return False
            await self._journal.advance(turn_id, ending.state, ending.failure)
            await self._follow_up(turn_id, ending)
        finally:
            self._turn = self._task = None
            self._is_reconciling = False
        after = self._journal.get(turn_id)
        return after is not None and after.state is TurnState.DONE

    async def _ending_of(self, turn: Turn, stored: StoredTurn) -> TurnOutcome:
        self._task = self._tasks.start(self._run(turn, stored), name="turn")
        self._on_change()
        # Not `await self._task`: Stop cancels the turn, and this loop has to outlive that.
        await asyncio.wait({self._task})
        if self._task.cancelled():
            return turn.stopped()
        if self._task.exception() is not None:
            # The task's owner has logged it.
            return failed(ErrorCode.UNEXPECTED)
        return self._task.result()

    async def _run(self, turn: Turn, stored: StoredTurn) -> TurnOutcome:
        try:
            await self._sync.make_current(stored)
            # Read in any case: `make_current` asks nobody where all messages are known.
            await self._sync.read_calls()
            resumable = self._sync.resumable()
            if resumable is not None and resumable[0] == stored.turn_id:
                return await turn.resume(resumable[1])
            found = self._journal.get(stored.turn_id)
            if found is not None and was_delivered(found):
                # An earlier try has come through.
                return TurnOutcome(found.state, found.failure)
            await self._sync.close_left_calls()
        except UserFacingError as exc:
            if was_delivered(stored):
                # The turn can go on once the service tells how far it came.
                return TurnOutcome(stored.state, stored.failure)
            return TurnOutcome(TurnState.FAILED, StoredFailure(exc.reason, exc.values))
        except LedgerError:
            return failed(ErrorCode.RECORD_UNWRITABLE)
        return await turn.run()

    async def _finish(self, turn: Turn, ending: TurnOutcome) -> None:
        try:
            await turn.finish(ending)
        except RecordError:
            log.warning("The end of a tool call was not recorded")

    async def _follow_up(self, turn_id: str, ending: TurnOutcome) -> None:
        """Count what was said, and ask at once about a message that may have arrived."""
        await self._sync.read_calls()
        stored = self._journal.get(turn_id)
        if stored is not None and was_delivered(stored):
            count = 1 + len(stored.reply_ids)
            await self._sync.add_messages(count, self._dependencies.clock.wall())
        if ending.state is not TurnState.UNCONFIRMED:
            return
        self._is_reconciling = True
        self._on_change()
        try:
            await self._sync.refresh({turn_id: ending.cause} if ending.cause else {})
        except UserFacingError as exc:
            log.info("It is unknown whether a message arrived: %s", exc.reason)
