"""The forms of installers: what each file is called, and how it comes about."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from installers import archive, deb, macos, rpm, windows
from installers.payload import Payload

# How the folders begin in which installers come about, beside where they go.
WORK: Final = ".installer-"


@dataclass(frozen=True)
class Form:
    """A form of installers.

    Attributes:
        file_name: What the file of a version is called.
        pack: Packs a payload into a file; what else it writes is beside that, and is thrown away.
    """

    file_name: Callable[[str], str]
    pack: Callable[[Payload, Path], None]

    def make(self, payload: Payload, into: Path) -> Path:
        """Write the installer into the folder `into`, where it has its name once it is whole.

        Returns:
            The file.

        Raises:
            Failed: The payload is not whole, or a program that is needed is missing or refused it.
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
