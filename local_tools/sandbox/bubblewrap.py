"""The Linux sandbox with bubblewrap (namespaces): only mounted paths exist inside.

The program sees the system and its own code read-only, an empty home, a /tmp and a /proc of its
own, and the folder of the call: read-only, or writable except for files that steer other programs.
Where such a file does not exist, an empty placeholder is mounted, which Git inside is told to
ignore. A mount cannot be renamed or removed from inside, so each folder on the path to such a file
is bound onto itself. There is no network unless the request allows it, no other process is visible,
and all processes end with the call.
"""

import functools
import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from local_tools.command_lines import SEARCH_PATH
from local_tools.errors import ToolError
from local_tools.paths.beneath import has_link_below
from local_tools.sandbox import seccomp
from local_tools.sandbox.placeholders import PlaceholderCleanup, Placeholders
from local_tools.sandbox.protected_paths import ProtectedPath, ProtectedPaths
from local_tools.sandbox.types import LaunchSpec, Program, SandboxKind, SandboxRequest
from local_tools.translation_marks import QT_TRANSLATE_NOOP

# The system's programs and what they need; links among them are kept as links.
_SYSTEM: Final = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/etc",
    "/opt",
    "/nix/store",
    "/gnu/store",
    "/run/current-system",
)
# Views of the kernel and its devices, which the sandbox mounts anew.
_NO_FOLDERS_OF_FILES: Final = tuple(map(Path, ("/proc", "/sys", "/dev")))
_NAME_SERVERS: Final = "/etc/resolv.conf"
# Git's global ignore file: the only file in the sandbox's empty home.
_IGNORED_BY_GIT: Final = ".config/git/ignore"
_MEMORY_DISK_BYTES: Final = 512 * 1024 * 1024
_PROCESS_LIMIT: Final = 1024
_HELP_TIMEOUT_S: Final = 5.0

_MISSING: Final = QT_TRANSLATE_NOOP("Tools", "bubblewrap is not installed.")
_UNKNOWN_MACHINE: Final = QT_TRANSLATE_NOOP(
    "Tools", "The system calls of this type of processor are not known."
)


@dataclass(frozen=True, slots=True)
class _Guard:
    """One mount over a path in the call's folder, or over a system path that shows it."""

    path: Path
    act: Literal["bind", "keep", "hide"]
    is_folder: bool

    def arguments(self) -> tuple[str, ...]:
        place = str(self.path)
        if self.act == "bind":
            return ("--bind", place, place)
        if self.act == "keep":
            return ("--ro-bind", place, place)
        if self.is_folder:
            return ("--tmpfs", place, "--remount-ro", place)
        return ("--ro-bind", "/dev/null", place)


