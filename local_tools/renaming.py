"""Moving a thing from one held folder into another without ever replacing what is there."""

import ctypes
import errno
import os
import stat
import sys
from contextlib import suppress
from typing import Final

_RENAME_NOREPLACE: Final = 1
# What a kernel or a file system says that does not know the flag.
_UNKNOWN: Final = frozenset({errno.ENOSYS, errno.EINVAL})


def rename_new(source: int, name: str, destination: int, new_name: str) -> None:
    """Move `name` in the folder `source` to `new_name` in the folder `destination`.

    Both folders are descriptors, so that no path is walked.

    Raises:
        FileExistsError: When something has that name already; nothing was moved.
        OSError: When it cannot be moved, for one because the disks differ.
    """
    if sys.platform == "linux" and _rename_by_kernel(source, name, destination, new_name):
        return
    status = os.stat(name, dir_fd=source, follow_symlinks=False)
    if stat.S_ISREG(status.st_mode):
        # Unlike a rename, a link never replaces.
        os.link(name, new_name, src_dir_fd=source, dst_dir_fd=destination, follow_symlinks=False)
        os.unlink(name, dir_fd=source)
        return
    with suppress(FileNotFoundError):
        os.stat(new_name, dir_fd=destination, follow_symlinks=False)
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
    # At worst this takes the place of an empty folder.
    os.rename(name, new_name, src_dir_fd=source, dst_dir_fd=destination)


def _rename_by_kernel(source: int, name: str, destination: int, new_name: str) -> bool:
    """Returns false when the kernel or the file system does not know how."""
    library = ctypes.CDLL(None, use_errno=True)
    if not hasattr(library, "renameat2"):
        return False
    before, after = os.fsencode(name), os.fsencode(new_name)
    if library.renameat2(source, before, destination, after, _RENAME_NOREPLACE) == 0:
        return True
    code = ctypes.get_errno()
    if code in _UNKNOWN:
        return False
    raise OSError(code, os.strerror(code))
