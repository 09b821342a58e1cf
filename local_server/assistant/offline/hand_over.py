"""Whom a message asks for: “hand over to Files”, “ask the Files agent to read notes.md”."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from local_server.assistant.agents import Agent
from local_server.assistant.offline.phrases import without_politeness

_FLAGS: Final = re.IGNORECASE | re.DOTALL
# Everything before the rest has a bound, so that no message of megabytes holds up others.
_GAP: Final = r"\s{1,4}"
_MARKS: Final = r"[\"“”*`]{0,3}"
_NAME: Final = rf"(?:the{_GAP})?{_MARKS}(?P<name>[^\W_][\w -]{{0,60}}?){_MARKS}"
_PLAIN: Final = re.compile(
    r"^(?:(?P<over>hand(?: this| it| me)? over)|switch|transfer(?: me| this)?|pass(?: this| it)?"
    rf"(?: on)?){_GAP}to{_GAP}{_NAME}(?P<agent>{_GAP}agent)?"
    rf"(?:(?:\s{{0,4}}[,:;]|{_GAP}to{_GAP}|{_GAP}and{_GAP})(?P<rest>.+))?[.!?]?$",
    _FLAGS,
)


@dataclass(frozen=True)
class Address:
    """To whom a message is addressed.

    Attributes:
        name: As it was written.
        agent: The agent of that name; None when there is none.
        rest: What is left to be done, possibly nothing.
    """

    name: str
    agent: Agent | None
    rest: str


def find_address(message: str, agents: Sequence[Agent]) -> Address | None:
    """Find the agent that a message asks for; None when it asks for none."""
    text = without_politeness(message)
    plain = _PLAIN.match(text)
    if plain is not None:
        name = plain["name"].strip()
        agent = _named(name, agents)
        # One can also switch to dark colors.
        if agent is not None or plain["over"] or plain["agent"]:
            return Address(name, agent, (plain["rest"] or "").strip())
    return _asked(text, agents)


def _asked(text: str, agents: Sequence[Agent]) -> Address | None:
    """“ask NAME to …” means an agent only if there is one, or if it says “agent”."""
    for agent in agents:
        for name in (agent.display_name, agent.name, agent.name.replace("-", " ")):
            match = re.match(_asked_form(re.escape(name), "?"), text, _FLAGS)
            if match is not None:
                return Address(name, agent, match["rest"].strip())
    match = re.match(_asked_form(r"(?P<name>[\w -]{1,60}?)", ""), text, _FLAGS)
    return Address(match["name"], None, match["rest"].strip()) if match else None


def _asked_form(name: str, times: str) -> str:
    asking = rf"^(?:ask|let|have|tell){_GAP}(?:the{_GAP})?"
    return rf"{asking}{name}(?:{_GAP}agent){times}{_GAP}(?:to{_GAP})?(?P<rest>\S.*)$"


def _named(name: str, agents: Sequence[Agent]) -> Agent | None:
    said = _plain(name)
    return next(
        (agent for agent in agents if said in {_plain(agent.name), _plain(agent.display_name)}),
        None,
    )


def _plain(name: str) -> str:
    return " ".join(name.casefold().replace("-", " ").split()).removesuffix(" agent")
