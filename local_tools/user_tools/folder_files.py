"""Read all files of a folder of tools once, within limits, and hash them."""

import hashlib
import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Final

from local_tools.errors import ToolError, explain_os_error, named

MANIFEST: Final = "tool.toml"
FILES_LIMIT: Final = 1_000
TOTAL_LIMIT_BYTES: Final = 50 * 1024 * 1024

_PATH_CHARS: Final = 240
_DEPTH_LIMIT: Final = 16
# What running or opening a folder leaves behind; never read and never run.
_LEFT_OUT: Final = frozenset({"__pycache__", "__MACOSX", ".DS_Store", "Thumbs.db"})
_NO_FOLLOW: Final = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_FILE_MODE: Final = 0o600
_FOLDER_MODE: Final = 0o700
_UNFIT_SIGNS: Final = frozenset('\\:*?"<>|')


@dataclass(frozen=True, slots=True)
class FolderFiles:
    """The contents of all files of a folder, as read once; names use `/`."""

    contents: Mapping[str, bytes]

    @property
    def hashes(self) -> dict[str, str]:
        """The SHA-256 of each file, in hexadecimal, by name."""
        return {name: hashlib.sha256(data).hexdigest() for name, data in self.contents.items()}

    @property
    def fingerprint(self) -> str:
        """The SHA-256 over the names and contents of all files."""
        lines = [f"{digest} {name}" for name, digest in sorted(self.hashes.items())]
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()

    def text(self, name: str) -> str:
        """Return one file as text, invalid UTF-8 replaced; empty if the file is missing."""
        return self.contents.get(name, b"").decode("utf-8", "replace")

    def write_to(self, folder: Path) -> None:
        """Write all files to an empty folder, readable by the owner only.

        Raises:
            OSError: They cannot be written.
        """
        for name, data in self.contents.items():
            place = folder / name
            place.parent.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
            descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _FILE_MODE)
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)


def read_files(folder: Path) -> FolderFiles:
    """Read a folder of tools: regular files and folders; links are refused.

    Raises:
        ToolError: It is too large, cannot be read, or contains something else.
    """
    contents: dict[str, bytes] = {}
    left_bytes = TOTAL_LIMIT_BYTES
    try:
        for name, path in _walk(folder):
            contents[name] = _read(path, left_bytes)
            left_bytes -= len(contents[name])
    except OSError as exc:
        raise explain_os_error(exc, exc.filename or folder) from exc
    return FolderFiles(MappingProxyType(contents))


def is_left_out(name: str) -> bool:
    """Return whether a file is a by-product (cache, desktop metadata) that is ignored."""
    return not _LEFT_OUT.isdisjoint(name.split("/"))


def unfit_name(name: str) -> str:
    """Return why a file in a folder of tools cannot have this name; empty if it can."""
    path = PurePosixPath(name)
    parts = name.split("/")
    if not name or len(name) > _PATH_CHARS or len(parts) > _DEPTH_LIMIT:
        return f"The name “{named(name)}” is too long or too deep."
    if path.is_absolute() or any(part in ("", ".", "..") for part in parts):
        return f"“{named(name)}” leads out of the folder."
    if not name.isprintable() or _UNFIT_SIGNS & set(name):
        return f"“{named(name)}” has signs in it that no file name should have."
    if any(part != part.strip() or part.endswith(".") for part in parts):
        return f"“{named(name)}” begins or ends with a blank or a dot that some systems drop."
    return ""


def _walk(top: Path) -> Iterator[tuple[str, Path]]:
    """Yield the files of a folder; so many folders that nobody could mean them count like files."""
    count, waiting = 0, [top]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            few = islice((e for e in entries if e.name not in _LEFT_OUT), FILES_LIMIT + 1 - count)
            found = list(few)
        count += len(found)
        if count > FILES_LIMIT:
            raise ToolError(f"The folder holds more than {FILES_LIMIT:,} files.")
        for entry in found:
            path = Path(entry.path)
            name = path.relative_to(top).as_posix()
            if reason := unfit_name(name):
                raise ToolError(reason)
            if entry.is_symlink():
                raise ToolError(f"{name} is a link, and links are not followed.")
            if entry.is_dir(follow_symlinks=False):
                waiting.append(path)
            else:
                yield name, path


def _read(path: Path, left_bytes: int) -> bytes:
    descriptor = os.open(path, os.O_RDONLY | _NO_FOLLOW)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ToolError(f"{path.name} is no plain file.")
        data = file.read(left_bytes + 1)
    if len(data) > left_bytes:
        raise ToolError(f"The folder holds more than {TOTAL_LIMIT_BYTES:,} bytes.")
    return data
