"""Install a set of tools from a folder, or from an untrusted zip file.

Everything is read and checked before anything is written, and none of it runs. Zip entries are read
one by one: names are checked, links and devices refused, and sizes counted as they are read.
"""

import shutil
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Final

from local_tools.errors import ToolError, explain_os_error, named
from local_tools.user_tools.folder_files import (
    FILES_LIMIT,
    MANIFEST,
    TOTAL_LIMIT_BYTES,
    FolderFiles,
    is_left_out,
    read_files,
    unfit_name,
)
from local_tools.user_tools.manifest import read_manifest

RATIO_LIMIT: Final = 100

# Small files can have a high ratio and be harmless.
_RATIO_COUNTS_FROM_BYTES: Final = 64 * 1024
# Bit 0 of an entry's general purpose flags (PKWARE's APPNOTE.TXT, 4.4.4).
_ENCRYPTED: Final = 0x1
_PACKINGS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_UNREADABLE: Final = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError)


def install_tools(source: Path, tools_folder: Path) -> str:
    """Copy a set of tools into `tools_folder`; return the name in its manifest, its folder's name.

    Raises:
        ToolError: It is not a set of tools, the name is taken, or it cannot be written.
    """
    try:
        files = read_files(source) if source.is_dir() else read_zip(source)
        name = read_manifest(files).name
        tools_folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if (tools_folder / name).exists():
            raise ToolError(f"There is already a folder “{name}” among your tools.")
        made = Path(tempfile.mkdtemp(dir=tools_folder, prefix=".new-"))
        try:
            files.write_to(made)
            made.rename(tools_folder / name)
        finally:
            shutil.rmtree(made, ignore_errors=True)
    except OSError as exc:
        raise explain_os_error(exc, exc.filename or source) from exc
    return name


def read_zip(source: Path) -> FolderFiles:
    """Read a zip file into memory, within limits; a single folder around everything is dropped.

    Raises:
        ToolError: It is not a zip file, or is refused; the message says why.
        OSError: It cannot be read.
    """
    if source.stat().st_size > TOTAL_LIMIT_BYTES:
        raise ToolError(f"{source.name} is too large.")
    contents: dict[str, bytes] = {}
    try:
        with zipfile.ZipFile(source) as archive:
            entries = archive.infolist()
            if len(entries) > FILES_LIMIT:
                raise ToolError(f"{source.name} holds more than {FILES_LIMIT:,} files.")
            left_bytes = TOTAL_LIMIT_BYTES
            for name, entry in _files(entries):
                contents[name] = _read(archive, entry, left_bytes)
                left_bytes -= len(contents[name])
    except _UNREADABLE as exc:
        raise ToolError(f"{source.name} is no zip file that can be read.") from exc
    return FolderFiles(MappingProxyType(_without_top(contents)))


def _files(entries: list[zipfile.ZipInfo]) -> Iterator[tuple[str, zipfile.ZipInfo]]:
    seen: set[str] = set()
    for entry in entries:
        # As it is written: the library would drop what it does not like.
        name = entry.orig_filename.removesuffix("/")
        if reason := unfit_name(name):
            raise ToolError(reason)
        kind = stat.S_IFMT(entry.external_attr >> 16)
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            raise ToolError(f"{named(name)} is a link or a device, and only files are taken.")
        if entry.flag_bits & _ENCRYPTED or entry.compress_type not in _PACKINGS:
            raise ToolError(f"{named(name)} is packed in a way that is not read here.")
        if name.casefold() in seen:
            raise ToolError(f"{named(name)} is in it twice.")
        seen.add(name.casefold())
        if not entry.is_dir() and not is_left_out(name):
            yield name, entry


def _read(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, left_bytes: int) -> bytes:
    """Return one file; what it says of its own size counts for nothing."""
    packed_bytes = max(entry.compress_size, _RATIO_COUNTS_FROM_BYTES // RATIO_LIMIT)
    limit_bytes = min(left_bytes, packed_bytes * RATIO_LIMIT)
    with archive.open(entry) as file:
        data = file.read(limit_bytes + 1)
    if len(data) > limit_bytes:
        raise ToolError(f"{named(entry.filename)} becomes too large when it is unpacked.")
    return data


def _without_top(contents: dict[str, bytes]) -> dict[str, bytes]:
    tops = {name.partition("/")[0] for name in contents}
    if MANIFEST in contents or len(tops) != 1:
        return contents
    return {name.partition("/")[2] or name: data for name, data in contents.items()}
