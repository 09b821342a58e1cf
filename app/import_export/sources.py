"""Open files to import: JSON, or a zip with JSON inside, which is read without unpacking.

Limits: the size read, and in a zip also the number of names and the ratio of compression.
"""

import codecs
import io
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import IO, Final

from app.common.error_messages import ErrorCode
from app.common.errors import UserFacingError

SIZE_LIMIT_BYTES: Final = 2 * 1024**3
"""So much is read of one import at most."""
RATIO_LIMIT: Final = 100
DIRECTORY_LIMIT_BYTES: Final = 8 * 1024**2
TOKEN_LIMIT_BYTES: Final = 16 * 1024**2
"""The JSON parser holds a string or number whole; more than this without a quote is refused."""

_MEMBER: Final = re.compile(r"(?:.*/)?conversations(?:-\d{1,4})?\.json", re.IGNORECASE)
# An escaped quote ends no string: a string of nothing else would grow without end.
_FREE_QUOTE: Final = re.compile(rb'(?<!\\)"')
_END_OF_DIRECTORY: Final = struct.Struct("<4s4H2LH")
_END_OF_LARGE_DIRECTORY: Final = struct.Struct("<4sQ2H2L4Q")
_PLACE_OF_LARGE_END: Final = struct.Struct("<4sLQL")
# Other methods may need more memory than there is.
_COMPRESSIONS: Final = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
# Encrypted in one of two ways, or patched.
_UNREADABLE_FLAGS: Final = 0x61
# The exceptions that `ZipFile` raises for a damaged central directory.
_DAMAGED: Final = (zipfile.BadZipFile, EOFError, NotImplementedError, ValueError, struct.error)
_LONGEST_COMMENT: Final = 65_535
_PLAIN_BYTES: Final = 1024**2


class NotImported(UserFacingError):
    """Nothing of this file can be imported."""

    def __init__(self, reason: ErrorCode, path: Path) -> None:
        super().__init__(reason, {"name": path.name})


class CutShortError(Exception):
    """Nothing more can be read of a file, or may be; what was read before stands."""


class BoundedReader:
    """Reads `source` up to a limit, whatever size the file states.

    Made by `opened_sources`. Once `stopped` is set, nothing more is read.

    Attributes:
        count_bytes: how much was read so far.
    """

    def __init__(self, source: IO[bytes], limit_bytes: int, stopped: Event) -> None:
        self._source = source
        self._limit_bytes = limit_bytes
        self._stopped = stopped
        self.count_bytes = 0
        self._without_quote = 0

    def read(self, size: int = -1) -> bytes:
        """Read up to `size` bytes.

        Raises:
            CutShortError: the limit is passed, the file is damaged, or somebody stopped it.
        """
        if self._stopped.is_set():
            raise CutShortError
        try:
            data = self._source.read(size)
            if self.count_bytes == 0:
                data = data.removeprefix(codecs.BOM_UTF8) or self._source.read(size)
        except (OSError, EOFError, zipfile.BadZipFile, zlib.error) as exc:
            raise CutShortError from exc
        self.count_bytes += len(data)
        # The first byte may be escaped by the last one before it.
        has_quote = _FREE_QUOTE.search(data, 1) is not None
        self._without_quote = 0 if has_quote else self._without_quote + len(data)
        if self.count_bytes > self._limit_bytes or self._without_quote > TOKEN_LIMIT_BYTES:
            raise CutShortError
        return data


@contextmanager
def opened_sources(path: Path, stopped: Event) -> Iterator[Iterator[BoundedReader]]:
    """Give the JSON files in `path`, one after the other, or the file itself if it is one.

    Raises:
        NotImported: it cannot be read, has no such file, or is larger than anything honest.
    """
    try:
        with path.open("rb") as file:
            if zipfile.is_zipfile(file):
                yield _members(file, path, stopped)
            else:
                file.seek(0)
                yield iter([BoundedReader(file, SIZE_LIMIT_BYTES, stopped)])
    except OSError as exc:
        raise NotImported(ErrorCode.IMPORT_UNREADABLE, path) from exc


def size_of(path: Path) -> int:
    """Return the number of bytes to read, as far as it is known beforehand; at least 1."""
    try:
        with path.open("rb") as file:
            if not zipfile.is_zipfile(file):
                return max(path.stat().st_size, 1)
            return max(sum(info.file_size for info in _listed(file, path)), 1)
    except (OSError, NotImported):
        return 1


def _members(file: IO[bytes], path: Path, stopped: Event) -> Iterator[BoundedReader]:
    infos = _listed(file, path)
    file.seek(0, 2)
    left = min(SIZE_LIMIT_BYTES, max(file.tell() * RATIO_LIMIT, _PLAIN_BYTES))
    with zipfile.ZipFile(file) as archive:
        for info in infos:
            with _opened(archive, info) as member:
                reader = BoundedReader(member, left, stopped)
                yield reader
                left -= reader.count_bytes


def _opened(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> IO[bytes]:
    """Open a member; a damaged one reads as empty, so that the others can be read."""
    try:
        return archive.open(info)
    except _DAMAGED:
        return io.BytesIO()


def _listed(file: IO[bytes], path: Path) -> list[zipfile.ZipInfo]:
    try:
        if _directory_bytes(file) > DIRECTORY_LIMIT_BYTES:
            raise NotImported(ErrorCode.IMPORT_TOO_LARGE, path)
        with zipfile.ZipFile(file) as archive:
            infos = {info.filename: info for info in archive.infolist() if _is_ours(info)}
    except _DAMAGED as exc:
        raise NotImported(ErrorCode.IMPORT_UNREADABLE, path) from exc
    if not infos:
        raise NotImported(ErrorCode.IMPORT_NOTHING_FOUND, path)
    return [infos[name] for name in sorted(infos)]


def _is_ours(info: zipfile.ZipInfo) -> bool:
    is_plain = info.compress_type in _COMPRESSIONS and not info.flag_bits & _UNREADABLE_FLAGS
    return is_plain and _MEMBER.fullmatch(info.filename) is not None


def _directory_bytes(file: IO[bytes]) -> int:
    """Return the length of the list of names, which `ZipFile` reads whole; 2³² if unknown."""
    file.seek(0, 2)
    tail = min(file.tell(), _END_OF_DIRECTORY.size + _LONGEST_COMMENT)
    file.seek(-tail, 2)
    end = file.read(tail)
    at = end.rfind(b"PK\x05\x06")
    if at < 0 or len(end) - at < _END_OF_DIRECTORY.size:
        return 2**32
    return max(int(_END_OF_DIRECTORY.unpack_from(end, at)[5]), _large_directory_bytes(end[:at]))


def _large_directory_bytes(before_end: bytes) -> int:
    """Return the length that the record for large files states, which `ZipFile` trusts; else 0."""
    large, place = _END_OF_LARGE_DIRECTORY, _PLACE_OF_LARGE_END
    if not before_end[-place.size :].startswith(b"PK\x06\x07"):
        return 0
    at = len(before_end) - place.size - large.size
    return int(large.unpack_from(before_end, at)[8]) if at >= 0 else 2**32
