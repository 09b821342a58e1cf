"""Places that no tool may read, and places that none may change, whatever folder was picked.

Hidden are those that hold secrets: keys, keyrings, the profiles of browsers, what Parley itself
remembers. Kept are those that steer what other programs do later: a line in a shell's start-up
file or a hook of a repository runs outside any sandbox, with all the user's rights. Both count
whether they exist or not, since making one is as good as changing it. Of a home, all that begins
with a dot is kept but for a few names, since nobody can list what every program obeys.
"""

import os
import stat
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Final, Literal, TypeAlias

from local_tools.autorun import (
    HOOKS,
    NEVER_MADE_FILES,
    NEVER_MADE_FOLDERS,
    OBEYED_FILES,
    OBEYED_FOLDERS,
    OBEYED_IN_STORE,
    OBEYED_ONCE_KNOWN,
    REPOSITORY,
    WORK_FOLDERS,
    plain,
)
from local_tools.git_settings import places_led_to, repositories_around
from local_tools.sandbox.home_places import (
    HIDDEN_AT_HOME,
    KEPT_AT_HOME,
    KEPT_WHOLE_AT_HOME,
    PRIVATE_AT_HOME,
    WRITABLE_AT_HOME,
)

Shape: TypeAlias = Literal["file", "folder"]

# Of the system, for whoever may read them.
_HIDDEN_IN_SYSTEM: Final = (
    "/etc/shadow",
    "/etc/shadow-",
    "/etc/gshadow",
    "/etc/gshadow-",
    "/etc/sudoers",
    "/etc/sudoers.d/",
    "/etc/ssh/",
    "/etc/ssl/private/",
    "/etc/wireguard/",
    "/etc/NetworkManager/system-connections/",
    "/root/",
    "/run/secrets/",
)
# Of a folder that may be written; of a repository in it; the folder of one that is not there yet.
_NEVER_MADE: Final = (*NEVER_MADE_FILES, *(f"{name}/" for name in NEVER_MADE_FOLDERS))
_KEPT_IN_REPOSITORY: Final = ("hooks/", "config", "config.worktree", "modules/", "worktrees/")

_NAMES_IN_REPOSITORY: Final = frozenset(name.rstrip("/") for name in _KEPT_IN_REPOSITORY)
_OBEYED_NAMES: Final = OBEYED_FILES | OBEYED_FOLDERS | OBEYED_ONCE_KNOWN

_DEPTH_LIMIT: Final = 4
_FOLDERS_LIMIT: Final = 2_000
# Each is a mount of its own; what is beyond them is only looked for afterwards.
_HELD_LIMIT: Final = 300
_NEVER_ENTERED: Final = frozenset(
    {REPOSITORY, "node_modules", ".venv", "__pycache__", *OBEYED_FOLDERS, *OBEYED_IN_STORE}
)


@dataclass(frozen=True, slots=True)
class Place:
    """One place, and what belongs there.

    Attributes:
        is_obeyed: Making it would be as good as changing it; what is not is only private.
    """

    path: Path
    shape: Shape
    is_obeyed: bool = True


