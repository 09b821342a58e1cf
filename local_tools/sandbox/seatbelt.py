"""The sandbox of macOS (Seatbelt), by a profile for `sandbox-exec`.

Written after the profiles that ship with macOS, and not tested there by this project: the probe
decides on each computer whether it works. A later rule of a profile beats an earlier one, so
denials come last.

Source: sandbox-exec(1); `/System/Library/Sandbox/Profiles`.
"""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Final

from local_tools.errors import ToolError
from local_tools.sandbox.protected_paths import ProtectedPath, ProtectedPaths
from local_tools.sandbox.types import LaunchSpec, Program, SandboxKind, SandboxRequest
from local_tools.translation_marks import QT_TRANSLATE_NOOP

_STARTER: Final = "/usr/bin/sandbox-exec"
_SYSTEM: Final = (
    *("/System", "/usr", "/bin", "/sbin", "/Library/Frameworks", "/Library/Apple", "/opt"),
    *("/private/etc", "/private/var/db/timezone", "/private/var/select", "/dev"),
)
_DEVICES: Final = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/dev/dtracehelper")
_ALWAYS: Final = """\
(version 1)
(deny default)
(allow process-fork process-exec)
(allow process-info* (target same-sandbox))
(allow signal (target same-sandbox))
(allow sysctl-read)
(allow ipc-posix-sem)
(allow file-read-metadata)
(allow file-read* (literal "/"))
(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))
"""

_MISSING: Final = QT_TRANSLATE_NOOP("Tools", "This system has no sandbox-exec.")


class Seatbelt:
    """Starts programs with `sandbox-exec` and a profile for each. Lives as long as the program."""

    kind: Final[SandboxKind] = "seatbelt"

    def __init__(self, places: ProtectedPaths) -> None:
        self._places = places

    def missing(self) -> str:
        """Return why it cannot even be tried here, as a sentence; empty when it can."""
        return "" if sys.platform == "darwin" and Path(_STARTER).exists() else _MISSING

    def start(self, program: Program, terms: SandboxRequest, held: ExitStack) -> LaunchSpec:
        """Prepare to start `program` within `terms`; closing `held` removes its temporary folder.

        Raises:
            ToolError: When a folder cannot be confined as the terms demand.
        """
        if (
            terms.root is not None
            and terms.may_write
            and self._places.keeps(terms.root, terms.root)
        ):
            raise ToolError(
                f"{terms.root} steers what other programs do, so it is never made writable."
            )
        temporary = Path(os.path.realpath(tempfile.mkdtemp(prefix="parley-")))
        held.callback(partial(shutil.rmtree, temporary, ignore_errors=True))
        text = profile(program, terms, self._places, temporary)
        setting = ("/usr/bin/env", f"TMPDIR={temporary}")
        return LaunchSpec((_STARTER, "-p", text, *setting, *program.argv))


def profile(
    program: Program, terms: SandboxRequest, places: ProtectedPaths, temporary: Path
) -> str:
    """Return the profile for one call, in SBPL, the system's profile language."""
    return _ALWAYS + "".join(f"{rule}\n" for rule in _rules(program, terms, places, temporary))


def _rules(
    program: Program, terms: SandboxRequest, places: ProtectedPaths, temporary: Path
) -> Iterator[str]:
    for path in (*_SYSTEM, *map(str, program.folders)):
        yield f"(allow file-read* (subpath {_quoted(path)}))"
    for path in _DEVICES:
        yield f"(allow file-write-data (literal {_quoted(path)}))"
    yield f"(allow file-read* file-write* (subpath {_quoted(temporary)}))"
    if terms.may_connect:
        yield "(allow network-outbound (remote ip))"
        yield '(allow mach-lookup (global-name "com.apple.dnssd.service"))'
    if terms.root is not None:
        acts = "file-read* file-write*" if terms.may_write else "file-read*"
        yield f"(allow {acts} (subpath {_quoted(terms.root)}))"
        for place in places.kept_in(terms.root):
            yield f"(deny file-write* ({_extent(place)} {_quoted(place.path)}))"
            # Or the folder above it could be moved away, and another put there.
            yield f"(deny file-write-unlink (literal {_quoted(place.path.parent)}))"
    for place in places.hidden:
        yield f"(deny file-read* file-write* ({_extent(place)} {_quoted(place.path)}))"
    for folder in program.folders:
        yield f"(deny file-write* (subpath {_quoted(folder)}))"


def _extent(place: ProtectedPath) -> str:
    return "subpath" if place.shape == "folder" else "literal"


def _quoted(path: Path | str) -> str:
    text = str(path).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'
