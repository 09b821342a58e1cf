"""Read the agents of a project: Markdown files whose body is the agent's instruction.

`read_agent` reads such a file, also one that was written for Claude Code, and `choose_agent` finds
the agent that answers when a message names none.

An agent of Claude Code names models and tools of that program. A tool that we have under another
name is replaced by ours; any other name stays and matches nothing.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from local_server.assistant.front_matter import FrontMatter, read_front_matter
from local_server.store.records import ThinkingLength

# Names of tools in agent files of other programs, with those of our clients.
_TOOLS: Final = {
    "Read": ("read_file",),
    "Write": ("write_file",),
    "Edit": ("write_file",),
    "MultiEdit": ("write_file",),
    "LS": ("list_folder",),
    "Glob": ("list_folder", "search_files"),
    "Grep": ("search_files",),
    "Bash": ("run_command",),
}
_EVERY_TOOL: Final = "*"

HIGHEST_TEMPERATURE: Final = 2.0
_THINKING: Final[dict[str, ThinkingLength]] = {"off": "off", "short": "short", "long": "long"}
_DECIMAL: Final = re.compile(r"[0-9](\.[0-9]{1,4})?")

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


def our_tools(names: Iterable[str] | None) -> tuple[str, ...] | None:
    """Translate an agent's tools to ours; None means all, as in such files.

    `Bash(git log)` names a tool with a condition. It counts as the tool: what a call may do is
    decided where it runs, by the user.
    """
    if names is None:
        return None
    known = [name.partition("(")[0].strip() for name in names]
    if _EVERY_TOOL in known:
        return None
    ours = (_TOOLS.get(name, (name,)) for name in known)
    return tuple(dict.fromkeys(name for several in ours for name in several))


def our_model(matter: FrontMatter) -> str | None:
    """Read the model of an agent; None for `inherit` and for what names no provider."""
    value = matter.fields.get("model")
    if not isinstance(value, str):
        return None
    model = value.strip()
    is_ours = model.isprintable() and (":" in model or model == "offline")
    return model if is_ours else None


def plain_description(text: str) -> str:
    """Replace spelled-out line ends, which Claude Code writes beside examples, by blanks."""
    return " ".join(text.replace("\\n", " ").split()) if "<example>" in text else text


@dataclass(frozen=True)
class Agent:
    """One agent, as its file describes it.

    Attributes:
        instruction: What a model is told to be.
        model: The model that is to answer, such as `openai:gpt-5`; None is the service's own.
        tools: The client tools that it may ask for, by name; None is all of them.
        skills: The skills that it may use, by name; None is all of them.
        temperature: How freely a model answers in its place, 0 to 2; None leaves it to the model.
        thinking: How long a model thinks in its place; None leaves it to the model.
        icon: The mark that people know it by; empty is the first letter of its name.
        colour: The colour of that mark.
    """

    name: str
    display_name: str
    description: str
    instruction: str
    model: str | None
    tools: tuple[str, ...] | None
    skills: tuple[str, ...] | None
    is_default: bool
    is_enabled: bool
    temperature: float | None = None
    thinking: ThinkingLength | None = None
    icon: str = ""
    colour: str = ""


def read_agent(path: Path) -> Agent:
    """Read an agent's file.

    Raises:
        DefinitionError: When the file is not written as it should be.
    """
    return agent_of(read_front_matter(path))


def agent_of(matter: FrontMatter) -> Agent:
    """Read the agent that a file's text describes.

    Raises:
        DefinitionError: When the text is not written as it should be.
    """
    name = matter.name()
    return Agent(
        name=name,
        display_name=matter.metadata("display-name") or display_name_of(name),
        description=plain_description(matter.text("description")),
        instruction=matter.body,
        model=our_model(matter),
        tools=our_tools(matter.items("tools")),
        skills=matter.items("skills"),
        is_default=matter.flag("default", otherwise=False),
        is_enabled=matter.flag("enabled", otherwise=True),
        temperature=_temperature(matter.metadata("temperature")),
        thinking=_THINKING.get(matter.metadata("thinking") or ""),
        icon=matter.metadata("icon") or "",
        colour=matter.metadata("colour") or "",
    )


def _temperature(text: str | None) -> float | None:
    """Read a temperature; what is none, or out of range, leaves it to the model."""
    if text is None or not _DECIMAL.fullmatch(text):
        return None
    value = float(text)
    return value if value <= HIGHEST_TEMPERATURE else None


def display_name_of(name: str) -> str:
    """Make a name for people of one like `code-reviewer`."""
    words = name.replace("-", " ").replace("_", " ").strip()
    return words[:1].upper() + words[1:] or name


def choose_agent(message: str, agents: Sequence[Agent]) -> Agent:
    """Choose by the words that a message shares with names and descriptions; ties by name.

    Raises:
        ValueError: When there is no agent to choose.
    """
    words = words_of(message)
    return min(agents, key=lambda agent: (-_shared_words(words, agent), agent.name))


def fitting_agents(message: str, agents: Iterable[Agent]) -> tuple[Agent, ...]:
    """Return those whose names and descriptions share a word with a message."""
    words = words_of(message)
    return tuple(agent for agent in agents if _shared_words(words, agent))


def _shared_words(words: frozenset[str], agent: Agent) -> int:
    described = words_of(f"{agent.name} {agent.display_name} {agent.description}")
    return len(words & described)


def words_of(text: str) -> frozenset[str]:
    """Find the words of a text that say what it is about."""
    found = frozenset(_WORD.findall(text[:_LOOKED_AT_CHARS].casefold())) - _COMMON
    return frozenset(_stem(word) for word in found)


def _stem(word: str) -> str:
    """Remove a final “s”, as of “folders” and “writes”; no real stemming, which could surprise."""
    if len(word) < _SHORTEST_WITH_ENDING or word.endswith(("ss", "us", "is")):
        return word
    return word.removesuffix("s")
