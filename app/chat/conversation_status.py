"""The status of each chat that is not in front, and what is kept of it over restarts."""

import logging
from enum import Enum

from app.chat.dependencies import ChatDependencies
from app.store.errors import StoreError
from app.store.records import TurnState
from app.tasks import OnError, TaskOwner
from local_tools.ledger.ledger import LedgerError
from local_tools.ledger.steps import Step

log = logging.getLogger(__name__)

_WRONG = frozenset({TurnState.FAILED, TurnState.UNCONFIRMED})


class ConversationStatus(Enum):
    """The one thing to know about a chat that is not in front."""

    NONE = "none"
    STREAMING = "streaming"
    WAITING = "waiting"
    FAILED = "failed"
    UNREAD = "unread"


class StatusTracker:
    """What stands at each chat of a profile.

    Unread is written down when it changes. What waits and what failed is read from the turns and
    the tool calls that are kept. Made by `Sessions`, which calls `aclose` at the end.
    """

    def __init__(self, dependencies: ChatDependencies, on_error: OnError) -> None:
        self._store = dependencies.store
        self._ledger = dependencies.ledger
        self._marks: dict[str, ConversationStatus] = {}
        self._unwritten: dict[str, bool] = {}
        self._tasks = TaskOwner(on_error)
        self._is_closed = False

    def get(self, conversation_id: str) -> ConversationStatus:
        """Return the status of a chat."""
        return self._marks.get(conversation_id, ConversationStatus.NONE)

    def put(self, conversation_id: str, mark: ConversationStatus) -> None:
        """A chat has another status now."""
        before = self.get(conversation_id)
        self._marks[conversation_id] = mark
        if (mark is ConversationStatus.UNREAD) != (
            before is ConversationStatus.UNREAD
        ) and not self._is_closed:
            self._unwritten[conversation_id] = mark is ConversationStatus.UNREAD
            self._tasks.start(self._write(), name="keep mark")

    def forget(self, conversation_id: str) -> None:
        """The chat is gone."""
        self._marks.pop(conversation_id, None)
        self._unwritten.pop(conversation_id, None)

    async def load(self) -> None:
        """Bring back the statuses of the last run; a chat that has one already keeps it.

        Raises:
            StoreError: they cannot be read.
        """
        noted = await self._store.conversations.noted()
        states = await self._store.conversations.newest_states()
        marks = {id_: ConversationStatus.UNREAD for id_, kept in noted.items() if kept.is_unread}
        wrong = {id_ for id_, state in states.items() if state in _WRONG or state.is_under_way}
        marks |= dict.fromkeys(wrong, ConversationStatus.FAILED)
        # A call that nobody decided about asks again as soon as its chat is opened.
        marks |= dict.fromkeys(wrong & await self._asking(), ConversationStatus.WAITING)
        self._marks = marks | self._marks

    async def aclose(self) -> None:
        """Write down what is not written yet."""
        self._is_closed = True
        await self._tasks.aclose()
        await self._write()

    async def _write(self) -> None:
        while self._unwritten:
            conversation_id, is_unread = next(iter(self._unwritten.items()))
            try:
                await self._store.conversations.set_unread(conversation_id, is_unread)
            except StoreError as exc:
                log.warning("The mark of a chat was not kept: %s", exc.reason)
            # Only now: the end of the program may cancel this before the store got to it.
            if self._unwritten.get(conversation_id) is is_unread:
                del self._unwritten[conversation_id]

    async def _asking(self) -> set[str]:
        try:
            calls = await self._ledger.pending(self._store.profile)
        except LedgerError:
            log.warning("The record of tool calls cannot be read")
            return set()
        return {call.key.conversation_id for call in calls if call.step is Step.ASKED}
