"""Read the definitions of agents or skills in one folder, and reread those that changed."""

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Generic, Protocol, TypeVar

from local_server.assistant.agents import Agent, read_agent
from local_server.assistant.front_matter import DefinitionError, DefinitionFault, DefinitionProblem
from local_server.assistant.skills import Skill, read_skill

Signature = tuple[int, int, int, int]
# No signature; reading the file then raises the reason.
_UNREADABLE: Final[Signature] = (0, 0, 0, 0)


class _NamedDefinition(Protocol):
    @property
    def name(self) -> str: ...


Item = TypeVar("Item", bound=_NamedDefinition)


@dataclass(frozen=True)
class _Entry(Generic[Item]):
    """One file as it was last read.

    Attributes:
        item: The definition; while the file is broken, the last valid one; None if there has
            never been one.
        problem: Why the file cannot be used, or is not used as written.
    """

    signature: Signature
    item: Item | None
    problem: DefinitionProblem | None


class DefinitionFolder(Generic[Item]):
    """The agents or the skills of one folder.

    It rereads a file only when its signature has changed. While a file or the folder cannot be
    read, the last definitions stay in use. Not thread-safe. Lives as long as the catalogs.
    """

    def __init__(
        self,
        find: Callable[[], dict[str, Signature]],
        read: Callable[[Path], Item],
        remark: Callable[[Item], DefinitionFault | None],
    ) -> None:
        """Make one for the files that `find` finds; nothing is read before the first refresh."""
        self._find = find
        self._read = read
        self._remark = remark
        self._entries: dict[str, _Entry[Item]] = {}
        self._problem: DefinitionProblem | None = None

    def refresh(self) -> bool:
        """Read what has changed, and say whether anything has. It reads the disk."""
        before, problem_before, self._problem = self._entries, self._problem, None
        try:
            found = self._find()
        except OSError as exc:
            fault = DefinitionFault.CANNOT_BE_READ
            self._problem = DefinitionProblem(str(exc.filename), 1, fault, str(exc.strerror))
            return self._problem != problem_before
        if found != {path: entry.signature for path, entry in before.items()}:
            self._entries = {
                path: self._entry(path, signature, before.get(path))
                for path, signature in sorted(found.items())
            }
        return self._entries is not before or problem_before is not None

    def items(self) -> dict[str, tuple[Path, Item]]:
        """List what can be used by name; of two with one name the first file's counts."""
        found: dict[str, tuple[Path, Item]] = {}
        for path, entry in self._entries.items():
            if entry.item is not None:
                found.setdefault(entry.item.name, (Path(path), entry.item))
        return found

    def problems(self) -> tuple[DefinitionProblem, ...]:
        """List what is wrong."""
        stated = [self._problem, *(entry.problem for entry in self._entries.values())]
        counts = {name: str(path) for name, (path, _) in self.items().items()}
        doubles = [
            DefinitionProblem(path, 1, DefinitionFault.SAME_NAME, counts[entry.item.name])
            for path, entry in self._entries.items()
            if entry.item is not None and counts[entry.item.name] != path
        ]
        return (*filter(None, stated), *doubles)

    def _entry(self, path: str, signature: Signature, known: _Entry[Item] | None) -> _Entry[Item]:
        if known is not None and known.signature == signature:
            return known
        try:
            item = self._read(Path(path))
        except DefinitionError as exc:
            return _Entry(signature, known.item if known else None, exc.problem)
        remark = self._remark(item)
        return _Entry(signature, item, DefinitionProblem(path, 1, remark) if remark else None)


def agents_in(folder: Path) -> DefinitionFolder[Agent]:
    """Return the agents in the `*.md` files of a folder."""
    return DefinitionFolder(lambda: _agent_files(folder), read_agent, lambda _agent: None)


def skills_in(folder: Path) -> DefinitionFolder[Skill]:
    """Return the skills of the folders in a folder that have a SKILL.md."""
    return DefinitionFolder(lambda: _skill_files(folder), read_skill, _skill_remark)


def file_signature(path: str | Path) -> Signature | None:
    """Read what distinguishes two states of a file; None when there is no such file.

    It is all that changes when a file is edited or replaced, without reading it.
    """
    try:
        found = os.stat(path)  # noqa: PTH116 - the same
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        return _UNREADABLE
    return (found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino)


def _agent_files(folder: Path) -> dict[str, Signature]:
    names = (name for name in _names(folder) if name.endswith(".md"))
    return _signed(f"{folder}/{name}" for name in names if name.casefold() != "readme.md")


def _skill_files(folder: Path) -> dict[str, Signature]:
    return _signed(f"{folder}/{name}/SKILL.md" for name in _names(folder))


def _signed(paths: Iterable[str]) -> dict[str, Signature]:
    signed = ((path, file_signature(path)) for path in paths)
    return {path: signature for path, signature in signed if signature is not None}


def _names(folder: Path) -> list[str]:
    """List what is in a folder, hidden entries apart; nothing when there is no such folder.

    Raises:
        OSError: When it cannot be told.
    """
    try:
        # Paths as objects would make reading 1,000 files four times as long.
        return [name for name in os.listdir(folder) if not name.startswith(".")]  # noqa: PTH208
    except FileNotFoundError:
        return []


def _skill_remark(skill: Skill) -> DefinitionFault | None:
    return DefinitionFault.LONG_DESCRIPTION if skill.is_shortened else None
