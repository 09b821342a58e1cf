"""Who answers when nobody is named."""

import re
from collections.abc import Sequence
from typing import Final

from local_server.assistant.agents import Agent

_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_COMMON_WORDS: Final = (
    "about also am and any are as at be but by can could did do does for from had has have he "
    "help how if in into is it its just know let like make many may me more my need no not of on "
    "one or our out please she should so some tell than that the their them then there these they "
    "this to up us use want was we were what when where which who why will with would you your"
)
_COMMON: Final = frozenset(_COMMON_WORDS.split())
_SHORTEST_WITH_ENDING: Final = 4
# Enough to tell what a message is about; megabytes of words would hold up others.
_LOOKED_AT_CHARS: Final = 10_000


def choose_agent(message: str, agents: Sequence[Agent]) -> Agent:
    """Choose by the words that a message shares with names and descriptions; ties by name.

    Raises:
        ValueError: When there is no agent to choose.
    """
    words = words_of(message)

    def rank(agent: Agent) -> tuple[int, str]:
        described = words_of(f"{agent.name} {agent.display_name} {agent.description}")
        return -len(words & described), agent.name

    return min(agents, key=rank)


def words_of(text: str) -> frozenset[str]:
    """Find the words of a text that say what it is about."""
    found = frozenset(_WORD.findall(text[:_LOOKED_AT_CHARS].casefold())) - _COMMON
    return frozenset(_stem(word) for word in found)


def _stem(word: str) -> str:
    """Let “folders” and “writes” be “folder” and “write”; no more, so that nobody is surprised."""
    if len(word) < _SHORTEST_WITH_ENDING or word.endswith(("ss", "us", "is")):
        return word
    return word.removesuffix("s")
