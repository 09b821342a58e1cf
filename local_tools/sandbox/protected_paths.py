"""The paths that no tool may read or change, whichever folder the user picked.

`protected_paths` returns a user's `ProtectedPaths`: one list for the check before a call, the file
tools and every sandbox. The lists name paths in a user's home; a name that ends in / is a folder.

*Hidden* paths hold secrets: keys, keyrings, browser profiles, Parley's own data. *Kept* paths steer
what other programs do later: a line in a shell's start-up file or a hook of a repository runs
outside any sandbox, with all the user's rights. Both count even if they do not exist, since making
such a file does as much harm as changing it. In a home, all names that begin with a dot are kept
but for a few, since nobody can list what every program obeys.

Sources: the makers' own documentation of where their programs keep keys, profiles and histories,
and which files they run or obey when they start.
"""

import os
import stat
import sys
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Final, Literal, TypeAlias

from local_tools.persistence.autorun import (
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
from local_tools.persistence.git_config import referenced_paths, repositories_around

_KEYS: Final = (
    *(".ssh/", ".gnupg/", ".pki/", ".cert/", ".putty/", ".password-store/", ".age/"),
    *(".config/age/", ".config/sops/", ".local/share/keyrings/", ".local/share/kwalletd/"),
    *(".local/share/python_keyring/", ".config/keepassxc/", ".config/KeePass/", ".config/op/"),
    *(".config/1Password/", ".config/Bitwarden/", ".config/Bitwarden CLI/", ".vnc/"),
    *(".electrum/", ".bitcoin/", ".ethereum/", ".monero/", ".config/Exodus/", ".vault-token"),
    ".ollama/id_ed25519",
)
_CLOUDS: Final = (
    *(".aws/", ".azure/", ".kube/", ".minikube/", ".docker/", ".config/containers/auth.json"),
    *(".config/gcloud/", ".boto", ".gsutil/", ".s3cfg", ".mc/", ".config/rclone/", ".rclone.conf"),
    *(".oci/", ".bluemix/", ".terraform.d/", ".terraformrc", ".pulumi/", ".config/doctl/"),
    *(".config/hcloud/", ".config/scw/", ".config/linode-cli", ".fly/", ".config/netlify/"),
    *(".wrangler/", ".config/.wrangler/", ".cloudflared/", ".config/ngrok/", ".ngrok2/"),
    *(".local/share/com.vercel.cli/", ".config/configstore/", ".config/stripe/"),
    *(".databrickscfg", ".snowsql/", ".snowflake/", ".kaggle/", ".cache/huggingface/token"),
    *(".huggingface/", ".config/github-copilot/", ".codex/", ".claude/", ".claude.json"),
    *(".gemini/", ".anthropic/", ".openai/", ".aider.conf.yml", ".config/openai/"),
)
_DEVELOPMENT: Final = (
    *(".netrc", "_netrc", ".authinfo", ".authinfo.gpg", ".git-credentials"),
    *(
        ".config/git/credentials",
        ".cache/git/",
        ".config/gh/",
        ".config/hub",
        ".config/glab-cli/",
        ".subversion/auth/",
    ),
    *(".npmrc", ".yarnrc", ".yarnrc.yml", ".pypirc", ".config/pypoetry/auth.toml"),
    *(".local/share/pypoetry/", ".cargo/credentials", ".cargo/credentials.toml"),
    *(".gem/credentials", ".local/share/gem/credentials", ".bundle/config"),
    *(".composer/auth.json", ".config/composer/auth.json", ".m2/settings.xml"),
    *(".m2/settings-security.xml", ".gradle/gradle.properties", ".ivy2/.credentials"),
    *(".sbt/.credentials", ".nuget/NuGet/NuGet.Config", ".config/NuGet/", ".pgpass", ".my.cnf"),
    *(".mylogin.cnf", ".dockercfg", ".jupyter/", ".local/share/jupyter/runtime/"),
    *(".local/share/DBeaverData/", ".config/filezilla/", ".filezilla/", ".remmina/"),
    *(".config/remmina/", ".local/share/remmina/", ".config/chrome-remote-desktop/"),
)
_BROWSERS: Final = (
    *(".mozilla/", ".config/mozilla/", ".librewolf/", ".waterfox/", ".zen/", ".floorp/"),
    *(".config/google-chrome/", ".config/google-chrome-beta/", ".config/google-chrome-unstable/"),
    *(".config/chromium/", ".config/BraveSoftware/", ".config/microsoft-edge/"),
    *(".config/microsoft-edge-beta/", ".config/microsoft-edge-dev/", ".config/vivaldi/"),
    *(".config/opera/", ".config/yandex-browser/", ".local/share/torbrowser/"),
    *(".local/share/epiphany/", ".local/share/qutebrowser/", ".local/share/falkon/"),
    *(".cache/mozilla/", ".cache/google-chrome/", ".cache/chromium/", ".cache/BraveSoftware/"),
    # What programs of snap and Flatpak keep for themselves, browsers and messengers among them.
    *("snap/", ".var/app/"),
)
_MESSAGES: Final = (
    *(".thunderbird/", ".config/evolution/", ".local/share/evolution/", ".cache/thunderbird/"),
    *(".local/share/geary/", ".config/goa-1.0/", ".config/Signal/"),
    *(
        ".local/share/TelegramDesktop/",
        ".config/Element/",
        ".config/Slack/",
        ".config/discord/",
        ".config/teams/",
    ),
    *(".config/Microsoft/", ".config/skypeforlinux/", ".config/Zulip/", ".config/WhatsApp/"),
    *(".config/Mattermost/", ".local/share/dino/", ".local/share/fractal/", ".purple/"),
    *(".config/hexchat/", ".weechat/", ".config/weechat/", ".irssi/", ".mutt/", ".muttrc"),
    *(".config/mutt/", ".config/neomutt/", ".msmtprc", ".config/msmtp/", ".mbsyncrc"),
    *(".offlineimaprc", ".fetchmailrc", ".getmail/"),
)
_HISTORIES: Final = (
    *(".bash_history", ".zsh_history", ".zhistory", ".histfile", ".sh_history", ".ksh_history"),
    *(".history", ".local/share/fish/fish_history", ".local/state/bash/", ".local/state/zsh/"),
    *(".config/nushell/history.txt", ".config/nushell/history.sqlite3"),
    *(".local/share/powershell/", ".local/share/xonsh/", ".local/share/atuin/", ".config/atuin/"),
    *(".local/share/mcfly/", ".python_history", ".local/state/python_history"),
    *(".ipython/profile_default/history.sqlite", ".node_repl_history", ".irb_history"),
    *(".local/share/irb/", ".pry_history", ".psql_history", ".mysql_history", ".mariadb_history"),
    *(".sqlite_history", ".rediscli_history", ".mongodb/", ".dbshell", ".php_history"),
    *(".lua_history", ".Rhistory", ".octave_hist", ".local/share/octave_hist", ".julia/logs/"),
    *(".ghc/ghci_history", ".scala_history", ".gdb_history", ".lesshst", ".local/state/lesshst"),
    *(".viminfo", ".local/share/nvim/shada/", ".local/state/nvim/shada/", ".wget-hsts"),
    *(".xsession-errors", ".local/share/recently-used.xbel", ".local/share/gvfs-metadata/"),
    *(".local/share/zeitgeist/", ".local/share/klipper/"),
)
_OF_MACOS: Final = (
    *("Library/Keychains/", "Library/Application Support/Google/Chrome/", "Library/Cookies/"),
    *("Library/Application Support/Firefox/", "Library/Application Support/BraveSoftware/"),
    *("Library/Application Support/Microsoft Edge/", "Library/Application Support/Vivaldi/"),
    *("Library/Application Support/Signal/", "Library/Application Support/Telegram Desktop/"),
    *("Library/Application Support/Slack/", "Library/Application Support/discord/"),
    *("Library/Messages/", "Library/Mail/", "Library/Safari/", "Library/Containers/"),
    *("Library/Group Containers/", "Library/Accounts/"),
)
HIDDEN_AT_HOME: Final = (*_KEYS, *_CLOUDS, *_DEVELOPMENT)
"""Keys and other credentials; creating one is as harmful as changing one, as programs obey it."""

PRIVATE_AT_HOME: Final = (
    *(*_BROWSERS, *_MESSAGES, *_HISTORIES),
    *(_OF_MACOS if sys.platform == "darwin" else ()),
)
"""Profiles of browsers and messengers, and what was typed to programs: hidden where it is there."""

_SHELLS: Final = (
    *(".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile"),
    *(".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout", ".kshrc", ".cshrc", ".tcshrc"),
    *(".login", ".logout", ".mkshrc", ".xonshrc", ".inputrc", ".pam_environment", ".config/fish/"),
)
_SESSIONS: Final = (
    *(".xinitrc", ".xprofile", ".xsession", ".xsessionrc", ".Xresources", ".Xdefaults"),
    *(".config/autostart/", ".config/environment.d/", ".config/systemd/"),
    *(".config/plasma-workspace/", ".config/python_keyring/", ".local/share/applications/"),
    *(".local/share/systemd/", ".local/share/dbus-1/"),
)
_PROGRAMS: Final = (
    *(".gitconfig", ".config/git/", ".hgrc", ".pythonrc.py", ".pdbrc", ".gdbinit", ".lldbinit"),
    *(".vimrc", ".gvimrc", ".exrc", ".vim/", ".config/nvim/", ".emacs", ".emacs.el", ".emacs.d/"),
    *(".config/emacs/", ".nanorc", ".tmux.conf", ".screenrc", ".irbrc", ".pryrc", ".Rprofile"),
    *(".Renviron", ".sqliterc", ".psqlrc", ".curlrc", ".wgetrc", ".ackrc", ".ripgreprc"),
    *(
        ".lessfilter",
        ".mailcap",
        ".makerc",
        ".condarc",
        ".octaverc",
        ".perldb",
        ".node_repl.js",
        ".guile",
    ),
)
# Programs and code that lie open in a home.
_CODE: Final = (
    *("bin/", "go/bin/", "perl5/", "miniconda3/", "miniforge3/", "anaconda3/", "Applications/"),
    *(("Library/",) if sys.platform == "darwin" else ()),
)
KEPT_AT_HOME: Final = (*_SHELLS, *_SESSIONS, *_PROGRAMS, *_CODE)
"""What is run or obeyed by other programs, whether it is there or not."""

KEPT_WHOLE_AT_HOME: Final = (".config", ".local")
"""Folders that stand for all that could be made in them."""

# Only looked at, never run or obeyed: letters, pictures, what was thrown away, lists of names.
WRITABLE_AT_HOME: Final = frozenset(
    {".fonts", ".icons", ".thumbnails", ".Trash", ".gitignore", ".ignore", ".hidden", ".plan"}
)
"""What begins with a dot in a home and may be changed all the same."""


Shape: TypeAlias = Literal["file", "folder"]

# Files of the system that this user may be able to read.
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
# Each is a mount of its own; further places are only scanned after the call.
_HELD_LIMIT: Final = 300
_NEVER_ENTERED: Final = frozenset(
    {REPOSITORY, "node_modules", ".venv", "__pycache__", *OBEYED_FOLDERS, *OBEYED_IN_STORE}
)


@dataclass(frozen=True, slots=True)
class ProtectedPath:
    """One protected path.

    Attributes:
        is_obeyed: Other programs run or obey it, so creating it is as harmful as changing it;
            otherwise it is only private.
    """

    path: Path
    shape: Shape
    is_obeyed: bool = True


@dataclass(frozen=True, slots=True)
class ProtectedPaths:
    """The protected paths of one user and program.

    Attributes:
        hidden: May be neither read nor written.
        kept: May be read where the call may read, never written.
        homes: The user's home under each of its paths (links); settings there apply in every
            repository.
    """

    hidden: tuple[ProtectedPath, ...]
    kept: tuple[ProtectedPath, ...]
    homes: tuple[Path, ...] = ()

    def kept_in(self, folder: Path) -> Iterator[ProtectedPath]:
        """Return the paths that must not change in a writable folder and its repositories."""
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

    def hidden_in(self, folder: Path, *, by_name: bool = False) -> Iterator[ProtectedPath]:
        """Return the paths that must not be read in a folder; `by_name` reads no disk."""
        if by_name:
            return (place for place in self.hidden if place.path.is_relative_to(folder))
        return _beneath(self.hidden, folder)

    def hides(self, path: Path, *, by_name: bool = False) -> bool:
        """Return whether no tool may read a path; `by_name` reads no disk."""
        return _lies_in(path, self.hidden, by_name=by_name)

    def keeps(self, path: Path, folder: Path | None = None, *, by_name: bool = False) -> bool:
        """Return whether no tool may change a path, in any folder.

        Args:
            path: The path.
            folder: The folder that the user picked, which may itself begin with a dot.
            by_name: Judge by the name alone; read no disk and follow no link.
        """
        if _lies_in(path, (*self.hidden, *self.kept), by_name=by_name):
            return True
        if any(_is_dotted(path, home, folder) for home in self.homes):
            return True
        return _is_obeyed(path, by_name=by_name)

    def _led_to(self, repository: Path, folder: Path) -> Iterator[ProtectedPath]:
        """Return what the settings of a repository name in a folder, there or not."""
        home = self.homes[0] if self.homes else None
        leads = islice(referenced_paths(repository, home).places, _HELD_LIMIT)
        named = (ProtectedPath(item.path, item.shape) for item in leads)
        places = (place for place in _beneath(named, folder) if place.path != folder)
        # A link cannot be held, but what it leads to is among them.
        return (place for place in places if not place.path.is_symlink())


def _beneath(places: Iterable[ProtectedPath], folder: Path) -> Iterator[ProtectedPath]:
    """Yield those that lie in a folder, by where links in their way and they themselves lead."""
    around = os.path.join(folder, "")  # noqa: PTH118 - with a slash at its end
    for place, paths in _real_paths(places):
        for path in dict.fromkeys(paths):
            if os.path.join(path, "").startswith(around):  # noqa: PTH118
                yield replace(place, path=Path(path))


def _lies_in(path: Path, places: Iterable[ProtectedPath], *, by_name: bool) -> bool:
    around = {str(path), *map(str, path.parents)}
    if any(str(place.path) in around for place in places):
        return True
    return not by_name and any(not around.isdisjoint(real) for _, real in _real_paths(places))


def _real_paths(places: Iterable[ProtectedPath]) -> Iterator[tuple[ProtectedPath, tuple[str, str]]]:
    """Yield each place by where the links in its way lead, and by where it leads itself.

    There are hundreds, and this is asked for each call: texts are quicker than paths, and many
    places lie in one folder.
    """
    folders: dict[str, str] = {}
    for place in places:
        folder, name = os.path.split(place.path)
        if folder not in folders:
            folders[folder] = os.path.realpath(folder)
        named = os.path.join(folders[folder], name)  # noqa: PTH118
        # `os.path.islink` returns False where `Path.is_symlink` raises for lack of rights.
        yield place, (named, os.path.realpath(named) if os.path.islink(named) else named)  # noqa: PTH114


def _dotted(home: Path) -> Iterator[ProtectedPath]:
    """Yield what begins with a dot in a home, by where it leads; two folders, there or not."""
    with suppress(OSError), os.scandir(home) as entries:
        found = [entry for entry in entries if _is_kept_dotted(entry.name)]
        for entry in found:
            real = Path(os.path.realpath(entry.path))
            # A link cannot be held as it is; what it leads to in the home, that is.
            if home in real.parents and os.path.lexists(real):
                is_folder = os.path.isdir(real)  # noqa: PTH112
                yield ProtectedPath(real, "folder" if is_folder else "file")
        names = {entry.name for entry in found}
        yield from (ProtectedPath(home / n, "folder") for n in KEPT_WHOLE_AT_HOME if n not in names)


def _is_dotted(path: Path, home: Path, folder: Path | None) -> bool:
    if path == home or not path.is_relative_to(home):
        return False
    top = home / path.relative_to(home).parts[0]
    is_picked = folder is not None and folder.is_relative_to(top)
    return _is_kept_dotted(top.name) and not is_picked


def _is_kept_dotted(name: str) -> bool:
    # In a repository only known files steer Git, so it stays writable otherwise.
    return name.startswith(".") and name not in WRITABLE_AT_HOME and name != REPOSITORY


def protected_paths(home: Path, own_folders: tuple[Path, ...] = ()) -> ProtectedPaths:
    """Return the protected paths of a user.

    Args:
        home: The user's home.
        own_folders: The program's own folders: data, settings and log.
    """
    own = [ProtectedPath(folder, "folder") for folder in own_folders]
    # By each name that the home has, so that a link on the way to it changes nothing.
    homes = tuple(dict.fromkeys((home, home.resolve())))
    hidden = [_place(base, name) for base in homes for name in HIDDEN_AT_HOME]
    private = [_place(base, name) for base in homes for name in PRIVATE_AT_HOME]
    hidden += [replace(place, is_obeyed=False) for place in private]
    # The administrator's home is hidden from others, and is just a home for the administrator.
    system = [_place(Path("/"), name[1:]) for name in _HIDDEN_IN_SYSTEM]
    hidden += [item for item in system if not home.resolve().is_relative_to(item.path)]
    kept = tuple(_place(base, name) for base in homes for name in KEPT_AT_HOME)
    return ProtectedPaths((*own, *hidden), kept, homes)


def _place(base: Path, name: str) -> ProtectedPath:
    return ProtectedPath(base / name, "folder" if name.endswith("/") else "file")


def _obeyed_below(folder: Path) -> Iterator[Path]:
    """Yield what other programs obey in a folder and below, within limits of depth and number."""
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
    """Yield what is obeyed right in a folder; its own folders are added to `below`."""
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


def _kept_of_repository(repository: Path) -> Iterator[ProtectedPath]:
    try:
        mode = repository.lstat().st_mode
    except OSError:
        # Hold the place of a missing repository: one made by a tool could come with hooks.
        yield ProtectedPath(repository, "folder")
        return
    if stat.S_ISDIR(mode):
        yield from (_place(repository, name) for name in _KEPT_IN_REPOSITORY)
    else:
        # The `.git` file of a worktree or submodule, which says where the repository is.
        yield ProtectedPath(repository, "file")


def _linked_in(repository: Path, folder: Path) -> Iterator[ProtectedPath]:
    """Yield what links among the hooks and settings of a repository lead to in a folder."""
    hooks = repository / HOOKS
    places = [repository / name.rstrip("/") for name in _KEPT_IN_REPOSITORY]
    with suppress(OSError):
        places += hooks.iterdir()
    for place in islice(filter(os.path.islink, places), _HELD_LIMIT):
        yield from _kept_found(place, folder)


def _kept_found(path: Path, folder: Path) -> Iterator[ProtectedPath]:
    """Return what is there, or what a link leads to: the link itself cannot be protected."""
    real = Path(os.path.realpath(path))
    if folder in real.parents and os.path.lexists(real):
        yield ProtectedPath(real, "folder" if os.path.isdir(real) else "file")  # noqa: PTH112 - never raises


def _is_obeyed(path: Path, *, by_name: bool) -> bool:
    """Return whether other programs obey what is at a path, or would if something were there.

    `by_name` leaves out what is obeyed only where it is there already, since that takes a look.
    """
    parts = [plain(part) for part in path.parts]
    obeyed = (index for index, part in enumerate(parts) if part in OBEYED_FOLDERS)
    if any(parts[index + 1 : index + 2] != [WORK_FOLDERS.get(parts[index])] for index in obeyed):
        return True
    if parts[-1] in OBEYED_FILES:
        return True
    # `os.path.islink` returns False where `Path.is_symlink` raises for lack of rights.
    if not by_name and parts[-1] in OBEYED_ONCE_KNOWN and os.path.exists(path):  # noqa: PTH110
        return True
    stores = {REPOSITORY: _NAMES_IN_REPOSITORY, **OBEYED_IN_STORE}
    return any(_is_obeyed_in(parts, store, names) for store, names in stores.items())


def _is_obeyed_in(parts: list[str], store: str, names: Collection[str]) -> bool:
    if store not in parts:
        return False
    below = parts[parts.index(store) + 1 :]
    return not below or below[0] in names
