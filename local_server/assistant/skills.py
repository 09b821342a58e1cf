"""The skills of a project: folders with a SKILL.md in the open Agent Skills format.

`read_skill` reads a SKILL.md. `list_skill_files` and `read_skill_file` give the files beside it,
which its instructions may ask to be read.
"""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from local_server.assistant.agents import display_name_of
from local_server.assistant.front_matter import (
    FrontMatter,
    SmallFileError,
    read_front_matter,
    read_small_file,
)

FILE_LIMIT_BYTES: Final = 64 * 1024
_LISTED_FILES: Final = 100
_LISTED_DEPTH: Final = 4

# Specification 2.6 and 8: "about 100 tokens".
DESCRIPTION_LIMIT_TOKENS: Final = 100
# How much of a message is searched for names of skills.
LOOKED_AT_CHARS: Final = 10_000
_BYTES_PER_TOKEN: Final = 4
_SENTENCE_END: Final = re.compile(r"[.!?](?=\s|$)|[。！？]")


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
        target = home.joinpath(*asked.parts).resolve(strict=True)
    except (OSError, RuntimeError, ValueError) as exc:
        # RuntimeError: links that lead in a circle. ValueError: half a character in a name.
        raise SkillFileError("The skill has no such file.") from exc
    if not target.is_relative_to(home):
        raise SkillFileError("Only files inside the skill’s own folder can be read.")
    if any(part.startswith(".") for part in target.relative_to(home).parts):
        raise SkillFileError("The skill has no such file.")
    return target


@dataclass(frozen=True)
class Skill:
    """One skill. Only its metadata is ever listed (specification 2.6).

    What the format calls `allowed-tools` is not even kept: it grants nothing here.

    Attributes:
        description: What it does and when to use it, in at most 100 tokens (`count_tokens`).
        folder: Where the skill's files lie, to be read when its instructions ask for them.
        triggers: Words that call for it besides its name, small letters.
        is_shortened: Its file says more in the description than is used.
    """

    name: str
    display_name: str
    description: str
    version: str
    author: str | None
    instructions: str
    folder: Path
    triggers: tuple[str, ...] = ()
    is_enabled: bool = True
    is_shortened: bool = False

    def files(self) -> tuple[str, ...]:
        """List the files beside SKILL.md by path. It reads the disk, so call it in a thread."""
        return list_skill_files(self.folder)

    def read_file(self, path: str) -> str:
        """Read one of its text files. It reads the disk, so call it in a thread.

        Raises:
            SkillFileError: When the path leads out of the folder, or is no text of at most
                64 KiB; the message may be told to a model.
        """
        return read_skill_file(self.folder, path)


def read_skill(path: Path) -> Skill:
    """Read a skill from its SKILL.md.

    Raises:
        DefinitionError: When the file is not written as it should be.
    """
    matter = read_front_matter(path)
    name, stated = matter.name(), matter.text("description")
    description = shorten(stated)
    return Skill(
        name=name,
        display_name=matter.metadata("display-name") or display_name_of(name),
        description=description,
        version=matter.metadata("version") or "1.0",
        author=matter.metadata("author"),
        instructions=matter.body,
        folder=path.parent,
        triggers=_triggers(matter),
        is_enabled=matter.flag("enabled", otherwise=True),
        is_shortened=description != stated,
    )


def count_tokens(text: str) -> int:
    """Estimate the tokens of a text: one for every four bytes of UTF-8 begun (our choice).

    Models count differently; this is near for English, and for scripts whose letters take three
    bytes and about one token each.
    """
    return -(-len(text.encode()) // _BYTES_PER_TOKEN)


def shorten(description: str) -> str:
    """Cut a description that is longer than 100 tokens after a sentence, or else a word."""
    if count_tokens(description) <= DESCRIPTION_LIMIT_TOKENS:
        return description
    limit_bytes = DESCRIPTION_LIMIT_TOKENS * _BYTES_PER_TOKEN
    ends = [match.end() for match in _SENTENCE_END.finditer(description)]
    fitting = [end for end in ends if len(description[:end].encode()) <= limit_bytes]
    if fitting:
        return description[: fitting[-1]]
    kept = description.encode()[: limit_bytes - len("…".encode())].decode(errors="ignore")
    return (kept.rpartition(" ")[0] or kept).rstrip(" ,;:") + "…"


def find_named(message: str, skills: Sequence[Skill], *, by_triggers: bool = False) -> Skill | None:
    """Find the skill that a message calls by its name, or by a trigger; of several the first."""
    text = _plain(message[:LOOKED_AT_CHARS])
    for skill in sorted(skills, key=lambda skill: skill.name):
        names = (skill.name, skill.display_name, *(skill.triggers if by_triggers else ()))
        if any(re.search(rf"\b{re.escape(name)}\b", text) for name in map(_plain, names) if name):
            return skill
    return None


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace("-", " ").split())


def _triggers(matter: FrontMatter) -> tuple[str, ...]:
    """Read `metadata.triggers`: words or phrases, separated by commas."""
    stated = matter.metadata("triggers") or ""
    words = (" ".join(word.casefold().split()) for word in stated.split(","))
    return tuple(dict.fromkeys(word for word in words if word))
