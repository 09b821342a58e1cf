"""What a call leaves that other programs obey: found after its end, and set aside.

The sandbox holds such places where they are known before a call. A repository that the call itself
makes, anywhere in the folder, could still bring a hook or a setting by which the next `git` of the
user runs a program, outside of any sandbox. So the folder is looked through before and after, and
what is new and not plainly harmless is renamed, with nothing lost. It is a second line: until the
call has ended, another program could meet what it made.
"""

import os
import re
import stat
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from local_tools.confined import (
    opened_root,
    parent_beneath,
    read_up_to,
    regular_file_beneath,
)
from local_tools.errors import ToolError

FOLDERS_LIMIT: Final = 10_000
TIME_LIMIT_S: Final = 1.0
_NAMES_SHOWN: Final = 10
_SETTINGS_LIMIT_BYTES: Final = 64 * 1024
_TRIES: Final = 100
_ASIDE: Final = ".set-aside"

_REPOSITORY: Final = ".git"
_MARKS_OF_REPOSITORY: Final = frozenset({"HEAD", "objects", "refs"})
_CONTENTS: Final = "objects"
_HOOKS: Final = "hooks"
# In place of a repository, a file says where it is; in place of the hooks, a link.
_STEERING_ANYWHERE: Final = frozenset({".mcp.json", _REPOSITORY})
_STEERING_IN_REPOSITORY: Final = frozenset({"config", "config.worktree", "commondir", _HOOKS})
_NEVER_RUN: Final = (".sample", _ASIDE)
# What `git init` and `git clone` write; nothing in it names a program.
_HARMLESS_SETTING: Final = re.compile(
    rb"""\s* (
        \[ \s* ( core | user | init | (remote|branch) \s+ "[\w./-]+" ) \s* \]
      | (repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode
        |symlinks|name|email|defaultbranch|remote|merge|fetch|url) \s* = [\w\s./:@+*-]*
    )? \s*""",
    re.VERBOSE | re.IGNORECASE,
)

# Device, inode, and when it was last changed, which no program can set back.
_Identity: TypeAlias = tuple[int, int, int]
_Parts: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Look:
    """What steers other programs below a folder.

    Attributes:
        began_ns: When it was looked at, since the epoch.
        found: Each place, by its names below the folder.
        is_whole: False when there was more than is looked through.
    """

    began_ns: int
    found: dict[_Parts, _Identity]
    is_whole: bool


def look_through(root: Path, folders_limit: int = FOLDERS_LIMIT) -> Look:
    """Find what steers other programs, for at most `TIME_LIMIT_S`."""
    began_ns, ends_at = time.time_ns(), time.monotonic() + TIME_LIMIT_S
    found: dict[_Parts, _Identity] = {}
    waiting: deque[tuple[_Parts, bool]] = deque([((), False)])
    for _ in range(folders_limit):
        if not waiting or time.monotonic() > ends_at:
            break
        parts, is_in_repository = waiting.popleft()
        # What vanishes meanwhile, or has too long a name to be opened, steers nobody.
        with suppress(OSError):
            folder = _folder(root, parts, is_in_repository=is_in_repository)
            found |= folder.steering
            waiting.extend((below, folder.is_repository) for below in folder.below)
    return Look(began_ns, found, not waiting)


def set_aside(root: Path, before: Look, kept: Sequence[Path] = ()) -> str:
    """Rename what steers other programs and was not there before.

    Args:
        root: The folder of a call that has ended.
        before: How it was.
        kept: Places that could not be changed by the call.

    Returns:
        What was done, in a sentence; empty when there was nothing to do.
    """
    try:
        with opened_root(root) as (top, _):
            names = [_renamed(top, parts) for parts in _new(root, top, before, kept)]
    except (ToolError, OSError) as exc:
        return f"The folder could not be looked through afterwards: {exc}"
    if not names:
        return ""
    shown = ", ".join(names[:_NAMES_SHOWN]) + (" …" if len(names) > _NAMES_SHOWN else "")
    return f"What other programs would obey was made, so it was set aside: {shown}."


