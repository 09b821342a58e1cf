"""The frozen folder that every installer packs, and copies of it that are the same each time."""

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from processes import Failed

from installers.product import PROGRAMS

_ELF: Final = b"\x7fELF"
_PROGRAM_MODE: Final = 0o755
_FILE_MODE: Final = 0o644


@dataclass(frozen=True)
class Payload:
    """What is packed.

    Attributes:
        folder: The frozen program: three executables and all that they load.
        version: The product's version, as installers name it.
        moment: The time that everything inside is given, in seconds since 1970.
    """

    folder: Path
    version: str
    moment: int

    def check(self, suffix: str = "") -> None:
        """Looks whether the folder has the programs; `suffix` is ".exe" for Windows.

        Raises:
            Failed: It has not; the sentence names the first that is missing.
        """
        for name in PROGRAMS:
            if not (self.folder / f"{name}{suffix}").is_file():
                raise Failed(
                    f"{self.folder} has no {name}{suffix}: python3 packaging/dev.py build makes it."
                )

    def paths(self) -> list[Path]:
        """Everything in the folder, relative to it, folders before what they hold."""
        return sorted(path.relative_to(self.folder) for path in self.folder.rglob("*"))

    def elf_files(self) -> Iterator[Path]:
        """The programs and libraries of Linux in it, whole paths, in order."""
        for path in self.paths():
            whole = self.folder / path
            if whole.is_file() and not whole.is_symlink() and _begins_as_elf(whole):
                yield whole

    def copy_to(self, target: Path) -> None:
        """Copies it to `target`, which must not exist yet.

        Only the programs may be executed, and nothing is writable for others, however the folder
        came here.
        """
        shutil.copytree(self.folder, target, symlinks=True)
        for path in self.paths():
            copy = target / path
            if copy.is_symlink():
                continue
            is_program = str(path) in PROGRAMS or copy.is_dir()
            copy.chmod(_PROGRAM_MODE if is_program else _FILE_MODE)
        target.chmod(_PROGRAM_MODE)


def set_times(folder: Path, moment: int) -> None:
    """Gives `folder` and everything in it one time, so that no archive tells when it was made."""
    for path in (*folder.rglob("*"), folder):
        os.utime(path, (moment, moment), follow_symlinks=False)


def _begins_as_elf(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_ELF)) == _ELF
