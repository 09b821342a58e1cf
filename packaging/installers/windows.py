"""Make the Windows installer with NSIS, which also runs on Linux."""

import re
from collections.abc import Iterable
from pathlib import Path, PureWindowsPath
from typing import Final

from checkout import PACKAGING
from processes import run

from installers import icons
from installers.payload import Payload, make_uniform
from installers.product import NAME, PUBLISHER

SCRIPT: Final = PACKAGING / "windows" / f"{NAME}.nsi"


def file_name(version: str) -> str:
    """Return the file name of a version's installer."""
    return f"{NAME}-{version}-windows-x86_64-setup.exe"


def pack(payload: Payload, target: Path) -> None:
    """Pack the installer (see `forms.Form`) of what Windows froze; needs `makensis`."""
    payload.check(".exe")
    work = target.parent
    copy = work / "files"
    payload.copy_to(copy)
    make_uniform(copy, payload.moment)
    icon = icons.write_ico(icons.draw(work / "drawn"), work / f"{NAME}.ico")
    listed = work / "files.nsh"
    listed.write_text(list_files(copy, payload.paths()), encoding="utf-8")
    defined = {
        "VERSION": payload.version,
        "NUMBERS": four_numbers(payload.version),
        "FILES": listed,
        "ICON": icon,
        "OUTPUT": target,
        "PUBLISHER": PUBLISHER,
        "SIZE_KIB": sum(path.stat().st_size for path in copy.rglob("*")) // 1024,
    }
    arguments = [f"-D{name}={value}" for name, value in defined.items()]
    run(
        ["makensis", "-WX", "-V2", "-INPUTCHARSET", "UTF8", *arguments, SCRIPT],
        doing="Making the Windows installer (on Debian: apt-get install nsis)",
    )


def four_numbers(version: str) -> str:
    """Return the version as Windows wants it in file properties: four numbers."""
    numbers = re.findall(r"\d+", version)[:4]
    return ".".join([*numbers, *["0"] * (4 - len(numbers))])


def list_files(folder: Path, paths: Iterable[Path]) -> str:
    """Return the commands that put each file into a folder, and those that remove exactly them.

    Files and folders go by macros of their own: only a file that stays is a failure.

    Args:
        folder: Where the files are now.
        paths: Files and folders in it, folders before what they hold.
    """
    installing: list[str] = []
    removing: list[str] = []
    emptied: list[str] = []
    for path in paths:
        place = f"$INSTDIR\\{_quote(path)}"
        if (folder / path).is_dir():
            emptied.append(f'RMDir "{place}"')
        else:
            parent = f"${{FOLDER}}\\{_quote(path.parent)}"
            if f'SetOutPath "{parent}"' not in installing[-2:]:
                installing.append(f'SetOutPath "{parent}"')
            installing.append(f'File "{folder / path}"')
            removing.append(f'Delete "{place}"')
    return (
        _macro("INSTALL_FILES FOLDER", installing)
        + _macro("REMOVE_FILES", reversed(removing))
        + _macro("REMOVE_FOLDERS", reversed(emptied))
    )


def _quote(path: Path) -> str:
    return str(PureWindowsPath(path)).replace("$", "$$")


def _macro(name: str, lines: Iterable[str]) -> str:
    return f"!macro {name}\n" + "".join(f"  {line}\n" for line in lines) + "!macroend\n"
