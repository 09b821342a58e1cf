"""The sandbox of Landlock and seccomp, the fallback on Linux without namespaces.

A small program confines itself irrevocably and then executes the program of the call, so that the
window's process stays as it is. Landlock grants whole folders without exceptions: in a writable
folder, files that steer other programs can be changed, and the `SandboxState` says so. seccomp
refuses every socket. Other processes cannot be read or signalled, but one that leaves its session
may outlive the call.

Source: landlock(7), the kernel's `include/uapi/linux/landlock.h`.
"""

import ctypes
import json
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Collection, Iterator
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Final

from local_tools.errors import ToolError
from local_tools.sandbox import seccomp
from local_tools.sandbox.protected_paths import ProtectedPaths
from local_tools.sandbox.types import LaunchSpec, Program, SandboxKind, SandboxRequest
from local_tools.translation_marks import QT_TRANSLATE_NOOP

_CREATE_RULESET: Final = 444
_ADD_RULE: Final = 445
_RESTRICT_SELF: Final = 446
_ASK_VERSION: Final = 1
_PATH_BENEATH: Final = 1
_PR_SET_SECCOMP: Final = 22
_SECCOMP_FILTER: Final = 2
_PR_SET_NO_NEW_PRIVS: Final = 38

_EXECUTE: Final = 1 << 0
_WRITE_FILE: Final = 1 << 1
_READ_FILE: Final = 1 << 2
_READ_DIR: Final = 1 << 3
_REFER: Final = 1 << 13
_TRUNCATE: Final = 1 << 14
_IOCTL_DEV: Final = 1 << 15
# Everything that the first version knows, REMOVE_DIR to MAKE_SYM among it.
_FIRST_VERSION: Final = (1 << 13) - 1
_READ: Final = _EXECUTE | _READ_FILE | _READ_DIR
_OF_FILES: Final = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV
_TCP: Final = 0b11
# Abstract sockets and signals of those outside.
_SCOPES: Final = 0b11
# Version 1 forbids every move between folders, and versions 1 and 2 let files be emptied.
_LEAST_VERSION: Final = 3
_TCP_VERSION: Final = 4
_DEVICES_VERSION: Final = 5
_SCOPES_VERSION: Final = 6

_SYSTEM: Final = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/opt", "/nix/store"),
    *("/gnu/store", "/run/current-system"),
    *("/proc/cpuinfo", "/proc/filesystems", "/proc/loadavg", "/proc/meminfo", "/proc/stat"),
    *("/proc/uptime", "/proc/version"),
)
# Absent on other systems, where this module can be imported but confines nothing.
_NAMED_ONLY: Final = getattr(os, "O_PATH", 0) | getattr(os, "O_CLOEXEC", 0)
_DEVICES: Final = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")

_MISSING: Final = QT_TRANSLATE_NOOP("Tools", "Landlock is missing from this kernel or too old.")


@dataclass(frozen=True, slots=True)
class _Grants:
    """What the confined program may access; passed as JSON."""

    read: tuple[str, ...]
    write: tuple[str, ...]
    listed: tuple[str, ...]
    temporary: str
    may_connect: bool


class Landlock:
    """Starts programs through a launcher that confines itself. Lives as long as the program."""

    kind: Final[SandboxKind] = "landlock"

    def __init__(self, places: ProtectedPaths, starter: Program) -> None:
        """Take what it protects.

        Args:
            places: What may not be read; what may not be changed cannot be excepted here.
            starter: What runs `confine`.
        """
        self._places = places
        self._starter = starter

    def missing(self) -> str:
        """Return why it cannot even be tried here, as a sentence; empty when it can."""
        if sys.platform == "linux" and seccomp.machine_is_known() and _version() >= _LEAST_VERSION:
            return ""
        return _MISSING

    def start(self, program: Program, terms: SandboxRequest, held: ExitStack) -> LaunchSpec:
        """Prepare to start `program` within `terms`; closing `held` removes its temporary folder.

        Raises:
            ToolError: When a folder cannot be confined as the terms demand.
        """
        root = terms.root
        if root is not None and terms.may_write:
            self._refuse_writable(root, program)
        temporary = tempfile.mkdtemp(prefix="parley-")
        held.callback(partial(shutil.rmtree, temporary, ignore_errors=True))
        # Resolved once for all folders: there are hundreds, and each takes several calls.
        hidden = {Path(os.path.realpath(place.path)) for place in self._places.hidden}
        shown = [] if root is None else list(_around_secrets(root, hidden))
        own = (*program.folders, *self._starter.folders)
        system = [path for item in _SYSTEM for path in _around_secrets(Path(item), hidden)]
        grants = _Grants(
            read=(*map(str, system), *map(str, own), *map(str, shown)),
            write=tuple(map(str, shown)) if terms.may_write else (),
            listed=() if root is None else (str(root),),
            temporary=temporary,
            may_connect=terms.may_connect,
        )
        return LaunchSpec((*self._starter.argv, json.dumps(asdict(grants)), *program.argv))

    def _refuse_writable(self, root: Path, program: Program) -> None:
        own = [Path(os.path.realpath(item)) for item in program.folders]
        if root == Path(root.anchor) or self._places.keeps(root, root):
            raise ToolError(f"{root} steers what other programs do, so it is never made writable.")
        for part in own:
            if part.is_relative_to(root) or root.is_relative_to(part):
                raise ToolError(f"{root} holds parts of Parley, so it is never made writable.")


