"""What stands around a request without being a part of it."""

import re
from typing import Final

_POLITE: Final = re.compile(
    r"^(?:(?:please|now|then|and|so|ok|okay|hey|hi|hello|can you|could you|would you|will you)"
    r"[\s,]+)+",
    re.IGNORECASE,
)
_ASKING: Final = re.compile(
    r"^(?:tell me\s+)?(?:what(?:['’]s| is| are| was| were| does)|how much (?:is|are|does)|calculate"
    r"|compute|work out|evaluate|solve|tell me)\s+",
    re.IGNORECASE,
)
_AFTERWARDS: Final = re.compile(
    r"(?:[\s,]+(?:please|thanks|thank you))?[\s?!.]*(?:=\s*)?\??$", re.IGNORECASE
)


def without_politeness(message: str) -> str:
    """Take away what a polite person begins with."""
    return _POLITE.sub("", message.strip())


def without_question(text: str) -> str:
    """Take away the words and signs that make a question of something."""
    return _AFTERWARDS.sub("", without_asking(text)).strip()


def without_asking(text: str) -> str:
    """Take away the words that begin a question, and keep the signs that end it."""
    return _ASKING.sub("", text)


def is_asking(text: str) -> bool:
    """Tell whether the words begin as a question for a result does."""
    return _ASKING.match(text) is not None
