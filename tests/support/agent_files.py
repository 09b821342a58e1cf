"""Agents and skills of a test, as files in a folder that takes the place of what ships."""

from collections.abc import Mapping
from pathlib import Path


def write_agents(resources: Path, *names: str, **fields: Mapping[str, str]) -> Path:
    """Write an agent for each name; `fields` gives some of them further lines of front matter."""
    folder = resources / "agents"
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        lines = [f"name: {name}", f"description: Knows about {name}."]
        lines += [f"{key}: {value}" for key, value in fields.get(name, {}).items()]
        text = "\n".join(["---", *lines, "---", f"Be {name}.", ""])
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    return resources


def write_skills(resources: Path, *names: str) -> Path:
    """Write a skill for each name."""
    for name in names:
        folder = resources / "skills" / name
        folder.mkdir(parents=True)
        text = f"---\nname: {name}\ndescription: Does {name}. Use it for {name}.\n---\nDo {name}.\n"
        (folder / "SKILL.md").write_text(text, encoding="utf-8")
    return resources
