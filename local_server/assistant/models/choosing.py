"""Lets a model choose the agent that answers: one structured choice over names and descriptions."""

import re
from collections.abc import Sequence
from typing import Final

from local_server.assistant.agents import Agent
from local_server.assistant.models.answer import WantedCall
from local_server.assistant.models.composition import describe
from local_server.assistant.models.prompt import Prompt, UserTurn
from local_server.assistant.supervisor import choose_agent
from local_server.json_text import JsonTextError, parse_json
from local_server.store.records import Tool

_INSTRUCTION: Final = (
    "You choose which assistant answers the user’s message. Do not answer it yourself. Call "
    "choose_assistant with one of these names; without tools, write the name and nothing else.\n"
)
# Enough to tell what a message is about.
_MESSAGE_CHARS: Final = 4000
# A name needs few; models that think first need some for that.
_MAX_TOKENS: Final = 400


def question_of_choice(message: str, agents: Sequence[Agent]) -> Prompt:
    """Write the question."""
    names = tuple(agent.name for agent in agents)
    schema = {
        "type": "object",
        "properties": {"name": {"type": "string", "enum": list(names)}},
        "required": ["name"],
    }
    return Prompt(
        system=_INSTRUCTION + describe(agents),
        earlier=(),
        question=UserTurn(message[:_MESSAGE_CHARS]),
        tools=(Tool("choose_assistant", "Says who answers.", schema),),
        choices=names,
        max_tokens=_MAX_TOKENS,
    )


def chosen_agent(
    calls: Sequence[WantedCall], text: str, message: str, agents: Sequence[Agent]
) -> Agent:
    """Read the choice from a call, or from words; words of the message decide where it is none."""
    for said in (*map(_argument, calls), text):
        named = [agent for agent in agents if _names(said, agent)]
        if len(named) == 1:
            return named[0]
    return choose_agent(message, agents)


def _names(said: str, agent: Agent) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(agent.name)}(?![\w-])", said) is not None


def _argument(call: WantedCall) -> str:
    try:
        given = parse_json(call.arguments)
    except JsonTextError:
        return call.arguments
    name = given.get("name") if isinstance(given, dict) else given
    return name if isinstance(name, str) else ""
