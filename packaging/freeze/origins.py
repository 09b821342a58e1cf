"""Where every file and module of the frozen program came from, by what brought it."""

import json
import os
import platform
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import Distribution, distributions
from pathlib import Path, PurePosixPath
from typing import Final
from urllib.parse import quote

from checkout import ROOT
from debian import Package, owners_of

from freeze import artwork, debian_copyright, licence_names, wheel_bills
from freeze.component import Component, Statement
from freeze.manifest import digest
from freeze.needs import read_needs

# In the program, and yet in no list of PyInstaller's: what it puts around everything.
_AROUND: Final = "pyinstaller"
_BOOTLOADERS: Final = ("run", "runw")
_AT_THE_FRONT: Final = "The beginning of each executable, as PyInstaller gives it."
_COMPILED: Final = frozenset({"BINARY", "EXTENSION"})
# Where PyInstaller puts all but the executables.
_INSIDE: Final = "_internal"
_PYTHON: Final = Statement("LICENSE of Python", "PSF-2.0")
# What Microsoft lets everybody hand on with a program; it may lie with the system only.
_RUNTIME_OF_WINDOWS: Final = re.compile(
    r"(?:msvcp|vcruntime|vccorlib|concrt|ucrtbase|api-ms-win-)[\w.-]*\.dll", re.IGNORECASE
)
# The version of a library's interface, which is at the end of its name: all that is certain.
_VERSION: Final = re.compile(r"\.so\.(\d[\d.]*)$|\.(\d[\d.]*)\.dylib$")


@dataclass(frozen=True)
class Origins:
    """What is in the program.

    Attributes:
        components: What others made.
        unknown: Files of which nobody knows where they came from.
    """

    components: tuple[Component, ...]
    unknown: tuple[str, ...]


@dataclass(frozen=True)
class Environment:
    """What was frozen.

    Attributes:
        python: Its interpreter.
        site: Its folder of packages.
        base: The folder of the Python below it (`sys.base_prefix`).
        asked_for: The packages that the program asks for, as requirements.
    """

    python: Path
    site: Path
    base: Path
    asked_for: tuple[str, ...] = ()


@dataclass(frozen=True)
class _File:
    """A file that PyInstaller took: where it was, where it is now, and what it says that it is."""

    source: Path
    destination: PurePosixPath
    kind: str

    def library(self, purl: str, folder: Path) -> Component:
        """The library that it is, in the package of that URL."""
        name, path = self.destination.name, folder / _INSIDE / self.destination
        match = _VERSION.search(name)
        return Component(
            name=name,
            kind="library",
            purl=f"{purl}#{quote(self.destination.as_posix())}",
            version=(match[1] or match[2]) if match else "",
            sha256=digest(path) if path.is_file() else "",
        )


def find_origins(contents: Path, folder: Path, environment: Environment) -> Origins:
    """Reads what PyInstaller noted and tells what brought each part.

    Args:
        contents: What `spec_parts.write_contents` wrote.
        folder: The frozen program.
        environment: What was frozen.
    """
    packages = _packages(environment.site)
    owners = _owners(packages, environment.site)
    of_packages, rest = defaultdict[str, list[_File]](list), list[_File]()
    of_python = list[_File]()
    for file in _files(contents):
        if name := owners.get(file.source):
            of_packages[name].append(file)
        elif not file.source.is_relative_to(ROOT):
            is_of_python = _is_of_python(file.source, environment.base)
            (of_python if is_of_python else rest).append(file)
    of_packages.setdefault(_AROUND, [])
    used = [
        _of_package(package, of_packages[name], folder)
        for name, package in packages.items()
        if name in of_packages
    ]
    of_system, unknown = _of_system(rest, folder)
    used = _with_needs(used, environment)
    found = (_of_python(of_python, folder), *used, *of_system, *artwork.components())
    return Origins(licence_names.settled(found, environment.python), unknown)


def _files(contents: Path) -> list[_File]:
    rows = json.loads(contents.read_text(encoding="utf-8"))
    return [
        _File(Path(source), PurePosixPath(name.replace("\\", "/")), kind)
        for name, source, kind in sorted(rows)
        if source not in {"", "-"}
    ]


def _packages(site: Path) -> dict[str, Distribution]:
    """The packages in a folder by their names, each of which is read once: that takes a while."""
    return {package.metadata["Name"]: package for package in distributions(path=[str(site)])}


