"""All chats that are shown or at work: one session for each, however many windows show it."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from weakref import WeakValueDictionary

from app.chat.conversation_status import ConversationStatus, StatusTracker
from app.chat.dependencies import ChatDependencies
from app.chat.session import ChatState, ConversationSession
from app.common.observable import Subscribers

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Activity:
    """How a chat stands, for those who list chats."""

    conversation_id: str
    mark: ConversationStatus
    title: str
    message_count: int
    updated_at: datetime | None


class Sessions:
    """Gives everybody the same session of a chat, for as long as somebody holds it or it works.

    One of which something could not be kept stays as well: it is all there is of that.

    Made for a profile with its `ChatDependencies`; `aclose` ends every turn, keeping what arrived.
    """

    def __init__(self, dependencies: ChatDependencies) -> None:
        self._dependencies = dependencies
        self._sessions: WeakValueDictionary[str, ConversationSession] = WeakValueDictionary()
        self._at_work: dict[str, ConversationSession] = {}
        self._marks = StatusTracker(dependencies, _log_failure)
        self._observers: Subscribers[[Activity]] = Subscribers()
        self._unsubscribe = dependencies.approvals.subscribe(self._on_approvals_change)

    def get(self, conversation_id: str) -> ConversationSession:
        """Return the session of a conversation, the same for everybody who asks."""
        session = self._sessions.get(conversation_id)
        if session is None:
            session = ConversationSession(
                self._dependencies,
                conversation_id,
                on_error=_log_failure,
                on_activity=partial(self._on_activity, conversation_id),
            )
            self._sessions[conversation_id] = session
        return session

    def mark(self, conversation_id: str) -> ConversationStatus:
        """Return what stands at a conversation in a list."""
        return self._marks.get(conversation_id)

    async def load_marks(self) -> None:
        """Bring back what stood at the chats when the program ended.

        Raises:
            StoreError: it cannot be read.
        """
        await self._marks.load()

    def show_title(self, conversation_id: str, title: str) -> None:
        """The chat is called otherwise now; what is open shows that."""
        session = self._sessions.get(conversation_id)
        if session is not None:
            session.show_title(title)

    def subscribe(self, on_activity: Callable[[Activity], None]) -> Callable[[], None]:
        """Be told how chats stand whenever one changes; what is returned ends it."""
        return self._observers.subscribe(on_activity)

    async def look_again(self) -> None:
        """The service is back: settle what was cut off, in every chat that is open.

        Raises:
            StoreError: what is kept here cannot be read.
        """
        for session in tuple(self._sessions.values()):
            await session.load()

    async def forget(self, conversation_id: str) -> None:
        """The conversation was deleted: end what runs in it."""
        session = self._sessions.pop(conversation_id, None)
        if session is not None:
            await session.delete()
        self._at_work.pop(conversation_id, None)
        self._marks.forget(conversation_id)

    async def forget_all(self) -> tuple[str, ...]:
        """Nothing of any conversation is kept any more: end what runs in them; give their ids."""
        conversation_ids = tuple(self._sessions)
        for conversation_id in conversation_ids:
            await self.forget(conversation_id)
        return conversation_ids

    async def aclose(self) -> None:
        """End every turn; the next start goes on from what was written."""
        self._unsubscribe()
        for session in tuple(self._sessions.values()):
            await session.aclose()
        await self._marks.aclose()
        self._at_work.clear()

    def _on_activity(self, conversation_id: str, state: ChatState, is_followed: bool) -> None:
        session = self._sessions.get(conversation_id)
        if session is None:
            return
        if state.is_busy or not state.is_kept:
            self._at_work[conversation_id] = session
        else:
            self._at_work.pop(conversation_id, None)
        mark = self._mark_of(conversation_id, state, is_followed=is_followed)
        self._marks.put(conversation_id, mark)
        self._observers.notify(
            Activity(conversation_id, mark, state.title, state.message_count, state.updated_at)
        )

    def _mark_of(
        self, conversation_id: str, state: ChatState, *, is_followed: bool
    ) -> ConversationStatus:
        if state.is_asking:
            return ConversationStatus.WAITING
        if state.is_busy:
            return ConversationStatus.STREAMING
        if state.has_failed:
            return ConversationStatus.FAILED
        if is_followed:
            return ConversationStatus.NONE
        before = self.mark(conversation_id)
        return (
            ConversationStatus.UNREAD
            if before in (ConversationStatus.WAITING, ConversationStatus.STREAMING)
            else before
        )

    def _on_approvals_change(self, conversation_id: str) -> None:
        session = self._sessions.get(conversation_id)
        if session is not None:
            session.tell_state()


def _log_failure(name: str, error: BaseException) -> None:
    log.error("Unexpected failure in %s", name, exc_info=error)