@dataclass(frozen=True, slots=True)
class _Folder:
    """One folder: what in it steers other programs, and where to look on."""

    is_repository: bool
    steering: dict[_Parts, _Identity]
    below: tuple[_Parts, ...] = ()


def _folder(root: Path, parts: _Parts, *, is_in_repository: bool) -> _Folder:
    path = root.joinpath(*parts)
    try:
        with os.scandir(path) as listed:
            entries = list(listed)
    except PermissionError:
        # Programs that know a name in it may still get there.
        return _Folder(False, {parts: _identity(path.lstat())})
    is_store = parts[-1:] == (_REPOSITORY,)
    is_repository = is_store or {entry.name for entry in entries} >= _MARKS_OF_REPOSITORY
    are_hooks = is_in_repository and parts[-1] == _HOOKS
    steering: dict[_Parts, _Identity] = {}
    below: list[_Parts] = []
    for entry in entries:
        place = (*parts, entry.name)
        if entry.is_dir(follow_symlinks=False):
            if not (is_store and entry.name == _CONTENTS):
                below.append(place)
        elif _steers(entry.name, is_repository=is_repository, are_hooks=are_hooks):
            steering[place] = _identity(entry.stat(follow_symlinks=False))
    return _Folder(is_repository, steering, tuple(below))


def _steers(name: str, *, is_repository: bool, are_hooks: bool) -> bool:
    """Whether other programs obey a file, or a link, of this name in a folder of this kind."""
    if name in _STEERING_ANYWHERE or (is_repository and name in _STEERING_IN_REPOSITORY):
        return True
    return are_hooks and not name.endswith(_NEVER_RUN)


def _new(root: Path, top: int, before: Look, kept: Sequence[Path]) -> Iterator[_Parts]:
    known = set(before.found.values())
    for parts, identity in look_through(root).found.items():
        is_old = not before.is_whole and identity[2] < before.began_ns
        if identity in known or is_old or _is_kept(root.joinpath(*parts), kept):
            continue
        if parts and not _is_harmless(top, parts):
            yield parts


def _identity(status: os.stat_result) -> _Identity:
    return status.st_dev, status.st_ino, status.st_ctime_ns


def _is_kept(path: Path, kept: Sequence[Path]) -> bool:
    return any(path.is_relative_to(place) for place in kept)


def _is_harmless(top: int, parts: _Parts) -> bool:
    """Whether it is empty, as a stand-in is, or holds plain settings of a repository only."""
    try:
        with regular_file_beneath(top, parts, "") as (descriptor, status):
            if status.st_size == 0:
                return True
            if parts[-1] != "config":
                return False
            data = read_up_to(descriptor, _SETTINGS_LIMIT_BYTES, "")
    except ToolError:
        return False
    return data is not None and all(map(_HARMLESS_SETTING.fullmatch, data.split(b"\n")))


def _renamed(top: int, parts: _Parts) -> str:
    """Rename it where it lies; gives both names for the user."""
    shown = "/".join(parts)
    try:
        with parent_beneath(top, parts) as folder:
            return f"{shown} (now {_rename(folder, parts[-1])})"
    except OSError as exc:
        return f"{shown} (which could not be renamed: {exc.strerror})"


def _rename(folder: int, name: str) -> str:
    mode = os.fstat(folder).st_mode
    if mode & stat.S_IRWXU != stat.S_IRWXU:
        os.fchmod(folder, stat.S_IMODE(mode) | stat.S_IRWXU)
    taken = set(os.listdir(folder))
    for number in range(_TRIES):
        fresh = f"{name}.{number}{_ASIDE}" if number else f"{name}{_ASIDE}"
        if fresh not in taken:
            os.rename(name, fresh, src_dir_fd=folder, dst_dir_fd=folder)
            return fresh
    os.unlink(name, dir_fd=folder)
    return "removed"
