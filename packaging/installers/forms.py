"""The forms of installers: file name, builder and system of each."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from processes import say
from system_packages import SystemPackage, bring

from installers import archive, deb, macos, product, rpm, windows
from installers.payload import Payload

# The prefix of the temporary folders in which installers are made, in the destination folder.
WORK: Final = ".installer-"

_PROGRAMS: Final = (
    SystemPackage("dpkg-deb", "dpkg"),
    SystemPackage("rpmbuild", "rpm"),
    SystemPackage("xz", "xz-utils"),
    SystemPackage("readelf", "binutils"),
)


@dataclass(frozen=True)
class Form:
    """One form of installers, such as deb.

    Attributes:
        file_name: Returns the file name of a version.
        pack: Packs a payload into a file; other files that it writes beside it are discarded.
    """

    file_name: Callable[[str], str]
    pack: Callable[[Payload, Path], None]

    def make(self, payload: Payload, into: Path) -> Path:
        """Write the installer to the folder `into`; it gets its final name when it is complete.

        Returns:
            The file.

        Raises:
            Failed: The payload is incomplete, or a required program is missing or failed.
        """
        name = self.file_name(payload.version)
        with TemporaryDirectory(dir=into.absolute(), prefix=WORK) as work:
            made = Path(work, name)
            self.pack(payload, made)
            return made.replace(into / name)


DEB: Final = Form(deb.file_name, deb.pack)
RPM: Final = Form(rpm.file_name, rpm.pack)
ARCHIVE: Final = Form(archive.file_name, archive.pack)
WINDOWS: Final = Form(windows.file_name, windows.pack)
MACOS: Final = Form(macos.file_name, macos.pack)
# All that Linux tries in a clean room.
LINUX: Final = (DEB, RPM, ARCHIVE)


def makeable() -> tuple[Form, ...]:
    """Return what this system can make, of what it froze or of what another one did."""
    if sys.platform == "win32":
        return ()
    return (MACOS,) if sys.platform == "darwin" else (*LINUX, WINDOWS)


def make_all(payload: Payload, into: Path) -> None:
    """Make every installer that this system makes of what it froze itself.

    Args:
        payload: The frozen folder; on macOS, the bundle is beside it.
        into: Where the files go.

    Raises:
        Failed: A program that is needed is missing, or did not succeed.
    """
    forms = [form for form in makeable() if form is not WINDOWS]
    if not forms:
        say("The installer for Windows is packed on Linux: dev.py build --pack-windows FOLDER.")
    if sys.platform == "linux":
        bring(_PROGRAMS, "Making installers")
    if forms and not product.IS_ADDRESS_READ:
        say(
            f"The installers name {product.ADDRESS} as their publisher's address, which nobody "
            "reads: set authors in pyproject.toml."
        )
    for form in forms:
        say(f"Making {form.file_name(payload.version)}, which takes some minutes.")
        form.make(payload, into)