@dataclass(frozen=True, slots=True)
class ProtectedPlaces:
    """The places of one user and one program.

    Attributes:
        hidden: Neither read nor written.
        kept: Read where the call may read, never written.
        homes: The user's home, by each name that it has; settings there count in every repository.
    """

    hidden: tuple[Place, ...]
    kept: tuple[Place, ...]
    homes: tuple[Path, ...] = ()

    def kept_in(self, folder: Path) -> Iterator[Place]:
        """What may not change in a folder that may be written, and in the repositories in it."""
        yield from _beneath(self.kept, folder)
        for home in self.homes:
            if home.is_relative_to(folder):
                yield from _dotted(home)
        yield from (
            _place(folder, name) for name in _NEVER_MADE if not (folder / name).is_symlink()
        )
        yield from _kept_of_repository(folder / REPOSITORY)
        yield from _linked_in(folder / REPOSITORY, folder)
        for around in repositories_around(folder):
            yield from self._led_to(around, folder)
        for found in islice(_obeyed_below(folder), _HELD_LIMIT):
            if found.name != REPOSITORY:
                yield from _kept_found(found, folder)
            elif found.parent != folder:
                yield from _kept_of_repository(found)
                yield from _linked_in(found, folder)
                yield from self._led_to(found, folder)

    def hidden_in(self, folder: Path, *, by_name: bool = False) -> Iterator[Place]:
        """What may not be read in a folder; `by_name` looks at no file, and follows no link."""
        if by_name:
            return (place for place in self.hidden if place.path.is_relative_to(folder))
        return _beneath(self.hidden, folder)

    def hides(self, path: Path, *, by_name: bool = False) -> bool:
        """Whether a path lies in a place that no tool may read; `by_name` looks at no file."""
        return _lies_in(path, self.hidden, by_name=by_name)

    def keeps(self, path: Path, folder: Path | None = None, *, by_name: bool = False) -> bool:
        """Whether a path lies in a place that no tool may change, in any folder.

        Args:
            path: The place.
            folder: The folder that the user picked; one that begins with a dot is theirs to pick.
            by_name: No file is looked at, and no link followed.
        """
        if _lies_in(path, (*self.hidden, *self.kept), by_name=by_name):
            return True
        if any(_is_dotted(path, home, folder) for home in self.homes):
            return True
        return _is_obeyed(path, by_name=by_name)

    def _led_to(self, repository: Path, folder: Path) -> Iterator[Place]:
        """What the settings of a repository name in a folder, there or not."""
        home = self.homes[0] if self.homes else None
        leads = islice(places_led_to(repository, home).places, _HELD_LIMIT)
        named = (Place(item.path, item.shape) for item in leads)
        places = (place for place in _beneath(named, folder) if place.path != folder)
        # A link cannot be held, but what it leads to is among them.
        return (place for place in places if not place.path.is_symlink())


def _beneath(places: Iterable[Place], folder: Path) -> Iterator[Place]:
    """Those that lie in a folder, by where links in their way and they themselves lead."""
    around = os.path.join(folder, "")  # noqa: PTH118 - with a slash at its end
    for place, paths in _real_paths(places):
        for path in dict.fromkeys(paths):
            if os.path.join(path, "").startswith(around):  # noqa: PTH118
                yield replace(place, path=Path(path))


def _lies_in(path: Path, places: Iterable[Place], *, by_name: bool) -> bool:
    around = {str(path), *map(str, path.parents)}
    if any(str(place.path) in around for place in places):
        return True
    return not by_name and any(not around.isdisjoint(real) for _, real in _real_paths(places))


def _real_paths(places: Iterable[Place]) -> Iterator[tuple[Place, tuple[str, str]]]:
    """Each place by where the links in its way lead, and by where it leads itself.

    There are hundreds, and this is asked for each call: texts are quicker than paths, and many
    places lie in one folder.
    """
    folders: dict[str, str] = {}
    for place in places:
        folder, name = os.path.split(place.path)
        if folder not in folders:
            folders[folder] = os.path.realpath(folder)
        named = os.path.join(folders[folder], name)  # noqa: PTH118
        # Unlike a `Path`, it says no where nobody may look.
        yield place, (named, os.path.realpath(named) if os.path.islink(named) else named)  # noqa: PTH114


def _dotted(home: Path) -> Iterator[Place]:
    """What begins with a dot in a home, by where it leads; two folders, there or not."""
    with suppress(OSError), os.scandir(home) as entries:
        found = [entry for entry in entries if _is_kept_dotted(entry.name)]
        for entry in found:
            real = Path(os.path.realpath(entry.path))
            # A link cannot be held as it is; what it leads to in the home, that is.
            if home in real.parents and os.path.lexists(real):
                is_folder = os.path.isdir(real)  # noqa: PTH112
                yield Place(real, "folder" if is_folder else "file")
        names = {entry.name for entry in found}
        yield from (Place(home / n, "folder") for n in KEPT_WHOLE_AT_HOME if n not in names)


def _is_dotted(path: Path, home: Path, folder: Path | None) -> bool:
    if path == home or not path.is_relative_to(home):
        return False
    top = home / path.relative_to(home).parts[0]
    is_picked = folder is not None and folder.is_relative_to(top)
    return _is_kept_dotted(top.name) and not is_picked


def _is_kept_dotted(name: str) -> bool:
    # Of a repository, what steers is known.
    return name.startswith(".") and name not in WRITABLE_AT_HOME and name != REPOSITORY


