"""The skills of a project: folders with a SKILL.md in the open Agent Skills format."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from local_server.assistant.front_matter import read_front_matter


@dataclass(frozen=True)
class Skill:
    """One skill. Only its metadata is ever listed (specification 2.6).

    Attributes:
        folder: Where the skill's files lie, to be read when its instructions ask for them.
    """

    name: str
    display_name: str
    description: str
    version: str
    author: str | None
    instructions: str
    folder: Path


def read_skill(path: Path) -> Skill:
    """Read a skill from its SKILL.md.

    Raises:
        FrontMatterError: When the file is not written as it should be.
    """
    matter = read_front_matter(path)
    name = matter.text("name")
    return Skill(
        name=name,
        display_name=matter.metadata("display-name") or name,
        description=matter.text("description"),
        version=matter.metadata("version") or "1.0",
        author=matter.metadata("author"),
        instructions=matter.body,
        folder=path.parent,
    )


def read_skills(folder: Path) -> tuple[Skill, ...]:
    """Read all skills of a folder, by name."""
    skills = [read_skill(path) for path in sorted(folder.glob("*/SKILL.md"))]
    return tuple(sorted(skills, key=lambda skill: skill.name))


def find_named(message: str, skills: Sequence[Skill]) -> Skill | None:
    """Find the first skill that a message calls by its name."""
    said = " ".join(message.casefold().replace("-", " ").split())
    for skill in skills:
        names = {skill.name.replace("-", " ").casefold(), skill.display_name.casefold()}
        if any(re.search(rf"\b{re.escape(name)}\b", said) for name in names):
            return skill
    return None
