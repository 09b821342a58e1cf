"""Read from the frozen program's ELF files what it needs from a Linux system."""

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from processes import Failed, run
from system_packages import ALWAYS, WAYLAND, X11

from installers.payload import Payload

_NEEDED: Final = re.compile(r"\(NEEDED\).*\[(.+?)\]")
_GLIBC: Final = re.compile(r"Name: GLIBC_(\d+)\.(\d+)")
_READ_AT_ONCE: Final = 200
# Debian packages of libraries that `system_packages` does not list, since they come with those that
# it lists.
_FURTHER: Final = {
    "libbrotlicommon.so.1": "libbrotli1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgcc_s.so.1": "libgcc-s1",
    "libexpat.so.1": "libexpat1",
    "libuuid.so.1": "libuuid1",
    "libudev.so.1": "libudev1",
}
_GLIBC_NAMES: Final = re.compile(
    r"^(ld-linux.*|lib(c|m|dl|pthread|rt|util|resolv|nsl|anl|mvec))\.so\.\d+$"
)
# Newer releases renamed the package; the new one also provides the old name.
_ALTERNATIVES: Final = {"libglib2.0-0": "libglib2.0-0 | libglib2.0-0t64"}


@dataclass(frozen=True)
class Needs:
    """The required libraries.

    Attributes:
        libraries: Their sonames, sorted, without those of glibc.
        glibc: The minimum version of glibc, such as (2, 34).
    """

    libraries: tuple[str, ...]
    glibc: tuple[int, int]


def find_needs(payload: Payload) -> Needs:
    """Read what the programs and libraries of the payload load and do not bring.

    Raises:
        Failed: `readelf` is missing.
    """
    files = list(payload.elf_files())
    brought = {path.name for path in payload.paths()}
    printed = "".join(
        run(
            [
                "readelf",
                "--wide",
                "--dynamic",
                "--version-info",
                *files[start : start + _READ_AT_ONCE],
            ],
            doing="Reading what the libraries need (on Debian: apt-get install binutils)",
            env={**os.environ, "LC_ALL": "C"},
        )
        for start in range(0, len(files), _READ_AT_ONCE)
    )
    names = set(_NEEDED.findall(printed)) - brought
    versions = [(int(major), int(minor)) for major, minor in _GLIBC.findall(printed)]
    libraries = sorted(name for name in names if not _GLIBC_NAMES.match(name))
    return Needs(tuple(libraries), max(versions, default=(2, 17)))


def debian_packages(needs: Needs) -> list[str]:
    """Return the entries for `Depends:` of a Debian package.

    Raises:
        Failed: A library is in no table here; the package would not run everywhere.
    """
    major, minor = needs.glibc
    packages = [_ALTERNATIVES.get(name, name) for name in debian_names(needs)]
    return [f"libc6 (>= {major}.{minor})", *packages]


def debian_names(needs: Needs) -> list[str]:
    """Return the names of Debian's packages, without glibc's; newer releases know these, too.

    Raises:
        Failed: A library is in no table here.
    """
    known = {one.name: one.package for one in (*ALWAYS, *X11, *WAYLAND)} | _FURTHER
    unknown = [name for name in needs.libraries if name not in known]
    if unknown:
        raise Failed(
            "The program needs libraries of which no Debian package is known here: "
            f"{', '.join(unknown)}. Name them in system_packages.py or freeze without them."
        )
    return sorted({known[name] for name in needs.libraries})


def rpm_requires(needs: Needs) -> list[str]:
    """Return the entries for `Requires:`, by library: distributions name packages differently."""
    major, minor = needs.glibc
    return [f"libc.so.6(GLIBC_{major}.{minor})(64bit)", *_by_library(needs.libraries)]


def _by_library(names: Iterable[str]) -> list[str]:
    return [f"{name}()(64bit)" for name in names]
