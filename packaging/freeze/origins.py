"""Where every file and module of the frozen program came from, by what brought it."""

import json
import platform
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Final, Literal
from urllib.parse import quote

from checkout import ROOT
from debian import owners_of

from freeze.manifest import digest

# In the program, and yet in no list of PyInstaller's: what it puts around everything.
_AROUND: Final = frozenset({"pyinstaller"})
_LONGEST_LICENCE: Final = 60
# What Microsoft lets everybody hand on with a program; it may lie with the system only.
_RUNTIME_OF_WINDOWS: Final = re.compile(
    r"(?:msvcp|vcruntime|vccorlib|concrt|ucrtbase|api-ms-win-)[\w.-]*\.dll", re.IGNORECASE
)
# What resources hold of others.
_ARTWORK: Final = (
    ("Inter", "OFL-1.1", "fonts/Inter-"),
    ("JetBrains Mono", "OFL-1.1", "fonts/JetBrainsMono-"),
    ("Lucide", "ISC", "icons/"),
)


@dataclass(frozen=True)
class Component:
    """One thing of others that is in the program.

    Attributes:
        reference: A package URL, or a name of its own.
        kind: As CycloneDX tells components apart.
        name: Its name.
        version: Its version; empty where it has none.
        licence: An expression, or the words of its authors; empty where they give none.
        sha256: Of the file, where it is a single one.
        is_locked: The lock file has its hashes.
    """

    reference: str
    kind: Literal["library", "platform", "data"]
    name: str
    version: str = ""
    licence: str = ""
    sha256: str = ""
    is_locked: bool = False


@dataclass(frozen=True)
class Origins:
    """What is in the program.

    Attributes:
        components: What others made.
        unknown: Files of which nobody knows where they came from.
    """

    components: tuple[Component, ...]
    unknown: tuple[str, ...]


def find_origins(contents: Path, site: Path, base: Path) -> Origins:
    """Reads what PyInstaller noted and tells what brought each part.

    Args:
        contents: What `spec_parts.write_contents` wrote.
        site: The folder of packages that was frozen.
        base: The folder of the Python below it (`sys.base_prefix`).
    """
    rows = json.loads(contents.read_text(encoding="utf-8"))
    sources = sorted({Path(source) for _, source, _ in rows if source not in {"", "-"}})
    packages = _packages(site)
    used = {owner for path in sources if (owner := packages.get(path)) is not None}
    found = [_of_package(dist) for dist in metadata.distributions(path=[str(site)])]
    components = [item for item in found if item.name in used | _AROUND]
    rest = [path for path in sources if path not in packages and not path.is_relative_to(ROOT)]
    of_system = [path for path in rest if not _is_of_python(path, base)]
    known, unknown = _of_system(of_system)
    python = Component(
        f"pkg:generic/cpython@{platform.python_version()}",
        "platform",
        "CPython",
        platform.python_version(),
        "PSF-2.0",
    )
    return Origins((python, *components, *known, *_artwork()), unknown)


def _packages(site: Path) -> Mapping[Path, str]:
    """Which package each of its files belongs to."""
    return {
        Path(str(dist.locate_file(file))).resolve(): dist.metadata["Name"]
        for dist in metadata.distributions(path=[str(site)])
        for file in dist.files or ()
    }


def _of_package(dist: metadata.Distribution) -> Component:
    name = dist.metadata["Name"]
    purl = f"pkg:pypi/{name.lower().replace('_', '-')}@{dist.version}"
    return Component(purl, "library", name, dist.version, licence_of(dist), is_locked=True)


def licence_of(dist: metadata.Distribution) -> str:
    """What a package says of its licence: an expression, a short name, or a classifier."""
    for field in ("License-Expression", "License"):
        said = dist.metadata[field].strip() if field in dist.metadata else ""
        if said and len(said) <= _LONGEST_LICENCE and "\n" not in said:
            return said
    classifiers = dist.metadata.get_all("Classifier") or []
    names = [line.rpartition(" :: ")[2] for line in classifiers if line.startswith("License ::")]
    return " or ".join(names)


def _is_of_python(path: Path, base: Path) -> bool:
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    if path.name.startswith(f"lib{version}"):
        return True
    return path.is_relative_to(base) and (base != Path("/usr") or version in path.parts)


def _of_system(paths: Sequence[Path]) -> tuple[tuple[Component, ...], tuple[str, ...]]:
    """Libraries of the system, by the packages that brought them, and those of nobody."""
    found, unknown, owners = [], [], owners_of(paths)
    for path in paths:
        if path in owners:
            name, version = owners[path]
            reference = f"pkg:deb/{_system()}/{quote(name)}@{quote(version)}#{path.name}"
            found.append(Component(reference, "library", name, version, sha256=digest(path)))
        elif _RUNTIME_OF_WINDOWS.fullmatch(path.name):
            name = "Microsoft Visual C++ Runtime"
            reference = f"pkg:generic/microsoft-visual-cpp-runtime#{path.name.lower()}"
            found.append(Component(reference, "library", name, sha256=digest(path)))
        else:
            unknown.append(str(path))
    return tuple(found), tuple(unknown)


def _system() -> str:
    """Debian, or which of its relatives this is."""
    return platform.freedesktop_os_release()["ID"]


def _artwork() -> Iterable[Component]:
    resources = ROOT / "resources"
    for name, licence, beginning in _ARTWORK:
        if any(resources.glob(f"{beginning}*")):
            yield Component(f"artwork:{name}", "data", name, licence=licence)
