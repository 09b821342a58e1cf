"""Which installers are made where, and the programs of the system that make them."""

import shutil
import sys
from pathlib import Path
from typing import Final

import debian
import system_packages
from processes import Failed, say

from installers import archive, deb, macos, rpm
from installers.payload import Payload

_LINUX: Final = (
    system_packages.SystemPackage("dpkg-deb", "dpkg", "the package for Debian"),
    system_packages.SystemPackage("rpmbuild", "rpm", "the package for rpm"),
    system_packages.SystemPackage("xz", "xz-utils", "the archive"),
    system_packages.SystemPackage("readelf", "binutils", "finding what is needed"),
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
        return [macos.make(payload.folder.parent / "Parley.app", payload.version, into)]
    bring_programs()
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


def bring_programs() -> None:
    """Installs what is missing of the programs that make packages, or says how to.

    Raises:
        Failed: Something is missing and cannot be installed from here.
    """
    missing = [one.package for one in _LINUX if shutil.which(one.name) is None]
    if not missing:
        return
    if not system_packages.may_install():
        raise Failed(f"Installers need more programs: {debian.lasting_command(missing)}")
    say(f"Installing {', '.join(missing)} to make installers.")
    debian.install(missing)
