"""Map every file and module of the frozen program to the package it comes from."""

import json
import os
import platform
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import Distribution, distributions
from pathlib import Path, PurePosixPath
from typing import Final, Literal
from urllib.parse import quote

from checkout import ROOT
from debian import Package, owners_of

from freeze.manifest import digest

# PyInstaller lists all files but its own bootloader, with which each executable begins.
BOOTLOADER: Final = "pyinstaller"
# Name, version, licence, and the file with its text.
_ARTWORK: Final = (
    ("Inter", "3.019", "OFL-1.1", "fonts/Inter-OFL.txt"),
    # Comes with the package that draws formulas, whose metadata names only its own licence.
    ("STIX Two Math", "2.11", "OFL-1.1", "fonts/STIXTwoMath-OFL.txt"),
    ("JetBrains Mono", "2.242", "OFL-1.1", "fonts/JetBrainsMono-OFL.txt"),
    # The pictures, and the font that they are in.
    ("Twemoji", "15.0.3", "CC-BY-4.0", "fonts/Twemoji-LICENSE.txt"),
    ("Twemoji Mozilla", "0.7.0", "OFL-1.1", "fonts/Twemoji-LICENSE.txt"),
    ("Lucide", "", "ISC", "icons/LICENSE"),
    ("Mermaid", "11.17.2", "MIT", "mermaid/LICENSE"),
    ("Unicode confusables", "15.0.0", "Unicode-DFS-2016", "unicode/LICENSE"),
)
ARTWORK_TEXTS: Final = {name: ROOT / "resources" / text for name, _, _, text in _ARTWORK}
# Where PyInstaller puts all but the executables.
_INSIDE: Final = "_internal"
# The folder of a wheel with SBOMs of what is linked into its compiled code (PEP 770).
_SBOMS: Final = "sboms"
# Microsoft's redistributable runtime libraries, which may come from the system instead of a wheel.
_RUNTIME_OF_WINDOWS: Final = re.compile(
    r"(?:msvcp|vcruntime|vccorlib|concrt|ucrtbase|api-ms-win-)[\w.-]*\.dll", re.IGNORECASE
)
# The version of a library's interface, at the end of its file name: no other version is certain.
_VERSION: Final = re.compile(r"\.so\.(\d[\d.]*)$|\.(\d[\d.]*)\.dylib$")


@dataclass(frozen=True)
class Library:
    """A shared library in the program.

    Attributes:
        path: Its path relative to the folder of libraries.
        version: The version of its interface or of its package; empty if neither is known.
        sha256: The hash of the file in the folder; empty if it is missing.
    """

    path: PurePosixPath
    version: str
    sha256: str


@dataclass(frozen=True)
class Part:
    """A third-party component of the program.

    Attributes:
        name: Its name.
        kind: The component type of CycloneDX.
        purl: Its package URL; empty if it is in no index.
        version: Its version; empty if unknown.
        licence: The SPDX expression that its makers declare; empty if they do not.
        supplier: The distributor of its files; empty if that is not certain.
        libraries: The shared libraries that it brought.
        sboms: SBOMs by its makers of what was linked into it.
    """

    name: str
    kind: Literal["library", "platform", "data"]
    purl: str = ""
    version: str = ""
    licence: str = ""
    supplier: str = ""
    libraries: tuple[Library, ...] = ()
    sboms: tuple[Path, ...] = ()


@dataclass(frozen=True)
class Provenance:
    """The origins of everything that the frozen program contains.

    Attributes:
        packages: Packages of Python, which an index has.
        others: What no index of Python has: Python itself, libraries of the system, artwork.
        unknown: Files of which nobody knows where they came from.
    """

    packages: tuple[Part, ...]
    others: tuple[Part, ...]
    unknown: tuple[str, ...]


@dataclass(frozen=True)
class _File:
    """A file that PyInstaller took: where it was, where it is now, and what it says that it is."""

    source: Path
    destination: PurePosixPath
    kind: str


def find_provenance(contents: Path, folder: Path, site: Path, base: Path) -> Provenance:
    """Read what PyInstaller noted and tell what brought each file.

    Args:
        contents: What `spec_parts.write_contents` wrote.
        folder: The frozen program.
        site: The folder of packages that was frozen.
        base: The folder of the Python below it (`sys.base_prefix`).
    """
    packages = {each.metadata["Name"]: each for each in distributions(path=[str(site)])}
    owners = _owners(packages, site)
    of_packages = defaultdict[str, list[_File]](list, {BOOTLOADER: []})
    of_python, rest = list[_File](), list[_File]()
    for file in _files(contents):
        if name := owners.get(file.source):
            of_packages[name].append(file)
        elif not file.source.is_relative_to(ROOT):
            is_of_python = _is_of_python(file.source, base)
            (of_python if is_of_python else rest).append(file)
    found = [
        _package(package, of_packages[name], folder)
        for name, package in packages.items()
        if name in of_packages
    ]
    of_system, unknown = _of_system(rest, folder)
    return Provenance(tuple(found), (_python(of_python, folder), *of_system, *_artwork()), unknown)


