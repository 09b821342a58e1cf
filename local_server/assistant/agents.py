"""The agents of a project: Markdown files whose body is the agent's instruction."""

from dataclasses import dataclass
from pathlib import Path

from local_server.assistant.claude_code import our_model, our_tools, plain_description
from local_server.assistant.front_matter import read_front_matter


@dataclass(frozen=True)
class Agent:
    """One agent, as its file describes it.

    Attributes:
        instruction: What a model is told to be.
        model: The model that is to answer, such as `openai:gpt-5`; None is the service's own.
        tools: The client tools that it may ask for, by name; None is all of them.
        skills: The skills that it may use, by name; None is all of them.
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


def read_agent(path: Path) -> Agent:
    """Read an agent's file.

    Raises:
        FrontMatterError: When the file is not written as it should be.
    """
    matter = read_front_matter(path)
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
    )


def display_name_of(name: str) -> str:
    """Make a name for people of one like `code-reviewer`."""
    words = name.replace("-", " ").replace("_", " ").strip()
    return words[:1].upper() + words[1:] or name