def _around_secrets(folder: Path, hidden: Collection[Path]) -> Iterator[Path]:
    """Yield a folder or file; where secrets lie in it, what lies beside them."""
    yield from _around(Path(os.path.realpath(folder)), hidden)


def _around(folder: Path, hidden: Collection[Path]) -> Iterator[Path]:
    inside = [path for path in hidden if path.is_relative_to(folder) and path.exists()]
    if folder in inside:
        return
    if not inside:
        yield folder
        return
    with suppress(OSError):
        for entry in sorted(folder.iterdir()):
            if not entry.is_symlink():
                yield from _around(entry, inside)


def confine(arguments: list[str]) -> None:
    """Confine this process irrevocably and execute another program.

    Args:
        arguments: The grants as JSON, then the program and its arguments.

    Raises:
        OSError: When the kernel refuses a step; then nothing has been started.
    """
    given = json.loads(arguments[0])
    os.environ["TMPDIR"] = given["temporary"]
    version = _version()
    ruleset = _make_ruleset(version)
    own_process = str(Path("/proc/self").resolve())
    for path in (*given["read"], own_process):
        _grant(ruleset, path, _READ)
    for path in given["listed"]:
        _grant(ruleset, path, _READ_DIR)
    for path in (*given["write"], given["temporary"]):
        _grant(ruleset, path, _all_rights(version))
    for path in _DEVICES:
        _grant(ruleset, path, _READ_FILE | _WRITE_FILE)
    _check(_library().prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    _check(_library().syscall(_RESTRICT_SELF, ruleset, 0))
    os.close(ruleset)
    _load_filter(seccomp.filter_program(may_connect=given["may_connect"]))
    os.execv(arguments[1], arguments[1:])  # noqa: S606 - an argv, no shell


def _make_ruleset(version: int) -> int:
    numbers = [_all_rights(version)]
    if version >= _TCP_VERSION:
        # No network rights: seccomp decides about sockets.
        numbers.append(0)
    if version >= _SCOPES_VERSION:
        numbers.append(_SCOPES)
    attributes = (ctypes.c_uint64 * len(numbers))(*numbers)
    made = _library().syscall(_CREATE_RULESET, attributes, ctypes.sizeof(attributes), 0)
    return _check(made)


def _all_rights(version: int) -> int:
    devices = _IOCTL_DEV if version >= _DEVICES_VERSION else 0
    return _FIRST_VERSION | _REFER | _TRUNCATE | devices


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("rights", ctypes.c_uint64), ("descriptor", ctypes.c_int32))


def _grant(ruleset: int, path: str, rights: int) -> None:
    """Allow `rights` at and below a path; one that is not there, or not ours, is left out."""
    try:
        descriptor = os.open(path, _NAMED_ONLY)
    except OSError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            rights &= _OF_FILES
        rule = _PathBeneath(rights, descriptor)
        _check(_library().syscall(_ADD_RULE, ruleset, _PATH_BENEATH, ctypes.byref(rule), 0))
    finally:
        os.close(descriptor)


class _FilterProgram(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_char_p))


def _load_filter(program: bytes) -> None:
    given = _FilterProgram(len(program) // 8, program)
    _check(_library().prctl(_PR_SET_SECCOMP, _SECCOMP_FILTER, ctypes.byref(given), 0, 0))


def _version() -> int:
    """Return the version of the kernel's Landlock; 0 or less where there is none."""
    return int(_library().syscall(_CREATE_RULESET, None, 0, _ASK_VERSION))


def _library() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _check(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