def _files(contents: Path) -> Iterator[_File]:
    for name, source, kind in sorted(json.loads(contents.read_text(encoding="utf-8"))):
        if source not in {"", "-"}:
            yield _File(Path(source), PurePosixPath(name.replace("\\", "/")), kind)


def _owners(packages: Mapping[str, Distribution], site: Path) -> dict[Path, str]:
    """Return which package each of its files belongs to."""
    place = os.fspath(site.resolve())
    return {
        Path(os.path.normpath(os.path.join(place, file))): name  # noqa: PTH118 - of thousands
        for name, package in packages.items()
        for file in package.files or ()
    }


def _package(package: Distribution, files: Iterable[_File], folder: Path) -> Part:
    name = package.metadata["Name"]
    return Part(
        name=name,
        kind="library",
        purl=f"pkg:pypi/{name.lower().replace('_', '-')}@{quote(package.version)}",
        version=package.version,
        licence="".join(package.metadata.get_all("License-Expression") or ()),
        libraries=_libraries(files, folder),
        sboms=tuple(
            Path(str(package.locate_file(file)))
            for file in sorted(package.files or ())
            if file.parent.name == _SBOMS and file.parent.parent.suffix == ".dist-info"
        ),
    )


def _libraries(files: Iterable[_File], folder: Path, version: str = "") -> tuple[Library, ...]:
    """Return the shared libraries among files; modules of Python are in what they belong to."""
    return tuple(
        _library(file.destination, folder, version) for file in files if file.kind == "BINARY"
    )


def _library(destination: PurePosixPath, folder: Path, version: str) -> Library:
    path, match = folder / _INSIDE / destination, _VERSION.search(destination.name)
    of_interface = (match[1] or match[2]) if match else ""
    return Library(destination, version or of_interface, digest(path) if path.is_file() else "")


def _is_of_python(path: Path, base: Path) -> bool:
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    if path.name.startswith(f"lib{version}"):
        return True
    return path.is_relative_to(base) and (base != Path("/usr") or version in path.parts)


def _python(files: Iterable[_File], folder: Path) -> Part:
    version = platform.python_version()
    return Part(
        name="CPython",
        kind="platform",
        purl=f"pkg:generic/cpython@{version}",
        version=version,
        licence="PSF-2.0",
        libraries=_libraries(files, folder, version),
    )


def _of_system(files: Sequence[_File], folder: Path) -> tuple[list[Part], tuple[str, ...]]:
    """Return the system packages that brought libraries, and the libraries that none brought."""
    owners = owners_of([file.source for file in files])
    of_packages, of_windows = defaultdict[Package, list[_File]](list), list[_File]()
    unknown = []
    for file in files:
        if file.source in owners:
            of_packages[owners[file.source]].append(file)
        elif _RUNTIME_OF_WINDOWS.fullmatch(file.source.name):
            of_windows.append(file)
        else:
            unknown.append(str(file.source))
    known = [_debian_package(owner, brought, folder) for owner, brought in of_packages.items()]
    if of_windows:
        known.append(_windows_runtime(of_windows, folder))
    return known, tuple(unknown)


def _debian_package(owner: Package, files: Iterable[_File], folder: Path) -> Part:
    release = platform.freedesktop_os_release()
    purl = f"pkg:deb/{release['ID']}/{quote(owner.name)}@{quote(owner.version)}"
    if number := release.get("VERSION_ID"):
        # Without a release, nobody can tell which weaknesses were mended in it.
        purl += f"?distro={release['ID']}-{quote(number)}"
    return Part(
        name=owner.name,
        kind="library",
        purl=purl,
        version=owner.version,
        supplier=owner.maintainer,
        libraries=_libraries(files, folder, owner.version),
    )


def _windows_runtime(files: Iterable[_File], folder: Path) -> Part:
    return Part(
        name="Microsoft Visual C++ Runtime",
        kind="library",
        purl="pkg:generic/microsoft-visual-cpp-runtime",
        libraries=_libraries(files, folder),
    )


def _artwork() -> Iterator[Part]:
    for name, version, licence, _ in _ARTWORK:
        yield Part(name=name, kind="data", version=version, licence=licence)
