"""The files beside a SKILL.md, which its instructions may ask to be read."""

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final

from local_server.assistant.small_file import SmallFileError, read_small_file

FILE_LIMIT_BYTES: Final = 64 * 1024
_LISTED_FILES: Final = 100
_LISTED_DEPTH: Final = 4


class SkillFileError(Exception):
    """The file cannot be given; the message says why, without naming places outside the skill."""


def list_skill_files(folder: Path) -> tuple[str, ...]:
    """List the files of a skill by path, such as `references/form.md`; SKILL.md is not one.

    At most 100, hidden ones left out. It reads the disk, so call it in a thread.
    """
    found: list[str] = []
    for path in _walk(folder, _LISTED_DEPTH):
        if len(found) == _LISTED_FILES:
            break
        found.append(path.relative_to(folder).as_posix())
    return tuple(found)


def read_skill_file(folder: Path, path: str) -> str:
    """Read a text file of a skill. It reads the disk, so call it in a thread.

    Raises:
        SkillFileError: When the path leads out of the folder, or is no text of at most 64 KiB.
    """
    asked = PurePosixPath(path)
    if "\\" in path or "\0" in path or ":" in path or asked.is_absolute() or ".." in asked.parts:
        raise SkillFileError("Only files inside the skill’s own folder can be read.")
    try:
        return read_small_file(_inside(folder, asked), FILE_LIMIT_BYTES)
    except SmallFileError as exc:
        raise SkillFileError(f"The skill’s file “{path[:200]}” is not given: {exc}") from exc


def _walk(folder: Path, depth: int) -> Iterator[Path]:
    """Find regular files, links apart, folder by folder in the order of their names."""
    try:
        with os.scandir(folder) as found:
            entries = sorted(found, key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        if entry.name.startswith(".") or entry.name.casefold() == "skill.md":
            continue
        if entry.is_file(follow_symlinks=False):
            yield Path(entry.path)
        elif depth > 1 and entry.is_dir(follow_symlinks=False):
            yield from _walk(Path(entry.path), depth - 1)


def _inside(folder: Path, asked: PurePosixPath) -> Path:
    """Find where a path really leads: not out of the folder nor to what is hidden in it."""
    try:
        home = folder.resolve(strict=True)
        place = home.joinpath(*asked.parts).resolve(strict=True)
    except (OSError, RuntimeError, ValueError) as exc:
        # RuntimeError: links that lead in a circle. ValueError: half a character in a name.
        raise SkillFileError("The skill has no such file.") from exc
    if not place.is_relative_to(home):
        raise SkillFileError("Only files inside the skill’s own folder can be read.")
    if any(part.startswith(".") for part in place.relative_to(home).parts):
        raise SkillFileError("The skill has no such file.")
    return place
