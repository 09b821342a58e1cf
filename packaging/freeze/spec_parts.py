"""The longer parts of parley.spec, with PyInstaller's own classes.

Among them are the executables' icon, version, description and publisher.
"""

import json
import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final, TypeAlias

from checkout import PACKAGING, ROOT
from installers import icons, macos
from installers.product import LICENCE, PUBLISHER, TITLE, read_version
from installers.product import PROGRAMS as _NAMES
from installers.windows import four_numbers

from freeze.collected import (
    READ_AS_TEXT,
    RESOURCES,
    WITH_DATA,
    WITH_DATA_BY_SYSTEM,
    WITH_METADATA,
)

# Destination, of a module its name; source; kind: PyInstaller's own terms.
Entry: TypeAlias = tuple[str, str, str]

_HERE: Final = PACKAGING / "freeze"
CONTENTS: Final = "contents.json"
# Elsewhere a signature, or the format itself, forbids it.
IS_STRIPPED: Final = sys.platform == "linux"
# Put there by whoever wants the program to know of newer versions (sign_release.py).
_UPDATES: Final = ROOT / "resources" / "updates.json"
# Parley does not use multiprocessing, and PyInstaller's hook for it delays every start.
_UNUSED_HOOK: Final = "pyi_rth_multiprocessing"

VERSION: Final = read_version()
_DESCRIPTIONS: Final = {
    "parley": TITLE,
    "parley-server": f"The bundled service of {TITLE}",
    "parley-tools": f"The tools of {TITLE}",
}
# English (United States), Unicode: what Windows falls back to.
_LANGUAGE: Final = (0x0409, 1200)
_VERSION_RESOURCE: Final = """\
VSVersionInfo(
  ffi=FixedFileInfo(filevers={numbers}, prodvers={numbers}, OS=0x40004, fileType=1),
  kids=[
    StringFileInfo([StringTable("{table}", [{strings}])]),
    VarFileInfo([VarStruct("Translation", {language})]),
  ],
)
"""


@dataclass(frozen=True)
class Program:
    """One executable.

    Attributes:
        name: Its file name without `.exe`.
        has_console: It is a console program, without a window.
    """

    name: str
    has_console: bool = True

    @property
    def script(self) -> Path:
        """The script that it runs."""
        return _HERE / "programs" / f"{self.name.replace('-', '_')}.py"


PROGRAMS: Final = tuple(Program(name, has_console=name != _NAMES[0]) for name in _NAMES)


def data_files(work: Path) -> list[tuple[str, str]]:
    """Return the files that are no code: where each is, and the folder that it goes into."""
    from PyInstaller.utils.hooks import (  # noqa: PLC0415 - only there while freezing
        collect_data_files,
        copy_metadata,
    )

    found = [(os.fspath(ROOT / "resources" / name), f"resources/{name}") for name in RESOURCES]
    found += [(os.fspath(ROOT / name), str(PurePosixPath(name).parent)) for name in READ_AS_TEXT]
    if _UPDATES.is_file():
        found.append((os.fspath(_UPDATES), "resources"))
    for name in (*WITH_DATA, *WITH_DATA_BY_SYSTEM.get(sys.platform, ())):
        found += collect_data_files(name)
    for name in WITH_METADATA:
        found += copy_metadata(name)
    return [*found, _own_metadata(work)]


def used_scripts(scripts: Iterable[Entry]) -> list[Entry]:
    """Return what an executable runs, in order, without the hook that none of ours needs."""
    return [entry for entry in scripts if entry[0] != _UNUSED_HOOK]


def write_contents(work: Path, *tables: Iterable[Entry]) -> None:
    """Note where everything came from, for the bill of materials."""
    rows = sorted({(name, source or "", kind) for table in tables for name, source, kind in table})
    (work / CONTENTS).write_text(json.dumps(rows, indent=0), encoding="utf-8")


def icon(work: Path) -> str | None:
    """Return the icon to embed in an executable; None on Linux, where it is a separate file."""
    if sys.platform == "win32":
        return os.fspath(icons.write_ico(icons.draw(work / "icon"), work / "parley.ico"))
    if sys.platform == "darwin":
        return os.fspath(icons.write_icns(icons.draw(work / "icon"), work / "parley.icns"))
    return None


def version_file(work: Path, name: str) -> str | None:
    """Return the file that tells PyInstaller the properties of an executable for Windows."""
    if sys.platform == "win32":
        path = work / f"{name}.version.txt"
        path.write_text(version_resource(name), encoding="utf-8")
        return os.fspath(path)
    return None


def version_resource(name: str) -> str:
    """Return the properties of one executable, in PyInstaller's form."""
    shown = {
        "CompanyName": PUBLISHER,
        "FileDescription": _DESCRIPTIONS[name],
        "FileVersion": VERSION,
        "InternalName": name,
        "LegalCopyright": f"{PUBLISHER}, {LICENCE}",
        "OriginalFilename": f"{name}.exe",
        "ProductName": TITLE,
        "ProductVersion": VERSION,
    }
    return _VERSION_RESOURCE.format(
        numbers=tuple(map(int, four_numbers(VERSION).split("."))),
        table="".join(f"{number:04X}" for number in _LANGUAGE),
        strings=", ".join(f"StringStruct({key!r}, {words!r})" for key, words in shown.items()),
        language=list(_LANGUAGE),
    )


def info_plist() -> dict[str, object]:
    """Return what Info.plist says of the bundle."""
    return macos.info(VERSION)


def _own_metadata(work: Path) -> tuple[str, str]:
    """Write the package metadata from which the frozen programs read their version."""
    folder = work / f"parley-{read_version()}.dist-info"
    folder.mkdir(parents=True, exist_ok=True)
    text = f"Metadata-Version: 2.1\nName: parley\nVersion: {read_version()}\n"
    (folder / "METADATA").write_text(text, encoding="utf-8")
    return os.fspath(folder), folder.name
