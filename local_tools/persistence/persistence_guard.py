"""Find, after a call, new files that other programs would run or obey, and rename them.

The sandbox protects such places if they exist before a call. A repository that the call itself
makes, anywhere in the folder, could still contain a hook or a setting by which the user's next
`git` runs a program outside of any sandbox. So the folder is scanned before and after, and new
files are renamed unless they are clearly harmless; nothing is deleted. This is a second line of
defence: before the call has ended, another program may already have used them.
"""

import hashlib
import os
import stat
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import Final, TypeAlias

from local_tools.errors import ToolError
from local_tools.execution.worker_request import WorkerRequest
from local_tools.paths.beneath import READ_FILE, opened_root, read_up_to
from local_tools.persistence import hg_config
from local_tools.persistence.autorun import (
    HOOKS,
    OBEYED_FILES,
    OBEYED_FOLDERS,
    OBEYED_IN_REPOSITORY,
    OBEYED_IN_STORE,
    OBEYED_ONCE_KNOWN,
    REBASE,
    REBASE_STEPS,
    REPOSITORY,
    is_repository,
    plain,
)
from local_tools.persistence.git_config import (
    ReferencedPaths,
    referenced_paths,
    repositories_around,
)
from local_tools.persistence.quarantine import (
    ASIDE,
    SETTINGS_LIMIT_BYTES,
    Parts,
    is_harmless,
    rename_aside,
)

_NAMES_SHOWN: Final = 10
_CONTENTS: Final = "objects"
_NEVER_RUN: Final = (".sample", ASIDE)
_TEXT: Final = ".md"
# A folder with none of these names only leads to its subfolders.
_TELLING: Final = frozenset(
    {
        *("head", "refs", "objects", "commondir", REPOSITORY),
        *OBEYED_FILES,
        *OBEYED_FOLDERS,
        *OBEYED_IN_STORE,
        *OBEYED_ONCE_KNOWN,
    }
)
# Found in any folder, also as links. Folders with some of these names are scanned by their `_Kind`.
_OBEYED_ANYWHERE: Final = (
    OBEYED_FILES | OBEYED_FOLDERS | OBEYED_ONCE_KNOWN | frozenset({REPOSITORY, *OBEYED_IN_STORE})
)
# Linux follows 40 links in a path at most.
_LINKS_LIMIT: Final = 40

# Device, inode, change time (ctime, which no program can set back), the hash of a small file (on
# tmpfs, a write through a mapping leaves no other trace), and the folder in which programs find it,
# which stays with it when a project is moved. Of a folder that is obeyed as a whole, only the first
# two count; its files have identities of their own.
_Identity: TypeAlias = tuple[int, int, int, bytes, int]

