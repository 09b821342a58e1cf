"""Make and keep one session for each chat that is shown or whose turn runs.

`Sessions` has the sessions. `StatusTracker` has the `ConversationStatus` of each chat that is not
in front, and keeps it over restarts.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from functools import partial
from typing import Final
from weakref import WeakValueDictionary

from app.chat.dependencies import ChatDependencies
from app.chat.session import ChatState, ConversationSession
from app.chat.versions import ChatVersions
from app.common.observable import Subscribers
from app.store.errors import StoreError
from app.store.records import TurnState
from app.tasks import OnError, TaskOwner
from local_tools.ledger.steps import LedgerError, Step

log = logging.getLogger(__name__)


_FAILED_STATES = frozenset({TurnState.FAILED, TurnState.UNCONFIRMED})


class ConversationStatus(Enum):
    """The one thing to know about a chat that is not in front."""

    NONE = "none"
    STREAMING = "streaming"
    WAITING = "waiting"
    FAILED = "failed"
    UNREAD = "unread"


class StatusTracker:
    """Keeps the status of each chat of a profile.

    Unread is written down when it changes. What waits and what failed is read from the turns and
    the tool calls that are kept. Made by `Sessions`, which calls `aclose` at the end.
    """

    def __init__(self, dependencies: ChatDependencies, on_error: OnError) -> None:
        self._store = dependencies.store
        self._ledger = dependencies.ledger
        self._statuses: dict[str, ConversationStatus] = {}
        self._unwritten: dict[str, bool] = {}
        self._tasks = TaskOwner(on_error)
        self._is_closed = False

    def get(self, conversation_id: str) -> ConversationStatus:
        """Return the status of a chat."""
        return self._statuses.get(conversation_id, ConversationStatus.NONE)

    def put(self, conversation_id: str, status: ConversationStatus) -> None:
        """Set the status of a chat, and keep it if that is needed after a restart."""
        before = self.get(conversation_id)
        self._statuses[conversation_id] = status
        is_unread = status is ConversationStatus.UNREAD
        was_unread = before is ConversationStatus.UNREAD
        if is_unread is not was_unread and not self._is_closed:
            self._unwritten[conversation_id] = is_unread
            self._tasks.start(self._write(), name="keep status")

    def forget(self, conversation_id: str) -> None:
        """Remove a chat that was deleted."""
        self._statuses.pop(conversation_id, None)
        self._unwritten.pop(conversation_id, None)

    async def load(self) -> None:
        """Bring back the statuses of the last run; a chat that has one already keeps it.

        Raises:
            StoreError: they cannot be read.
        """
        noted = await self._store.conversations.noted()
        states = await self._store.conversations.newest_states()
        statuses = {
            id_: ConversationStatus.UNREAD for id_, stored in noted.items() if stored.is_unread
        }
        failed = {
            id_ for id_, state in states.items() if state in _FAILED_STATES or state.is_under_way
        }
        statuses |= dict.fromkeys(failed, ConversationStatus.FAILED)
        # A call that nobody decided about asks again as soon as its chat is opened.
        statuses |= dict.fromkeys(failed & await self._asking(), ConversationStatus.WAITING)
        self._statuses = statuses | self._statuses

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
                log.warning("Cannot save the status of a chat: %s", exc.reason)
            # Only now: the end of the program may cancel this before the store got to it.
            if self._unwritten.get(conversation_id) is is_unread:
                del self._unwritten[conversation_id]

    async def _asking(self) -> set[str]:
        try:
            calls = await self._ledger.pending(self._store.profile)
        except LedgerError:
            log.warning("Cannot read the record of tool calls")
            return set()
        return {call.key.conversation_id for call in calls if call.step is Step.ASKED}


@dataclass(frozen=True, slots=True)
class Activity:
    """How a chat stands, for those who list chats."""

    conversation_id: str
    status: ConversationStatus
    title: str
    message_count: int
    updated_at: datetime | None


class Sessions:
    """Makes one session for each chat, which lives while somebody refers to it or it works.

    One of which something could not be kept lives on as well: there is no other copy of that.

    Made for a profile with its `ChatDependencies`; `aclose` ends every turn, keeping what arrived.
    """

    def __init__(self, dependencies: ChatDependencies) -> None:
        self._dependencies = dependencies
        self.versions: Final = ChatVersions(dependencies)
        self._sessions: WeakValueDictionary[str, ConversationSession] = WeakValueDictionary()
        self._at_work: dict[str, ConversationSession] = {}
        self._tracker = StatusTracker(dependencies, _log_failure)
        self._observers: Subscribers[[Activity]] = Subscribers()
        self._unsubscribe = dependencies.approvals.subscribe(self._on_approvals_change)
        self.versions.subscribe(self._on_versions_change)

    def get(self, conversation_id: str) -> ConversationSession:
        """Return the session of a conversation, the same for everybody who asks."""
        session = self._sessions.get(conversation_id)
        if session is None:
            session = ConversationSession(
                self._dependencies, conversation_id, self.versions, on_error=_log_failure
            )
            session.subscribe_state(partial(self._on_session_state, conversation_id))
            self._sessions[conversation_id] = session
        return session

    def status(self, conversation_id: str) -> ConversationStatus:
        """Return the status of a conversation."""
        return self._tracker.get(conversation_id)

    async def load_statuses(self) -> None:
        """Restore the statuses that the chats had when the program ended.

        Raises:
            StoreError: it cannot be read.
        """
        await self._tracker.load()

    def show_title(self, conversation_id: str, title: str) -> None:
        """Show another title in the session of a chat, if it is open."""
        session = self._sessions.get(conversation_id)
        if session is not None:
            session.show_title(title)

    def subscribe(self, on_activity: Callable[[Activity], None]) -> Callable[[], None]:
        """Follow how chats stand, whenever one changes; call the result to stop."""
        return self._observers.subscribe(on_activity)

    async def reload(self) -> None:
        """Settle what was cut off in every chat that is open, as the service is back.

        Raises:
            StoreError: what is kept here cannot be read.
        """
        for session in tuple(self._sessions.values()):
            await session.load()

    async def read_calls(self) -> None:
        """Show in every chat that is open which tool calls were undone."""
        for session in tuple(self._sessions.values()):
            await session.read_calls()

    async def forget(self, conversation_id: str) -> None:
        """End what runs in a conversation that was deleted."""
        session = self._sessions.pop(conversation_id, None)
        if session is not None:
            await session.delete()
        self._at_work.pop(conversation_id, None)
        self._tracker.forget(conversation_id)

    async def forget_all(self) -> tuple[str, ...]:
        """End what runs in every conversation, as none is kept any more; return their ids."""
        conversation_ids = tuple(self._sessions)
        for conversation_id in conversation_ids:
            await self.forget(conversation_id)
        return conversation_ids

    async def aclose(self) -> None:
        """End every turn; the next start goes on from what was written."""
        self._unsubscribe()
        for session in tuple(self._sessions.values()):
            await session.aclose()
        await self._tracker.aclose()
        self._at_work.clear()

    def _on_session_state(self, conversation_id: str, state: ChatState) -> None:
        session = self._sessions.get(conversation_id)
        if session is None:
            return
        if state.is_busy or not state.is_kept:
            self._at_work[conversation_id] = session
        else:
            self._at_work.pop(conversation_id, None)
        is_shown = session.transcript.is_followed
        status = self._status_of(conversation_id, state, is_shown=is_shown)
        self._tracker.put(conversation_id, status)
        self._observers.notify(
            Activity(conversation_id, status, state.title, state.message_count, state.updated_at)
        )

    def _status_of(
        self, conversation_id: str, state: ChatState, *, is_shown: bool
    ) -> ConversationStatus:
        if state.is_asking:
            return ConversationStatus.WAITING
        if state.is_busy:
            return ConversationStatus.STREAMING
        if state.has_failed:
            return ConversationStatus.FAILED
        if is_shown:
            return ConversationStatus.NONE
        before = self.status(conversation_id)
        return (
            ConversationStatus.UNREAD
            if before in (ConversationStatus.WAITING, ConversationStatus.STREAMING)
            else before
        )

    def _on_versions_change(self) -> None:
        for session in tuple(self._sessions.values()):
            session.show_versions()

    def _on_approvals_change(self, conversation_id: str) -> None:
        session = self._sessions.get(conversation_id)
        if session is not None:
            session.notify_state()


def _log_failure(name: str, error: BaseException) -> None:
    log.error("Unexpected failure in %s", name, exc_info=error)
