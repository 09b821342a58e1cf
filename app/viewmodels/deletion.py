"""How the deletion of one or several chats is going, as the sidebar shows it."""

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
