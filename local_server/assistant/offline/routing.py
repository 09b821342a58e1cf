"""Which agent answers a message that plainly asks for the work of one."""

import re
from collections.abc import Mapping, Sequence, Set
from typing import Final

from local_server.assistant.agents import Agent
from local_server.assistant.offline.actions import Action
from local_server.assistant.offline.phrases import without_politeness
from local_server.assistant.offline.wishes import (
    PlainRequestError,
    Wish,
    find_commands,
    find_wishes,
)
from local_server.assistant.supervisor import choose_agent

_FILE_WORK: Final = "open and save a file in a folder or directory"
_A_TEXT: Final = re.compile(
    r"(?:write|draft)\s+(?!(?:(?:me|us|a|an|the|some|unit)\s+){0,3}(?:code|scripts?|tests?)\b)",
    re.IGNORECASE,
)
_WRITES: Final = re.compile(r"\bwrit(?:e|es|ing)\b", re.IGNORECASE)
_ABOUT: Final[Mapping[Action, str]] = {
    "read": _FILE_WORK,
    "list": _FILE_WORK,
    "search": _FILE_WORK,
    "write": _FILE_WORK,
    "edit": _FILE_WORK,
    "move": _FILE_WORK,
    "delete": _FILE_WORK,
    "make": _FILE_WORK,
    "run": "run a command",
}


def choose_by_wish(message: str, agents: Sequence[Agent]) -> Agent:
    """Choose by the words for what a message plainly asks for, else by the message's own.

    A tool that is called by its name goes to an agent that may ask for it. What is dictated into
    a file says nothing about who writes it there, and what a text is to be about says nothing
    about who writes the text.

    Raises:
        ValueError: When there is no agent to choose.
    """
    try:
        called = {call.name for call in find_commands(message) or ()}
        wishes = find_wishes(message)
    except PlainRequestError:
        called, wishes = set(), []
    if called:
        return choose_agent(message, _able(agents, called) or agents)
    if wishes:
        return choose_agent(" ".join(map(_said, wishes)), agents)
    is_text = _A_TEXT.match(without_politeness(message))
    writers = [agent for agent in agents if is_text and _WRITES.search(agent.description)]
    return choose_agent(message, writers or agents)


def _able(agents: Sequence[Agent], tools: Set[str]) -> list[Agent]:
    """The agents that may ask for all of these tools."""
    return [agent for agent in agents if agent.tools is None or tools <= set(agent.tools)]


def _said(wish: Wish) -> str:
    told = (value for purpose, value in wish.given.items() if purpose != "content")
    return " ".join((wish.action, *told, _ABOUT.get(wish.action, "")))
