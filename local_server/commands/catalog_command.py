"""What `parley-server agents` and `parley-server skills` do.

`list_things` reads what a project could use. `switch` and `set_default` write what it switches on
and off, keeping what people wrote around it.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Literal

import tomlkit

from local_server.assistant.agents import Agent
from local_server.assistant.catalog import CatalogSources, Listed, read_inventory
from local_server.assistant.catalog_overrides import (
    FILE_NAME,
    NO_DEFAULT,
    ProjectNameError,
    project_folder,
    read_overrides,
    read_text,
)
from local_server.assistant.front_matter import DefinitionError, DefinitionProblem
from local_server.assistant.skills import Skill
from local_server.commands.options import CommandError
from local_server.settings import RESOURCES
from local_tools.recovery.files import write_atomically

Kind = Literal["agents", "skills"]
Row = dict[str, str | bool | None]

# The table's columns, from the fields of a row. The description stands last, whole.
_COLUMNS: Final[dict[Kind, dict[str, str]]] = {
    "agents": {"NAME": "name", "ENABLED": "is_enabled", "DEFAULT": "is_default", "FROM": "source"},
    "skills": {"NAME": "name", "ENABLED": "is_enabled", "VERSION": "version", "FROM": "source"},
}
_SINGULAR: Final[dict[Kind, str]] = {"agents": "agent", "skills": "skill"}
_HEAD: Final = "Which agents and skills this project uses. Running services see each change."


@dataclass(frozen=True)
class Listing:
    """All agents or skills that a project could use.

    Attributes:
        rows: One for each agent or skill, sorted by name.
        problems: What is wrong with their files.
    """

    kind: Kind
    rows: tuple[Row, ...]
    problems: tuple[DefinitionProblem, ...]

    def as_json(self) -> str:
        """Write it for programs, in ASCII: a file’s name may hold bytes that are no text."""
        problems = [{**asdict(one), "message": one.message} for one in self.problems]
        report = {self.kind: self.rows, "problems": problems}
        return json.dumps(report, indent=2)

    def as_table(self) -> str:
        """Return the listing as text in aligned columns."""
        columns = _COLUMNS[self.kind]
        lines = [[*columns, "DESCRIPTION"]]
        lines += [[_cell(row[c]) for c in (*columns.values(), "description")] for row in self.rows]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        widths[-1] = 0
        padded = ([*map(str.ljust, line, widths)] for line in lines)
        return "\n".join("  ".join(line) for line in padded)


async def list_things(data: Path, project: str, kind: Kind) -> Listing:
    """Read what a project could use.

    Raises:
        CommandError: When no project can have this name.
    """
    inventory = _inventory(data, project)
    rows = [_agent_row(a) for a in inventory.agents] if kind == "agents" else []
    rows += [_skill_row(s) for s in inventory.skills] if kind == "skills" else []
    return Listing(kind, tuple(rows), inventory.problems)


async def turn(data: Path, project: str, kind: Kind, name: str, *, is_enabled: bool) -> str:
    """Enable or disable an agent or a skill for a project; return what follows, in words.

    Raises:
        CommandError: When there is none of this name, or the choice cannot be kept.
    """
    listing = await list_things(data, project, kind)
    was_default = _find(listing, name).get("is_default", False)
    switch(_overrides_file(data, project), kind, name, is_enabled=is_enabled)
    sentence = f"{name} is {'enabled' if is_enabled else 'disabled'} for {project}."
    if is_enabled or not was_default:
        return sentence
    rows = (await list_things(data, project, kind)).rows
    following = next((f"“{row['name']}” answers" for row in rows if row["is_default"]), None)
    return f"{sentence} It was the default; {following or 'the supervisor chooses'} now."


async def choose_default(data: Path, project: str, name: str | None) -> None:
    """Make an agent answer when nobody is named; without a name, the supervisor.

    Raises:
        CommandError: When no enabled agent has this name, or the choice cannot be kept.
    """
    listing = await list_things(data, project, "agents")
    if name is not None and not _find(listing, name)["is_enabled"]:
        raise CommandError(
            f"The agent “{name}” is disabled. Enable it first: "
            f"parley-server agents enable {name} --project {project}"
        )
    set_default(_overrides_file(data, project), name)


def _inventory(data: Path, project: str) -> CatalogSources:
    try:
        return read_inventory(RESOURCES, data, project)
    except ProjectNameError as exc:
        raise CommandError(str(exc)) from exc


def _overrides_file(data: Path, project: str) -> Path:
    return project_folder(data, project) / FILE_NAME


def _find(listing: Listing, name: str) -> Row:
    found = next((row for row in listing.rows if row["name"] == name), None)
    if found is None:
        names = ", ".join(str(row["name"]) for row in listing.rows) or "none"
        raise CommandError(
            f"There is no {_SINGULAR[listing.kind]} “{name}” here. There are: {names}."
        )
    return found


def _agent_row(found: Listed[Agent]) -> Row:
    agent = found.item
    more = {"model": agent.model, "icon": agent.icon, "colour": agent.colour}
    return {**_row(found), "is_default": agent.is_default, **more}


def _skill_row(found: Listed[Skill]) -> Row:
    skill = found.item
    return {**_row(found), "version": skill.version, "author": skill.author}


def _row(found: Listed[Agent] | Listed[Skill]) -> Row:
    return {
        "name": found.item.name,
        "display_name": found.item.display_name,
        "description": found.item.description,
        "is_enabled": found.item.is_enabled,
        "source": found.source,
        "path": str(found.path),
    }


def _cell(value: str | bool | None) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value or ""


def switch(path: Path, kind: Kind, name: str, *, is_enabled: bool) -> None:
    """Write whether an agent or a skill is enabled.

    Raises:
        CommandError: When the file cannot be read or written.
    """
    document = _document(path)
    table = document.setdefault(kind, tomlkit.table())
    table[name] = is_enabled
    _write(path, document)


def set_default(path: Path, agent: str | None) -> None:
    """Write who answers when nobody is named; None for the supervisor.

    Raises:
        CommandError: When the file cannot be read or written.
    """
    document = _document(path)
    document["default_agent"] = NO_DEFAULT if agent is None else agent
    _write(path, document)


def _document(path: Path) -> tomlkit.TOMLDocument:
    """Read the file for a change that keeps what people wrote around it."""
    try:
        read_overrides(path)
        text = read_text(path)
    except DefinitionError as exc:
        raise CommandError(str(exc)) from exc
    if text:
        return tomlkit.parse(text)
    document = tomlkit.document()
    document.add(tomlkit.comment(_HEAD))
    return document


def _write(path: Path, document: tomlkit.TOMLDocument) -> None:
    """Replace the file by a whole new one, which only its owner can read."""
    try:
        _make_private(path.parent)
        write_atomically(path, tomlkit.dumps(document))
    except OSError as exc:
        raise CommandError(f"{path} cannot be written: {exc.strerror}.") from exc


def _make_private(folder: Path) -> None:
    """Make a folder and those above it; what is new is its owner's alone."""
    missing = [place for place in (folder, *folder.parents) if not place.exists()]
    for place in reversed(missing):
        place.mkdir(mode=0o700, exist_ok=True)
