"""Which chats the windows show."""

from typing import Protocol


class Shown(Protocol):
    """Somebody who shows one chat at a time."""

    @property
    def conversation_id(self) -> str:
        """The chat that is shown, or an empty text for a new one."""


class OpenChats:
    """Knows what each window shows. One for the run."""

    def __init__(self) -> None:
        self._shown: list[Shown] = []

    def add(self, shown: Shown) -> None:
        """Counts with what this window shows."""
        self._shown.append(shown)

    def remove(self, shown: Shown) -> None:
        """The window closes."""
        self._shown.remove(shown)

    def is_shown(self, conversation_id: str) -> bool:
        """Tells whether any window shows this chat."""
        return any(shown.conversation_id == conversation_id for shown in self._shown)

    def is_elsewhere(self, conversation_id: str, here: Shown) -> bool:
        """Tells whether another window than `here` shows this chat; a new chat is nowhere."""
        if not conversation_id:
            return False
        return any(
            shown.conversation_id == conversation_id for shown in self._shown if shown is not here
        )
