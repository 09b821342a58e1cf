"""What each executable does first: it finds its modules in the archive that all three share.

PyInstaller's own reader opens an archive by its path for each module anew. On Linux and macOS an
update replaces the files of a program that runs; each module that comes late would then be read
from an archive of another version. So it is opened once here, and goes on being what it was.

All that an executable runs shares the names of `__main__`, so these are few.
"""

import marshal
import os
import struct
import sys
import zlib
from types import CodeType

import pyimod01_archive
import pyimod02_importers

# What PyInstaller gives an executable is an archive of its own; ours are empty.
_MODULES = "modules.pyz"
_HEAD = struct.Struct("!4s4si")

sys.dont_write_bytecode = True


class HeldArchive:
    """An archive of modules that can be read for as long as the program runs, whatever happens.

    Attributes:
        toc: Each module by its name, with its kind, where it begins, and its size in bytes.

    It lives as long as the program.
    """

    def __init__(self, path: str) -> None:
        self._file = os.open(path, os.O_RDONLY)
        magic, python, table = _HEAD.unpack(os.pread(self._file, _HEAD.size, 0))
        if (magic, python) != (b"PYZ\0", pyimod01_archive.PYTHON_MAGIC_NUMBER):
            raise ImportError(f"{path} is damaged, or of another Python.")
        size = os.fstat(self._file).st_size
        # It came with this very program, as all of its code does.
        listed = marshal.loads(os.pread(self._file, size - table, table))  # noqa: S302
        self.toc: dict[str, tuple[int, int, int]] = dict(listed)

    def extract(self, name: str) -> CodeType | None:
        """The code of a module; a package without code has none."""
        _, begin, size = self.toc[name]
        if not size:
            return None
        # By place, since several threads may be at it.
        packed = os.pread(self._file, size, begin)
        code: CodeType = marshal.loads(zlib.decompress(packed))  # noqa: S302
        return code


def _archive_of(path: str) -> object:
    if sys.platform == "win32":
        # The setup changes nothing there while a program is open.
        return pyimod01_archive.ZlibArchiveReader(path, check_pymagic=True)
    return HeldArchive(path)


pyimod02_importers.pyz_archive = _archive_of(
    f"{sys._MEIPASS}{os.sep}{_MODULES}"  # type: ignore[attr-defined] # noqa: SLF001
)
# The finders made so far look into the empty one.
sys.path_importer_cache.clear()
