"""The packages that must come from the system: libraries of Qt, and what some tests need.

They are detected by loading them, not through a package manager, so that it does not matter how
they were installed. Windows and macOS have all of them.
"""

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import debian
from checkout import SETUP, alone, program
from processes import Failed, run, say

_SYSROOT: Final = SETUP / "sysroot"
_TRY_TO_LOAD: Final = """
import ctypes, sys
for name in sys.argv[1:]:
    try:
        ctypes.CDLL(name)
    except OSError:
        print(name)
"""


@dataclass(frozen=True)
class SystemPackage:
    """A required library or program, and the Debian package with it.

    Attributes:
        name: The soname of a library, or the name of a program.
        package: Debian's package; newer releases provide the same names.
        reason: The purpose, as the end of a sentence; empty for libraries of Qt.
    """

    name: str
    package: str
    reason: str = ""


# What the Qt of the lock is linked to, as `ldd` tells: always, for an X window, for Wayland.
ALWAYS: Final = (
    SystemPackage("libstdc++.so.6", "libstdc++6"),
    SystemPackage("libz.so.1", "zlib1g"),
    SystemPackage("libzstd.so.1", "libzstd1"),
    SystemPackage("libbrotlidec.so.1", "libbrotli1"),
    SystemPackage("libgssapi_krb5.so.2", "libgssapi-krb5-2"),
    SystemPackage("libgthread-2.0.so.0", "libglib2.0-0"),
    SystemPackage("libdbus-1.so.3", "libdbus-1-3"),
    SystemPackage("libfontconfig.so.1", "libfontconfig1"),
    SystemPackage("libfreetype.so.6", "libfreetype6"),
    SystemPackage("libxkbcommon.so.0", "libxkbcommon0"),
    SystemPackage("libX11.so.6", "libx11-6"),
    SystemPackage("libGL.so.1", "libgl1"),
    SystemPackage("libEGL.so.1", "libegl1"),
)
X11: Final = (
    SystemPackage("libX11-xcb.so.1", "libx11-xcb1"),
    SystemPackage("libxcb.so.1", "libxcb1"),
    SystemPackage("libxcb-cursor.so.0", "libxcb-cursor0"),
    SystemPackage("libxcb-glx.so.0", "libxcb-glx0"),
    SystemPackage("libxcb-icccm.so.4", "libxcb-icccm4"),
    SystemPackage("libxcb-image.so.0", "libxcb-image0"),
    SystemPackage("libxcb-keysyms.so.1", "libxcb-keysyms1"),
    SystemPackage("libxcb-randr.so.0", "libxcb-randr0"),
    SystemPackage("libxcb-render-util.so.0", "libxcb-render-util0"),
    SystemPackage("libxcb-render.so.0", "libxcb-render0"),
    SystemPackage("libxcb-shape.so.0", "libxcb-shape0"),
    SystemPackage("libxcb-shm.so.0", "libxcb-shm0"),
    SystemPackage("libxcb-sync.so.1", "libxcb-sync1"),
    SystemPackage("libxcb-util.so.1", "libxcb-util1"),
    SystemPackage("libxcb-xfixes.so.0", "libxcb-xfixes0"),
    SystemPackage("libxcb-xkb.so.1", "libxcb-xkb1"),
    SystemPackage("libxkbcommon-x11.so.0", "libxkbcommon-x11-0"),
)
WAYLAND: Final = (
    SystemPackage("libwayland-client.so.0", "libwayland-client0"),
    SystemPackage("libwayland-cursor.so.0", "libwayland-cursor0"),
    SystemPackage("libwayland-egl.so.1", "libwayland-egl1"),
)
# What the engine of models is linked to; its tests are skipped where it is missing.
ENGINE: Final = (SystemPackage("libgomp.so.1", "libgomp1", "a model’s engine"),)
# Programs of tests that are skipped where they are missing.
FOR_TESTS: Final = (
    SystemPackage("dbus-run-session", "dbus", "the real keyring"),
    SystemPackage("gnome-keyring-daemon", "gnome-keyring", "the real keyring"),
    SystemPackage("Xvfb", "xvfb", "a real window"),
    SystemPackage("at-spi-bus-launcher", "at-spi2-core", "assistive technology"),
    SystemPackage("orca", "orca", "a screen reader"),
    SystemPackage("bwrap", "bubblewrap", "the sandbox"),
    SystemPackage("rg", "ripgrep", "searching files"),
    SystemPackage("strace", "strace", "what the system is asked for"),
    SystemPackage("rpmbuild", "rpm", "packages in that form"),
    SystemPackage("openbox", "openbox", "a window manager"),
    SystemPackage("sway", "sway", "Wayland"),
)