class Bubblewrap:
    """Starts programs in new namespaces, with bubblewrap. Lives as long as the program."""

    kind: Final[SandboxKind] = "bubblewrap"

    def __init__(
        self, places: ProtectedPaths, home: Path, search_path: Sequence[str] = SEARCH_PATH
    ) -> None:
        """Take what it protects.

        Args:
            places: What may be neither read nor changed.
            home: The user's home, which is empty inside.
            search_path: Where bubblewrap itself is looked for.
        """
        self._places = places
        self._home = home
        self._program = _find(search_path)
        self._placeholders = Placeholders()

    def missing(self) -> str:
        """Return why it is not available here, as a sentence; empty if it can be tried."""
        if not self._program:
            return _MISSING
        return "" if seccomp.machine_is_known() else _UNKNOWN_MACHINE

    def start(self, program: Program, terms: SandboxRequest, held: ExitStack) -> LaunchSpec:
        """Prepare to start `program` within `terms`; closing `held` removes the placeholders.

        Raises:
            ToolError: When a folder cannot be confined as the terms demand.
        """
        own_parts = tuple(part for part in _own_parts(program) if not _is_of_system(part))
        self._refuse_folder(terms, own_parts)
        guards = tuple(self._guards(terms, own_parts, held))
        filter_descriptor = _readable(seccomp.filter_program(may_connect=terms.may_connect), held)
        unseen_descriptor = _readable(self._unseen_by_git(terms.root), held)
        argv = [
            self._program,
            *("--unshare-all", "--unshare-user"),
            *(("--share-net",) if terms.may_connect else ()),
            # As PID 1 the program cannot be killed from inside. By default bubblewrap's own process
            # is PID 1, beside the program, and holds its pipes to us.
            *("--die-with-parent", "--new-session", "--as-pid-1", "--cap-drop", "ALL"),
            *("--seccomp", str(filter_descriptor), "--unsetenv", "TMPDIR"),
            *self._mounts(terms, guards, unseen_descriptor),
            *("--chdir", "/", "--", *program.argv),
        ]
        return LaunchSpec(
            tuple(argv),
            (filter_descriptor, unseen_descriptor),
            _PROCESS_LIMIT,
            tells_signals_as_codes=True,
            kept=tuple(guard.path for guard in guards if guard.act != "bind"),
        )

    def _refuse_folder(self, terms: SandboxRequest, own_parts: Sequence[Path]) -> None:
        root = terms.root
        if root is None:
            return
        if any(root.is_relative_to(item) for item in _NO_FOLDERS_OF_FILES):
            raise ToolError(f"{root} is no folder of files, so nothing was run there.")
        if self._places.hides(root):
            raise ToolError(f"{root} is where secrets lie, so nothing was run there.")
        if not terms.may_write:
            return
        if root == Path(root.anchor):
            raise ToolError("The topmost folder of this computer is never made writable.")
        if self._places.keeps(root, root) or any(root.is_relative_to(part) for part in own_parts):
            raise ToolError(f"{root} steers what other programs do, so it is never made writable.")

    def _mounts(
        self, terms: SandboxRequest, guards: Sequence[_Guard], unseen_descriptor: int
    ) -> Iterator[str]:
        root = terms.root
        if root == Path("/"):
            yield from ("--ro-bind", "/", "/")
        else:
            yield from _system()
        yield from ("--proc", "/proc", "--dev", "/dev")
        for place in ("/dev/shm", "/tmp", str(self._home)):  # noqa: S108 - a /tmp of its own
            yield from self._memory_disk(place)
        # What is in it stays usable; new files would fill the memory without a bound.
        yield from ("--remount-ro", "/dev")
        if terms.may_connect and not Path(_NAME_SERVERS).resolve().is_relative_to("/etc"):
            servers = str(Path(_NAME_SERVERS).resolve())
            yield from ("--ro-bind-try", servers, servers)
        if root is not None and root != Path("/"):
            yield from ("--bind" if terms.may_write else "--ro-bind", str(root), str(root))
        ignored = self._home / _IGNORED_BY_GIT
        if root is None or not ignored.is_relative_to(root):
            yield from ("--file", str(unseen_descriptor), str(ignored))
        for guard in guards:
            yield from guard.arguments()
        yield from ("--remount-ro", "/")

    def _unseen_by_git(self, root: Path | None) -> bytes:
        """Return the names that Git is to overlook, since only placeholders bear them."""
        names = () if root is None else self._placeholders.standing(root)
        return "".join(f"/{name}\n" for name in names if _is_plain(name)).encode()

    def _memory_disk(self, place: str) -> tuple[str, ...]:
        size = ("--size", str(_MEMORY_DISK_BYTES)) if _knows_size(self._program) else ()
        return (*size, "--tmpfs", place)

    def _guards(
        self, terms: SandboxRequest, own_parts: Sequence[Path], held: ExitStack
    ) -> Iterator[_Guard]:
        """Yield what lies over the folders that were bound, outermost first."""
        found = [*self._masks(terms.root), *_kept(own_parts, terms.root)]
        own = [ProtectedPath(part, "folder") for part in own_parts]
        if terms.root is not None and terms.may_write:
            found += self._holds(terms.root, own, held)
        hidden: list[Path] = []
        kept: list[Path] = []
        # Of several guards for a path the strictest counts; one within it must be stricter still.
        for guard in sorted(set(found), key=_outermost_and_strictest):
            if guard.path not in own_parts and _lies_in(guard.path, hidden):
                continue
            if guard.act != "hide" and guard.path not in own_parts and _lies_in(guard.path, kept):
                continue
            yield guard
            if guard.act != "bind":
                (hidden if guard.act == "hide" else kept).append(guard.path)

    def _masks(self, root: Path | None) -> Iterator[_Guard]:
        """Yield the masks over secrets in the bound folders."""
        shown = [Path(os.path.realpath(item)) for item in _SYSTEM]
        if root is not None:
            shown.append(root)
        for place in self._places.hidden_in(Path("/")):
            path = place.path
            is_shown = any(path.is_relative_to(folder) for folder in shown)
            if is_shown and os.access(path, os.R_OK) and not os.path.islink(path):  # noqa: PTH114 - it never raises
                yield _Guard(path, "hide", path.is_dir())

    def _holds(
        self, root: Path, own_parts: Sequence[ProtectedPath], held: ExitStack
    ) -> Iterator[_Guard]:
        """Yield read-only mounts in a writable folder, and mounts of the folders above them."""
        leftovers = PlaceholderCleanup(root)
        held.callback(leftovers.close)
        hidden = list(self._places.hidden_in(root))
        kept = [*self._places.kept_in(root), *own_parts]
        closed = {place.path for place in kept if place.shape == "folder"}
        for place in (*hidden, *(item for item in kept if item.path.is_relative_to(root))):
            # A path that cannot be made needs no placeholder, nor does one that no program reads.
            is_needed = place.is_obeyed and closed.isdisjoint(place.path.parents)
            if not is_needed and not os.path.lexists(place.path):
                continue
            if not self._placeholders.hold(root, place, leftovers):
                continue
            held.callback(self._placeholders.release, root, place)
            for folder in place.path.parents:
                if folder == root:
                    break
                yield _Guard(folder, "bind", is_folder=True)
            is_folder = place.path.is_dir()
            yield _Guard(place.path, "hide" if place in hidden else "keep", is_folder)