def _owners(packages: Mapping[str, Distribution], site: Path) -> dict[Path, str]:
    """Which package each of its files belongs to."""
    place = os.fspath(site.resolve())
    return {
        Path(os.path.normpath(os.path.join(place, file))): name  # noqa: PTH118 - of thousands
        for name, package in packages.items()
        for file in package.files or ()
    }


def _of_package(package: Distribution, files: Sequence[_File], folder: Path) -> Component:
    name = package.metadata["Name"]
    purl = f"pkg:pypi/{name.lower().replace('_', '-')}@{quote(package.version)}"
    linked = wheel_bills.parts_of(package)
    around = tuple(_bootloaders(package, purl)) if name == _AROUND else ()
    is_compiled = bool(around) or any(file.kind in _COMPILED for file in files)
    return Component(
        name=name,
        kind="library",
        purl=purl,
        version=package.version,
        said=licence_names.statements_of(package.metadata),
        is_locked=True,
        may_hold_more=is_compiled and not linked,
        parts=(*_libraries(files, purl, folder), *linked, *around),
    )


def _with_needs(packages: Sequence[Component], environment: Environment) -> list[Component]:
    """Adds to packages what they need; of what is around everything, only its front is there."""
    names = {item.normal_name for item in packages} - {_AROUND}
    site, asked_for = environment.site, environment.asked_for
    found = read_needs(environment.python, site, asked_for, names)
    return [
        replace(item, needs=found.of_packages[name], is_direct=name in found.direct)
        if (name := item.normal_name) in names
        else item
        for item in packages
    ]


def _libraries(files: Iterable[_File], purl: str, folder: Path) -> Iterator[Component]:
    """The shared libraries among files; modules of Python are in what they belong to."""
    return (file.library(purl, folder) for file in files if file.kind == "BINARY")


def _with_libraries(component: Component, files: Iterable[_File], folder: Path) -> Component:
    """Adds its shared libraries, of which the same is known as of itself."""
    parts = (
        replace(part, version=component.version or part.version, said=component.said)
        for part in _libraries(files, component.purl, folder)
    )
    return replace(component, parts=tuple(parts))


def _bootloaders(package: Distribution, purl: str) -> Iterator[Component]:
    for file in sorted(package.files or ()):
        if "bootloader" in file.parts and file.stem in _BOOTLOADERS:
            yield Component(
                name=file.name,
                kind="library",
                purl=f"{purl}#{quote(file.as_posix())}",
                version=package.version,
                said=licence_names.statements_of(package.metadata),
                description=_AT_THE_FRONT,
                sha256=digest(Path(str(package.locate_file(file)))),
            )


def _of_python(files: Iterable[_File], folder: Path) -> Component:
    version = platform.python_version()
    python = Component(
        name="CPython",
        kind="platform",
        purl=f"pkg:generic/cpython@{version}",
        version=version,
        said=(_PYTHON,),
        may_hold_more=True,
    )
    return _with_libraries(python, files, folder)


def _is_of_python(path: Path, base: Path) -> bool:
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    if path.name.startswith(f"lib{version}"):
        return True
    return path.is_relative_to(base) and (base != Path("/usr") or version in path.parts)


def _of_system(
    files: Sequence[_File], folder: Path
) -> tuple[tuple[Component, ...], tuple[str, ...]]:
    """Libraries of the system, by the packages that brought them, and those of nobody."""
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
    known = [_of_debian(owner, brought, folder) for owner, brought in of_packages.items()]
    if of_windows:
        known.append(_of_windows(of_windows, folder))
    return tuple(known), tuple(unknown)


def _of_debian(owner: Package, files: Sequence[_File], folder: Path) -> Component:
    release = platform.freedesktop_os_release()
    purl = f"pkg:deb/{release['ID']}/{quote(owner.name)}@{quote(owner.version)}"
    if number := release.get("VERSION_ID"):
        # Without a release, nobody can tell which weaknesses were mended in it.
        purl += f"?distro={release['ID']}-{quote(number)}"
    package = Component(
        name=owner.name,
        kind="library",
        purl=purl,
        version=owner.version,
        said=debian_copyright.statements_of(owner.name),
        supplier=owner.maintainer,
    )
    return _with_libraries(package, files, folder)


def _of_windows(files: Sequence[_File], folder: Path) -> Component:
    runtime = Component(
        name="Microsoft Visual C++ Runtime",
        kind="library",
        purl="pkg:generic/microsoft-visual-cpp-runtime",
    )
    return _with_libraries(runtime, files, folder)
