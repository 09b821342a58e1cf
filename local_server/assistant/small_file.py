"""Reading a file that somebody else put there: regular, of a bounded size, text."""

import os
import stat
from pathlib import Path


class SmallFileError(Exception):
    """The file is not read; the message says why, without its path.

    Attributes:
        line: Where in the file, as far as it can be told.
    """

    def __init__(self, reason: str, line: int = 1) -> None:
        super().__init__(reason)
        self.line = line


def read_small_file(path: Path, limit_bytes: int) -> str:
    """Read a text file; a mark of its byte order is left out.

    Raises:
        SmallFileError: When it cannot be read, or is no UTF-8 text of at most that size.
    """
    content = _content(path, limit_bytes + 1)
    if len(content) > limit_bytes:
        raise SmallFileError(f"the file is larger than {limit_bytes // 1024} KiB.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        line = content.count(b"\n", 0, exc.start) + 1
        raise SmallFileError("this is not UTF-8 text.", line) from exc


def _content(path: Path, most_bytes: int) -> bytes:
    try:
        with open(path, "rb", opener=_open) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise SmallFileError("this is not a regular file.")
            return file.read(most_bytes)
    except OSError as exc:
        raise SmallFileError(f"it cannot be read: {exc.strerror}.") from exc


def _open(path: str, flags: int) -> int:
    # A pipe must not keep us waiting for whoever writes into it.
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
