"""What a project switched on and off: `projects/NAME/catalog.toml`, also written by hand.

    default_agent = "files"

    [agents]
    writer = false

    [skills]
    release-notes = false

It overrides what the files of agents and skills say of themselves.
"""

import contextlib
import os
import re
import tempfile
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

import tomlkit
import tomlkit.exceptions
from pydantic import BaseModel, ConfigDict, ValidationError

from local_server.assistant.small_file import SmallFileError, read_small_file

FILE_NAME: Final = "catalog.toml"
NO_DEFAULT: Final = ""
Kind = Literal["agents", "skills"]

_LIMIT_BYTES: Final = 256 * 1024
_HEAD: Final = "Which agents and skills this project uses. Running services see each change."
_LINE: Final = re.compile(r"\(at line (\d+)")


class SwitchesError(Exception):
    """The file cannot be read or written; the message names file, line and reason."""


@dataclass(frozen=True)
class Switches:
    """A project's own choices; what is not in them is as the files say.

    Attributes:
        default_agent: Who answers when nobody is named; `NO_DEFAULT` leaves it to the
            supervisor, None to the files.
        agents: Whether an agent is enabled, by name.
        skills: Whether a skill is enabled, by name.
    """

    default_agent: str | None = None
    agents: Mapping[str, bool] = field(default_factory=dict)
    skills: Mapping[str, bool] = field(default_factory=dict)


class _File(BaseModel):
    """The file as it is written. What is unknown in it stays there."""

    model_config = ConfigDict(strict=True)

    default_agent: str | None = None
    agents: dict[str, bool] = {}
    skills: dict[str, bool] = {}


def read_switches(path: Path) -> Switches:
    """Read the choices of a project; no file is no choice.

    Raises:
        SwitchesError: When the file is not written as it should be.
    """
    text = _read(path)
    try:
        found = _File.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as exc:
        line = _LINE.search(str(exc))
        raise SwitchesError(f"{path}:{line[1] if line else 1}: this is not TOML: {exc}.") from exc
    except ValidationError as exc:
        place = ".".join(str(part) for part in exc.errors()[0]["loc"])
        wanted = "a name in quotes" if place == "default_agent" else "true or false"
        raise SwitchesError(f"{path}:1: “{place}” must be {wanted}.") from exc
    return Switches(found.default_agent, found.agents, found.skills)


def switch(path: Path, kind: Kind, name: str, *, is_enabled: bool) -> None:
    """Keep that an agent or a skill is enabled or not.

    Raises:
        SwitchesError: When the file cannot be read or written.
    """
    document = _document(path)
    table = document.setdefault(kind, tomlkit.table())
    table[name] = is_enabled
    _write(path, document)


def set_default(path: Path, agent: str) -> None:
    """Keep who answers when nobody is named; `NO_DEFAULT` for the supervisor.

    Raises:
        SwitchesError: When the file cannot be read or written.
    """
    document = _document(path)
    document["default_agent"] = agent
    _write(path, document)


def _read(path: Path) -> str:
    if not path.exists():
        return ""
    try:
        return read_small_file(path, _LIMIT_BYTES)
    except SmallFileError as exc:
        raise SwitchesError(f"{path}:{exc.line}: {exc}") from exc


def _document(path: Path) -> tomlkit.TOMLDocument:
    """Read the file for a change that keeps what people wrote around it."""
    read_switches(path)
    text = _read(path)
    if text:
        return tomlkit.parse(text)
    document = tomlkit.document()
    document.add(tomlkit.comment(_HEAD))
    return document


def _write(path: Path, document: tomlkit.TOMLDocument) -> None:
    """Replace the file by a whole new one, which only its owner can read."""
    try:
        _make_private(path.parent)
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}")
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
                file.write(tomlkit.dumps(document))
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(path)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(name).unlink()
            raise
    except OSError as exc:
        raise SwitchesError(f"{path} cannot be written: {exc.strerror}.") from exc


def _make_private(folder: Path) -> None:
    """Make a folder and those above it; what is new is its owner's alone."""
    missing = [place for place in (folder, *folder.parents) if not place.exists()]
    for place in reversed(missing):
        place.mkdir(mode=0o700, exist_ok=True)