def _outermost_and_strictest(guard: _Guard) -> tuple[int, int]:
    return len(guard.path.parts), ("hide", "keep", "bind").index(guard.act)


def _lies_in(path: Path, folders: Sequence[Path]) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)


def _is_plain(name: str) -> bool:
    """Return whether Git reads the name as a pattern for itself alone."""
    return not any(sign in name for sign in "*?[]\\\n") and name == name.strip()


def _find(search_path: Sequence[str]) -> str:
    """Return where bubblewrap lies; looked for in the system's own folders only."""
    places = (f"{folder}/bwrap" for folder in search_path)
    return next((place for place in places if os.access(place, os.X_OK)), "")


@functools.cache
def _knows_size(program: str) -> bool:
    """Return whether this version can limit a disk in memory."""
    try:
        said = subprocess.run(
            [program, "--help"], capture_output=True, check=False, timeout=_HELP_TIMEOUT_S
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return b"--size" in said.stdout + said.stderr


def _system() -> Iterator[str]:
    for place in _SYSTEM:
        path = Path(place)
        if path.is_symlink() and place.count("/") == 1:
            yield from ("--symlink", str(path.readlink()), place)
        elif path.exists():
            yield from ("--ro-bind", place, place)


def _own_parts(program: Program) -> dict[Path, None]:
    """Return the folders of the program, as they are named and where they lie."""
    named = dict.fromkeys(program.folders)
    return named | dict.fromkeys(Path(os.path.realpath(folder)) for folder in program.folders)


def _kept(own_parts: Sequence[Path], root: Path | None) -> Iterator[_Guard]:
    """Yield a guard over each folder of the program, unless a bound folder links to it already."""
    bound = own_parts if root is None else (*own_parts, root)
    for part in own_parts:
        around = [folder for folder in bound if folder != part and part.is_relative_to(folder)]
        if not any(has_link_below(part, folder) for folder in around):
            yield _Guard(part, "keep", is_folder=True)


def _is_of_system(path: Path) -> bool:
    return any(path.is_relative_to(place) for place in _SYSTEM)


def _readable(data: bytes, held: ExitStack) -> int:
    """Return a descriptor from which `data` can be read once; it must fit into a pipe."""
    outgoing, incoming = os.pipe()
    held.callback(os.close, outgoing)
    os.write(incoming, data)
    os.close(incoming)
    return outgoing
