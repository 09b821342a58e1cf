"""What the systems show of an executable: its icon, its version, what it is and whose."""

import os
import sys
from pathlib import Path
from typing import Final

from installers import icons, macos
from installers.icon_files import write_icns, write_ico
from installers.product import APP_ID, LICENCE, PUBLISHER, TITLE, read_version
from installers.windows import four_numbers

__all__ = ["APP_ID", "VERSION", "icon", "of_macos", "of_windows"]

VERSION: Final = read_version()
_WORDS: Final = {
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


def icon(work: Path) -> str | None:
    """Return the file of the icon that goes into an executable; Linux has it beside the program."""
    if sys.platform == "win32":
        return os.fspath(write_ico(icons.draw(work / "icon"), work / "parley.ico"))
    if sys.platform == "darwin":
        return os.fspath(write_icns(icons.draw(work / "icon"), work / "parley.icns"))
    return None


def of_windows(work: Path, name: str) -> str | None:
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
        "FileDescription": _WORDS[name],
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


def of_macos() -> dict[str, object]:
    """Return what Info.plist says of the bundle."""
    return macos.info(VERSION)