_INCOMPLETE: Final = (
    "There are more folders than can be looked through, so something that other programs obey may "
    "have been left there unseen. Look at what was made before you use Git or an editor there."
)


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits of a scan, and whether a call fails if the folder exceeds them."""

    folders: int
    time_s: float
    must_suffice: bool

    def afterwards(self, before: "Snapshot") -> "Bounds":
        """Return the limits of the scan after the call: the old entries plus as many new ones."""
        return replace(self, folders=before.folders + self.folders, time_s=3 * self.time_s)


# Bounds for built-in tools, which do only what was shown.
OF_SHOWN: Final = Bounds(10_000, 1.0, must_suffice=False)
# Bounds for programs, which may have made any files.
OF_ANYTHING: Final = Bounds(100_000, 10.0, must_suffice=True)


def bounds_for(order: WorkerRequest) -> Bounds:
    """Return the limits for a call's folder, which depend on what the call runs."""
    return OF_ANYTHING if order.commands or order.code is not None else OF_SHOWN


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The files below a folder that other programs run or obey.

    Attributes:
        began_ns: The start of the scan, in ns since the epoch.
        found: These files, by their path relative to the folder.
        folders: The number of folders.
        is_whole: False if the scan reached its limits.
        led_to: The absolute paths that settings of repositories and links refer to.
    """

    began_ns: int
    found: Mapping[str, _Identity]
    folders: int
    is_whole: bool
    led_to: "Mapping[str, _Kind]" = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class QuarantineResult:
    """The result of the scan after a call.

    Attributes:
        names: The renamed files, old name to new name.
        words: Sentences about what was renamed and what could not be scanned; empty for nothing.
        look: The snapshot to compare the next scan with. It does not contain renamed files, so one
            that gets its old name back is found again.
    """

    names: tuple[str, ...]
    words: str
    look: Snapshot


def scan(root: Path, bounds: Bounds, home: Path, before: Snapshot | None = None) -> Snapshot:
    """Find the files that other programs run or obey. Reads the disk: call it in a thread.

    Args:
        root: The folder to scan.
        bounds: The limits.
        home: The user's home, whose Git settings apply in every repository.
        before: The snapshot from before the call. Settings made since then are not followed: they
            could make the user's own files look new.
    """
    began_ns = time.time_ns()
    walk = _Walk(root, home, bounds, before)
    walk.walk_all()
    walk.follow_settings()
    return Snapshot(began_ns, walk.found, walk.folders, not walk.has_failed, walk.led_to)


def unknown_to(look: Snapshot, root: Path, others: Iterable[tuple[Path, Snapshot]]) -> Snapshot:
    """Return a snapshot without files that calls still running may have made.

    Otherwise two calls in one folder could hide each other's files from the scan.

    Args:
        look: The snapshot of `root` now.
        root: The scanned folder.
        others: For each running call, its folder and its snapshot from before the call.
    """
    found = dict(look.found)
    for folder, before in others:
        known = set(before.found.values())
        for place, identity in look.found.items():
            if (root / place).is_relative_to(folder) and identity not in known:
                found.pop(place, None)
    return replace(look, found=found)


def quarantine_new(
    root: Path, before: Snapshot, kept: Sequence[Path], bounds: Bounds, home: Path
) -> str:
    """Do the same as `quarantine_new_files`; return only its sentences."""
    return quarantine_new_files(root, before, kept, bounds, home).words


def quarantine_new_files(
    root: Path, before: Snapshot, kept: Sequence[Path], bounds: Bounds, home: Path
) -> QuarantineResult:
    """Rename new files that other programs run or obey.

    Args:
        root: The folder of a call that has ended.
        before: The snapshot from before the call.
        kept: Paths that the sandbox kept from being changed.
        bounds: The limits of the first scan.
        home: The user's home.
    """
    after = scan(root, bounds.afterwards(before), home, before)
    try:
        with opened_root(root) as (top, _):
            new = list(_new(top, root, before, after, kept))
            names = tuple(rename_aside(top, parts) for parts in new)
    except (ToolError, OSError) as exc:
        return QuarantineResult(
            (), f"The folder could not be looked through afterwards: {exc}", before
        )
    said: list[str] = []
    if names:
        shown = ", ".join(names[:_NAMES_SHOWN]) + (" …" if len(names) > _NAMES_SHOWN else "")
        said.append(f"What other programs would obey was made, so it was set aside: {shown}.")
    if bounds.must_suffice and not (before.is_whole and after.is_whole):
        said.append(_INCOMPLETE)
    return QuarantineResult(names, " ".join(said), _without(after, new))


def _without(look: Snapshot, places: Sequence[Parts]) -> Snapshot:
    """Return a look that does not know these places, nor what is in them."""
    gone = {"/".join(parts) for parts in places}
    below = tuple(f"{place}/" for place in gone)
    found = {
        place: identity
        for place, identity in look.found.items()
        if place not in gone and not place.startswith(below)
    }
    return replace(look, found=found)


class _Kind(Enum):
    """What a folder is, as far as it matters for what is in it."""

    PLAIN = ""
    REPOSITORY = REPOSITORY
    # Other programs obey everything in it.
    OBEYED = "obeyed"
    HG = ".hg"
    SAPLING = ".sl"
    JJ = ".jj"
    REBASE = REBASE


class _Walk:
    """One pass over a folder; made for tens of thousands of folders a second."""

    def __init__(self, root: Path, home: Path, bounds: Bounds, before: Snapshot | None) -> None:
        self.found: dict[str, _Identity] = {}
        self.waiting: list[tuple[str, _Kind]] = [(str(root), _Kind.PLAIN)]
        self.folders = 0
        self.has_failed = False
        self.led_to: dict[str, _Kind] = {} if before is None else dict(before.led_to)
        self._home = home
        self._limit = bounds.folders
        self._time_s = bounds.time_s
        self._ends_at = time.monotonic() + bounds.time_s
        self._before = before
        self._is_first = before is None
        self._below = f"{root}/".replace("//", "/")
        self._holders: dict[str, int] = {}
        for repository in repositories_around(root):
            self._note_settings(repository)

    def walk_all(self) -> None:
        """Look at the folder and what is below."""
        self._walk(self._limit)

    def _walk(self, most: int) -> None:
        while self.waiting and self.folders < most and self._has_time():
            self._step()
        self.has_failed |= bool(self.waiting)
        self.waiting.clear()

    def _has_time(self) -> bool:
        return time.monotonic() < self._ends_at

    def _step(self) -> None:
        """Look at one folder more."""
        path, kind = self.waiting.pop()
        self.folders += 1
        try:
            telling = self._pass_through(path) if kind is _Kind.PLAIN else self._telling(path)
            if telling or kind is not _Kind.PLAIN:
                self._take(path, kind, telling)
        except (FileNotFoundError, NotADirectoryError):
            # A file that vanishes meanwhile is run by no program.
            return
        except OSError:
            # An unreadable folder counts itself: a program that knows a name in it may still open
            # that. A path that is too long may later be moved to a shorter one.
            self.has_failed |= not (self._is_below(path) and self._find(path))

    def follow_settings(self) -> None:
        """Look at the places that are obeyed because settings or links lead there."""
        # Time of its own: what was looked at before may have used up all of it.
        self._ends_at = time.monotonic() + self._time_s
        for named, kind in sorted(self.led_to.items()):
            links, place = _links_to(named)
            is_as_before = all(self._is_known_link(link) for link in links)
            # A new link is enough to set aside: what it leads to may be the user's own.
            if not (is_as_before and self._is_below(place)):
                continue
            if not os.path.isdir(place):  # noqa: PTH112 - it is text all the way
                self._find(place)
                continue
            self.waiting.append((place, kind))
            self._walk(self.folders + self._limit)

    def _is_known_link(self, link: str) -> bool:
        """Note a link on the way to a place; return whether it was there before."""
        if not (self._is_below(link) and self._find(link)) or self._before is None:
            return True
        place = link[len(self._below) :]
        return self.found[place] == self._before.found.get(place)

    def _is_below(self, path: str) -> bool:
        return path.startswith(self._below)

    def _pass_through(self, path: str) -> set[str]:
        """Note the folders in a folder; return the names in it for which it has to be taken.

        Where there are some, its folders are not noted yet.
        """
        telling, below = set[str](), list[str]()
        with os.scandir(path) as entries:
            for entry in entries:
                name = plain(entry.name)
                if name in _TELLING:
                    telling.add(name)
                elif len(below) <= self._limit and entry.is_dir(follow_symlinks=False):
                    below.append(entry.path)
        if not telling:
            self._wait(below, _Kind.PLAIN)
        return telling

    def _telling(self, path: str) -> set[str]:
        with os.scandir(path) as entries:
            return {name for entry in entries if (name := plain(entry.name)) in _TELLING}

    def _take(self, path: str, kind: _Kind, telling: set[str]) -> None:
        """Look at each entry of a folder in which something may steer."""
        is_git = kind is _Kind.REPOSITORY or is_repository(telling)
        if is_git and kind is not _Kind.OBEYED:
            self._note_settings(Path(path))
        if REPOSITORY in telling:
            self._note_settings(Path(path, REPOSITORY))
        if _Kind.HG.value in telling:
            store = Path(path, _Kind.HG.value)
            is_first = self._is_first
            self._note(hg_config.referenced_paths(store, self._home, with_its_own=is_first))
        with os.scandir(path) as entries:
            for entry in entries:
                if kind is _Kind.OBEYED and not self._has_time():
                    # Each is read.
                    self.has_failed = True
                    return
                self._take_one(entry, kind, is_git=is_git)

    def _take_one(self, entry: "os.DirEntry[str]", kind: _Kind, *, is_git: bool) -> None:
        name = plain(entry.name)
        if not entry.is_dir(follow_symlinks=False):
            if _steers(name, kind, is_git=is_git):
                self._find(entry.path)
                if self._is_first and entry.is_symlink():
                    self._follow(entry.path, name)
        elif kind is _Kind.OBEYED or name in OBEYED_FOLDERS:
            self._find(entry.path, is_obeyed_folder=True)
            self._wait([entry.path], _Kind.OBEYED)
        elif not (kind is _Kind.REPOSITORY and name == _CONTENTS):
            self._wait([entry.path], _kind_below(name, kind, is_git=is_git))

    def _wait(self, paths: Sequence[str], kind: _Kind) -> None:
        if len(self.waiting) + len(paths) > self._limit:
            self.has_failed = True
        else:
            self.waiting += ((path, kind) for path in paths)

    def _note_settings(self, repository: Path) -> None:
        leads = referenced_paths(
            repository, self._home, with_its_own=self._is_first, with_missing=True
        )
        self._note(leads)

    def _note(self, leads: ReferencedPaths) -> None:
        self.has_failed |= not leads.is_whole
        for item in leads.places:
            self._lead_to(str(item.path), _Kind.OBEYED)

    def _follow(self, link: str, name: str) -> None:
        """Note where an obeyed link leads: what is there is obeyed by way of it."""
        is_around = link.startswith(f"{_links_to(link)[1]}/")
        # Instructions for assistants are text, under whatever other name, too.
        if not (is_around or name.endswith(_TEXT)):
            is_store = name == REPOSITORY or name in OBEYED_IN_STORE
            self._lead_to(link, _Kind(name) if is_store else _Kind.OBEYED)

    def _lead_to(self, path: str, kind: _Kind) -> None:
        links, place = _links_to(path)
        if any(map(self._is_below, (*links, place))):
            self.led_to.setdefault(path, kind)

    def _find(self, path: str, *, is_obeyed_folder: bool = False) -> bool:
        try:
            status = os.lstat(path)
        except OSError:
            return False
        place = path[len(self._below) :]
        holder = self._holder(path)
        if is_obeyed_folder:
            self.found[place] = (status.st_dev, status.st_ino, 0, b"", holder)
        else:
            digest = _digest(path, status) if _is_close(place) else b""
            self.found[place] = (status.st_dev, status.st_ino, status.st_ctime_ns, digest, holder)
        return True

    def _holder(self, path: str) -> int:
        """Return the number of the folder in which the programs find what a place is part of."""
        parts = path[len(self._below) :].split("/")
        above = self._below + "/".join(parts[: -len(_role(parts))])
        if above not in self._holders:
            try:
                self._holders[above] = Path(above).stat().st_ino
            except OSError:
                self._holders[above] = 0
        return self._holders[above]


def _links_to(path: str) -> tuple[list[str], str]:
    """Return the links on the way to a place, each where it lies, and where all of them lead."""
    links, done = list[str](), ""
    waiting = path.split("/")[::-1]
    while waiting and len(links) < _LINKS_LIMIT:
        part = waiting.pop()
        if part == "..":
            done = done.rpartition("/")[0]
        elif part not in ("", "."):
            here = f"{done}/{part}"
            try:
                target = str(Path(here).readlink())
            except (OSError, ValueError):
                done = here
                continue
            links.append(here)
            done = "" if target.startswith("/") else done
            waiting += target.split("/")[::-1]
    return links, done or "/"


def _is_close(place: str) -> bool:
    """Return whether it is not far down in an obeyed folder, where whole environments may lie."""
    above = place.split("/")[:-2]
    return OBEYED_FOLDERS.isdisjoint(map(plain, above))


def _digest(path: str, status: os.stat_result) -> bytes:
    """Return the SHA-256 of a small regular file; empty for anything else."""
    if not stat.S_ISREG(status.st_mode) or status.st_size > SETTINGS_LIMIT_BYTES:
        return b""
    try:
        descriptor = os.open(path, READ_FILE | getattr(os, "O_NOFOLLOW", 0))
    except OSError:
        return b""
    try:
        return hashlib.sha256(read_up_to(descriptor, SETTINGS_LIMIT_BYTES, path) or b"").digest()
    except ToolError:
        return b""
    finally:
        os.close(descriptor)


def _kind_below(name: str, kind: _Kind, *, is_git: bool) -> _Kind:
    """Return what a folder of this name is in a folder of this kind."""
    if name == REPOSITORY:
        return _Kind.REPOSITORY
    if name in OBEYED_IN_STORE:
        return _Kind(name)
    if is_git and name == HOOKS:
        return _Kind.OBEYED
    if is_git and name == REBASE:
        return _Kind.REBASE
    return kind if kind is _Kind.JJ else _Kind.PLAIN


def _steers(name: str, kind: _Kind, *, is_git: bool) -> bool:
    """Return whether other programs obey a file or link of this name in such a folder."""
    if kind is _Kind.OBEYED:
        return not name.endswith(_NEVER_RUN)
    if kind is _Kind.REBASE:
        return name == REBASE_STEPS
    if name in _OBEYED_ANYWHERE or (is_git and name in OBEYED_IN_REPOSITORY):
        return True
    return name in OBEYED_IN_STORE.get(kind.value, ())


def _new(
    top: int, root: Path, before: Snapshot, after: Snapshot, kept: Sequence[Path]
) -> Iterator[Parts]:
    """Yield what was found that was not there before, each folder before what is in it."""
    known = {(identity, _role(place.split("/"))) for place, identity in before.found.items()}
    set_up = _set_up_folders(before)
    renamed = set[str]()
    for place, identity in sorted(after.found.items()):
        parts = tuple(place.split("/"))
        is_old = not before.is_whole and 0 < identity[2] < before.began_ns
        if not place or (identity, _role(parts)) in known or is_old:
            continue
        if plain(parts[-1]) in OBEYED_ONCE_KNOWN and parts[:-1] not in set_up:
            # Its program would ask before it obeys it.
            continue
        if _is_kept(root / place, kept) or is_harmless(top, parts):
            continue
        if any("/".join(parts[:depth]) in renamed for depth in range(1, len(parts))):
            continue
        renamed.add(place)
        yield parts


def _role(parts: Sequence[str]) -> Parts:
    """Return what tells a place apart for the programs that obey it, also in a moved project."""
    names = tuple(map(plain, parts))
    first = next((at for at, name in enumerate(names) if name in _OBEYED_ANYWHERE), len(names) - 1)
    return names[first:]


def _set_up_folders(before: Snapshot) -> set[Parts]:
    """Return the folders for which a program is set up that obeys what it would else ask about."""
    found = set[Parts]()
    for place in before.found:
        *above, name = place.split("/")
        if plain(name) in OBEYED_ONCE_KNOWN:
            found.add(tuple(above))
        elif above[-2:] == [REPOSITORY, HOOKS]:
            found.add(tuple(above[:-2]))
    return found


def _is_kept(path: Path, kept: Sequence[Path]) -> bool:
    return any(path.is_relative_to(place) for place in kept)
