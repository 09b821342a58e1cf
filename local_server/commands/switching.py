"""Writes what a project switches on and off, keeping what people wrote around it."""

from pathlib import Path
from typing import Final, Literal

import tomlkit

from local_server.assistant.catalog_overrides import (
    NO_DEFAULT,
    CatalogOverridesError,
    read_switches,
    read_text,
)
from local_server.commands.options import CommandError
from local_tools.recovery.atomic_files import write_atomically

Kind = Literal["agents", "skills"]

_HEAD: Final = "Which agents and skills this project uses. Running services see each change."


def switch(path: Path, kind: Kind, name: str, *, is_enabled: bool) -> None:
    """Keep that an agent or a skill is enabled or not.

    Raises:
        CommandError: When the file cannot be read or written.
    """
    document = _document(path)
    table = document.setdefault(kind, tomlkit.table())
    table[name] = is_enabled
    _write(path, document)


def set_default(path: Path, agent: str | None) -> None:
    """Keep who answers when nobody is named; None for the supervisor.

    Raises:
        CommandError: When the file cannot be read or written.
    """
    document = _document(path)
    document["default_agent"] = NO_DEFAULT if agent is None else agent
    _write(path, document)


def _document(path: Path) -> tomlkit.TOMLDocument:
    """Read the file for a change that keeps what people wrote around it."""
    try:
        read_switches(path)
        text = read_text(path)
    except CatalogOverridesError as exc:
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
