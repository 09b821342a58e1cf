"""Decide which events of chats become desktop notifications."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from PySide6.QtCore import QObject, Signal

from app.chat.conversation_rows import Gone
from app.chat.items import Change, ReplyPart
from app.chat.sessions import Activity, ConversationStatus
from app.chat.workspace import Workspace
from app.common.error_messages import ErrorMessage
from app.config.settings import Settings
from app.tasks import TaskOwner
from app.viewmodels.i18n import error_handler
from app.viewmodels.preferences import Preferences
from app.viewmodels.states import OpenChats

log = logging.getLogger(__name__)

_AT_WORK: Final = frozenset({ConversationStatus.STREAMING, ConversationStatus.WAITING})
_MOST_WORDS: Final = 2000


class NewsKind(Enum):
    """What happened in a chat."""

    FINISHED = "finished"
    WAITING = "waiting"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class News:
    """Something that happened in a chat, with no more of it than the person lets notices show.

    `title` and `words` are as they came, and empty where they should not be shown.
    """

    conversation_id: str
    kind: NewsKind
    title: str = ""
    words: str = ""


class NoticesViewModel(QObject):
    """Decides what is news: a reply that ended or failed, and a question that waits.

    Only changes that it observes are news; statuses of an earlier run are not. The news of a chat
    ends when the chat is seen in a window in front, is at work again, is deleted, or when another
    profile is shown. One for the run; `aclose` ends observing.
    """

    posted = Signal(object)
    """A notification should replace the last one of its chat; argument: the `News`."""
    withdrawn = Signal(str)
    """The notification of a chat should be removed; argument: the chat's id."""
    count_changed = Signal(int)
    """The number of chats with unseen news has changed; argument: the number."""
    availability_changed = Signal(bool)
    """Whether the system shows notices at all is known; argument: whether it does."""

    def __init__(
        self,
        preferences: Preferences,
        open_chats: OpenChats,
        is_in_front: Callable[[], bool],
        can_be_shown: Callable[[], Awaitable[bool]],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._preferences = preferences
        self._open_chats = open_chats
        self._is_in_front = is_in_front
        self._can_be_shown = can_be_shown
        self._tasks = TaskOwner(error_handler(_log_failure))
        self._workspace: Workspace | None = None
        self._unsubscribe: Sequence[Callable[[], None]] = ()
        self._last: dict[str, Activity] = {}
        self._news: dict[str, NewsKind] = {}
        # Those that the desktop shows; the others are only counted.
        self._posted: set[str] = set()

    @property
    def count(self) -> int:
        """How many chats have news that nobody has seen."""
        return len(self._news)

    def show_workspace(self, workspace: Workspace | None) -> None:
        """Look at the chats of this profile from now on."""
        for unsubscribe in self._unsubscribe:
            unsubscribe()
        self._unsubscribe = ()
        if workspace:
            self._unsubscribe = (
                workspace.sessions.subscribe(self._on_activity),
                workspace.conversations.subscribe(self._on_conversations_change),
            )
        self._workspace = workspace
        self._last.clear()
        for conversation_id in tuple(self._news):
            self._end(conversation_id)

    def look_again(self) -> None:
        """End the notices of chats that a window in front shows now."""
        for conversation_id in tuple(self._news):
            if self._is_seen(conversation_id):
                self._end(conversation_id)

    def tell_waiting(self) -> None:
        """Notify again of questions that wait, as every window was hidden."""
        for conversation_id, activity in self._last.items():
            if (
                activity.status is ConversationStatus.WAITING
                and conversation_id not in self._posted
            ):
                self._begin(NewsKind.WAITING, activity)

    def look_for_system(self) -> None:
        """Find out whether the system shows notices; `availability_changed` tells."""
        self._tasks.start(self._look_for_system(), name="look for notices")

    async def aclose(self) -> None:
        """Stop following the workspace, and end running tasks."""
        self.show_workspace(None)
        await self._tasks.aclose()

    async def _look_for_system(self) -> None:
        self.availability_changed.emit(await self._can_be_shown())

    def _on_activity(self, activity: Activity) -> None:
        conversation_id = activity.conversation_id
        last = self._last.get(conversation_id)
        before = last.status if last else ConversationStatus.NONE
        self._last[conversation_id] = activity
        if before is activity.status:
            return
        kind = _kind_of(before, activity.status)
        if kind is None or self._is_seen(conversation_id):
            self._end(conversation_id)
        else:
            self._begin(kind, activity)

    def _on_conversations_change(self, change: Change | Gone) -> None:
        if isinstance(change, Gone):
            self._last.pop(change.conversation_id, None)
            self._end(change.conversation_id)

    def _begin(self, kind: NewsKind, activity: Activity) -> None:
        self._news[activity.conversation_id] = kind
        self.count_changed.emit(self.count)
        choices = self._preferences.current
        if not self._is_in_front() and getattr(choices.notices, kind.value):
            self._posted.add(activity.conversation_id)
            self.posted.emit(self._told(kind, activity, choices))
        else:
            self._withdraw(activity.conversation_id)

    def _withdraw(self, conversation_id: str) -> None:
        self._posted.discard(conversation_id)
        self.withdrawn.emit(conversation_id)

    def _end(self, conversation_id: str) -> None:
        if self._news.pop(conversation_id, None):
            self._withdraw(conversation_id)
            self.count_changed.emit(self.count)

    def _told(self, kind: NewsKind, activity: Activity, choices: Settings) -> News:
        shows = choices.notices.shows
        with_words = shows == "words" and kind is NewsKind.FINISHED
        return News(
            activity.conversation_id,
            kind,
            title=activity.title if shows != "kind" else "",
            words=self._first_words(activity.conversation_id) if with_words else "",
        )

    def _first_words(self, conversation_id: str) -> str:
        if self._workspace is None:
            return ""
        items = self._workspace.sessions.get(conversation_id).transcript.items
        parts = (item.text for item in reversed(items) if isinstance(item, ReplyPart))
        return next(parts, "")[:_MOST_WORDS]

    def _is_seen(self, conversation_id: str) -> bool:
        return self._is_in_front() and self._open_chats.is_shown(conversation_id)


def _kind_of(before: ConversationStatus, now: ConversationStatus) -> NewsKind | None:
    if now is ConversationStatus.WAITING:
        return NewsKind.WAITING
    if now in _AT_WORK or before not in _AT_WORK:
        return None
    return NewsKind.FAILED if now is ConversationStatus.FAILED else NewsKind.FINISHED


def _log_failure(words: ErrorMessage) -> None:
    log.warning("Cannot find out whether the desktop shows notifications: %s", words.sentence)
