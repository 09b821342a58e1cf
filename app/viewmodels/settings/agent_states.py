"""What the settings show of agents and skills, as plain values."""

from dataclasses import dataclass

Choice = tuple[str, str]
"""A value, and the words that people choose it by."""


@dataclass(frozen=True, slots=True)
class ThingRow:
    """An agent or a skill.

    Attributes:
        words: Where it comes from, and what else there is to know.
        file: Where it lies, as it is shown; empty for what ships and for a hosted project's.
        is_on: The service uses it.
        can_switch: That can be changed here.
    """

    name: str
    title: str
    description: str
    words: str
    file: str = ""
    is_on: bool = True
    can_switch: bool = False


@dataclass(frozen=True, slots=True)
class AgentsView:
    """Agents and skills of the project at work.

    Attributes:
        is_local: The service on this computer has them, so that they can be switched.
        where: Whose they are, a sentence.
        new_chats: Whom new chats may begin with; `new_chat_agent` is the value that is chosen.
        auto: Who may answer where nobody was chosen, likewise; nothing for a hosted project.
        faults: What is wrong with files, a sentence each.
        problem: What could not be done.
    """

    is_local: bool = False
    where: str = ""
    agents: tuple[ThingRow, ...] = ()
    skills: tuple[ThingRow, ...] = ()
    new_chats: tuple[Choice, ...] = ()
    new_chat_agent: str = ""
    auto: tuple[Choice, ...] = ()
    auto_agent: str = ""
    faults: tuple[str, ...] = ()
    is_looking: bool = False
    problem: str = ""
