"""Places that no tool may read, and places that none may change, whatever folder was picked.

Hidden are those that hold secrets: keys, keyrings, the profiles of browsers, what Parley itself
remembers. Kept are those that steer what other programs do later: a line in a shell's start-up
file or a hook of a repository runs outside any sandbox, with all the user's rights. Both count
whether they exist or not, since making one is as good as changing it.
"""

import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

Shape: TypeAlias = Literal["file", "folder"]

# Of the home; a name that ends in / is a folder.
_HIDDEN_AT_HOME: Final = (
    ".ssh/",
    ".gnupg/",
    ".aws/",
    ".azure/",
    ".kube/",
    ".docker/",
    ".password-store/",
    ".netrc",
    ".git-credentials",
    ".pypirc",
    ".npmrc",
    ".pgpass",
    ".vault-token",
    ".mozilla/",
    ".thunderbird/",
    ".config/gcloud/",
    ".config/gh/",
    ".config/op/",
    ".config/rclone/",
    ".config/google-chrome/",
    ".config/chromium/",
    ".config/BraveSoftware/",
    ".config/microsoft-edge/",
    ".config/vivaldi/",
    ".local/share/keyrings/",
    ".local/share/kwalletd/",
    ".local/share/python_keyring/",
    *(
        (
            "Library/Keychains/",
            "Library/Application Support/Google/Chrome/",
            "Library/Application Support/Firefox/",
        )
        if sys.platform == "darwin"
        else ()
    ),
)
_KEPT_AT_HOME: Final = (
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_logout",
    ".bash_aliases",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".zlogin",
    ".zlogout",
    ".kshrc",
    ".cshrc",
    ".tcshrc",
    ".login",
    ".inputrc",
    ".xinitrc",
    ".xprofile",
    ".xsession",
    ".xsessionrc",
    ".pam_environment",
    ".gitconfig",
    ".pythonrc.py",
    ".config/fish/",
    ".config/git/",
    ".config/autostart/",
    ".config/environment.d/",
    ".config/systemd/",
    ".config/plasma-workspace/",
    ".config/python_keyring/",
    ".local/share/applications/",
    ".local/share/systemd/",
    ".local/share/dbus-1/",
    *(("Library/LaunchAgents/", "Library/Preferences/") if sys.platform == "darwin" else ()),
)
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
_KEPT_IN_FOLDER: Final = (".mcp.json",)
_KEPT_IN_REPOSITORY: Final = ("hooks/", "config", "config.worktree", "modules/", "worktrees/")
_REPOSITORY: Final = ".git"

_DEPTH_LIMIT: Final = 4
_FOLDERS_LIMIT: Final = 2_000
_NEVER_ENTERED: Final = frozenset({_REPOSITORY, "node_modules", ".venv", "__pycache__"})


@dataclass(frozen=True, slots=True)
class Place:
    """One place, and what belongs there."""

    path: Path
    shape: Shape


@dataclass(frozen=True, slots=True)
class ProtectedPlaces:
    """The places of one user and one program.

    Attributes:
        hidden: Neither read nor written.
        kept: Read where the call may read, never written.
    """

    hidden: tuple[Place, ...]
    kept: tuple[Place, ...]

    def kept_in(self, folder: Path) -> Iterator[Place]:
        """What may not change in a folder that may be written, and in the repositories in it."""
        yield from _beneath(self.kept, folder)
        yield from (_place(folder, name) for name in _KEPT_IN_FOLDER)
        for repository in _repositories(folder):
            yield from _kept_of_repository(repository)

    def hidden_in(self, folder: Path, *, by_name: bool = False) -> Iterator[Place]:
        """What may not be read in a folder; `by_name` looks at no file, and follows no link."""
        if by_name:
            return (place for place in self.hidden if place.path.is_relative_to(folder))
        return _beneath(self.hidden, folder)

    def hides(self, path: Path, *, by_name: bool = False) -> bool:
        """Whether a path lies in a place that no tool may read; `by_name` looks at no file."""
        return _lies_in(path, self.hidden, by_name=by_name)

    def keeps(self, path: Path, *, by_name: bool = False) -> bool:
        """Whether a path lies in a place that no tool may change, in any folder.

        Args:
            path: The place.
            by_name: No file is looked at, and no link followed.
        """
        if _lies_in(path, (*self.hidden, *self.kept), by_name=by_name):
            return True
        return path.name in _KEPT_IN_FOLDER or _is_kept_in_repository(path)


def _beneath(places: Iterable[Place], folder: Path) -> Iterator[Place]:
    """Those that lie in a folder, by where links in their way and they themselves lead."""
    for place in places:
        named = Path(os.path.realpath(place.path.parent), place.path.name)
        for path in dict.fromkeys((named, Path(os.path.realpath(place.path)))):
            if path.is_relative_to(folder):
                yield Place(path, place.shape)


def _lies_in(path: Path, places: Iterable[Place], *, by_name: bool) -> bool:
    return any(
        path.is_relative_to(place.path)
        or (not by_name and path.is_relative_to(os.path.realpath(place.path)))
        for place in places
    )


def protected_places(home: Path, own_folders: tuple[Path, ...] = ()) -> ProtectedPlaces:
    """The places of a user.

    Args:
        home: The user's home.
        own_folders: Where the program keeps what it remembers, its settings and its log.
    """
    own = [Place(folder, "folder") for folder in own_folders]
    # By each name that the home has, so that a link on the way to it changes nothing.
    homes = tuple(dict.fromkeys((home, home.resolve())))
    hidden = [_place(base, name) for base in homes for name in _HIDDEN_AT_HOME]
    # The administrator's home is hidden from others, and is just a home for the administrator.
    system = [_place(Path("/"), name[1:]) for name in _HIDDEN_IN_SYSTEM]
    hidden += [item for item in system if not home.resolve().is_relative_to(item.path)]
    kept = tuple(_place(base, name) for base in homes for name in _KEPT_AT_HOME)
    return ProtectedPlaces((*own, *hidden), kept)


def _place(base: Path, name: str) -> Place:
    return Place(base / name, "folder" if name.endswith("/") else "file")


def _repositories(folder: Path) -> Iterator[Path]:
    """The `.git` of a folder, there or not, and those below it, as far as it is worth looking."""
    yield folder / _REPOSITORY
    looked_at = 0
    level = [str(folder)]
    for _ in range(_DEPTH_LIMIT):
        below: list[str] = []
        for path in level:
            looked_at += 1
            if looked_at > _FOLDERS_LIMIT:
                return
            below += _subfolders(path)
        yield from (Path(path, _REPOSITORY) for path in below if _has_repository(path))
        level = below


def _subfolders(path: str) -> list[str]:
    with suppress(OSError), os.scandir(path) as entries:
        return [
            entry.path
            for entry in entries
            if entry.name not in _NEVER_ENTERED and entry.is_dir(follow_symlinks=False)
        ]
    return []


def _has_repository(path: str) -> bool:
    return os.path.lexists(f"{path}/{_REPOSITORY}")


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


def _is_kept_in_repository(path: Path) -> bool:
    parts = path.parts
    if _REPOSITORY not in parts:
        return False
    below = parts[parts.index(_REPOSITORY) + 1 :]
    return not below or below[0] in {name.rstrip("/") for name in _KEPT_IN_REPOSITORY}