def make_ready(*, for_tests: bool = False) -> dict[str, str]:
    """Find what is missing and install it, as far as the rights allow.

    Args:
        for_tests: Also install what only tests need; without it, some tests are skipped.

    Returns:
        Variables for the programs that need the libraries.

    Raises:
        Failed: Libraries are missing and cannot be brought; the sentence says how to install them.
    """
    if sys.platform != "linux":
        return {}
    if for_tests:
        _bring_programs([tool for tool in FOR_TESTS if not _is_program_here(tool.name)])
    missing = _unloadable(_needed_libraries())
    if for_tests and (lacking := _unloadable((*X11, *ENGINE))):
        try:
            # At once: what is unpacked beside the checkout takes the place of what was there.
            return _bring_libraries(list(dict.fromkeys([*missing, *lacking])))
        except Failed as failure:
            reasons = " and ".join(dict.fromkeys(one.reason or "a real window" for one in lacking))
            say(f"{failure} The tests of {reasons} will be skipped.")
    return _bring_libraries(missing) if missing else {}


def _is_program_here(name: str) -> bool:
    """Return whether a program is installed; some, as of assistive technology, are not on PATH."""
    folders = [Path(folder) for folder in os.get_exec_path()]
    beside = [folder.parent / "libexec" for folder in folders if folder.name == "bin"]
    return shutil.which(name, path=os.pathsep.join(map(str, (*folders, *beside)))) is not None


def _needed_libraries() -> tuple[SystemPackage, ...]:
    x11 = X11 if os.environ.get("DISPLAY") else ()
    wayland = WAYLAND if os.environ.get("WAYLAND_DISPLAY") else ()
    return (*ALWAYS, *x11, *wayland)


def _unloadable(
    libraries: Sequence[SystemPackage], variables: Mapping[str, str] | None = None
) -> list[SystemPackage]:
    """Return which libraries the interpreter of the environment cannot load."""
    names = [library.name for library in libraries]
    printed = run(
        [program("python"), "-I", "-S", "-c", _TRY_TO_LOAD, *names],
        doing="Trying to load the libraries of Qt",
        env={**os.environ, **(variables or {})},
    )
    return [library for library in libraries if library.name in printed.splitlines()]


def may_install() -> bool:
    """Return whether packages can be installed into this system from here."""
    return sys.platform != "win32" and os.geteuid() == 0 and debian.is_here()


def bring(things: Sequence[SystemPackage], purpose: str) -> None:
    """Install those of some required programs that are missing, or say how to.

    Args:
        things: The programs.
        purpose: What they are for, to begin a sentence with ("Freezing").

    Raises:
        Failed: Something is missing and cannot be installed from here.
    """
    packages = _packages([thing for thing in things if not _is_program_here(thing.name)])
    if not packages:
        return
    if not may_install():
        raise Failed(f"{purpose} needs more programs: {debian.lasting_command(packages)}")
    say(f"{purpose} needs more programs; installing {', '.join(packages)}.")
    debian.install(packages)


def _packages(things: Sequence[SystemPackage]) -> list[str]:
    return list(dict.fromkeys(thing.package for thing in things))


def _bring_programs(missing: Sequence[SystemPackage]) -> None:
    """Install programs of tests; where that is impossible, say so and return."""
    if not missing:
        return
    reasons = ", ".join(dict.fromkeys(tool.reason for tool in missing))
    if may_install():
        say(f"Installing {', '.join(_packages(missing))} for the tests of {reasons}.")
        try:
            debian.install(_packages(missing))
        except Failed as failure:
            say(f"{failure} The tests of {reasons} will be skipped.")
        return
    say(f"The tests of {reasons} will be skipped: no {', '.join(tool.name for tool in missing)}.")
    if debian.is_here():
        say(f"To run them too: {debian.lasting_command(_packages(missing))}")


def _bring_libraries(missing: Sequence[SystemPackage]) -> dict[str, str]:
    """Install libraries, or use those beside the checkout; return how they are found."""
    if not debian.is_here():
        raise Failed(
            f"Qt needs libraries that this system lacks: {', '.join(one.name for one in missing)}. "
            "Install them with its package manager, then start again."
        )
    packages = _packages(missing)
    if may_install():
        say(f"Installing the libraries of Qt: {' '.join(packages)}")
        debian.install(packages)
        variables: dict[str, str] = {}
    else:
        variables = _libraries_beside_checkout(missing)
    if still := _unloadable(missing, variables):
        raise Failed(
            f"Qt needs libraries that cannot be loaded: {', '.join(one.name for one in still)}. "
            f"Try: {debian.lasting_command(_packages(still))}"
        )
    return variables


def _libraries_beside_checkout(missing: Sequence[SystemPackage]) -> dict[str, str]:
    packages = _packages(missing)
    lasting = f"To install them for good: {debian.lasting_command(packages)}"
    if not _is_unpacked(missing):
        say("Qt needs libraries that this system lacks; unpacking them into .setup.")
        # Not the lock of the environment, which may be made at the same time.
        with alone("libraries.lock", "unpacking libraries"):
            # Another dev.py may have done it while this one waited.
            if not _is_unpacked(missing):
                _unpack(packages, lasting)
    say(f"Qt takes libraries from .setup. {lasting}")
    return debian.variables(_SYSROOT)


def _is_unpacked(libraries: Sequence[SystemPackage]) -> bool:
    return _SYSROOT.is_dir() and not _unloadable(libraries, debian.variables(_SYSROOT))


def _unpack(packages: Sequence[str], lasting: str) -> None:
    try:
        debian.unpack(packages, _SYSROOT)
    except Failed as failure:
        raise Failed(f"{failure}\n{lasting}") from failure
