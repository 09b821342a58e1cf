"""What a reply answers, whoever writes it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol, TypeVar

from local_server.assistant.agents import Agent
from local_server.assistant.reply import ReplyRequest
from local_server.assistant.skills import Skill
from local_server.store.records import Message, StoredTool, ToolCall

HAND_OVERS: Final = 3


@dataclass(frozen=True)
class TurnInput:
    """A message and all that a reply to it may draw on.

    Attributes:
        message: The user's latest message.
        before: The conversation up to and with that message.
        agents: Who may answer.
        skills: What the project's skills are.
        tools: What the client declared with that message.
        calls: The tool calls of the reply so far, all of them answered, in order.
        used_skills: The names of the skills that the reply has used so far.
        hand_overs_left: How often the reply may still go to another agent.
    """

    message: str
    before: tuple[Message, ...]
    agents: tuple[Agent, ...]
    skills: tuple[Skill, ...]
    tools: tuple[StoredTool, ...]
    calls: tuple[ToolCall, ...] = ()
    used_skills: tuple[str, ...] = ()
    hand_overs_left: int = 0

    @property
    def next_round(self) -> int:
        """The number of the tool calls that are asked for next."""
        return self.calls[-1].round + 1 if self.calls else 0

    def for_agent(self, agent: Agent, so_far: Message | None) -> ReplyRequest:
        """Ask an agent, with what it may use and whom it may hand over to."""
        others = tuple(other for other in self.agents if other.name != agent.name)
        return ReplyRequest(
            message=self.message,
            history=self.before if so_far is None else (*self.before, so_far),
            agent=agent,
            skills=_allowed(self.skills, agent.skills),
            tools=_allowed(self.tools, agent.tools),
            calls=self.calls,
            used_skills=self.used_skills,
            colleagues=others if self.hand_overs_left else (),
        )

    def with_skill(self, name: str) -> "TurnInput":
        """Remember that a skill was used."""
        if name in self.used_skills:
            return self
        return replace(self, used_skills=(*self.used_skills, name))

    def handed_over(self) -> "TurnInput":
        """Count a hand-over."""
        return replace(self, hand_overs_left=self.hand_overs_left - 1)

    def alone(self) -> "TurnInput":
        """Leave nobody to hand over to."""
        return replace(self, hand_overs_left=0)


class _Named(Protocol):
    @property
    def name(self) -> str: ...


NamedThing = TypeVar("NamedThing", bound=_Named)


def _allowed(things: Sequence[NamedThing], names: Sequence[str] | None) -> tuple[NamedThing, ...]:
    return tuple(thing for thing in things if names is None or thing.name in names)
