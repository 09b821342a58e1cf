"""Which installers are made where, and the programs of the system that make them."""

import shutil
import sys
from pathlib import Path
from typing import Final

from processes import say
from system_packages import SystemPackage, bring

from installers import archive, deb, licences, macos, rpm
from installers.payload import Payload

_LINUX: Final = (
    SystemPackage("dpkg-deb", "dpkg"),
    SystemPackage("rpmbuild", "rpm"),
    SystemPackage("xz", "xz-utils"),
    SystemPackage("readelf", "binutils"),
)


def make(payload: Payload, into: Path) -> list[Path]:
    """Makes every installer that this system can make.

    Args:
        payload: The frozen folder; on macOS, the bundle is beside it.
        into: Where the files go.

    Returns:
        The files.

    Raises:
        Failed: A program that is needed is missing, or did not succeed.
    """
    if sys.platform == "win32":
        say("The installer for Windows is packed on Linux: dev.py build --pack-windows FOLDER.")
        return []
    if sys.platform == "darwin":
        app = payload.folder.parent / "Parley.app"
        # The bundle was made before there was such a file; it is signed with it.
        shutil.copy(payload.folder / licences.FILE, app / "Contents" / "Resources")
        return [macos.make(app, payload.version, into)]
    bring(_LINUX, "Making installers")
    return [make_one(payload, into) for make_one in (deb.make, rpm.make, archive.make)]


def make_earlier(payload: Payload, into: Path) -> list[Path]:
    """Makes the installers for Linux once more, as if of a version before, and hardly compressed.

    Returns:
        The files, in the order of `make`.

    Raises:
        Failed: As `make`.
    """
    earlier = Payload(payload.folder, f"{payload.version}~earlier", payload.moment)
    return [
        make_one(earlier, into, is_quick=True) for make_one in (deb.make, rpm.make, archive.make)
    ]
