"""What widgets draw: frozen states, made by view models.

Text that came from elsewhere (names, input, output) is carried as it came; widgets draw it as
plain text.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Literal

from app.error_text import ErrorText


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
    words: ErrorText
    action: Literal["", "retry", "settings"] = ""
