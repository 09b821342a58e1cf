"""Which agents and skills a project has switched on or off: `projects/NAME/catalog.toml`.

    default_agent = "files"

    [agents]
    writer = false

    [skills]
    release-notes = false

The file overrides what the files of agents and skills say themselves, and may be edited by hand.
`check_project_name` validates NAME, `project_folder` returns the folder.
"""

import contextlib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, ValidationError

from local_server.assistant.front_matter import (
    DefinitionError,
    DefinitionFault,
    DefinitionProblem,
    SmallFileError,
    read_small_file,
)

FILE_NAME: Final = "catalog.toml"
NO_DEFAULT: Final = ""
_LIMIT_BYTES: Final = 256 * 1024
_LINE: Final = re.compile(r"\(at line (\d+)")

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")


@dataclass(frozen=True)
class CatalogOverrides:
    """A project's own choices; what is not in them is as the files say.

    Attributes:
        default_agent: Who answers when nobody is named; `NO_DEFAULT` leaves it to the
            supervisor, None to the files.
        agents: Whether an agent is enabled, by name.
        skills: Whether a skill is enabled, by name.
        are_known: False where they cannot be read, so that anything may have been switched off.
    """

    default_agent: str | None = None
    agents: Mapping[str, bool] = field(default_factory=dict)
    skills: Mapping[str, bool] = field(default_factory=dict)
    are_known: bool = True


class _File(BaseModel):
    """The file as it is written. What is unknown in it stays there."""

    model_config = ConfigDict(strict=True)

    default_agent: str | None = None
    agents: dict[str, bool] = {}
    skills: dict[str, bool] = {}


def read_overrides(path: Path) -> CatalogOverrides:
    """Read the choices of a project; no file is no choice.

    Raises:
        DefinitionError: When the file is not written as it should be.
    """
    text = read_text(path)
    try:
        found = _File.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as exc:
        line = _LINE.search(str(exc))
        place = int(line[1]) if line else 1
        raise _error(path, DefinitionFault.NOT_TOML, str(exc), place) from exc
    except RecursionError as exc:
        raise _error(path, DefinitionFault.DEEP_TOML) from exc
    except ValidationError as exc:
        name = ".".join(str(part) for part in exc.errors()[0]["loc"])
        is_default = name == "default_agent"
        fault = DefinitionFault.CHOICE_NOT_NAME if is_default else DefinitionFault.CHOICE_NOT_FLAG
        raise _error(path, fault, name) from exc
    except ValueError as exc:
        # tomllib leaves numbers of too many figures to Python.
        raise _error(path, DefinitionFault.LARGE_NUMBER) from exc
    return CatalogOverrides(found.default_agent, found.agents, found.skills)


def read_text(path: Path) -> str:
    """Read the file as it is written; no file is empty.

    Raises:
        DefinitionError: When it is no text.
    """
    # If this fails, reading it below fails likewise and says why.
    with contextlib.suppress(OSError):
        if not path.exists():
            return ""
    try:
        return read_small_file(path, _LIMIT_BYTES)
    except SmallFileError as exc:
        raise DefinitionError(exc.at(path)) from exc


def _error(path: Path, fault: DefinitionFault, detail: str = "", line: int = 1) -> DefinitionError:
    return DefinitionError(DefinitionProblem(str(path), line, fault, detail))


class ProjectNameError(Exception):
    """No project can have this name; the message is for the user."""


def check_project_name(project: str) -> None:
    """Make sure that a name can be a project's.

    Raises:
        ProjectNameError: When it cannot.
    """
    if not _NAME.fullmatch(project):
        raise ProjectNameError(
            "A project’s name has small letters, digits, “-” and “_”, and begins with a letter "
            "or a digit."
        )


def project_folder(data: Path, project: str) -> Path:
    """Find the folder in a data folder where a project's own files lie, if it has any.

    Raises:
        ProjectNameError: When no project can have this name.
    """
    check_project_name(project)
    return data / "projects" / project