def protected_places(home: Path, own_folders: tuple[Path, ...] = ()) -> ProtectedPlaces:
    """The places of a user.

    Args:
        home: The user's home.
        own_folders: Where the program keeps what it remembers, its settings and its log.
    """
    own = [Place(folder, "folder") for folder in own_folders]
    # By each name that the home has, so that a link on the way to it changes nothing.
    homes = tuple(dict.fromkeys((home, home.resolve())))
    hidden = [_place(base, name) for base in homes for name in HIDDEN_AT_HOME]
    private = [_place(base, name) for base in homes for name in PRIVATE_AT_HOME]
    hidden += [replace(place, is_obeyed=False) for place in private]
    # The administrator's home is hidden from others, and is just a home for the administrator.
    system = [_place(Path("/"), name[1:]) for name in _HIDDEN_IN_SYSTEM]
    hidden += [item for item in system if not home.resolve().is_relative_to(item.path)]
    kept = tuple(_place(base, name) for base in homes for name in KEPT_AT_HOME)
    return ProtectedPlaces((*own, *hidden), kept, homes)


def _place(base: Path, name: str) -> Place:
    return Place(base / name, "folder" if name.endswith("/") else "file")


def _obeyed_below(folder: Path) -> Iterator[Path]:
    """What other programs obey in a folder and below, as far as it is worth looking."""
    looked_at = 0
    level = [str(folder)]
    for _ in range(_DEPTH_LIMIT + 1):
        level = level[: _FOLDERS_LIMIT - looked_at]
        looked_at += len(level)
        below: list[str] = []
        for path in level:
            yield from _obeyed_in(path, below)
        level = below


def _obeyed_in(path: str, below: list[str]) -> Iterator[Path]:
    """What is obeyed right in a folder; its own folders are added to `below`."""
    with suppress(OSError), os.scandir(path) as entries:
        for entry in entries:
            yield from map(Path, _obeyed(entry))
            if entry.name not in _NEVER_ENTERED and entry.is_dir(follow_symlinks=False):
                below.append(entry.path)


def _obeyed(entry: os.DirEntry[str]) -> Iterator[str]:
    name = plain(entry.name)
    if name in OBEYED_IN_STORE:
        found = (f"{entry.path}/{inside}" for inside in sorted(OBEYED_IN_STORE[name]))
        yield from filter(os.path.lexists, found)
    elif name == REPOSITORY or name in _OBEYED_NAMES:
        yield entry.path


def _kept_of_repository(repository: Path) -> Iterator[Place]:
    try:
        mode = repository.lstat().st_mode
    except OSError:
        # A repository made by a tool could come with hooks; so none is made.
        yield Place(repository, "folder")
        return
    if stat.S_ISDIR(mode):
        yield from (_place(repository, name) for name in _KEPT_IN_REPOSITORY)
    else:
        # Of a worktree or a submodule: it says where the repository is.
        yield Place(repository, "file")


def _linked_in(repository: Path, folder: Path) -> Iterator[Place]:
    """What links among the hooks and settings of a repository lead to in a folder."""
    hooks = repository / HOOKS
    places = [repository / name.rstrip("/") for name in _KEPT_IN_REPOSITORY]
    with suppress(OSError):
        places += hooks.iterdir()
    for place in islice(filter(os.path.islink, places), _HELD_LIMIT):
        yield from _kept_found(place, folder)


def _kept_found(path: Path, folder: Path) -> Iterator[Place]:
    """What is there, or what a link leads to; the link itself cannot be held, only looked at."""
    real = Path(os.path.realpath(path))
    if folder in real.parents and os.path.lexists(real):
        yield Place(real, "folder" if os.path.isdir(real) else "file")  # noqa: PTH112 - never raises


def _is_obeyed(path: Path, *, by_name: bool) -> bool:
    """Whether other programs obey what is at a path, or would if something were there.

    `by_name` leaves out what is obeyed only where it is there already, since that takes a look.
    """
    parts = [plain(part) for part in path.parts]
    obeyed = (index for index, part in enumerate(parts) if part in OBEYED_FOLDERS)
    if any(parts[index + 1 : index + 2] != [WORK_FOLDERS.get(parts[index])] for index in obeyed):
        return True
    if parts[-1] in OBEYED_FILES:
        return True
    # Unlike a `Path`, it says no where nobody may look.
    if not by_name and parts[-1] in OBEYED_ONCE_KNOWN and os.path.exists(path):  # noqa: PTH110
        return True
    stores = {REPOSITORY: _NAMES_IN_REPOSITORY, **OBEYED_IN_STORE}
    return any(_is_obeyed_in(parts, store, names) for store, names in stores.items())


def _is_obeyed_in(parts: list[str], store: str, names: Collection[str]) -> bool:
    if store not in parts:
        return False
    below = parts[parts.index(store) + 1 :]
    return not below or below[0] in names
