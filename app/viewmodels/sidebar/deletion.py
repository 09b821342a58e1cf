"""How the deletion of one or several chats is going, as the sidebar shows it."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.error_text import ErrorText


@dataclass(frozen=True, slots=True)
class Deletion:
    """Chats that are deleted one after the other.

    `left` are those that are still there: to come while it `is_running`, else not deleted, for
    the reason in `words`.
    """

    total: int
    left: tuple[str, ...]
    is_running: bool
    words: ErrorText | None = None

    @property
    def done(self) -> int:
        """How many are gone."""
        return self.total - len(self.left)


NO_DELETION = Deletion(0, (), is_running=False)


class Deleting:
    """The chats of one profile that are to be deleted; more can join while it goes on.

    Made with the first of them, ends with the last.
    """

    def __init__(self) -> None:
        self._to_come: dict[str, None] = {}
        self._failed: dict[str, None] = {}
        self._words: ErrorText | None = None
        self._done = 0

    @property
    def state(self) -> Deletion:
        """How it stands."""
        left = (*self._failed, *self._to_come)
        return Deletion(self._done + len(left), left, bool(self._to_come), self._words)

    @property
    def next(self) -> str:
        """The chat that is deleted now; empty when all were tried."""
        return next(iter(self._to_come), "")

    def add(self, conversation_ids: Sequence[str]) -> None:
        """These are to be deleted too, or again."""
        for conversation_id in conversation_ids:
            self._failed.pop(conversation_id, None)
            self._to_come.setdefault(conversation_id)

    def note_done(self) -> None:
        """The next one is gone."""
        del self._to_come[self.next]
        self._done += 1

    def note_failed(self, words: ErrorText) -> None:
        """The next one is still there, and these words say why."""
        self._failed[self.next] = None
        del self._to_come[self.next]
        self._words = words
