"""The archive of modules: read, for whoever looks through what was built, and written anew."""

import io
import marshal
import struct
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import CodeType
from typing import Final

_MAGIC: Final = b"PYZ\0"
_HEAD_BYTES: Final = 17
_NAMESPACE: Final = 3


def modules(path: Path) -> Iterator[tuple[str, CodeType | None]]:
    """Each module by its name, with its code; a package without code has none.

    The Python that reads must be of the version that wrote.

    Raises:
        ValueError: It is no such archive.
    """
    for name, kind, packed in entries(path):
        if kind == _NAMESPACE:
            yield name, None
        else:
            # Written by ourselves a moment ago.
            yield name, marshal.loads(zlib.decompress(packed))  # noqa: S302


def entries(path: Path) -> Iterator[tuple[str, int, bytes]]:
    """Each module by its name, with its kind and its bytes as they are packed.

    Raises:
        ValueError: It is no such archive.
    """
    data = path.read_bytes()
    if not data.startswith(_MAGIC):
        raise ValueError(path)
    (where,) = struct.unpack("!i", data[8:12])
    # Written by ourselves a moment ago.
    for name, (kind, begin, size) in marshal.load(io.BytesIO(data[where:])):  # noqa: S302
        yield name, kind, data[begin : begin + size]


def written(data: bytes, parts: Iterable[tuple[str, int, bytes]]) -> bytes:
    """An archive of the Python of another, with other parts.

    Args:
        data: The other archive.
        parts: Each module by its name, with its kind and its bytes as they are packed, in order.
    """
    table, blocks, place = [], [], _HEAD_BYTES
    for name, kind, block in parts:
        table.append((name, (kind, place, len(block))))
        blocks.append(block)
        place += len(block)
    head = data[:8] + struct.pack("!i", place) + data[12:_HEAD_BYTES]
    return b"".join([head, *blocks, marshal.dumps(table)])


def words_of(code: CodeType) -> Iterator[str]:
    """Every name and every text that a module's code has."""
    yield from (*code.co_names, *code.co_varnames, code.co_name)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from words_of(constant)
        elif isinstance(constant, str):
            yield constant
        elif isinstance(constant, tuple | frozenset):
            yield from (item for item in constant if isinstance(item, str))
