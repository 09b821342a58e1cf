"""The frozen folder that every installer packs, and reproducible copies of it."""

import os
import shutil
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from processes import Failed

from installers.product import PROGRAMS

_ELF: Final = b"\x7fELF"
_RUN_MODE: Final = 0o755
_FILE_MODE: Final = 0o644


@dataclass(frozen=True)
class Payload:
    """The files to pack.

    Attributes:
        folder: The frozen program: three executables and everything that they load.
        version: The product's version, as installers name it.
        moment: The modification time of all files, in seconds since 1970.
        is_quick: It is packed for a test, with little compression.
    """

    folder: Path
    version: str
    moment: int
    is_quick: bool = False

    def check(self, suffix: str = "") -> None:
        """Check that the folder has the programs; `suffix` is ".exe" for Windows.

        Raises:
            Failed: One is missing; the message names the first.
        """
        for name in PROGRAMS:
            if not (self.folder / f"{name}{suffix}").is_file():
                raise Failed(
                    f"{self.folder} has no {name}{suffix}: python3 packaging/dev.py build makes it."
                )

    def paths(self) -> list[Path]:
        """Return all relative paths in the folder, parents first."""
        return sorted(path.relative_to(self.folder) for path in self.folder.rglob("*"))

    def elf_files(self) -> Iterator[Path]:
        """Yield the absolute paths of its ELF files, sorted."""
        for path in self.paths():
            whole = self.folder / path
            if whole.is_file() and not whole.is_symlink() and _begins_as_elf(whole):
                yield whole

    def copy_to(self, target: Path) -> None:
        """Copy it to `target`, which must not exist yet, and set the permissions."""
        shutil.copytree(self.folder, target, symlinks=True)
        Payload(target, self.version, self.moment).set_rights()

    def set_rights(self) -> None:
        """Set permissions: only programs are executable, only the owner can write."""
        for path in (self.folder, *(self.folder / path for path in self.paths())):
            if not path.is_symlink():
                is_program = path.parent == self.folder and path.name in PROGRAMS
                path.chmod(_RUN_MODE if is_program or path.is_dir() else _FILE_MODE)


def make_uniform(folder: Path, moment: int) -> None:
    """Set the same time and normalized permissions on `folder` and everything in it.

    So archives of it do not depend on the time of the build and the umask of the builder. Only
    whether a file is executable stays.
    """
    for path in (*folder.rglob("*"), folder):
        if not path.is_symlink():
            is_run = path.is_dir() or path.stat().st_mode & stat.S_IXUSR
            path.chmod(_RUN_MODE if is_run else _FILE_MODE)
        os.utime(path, (moment, moment), follow_symlinks=False)


def _begins_as_elf(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_ELF)) == _ELF
