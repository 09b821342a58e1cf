"""State that several windows show: status, banner, and which chats are open.

`StatusView` and `BannerView` are made by view models and drawn by widgets; `Banners` chooses among
banners. `OpenChats` knows which chats the windows show.

Text that came from elsewhere (names, input, output) is carried as it came; widgets draw it as plain
text.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Literal, Protocol

from app.common.error_messages import ErrorMessage


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
        """Begin to follow what this window shows."""
        self._shown.append(shown)

    def remove(self, shown: Shown) -> None:
        """Forget what this window shows: it closes."""
        self._shown.remove(shown)

    def is_shown(self, conversation_id: str) -> bool:
        """Tell whether any window shows this chat."""
        return any(shown.conversation_id == conversation_id for shown in self._shown)

    def is_elsewhere(self, conversation_id: str, here: Shown) -> bool:
        """Tell whether another window than `here` shows this chat; a new chat is nowhere."""
        if not conversation_id:
            return False
        return any(shown.conversation_id == conversation_id for shown in self.others(here))

    def others(self, here: Shown) -> list[Shown]:
        """Return all but this one."""
        return [shown for shown in self._shown if shown is not here]


class Dot(Enum):
    """The colour of the status dot."""

    GOOD = "good"
    WARN = "warn"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class StatusView:
    """The foot of the sidebar: who is talked to, and how that is going.

    `is_test` says that the key in use is a test key, `needs_key` that there is none, or that the
    service refused it.
    """

    dot: Dot
    name: str
    words: str
    is_test: bool = False
    needs_key: bool = False


@dataclass(frozen=True, slots=True)
class BannerView:
    """One sentence across the top of the chat, when it concerns the whole window."""

    dot: Dot
    words: ErrorMessage
    action: Literal["", "retry", "settings", "updates"] = ""


class Banners:
    """Which banner the windows show: that of the connection, else `startup`. One for the run."""

    def __init__(self) -> None:
        self.startup: BannerView | None = None
        self._connection: BannerView | None = None
        self._closed: BannerView | None = None

    @property
    def shown(self) -> BannerView | None:
        """The banner to show, unless a person has closed it."""
        return self.startup if self._connection == self._closed else self._connection

    def show_connection(self, banner: BannerView | None) -> None:
        """Show what the connection tells; the same again stays closed."""
        self._connection = banner
        if banner != self._closed:
            self._closed = None

    def close(self, banner: BannerView) -> None:
        """Forget a banner that a person has closed."""
        if banner == self._connection:
            self._closed = banner
        elif banner == self.startup:
            self.startup = None
