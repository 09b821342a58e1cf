"""Send the messages of one chat in order, one turn at a time.

`Outbox` holds the message at work and those that wait. `WaitingMessages` is what a person does with
those that wait: take one back, move it, or send it after all.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable

from app.chat.dependencies import ChatDependencies
from app.chat.journal import Journal
from app.chat.notices import is_held, is_waiting, turn_of, was_delivered
from app.chat.sync import ChatSync
from app.chat.tool_calls import RecordError
from app.chat.turn import ChatParts, Turn, TurnOutcome, failed
from app.common.error_messages import ErrorCode
from app.common.errors import UserFacingError
from app.store.errors import StoreError
from app.store.records import StoredFailure, StoredTurn, TurnState
from local_tools.ledger.ledger import LedgerError

log = logging.getLogger(__name__)


class Outbox:
    """Works off what was accepted, in order.

    After a turn that did not end well the rest waits for a click: it may no longer be meant.
    `on_change` is called whenever the state changed. Made by a session, lives as long; its tasks
    are the session's.
    """

    def __init__(
        self,
        equipment: ChatDependencies,
        chat: ChatParts,
        sync: ChatSync,
        on_change: Callable[[], None],
    ) -> None:
        self._equipment = equipment
        self._chat = chat
        self._sync = sync
        self._on_change = on_change
        self._waiting: deque[str] = deque()
        self._current = ""
        self._turn: Turn | None = None
        self._task: asyncio.Task[TurnOutcome] | None = None
        self._is_driving = False
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
    def current(self) -> str:
        """The turn at work, or nothing."""
        return self._current

    @property
    def is_busy(self) -> bool:
        """Whether a turn is at work or about to be."""
        return self._is_driving

    def add(self, turn_id: str) -> None:
        """Send this message, or go on with its calls, when those before it are done."""
        if turn_id == self._current or turn_id in self._waiting:
            return
        self._waiting.append(turn_id)
        self._keep_order()
        if not self._is_driving:
            self._is_driving = True
            self._chat.tasks.start(self._drive(), name="chat")
        self._on_change()

    def take_back(self, turn_id: str) -> bool:
        """This message is not to be sent after all; False when it is at work already."""
        if turn_id == self._current:
            return False
        if turn_id in self._waiting:
            self._waiting.remove(turn_id)
            self._on_change()
        return True

    def show_order(self) -> None:
        """Messages that wait have changed places."""
        self._keep_order()
        self._on_change()

    def stop(self) -> None:
        """End the turn at work; one that was about to begin waits for a click."""
        if self._task is not None:
            self._task.cancel()
        else:
            self._hold_the_rest()

    def stop_call(self, key: str) -> None:
        """End the tool call in the row of this key, if it runs; the reply goes on."""
        if self._turn is not None and key.startswith(f"{self._current}:"):
            self._turn.stop_call()

    async def _drive(self) -> None:
        try:
            while self._waiting:
                self._current = self._waiting.popleft()
                if not await self._work_on(self._current):
                    self._hold_the_rest()
        finally:
            self._current = ""
            self._is_driving = False
            self._on_change()

    def _keep_order(self) -> None:
        """What is shown first is sent first."""
        places = {turn.turn_id: place for place, turn in enumerate(self._chat.journal.turns)}
        self._waiting = deque(sorted(self._waiting, key=lambda turn_id: places.get(turn_id, 0)))

    def _hold_the_rest(self) -> None:
        for turn_id in self._waiting:
            self._chat.journal.hold(turn_id)
        self._waiting.clear()

    async def _work_on(self, turn_id: str) -> bool:
        """Bring a turn to its end; say whether the next one may follow."""
        kept = self._chat.journal.get(turn_id)
        if kept is None:
            return True
        turn = self._turn = Turn(self._equipment, self._chat, kept, self._on_change)
        try:
            ending = await self._ending_of(turn, kept)
            await self._finish(turn, ending)
            if ending.state.is_under_way:
                # The program closes; the next start finds the turn as it is.
                return False
            await self._chat.journal.advance(turn_id, ending.state, ending.failure)
            await self._look_after(turn_id, ending)
        finally:
            self._turn = self._task = None
            self._is_reconciling = False
        after = self._chat.journal.get(turn_id)
        return after is not None and after.state is TurnState.DONE

    async def _ending_of(self, turn: Turn, kept: StoredTurn) -> TurnOutcome:
        self._task = self._chat.tasks.start(self._run(turn, kept), name="turn")
        self._on_change()
        await asyncio.wait({self._task})
        if self._task.cancelled():
            return turn.stopped()
        if self._task.exception() is not None:
            # The task's owner has logged it.
            return failed(ErrorCode.UNEXPECTED)
        return self._task.result()

    async def _run(self, turn: Turn, kept: StoredTurn) -> TurnOutcome:
        try:
            await self._sync.make_current(kept)
            await self._sync.read_calls()
            left = self._sync.resumable()
            if left is not None and left[0] == kept.turn_id:
                return await turn.resume(left[1])
            found = self._chat.journal.get(kept.turn_id)
            if found is not None and was_delivered(found):
                # An earlier try has come through.
                return TurnOutcome(found.state, found.failure)
            await self._sync.close_left_calls()
        except UserFacingError as exc:
            if was_delivered(kept):
                # It still can go on as soon as somebody can tell how far it came.
                return TurnOutcome(kept.state, kept.failure)
            return TurnOutcome(TurnState.FAILED, StoredFailure(exc.reason, exc.values))
        except LedgerError:
            return failed(ErrorCode.RECORD_UNWRITABLE)
        return await turn.run()

    async def _finish(self, turn: Turn, ending: TurnOutcome) -> None:
        try:
            await turn.finish(ending)
        except RecordError:
            log.warning("The end of a tool call was not recorded")

    async def _look_after(self, turn_id: str, ending: TurnOutcome) -> None:
        """Note what was said, and ask at once about a message that may have arrived."""
        await self._sync.read_calls()
        kept = self._chat.journal.get(turn_id)
        if kept is not None and was_delivered(kept):
            count = 1 + len(kept.reply_ids)
            await self._sync.note_said(count, self._equipment.clock.wall())
        if ending.state is not TurnState.UNCONFIRMED:
            return
        self._is_reconciling = True
        self._on_change()
        try:
            await self._sync.refresh({turn_id: ending.cause} if ending.cause else {})
        except UserFacingError as exc:
            log.info("Nobody can say yet whether a message arrived: %s", exc.reason)


class WaitingMessages:
    """The messages of one chat that were not sent yet. Made by a session, lives as long."""

    def __init__(self, journal: Journal, outbox: Outbox) -> None:
        self._journal = journal
        self._outbox = outbox

    async def withdraw(self, key: str) -> str:
        """Take back a message that was not sent; return its text, empty when it was too late.

        Raises:
            StoreError: it could not be written down; the message stays.
        """
        turn = self._find(key)
        if turn is None or not self._outbox.take_back(turn.turn_id):
            return ""
        try:
            await self._journal.withdraw(turn.turn_id)
        except StoreError:
            self._journal.hold(turn.turn_id)
            raise
        return turn.text

    async def move(self, key: str, by: int) -> None:
        """Let a message be sent before (`by` -1) or after (1) the one that waits beside it.

        Raises:
            StoreError: it could not be written down; the order stays.
        """
        turn = self._find(key)
        at_work = self._outbox.current
        if turn is not None and await self._journal.move(turn.turn_id, by, at_work):
            self._outbox.show_order()

    async def send_held(self, key: str) -> None:
        """Send a held message before others that are; a second click does nothing.

        Raises:
            StoreError: it could not be written down; the message stays held.
        """
        turn = self._find(key)
        if turn is None or not is_held(turn):
            return
        first = next(filter(is_held, self._journal.turns))
        if turn is first:
            await self._journal.advance(turn.turn_id, TurnState.QUEUED)
        else:
            await self._journal.requeue(turn.turn_id)
        self._outbox.add(turn.turn_id)

    def _find(self, key: str) -> StoredTurn | None:
        turn = self._journal.get(turn_of(key))
        return turn if turn is not None and is_waiting(turn) else None
