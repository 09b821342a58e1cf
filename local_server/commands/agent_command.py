"""What `parley-server agents show`, `save` and `restore` do: one agent's file, for an editor.

What the editor sends comes as JSON on standard input, and the answer is JSON, too: the file as it
is now, or in `fault` why it is not written.
"""

import json
import sys
from pathlib import Path
from typing import Final, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from local_server.assistant.agent_files import (
    AgentDraft,
    AgentFile,
    AgentFileError,
    read_agent_file,
    restore_agent_file,
    save_agent,
)
from local_server.assistant.agents import Agent
from local_server.assistant.catalog import Listed, read_inventory
from local_server.assistant.catalog_overrides import ProjectNameError, project_folder
from local_server.commands.options import CommandError
from local_server.errors import explain
from local_server.schemas import JsonTextError, parse_json
from local_server.settings import RESOURCES

_Asked = TypeVar("_Asked", bound=BaseModel)

_LONGEST_INPUT_BYTES: Final = 4 * 1024 * 1024
_FOLDER: Final = "agents"


class _Save(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    draft: AgentDraft
    revision: str = ""


class _Restore(BaseModel):
    """`text` is None for no file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: str
    text: str | None
    revision: str


async def show_agent(data: Path, project: str, name: str) -> str:
    """Return an agent as JSON.

    Raises:
        CommandError: When there is none of this name, or no project can have its name.
    """
    listed = next((found for found in _agents(data, project) if found.item.name == name), None)
    if listed is None:
        raise CommandError(f"There is no agent “{name}” here.")
    try:
        return _as_json(read_agent_file(listed))
    except AgentFileError as exc:
        raise CommandError(f"{listed.path} cannot be read: {exc}.") from exc


async def save_from_stdin(data: Path, project: str) -> str:
    """Write the agent that standard input describes, and return it as JSON.

    Raises:
        CommandError: When it describes none.
    """
    asked = _read(_Save)
    try:
        known = _agents(data, project)
        return _as_json(save_agent(asked.draft, asked.revision, known, data / _FOLDER))
    except AgentFileError as exc:
        return _fault(exc)


async def restore_from_stdin(data: Path, project: str) -> str:
    """Put back the state of a file that standard input has; return its revision as JSON.

    Raises:
        CommandError: When standard input describes none.
    """
    asked = _read(_Restore)
    folders = (data / _FOLDER, _project_folder(data, project) / _FOLDER)
    try:
        revision = restore_agent_file(Path(asked.path), folders, asked.text, asked.revision)
    except AgentFileError as exc:
        return _fault(exc)
    return json.dumps({"revision": revision})


def _agents(data: Path, project: str) -> tuple[Listed[Agent], ...]:
    try:
        return read_inventory(RESOURCES, data, project).agents
    except ProjectNameError as exc:
        raise CommandError(str(exc)) from exc


def _project_folder(data: Path, project: str) -> Path:
    try:
        return project_folder(data, project)
    except ProjectNameError as exc:
        raise CommandError(str(exc)) from exc


def _read(kind: type[_Asked]) -> _Asked:
    given = sys.stdin.buffer.read(_LONGEST_INPUT_BYTES + 1)
    if len(given) > _LONGEST_INPUT_BYTES:
        raise CommandError("Standard input is too long.")
    try:
        return kind.model_validate(parse_json(given))
    except JsonTextError as exc:
        raise CommandError(f"Standard input cannot be read: {exc}.") from exc
    except ValidationError as exc:
        errors = exc.errors(include_input=False)
        raise CommandError(f"Standard input does not fit: {explain(errors)}.") from None


def _as_json(file: AgentFile) -> str:
    told = {
        "draft": file.draft.model_dump(),
        "path": str(file.path),
        "revision": file.revision,
        "text": file.text,
    }
    return json.dumps(told)


def _fault(error: AgentFileError) -> str:
    return json.dumps({"fault": error.fault, "message": str(error)})
