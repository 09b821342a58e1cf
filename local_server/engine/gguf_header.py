"""Read the header of a GGUF file: its metadata, and how long the file must be.

A model file may come from anywhere, so every number in it is checked before use: no memory is
allocated by a size in the file, and nothing is read beyond what a header needs. Only texts and
numbers of the metadata are kept; lists, such as the vocabulary, are skipped.

Source: llama.cpp's documentation of the format (`ggml/docs/gguf.md`), versions 2 and 3.
"""

import os
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

Value = str | int | float | bool

_MAGIC: Final = b"GGUF"
_VERSIONS: Final = (2, 3)
_DEFAULT_ALIGNMENT: Final = 32
# The largest vocabularies and their merges take some 20 MB.
_MOST_HEADER_BYTES: Final = 128 * 1024 * 1024
_MOST_VALUES: Final = 4096
_MOST_TENSORS: Final = 65_536
_MOST_DIMENSIONS: Final = 4
# In all lists of a header: the largest vocabularies have less than two million with their merges.
_MOST_ITEMS: Final = 4_000_000
_LONGEST_NAME: Final = 1024
# Templates are the longest texts: some kilobytes.
_LONGEST_TEXT: Final = 1024 * 1024

_SIZE: Final = struct.Struct("<Q")
_STRING: Final = 8
_ARRAY: Final = 9
_BOOL: Final = 7
_NUMBERS: Final[Mapping[int, str]] = {
    0: "<B",
    1: "<b",
    2: "<H",
    3: "<h",
    4: "<I",
    5: "<i",
    6: "<f",
    _BOOL: "<B",
    10: "<Q",
    11: "<q",
    12: "<d",
}
# By the number of a tensor's type: how many weights make a block, and how many bytes that takes.
BLOCKS: Final[Mapping[int, tuple[int, int]]] = {
    0: (1, 4),
    1: (1, 2),
    2: (32, 18),
    3: (32, 20),
    6: (32, 22),
    7: (32, 24),
    8: (32, 34),
    9: (32, 40),
    10: (256, 84),
    11: (256, 110),
    12: (256, 144),
    13: (256, 176),
    14: (256, 210),
    15: (256, 292),
    16: (256, 66),
    17: (256, 74),
    18: (256, 98),
    19: (256, 50),
    20: (32, 18),
    21: (256, 110),
    22: (256, 82),
    23: (256, 136),
    24: (1, 1),
    25: (1, 2),
    26: (1, 4),
    27: (1, 8),
    28: (1, 8),
    29: (256, 56),
    30: (1, 2),
    34: (256, 54),
    35: (256, 66),
    39: (32, 17),
    40: (64, 36),
    41: (128, 18),
}


class GgufError(Exception):
    """The file is no complete model; the message is a sentence for the user."""


@dataclass(frozen=True)
class GgufHeader:
    """The header of a file.

    Attributes:
        metadata: Texts and numbers, by their keys.
        tensor_count: The number of tensors.
        whole_bytes: The size of the complete file; None if a tensor is of an unknown type.
        file_bytes: The size that it has.
    """

    metadata: Mapping[str, Value]
    tensor_count: int
    whole_bytes: int | None
    file_bytes: int

    @property
    def is_whole(self) -> bool:
        """Whether the file is complete, as far as that is known."""
        return self.whole_bytes is None or self.file_bytes >= self.whole_bytes

    def text(self, key: str) -> str:
        """Return the text of a key; empty if there is none."""
        value = self.metadata.get(key)
        return value if isinstance(value, str) else ""

    def number(self, key: str) -> int | None:
        """Return the non-negative integer of a key; None if there is none."""
        value = self.metadata.get(key)
        is_number = isinstance(value, int) and not isinstance(value, bool) and value >= 0
        return value if is_number and isinstance(value, int) else None


def read_header(path: Path) -> GgufHeader:
    """Read the header of a file.

    Raises:
        GgufError: When it is no model file, or its header is damaged.
        OSError: When it cannot be read.
    """
    with path.open("rb") as file:
        length = os.fstat(file.fileno()).st_size
        return _Reader(file, length).header()


class _Reader:
    """Reads forward through a header. Made for one file."""

    def __init__(self, file: BinaryIO, length: int) -> None:
        self._file = file
        self._length = length
        self._at = 0
        self._items_left = _MOST_ITEMS

    def header(self) -> GgufHeader:
        if self._length < 24 or self._bytes(4) != _MAGIC:
            raise GgufError("This is not a model file in the GGUF format.")
        version = self._number("<I")
        if version not in _VERSIONS:
            raise GgufError(f"This version of the GGUF format is not supported ({version}).")
        tensor_count = self._bounded("<Q", _MOST_TENSORS)
        value_count = self._bounded("<Q", _MOST_VALUES)
        metadata: dict[str, Value] = {}
        for _ in range(value_count):
            key = self._text(_LONGEST_NAME)
            value = self._value(self._bounded("<I", max(_NUMBERS)))
            if value is not None:
                metadata[key] = value
        end = self._end_of_tensors(tensor_count)
        alignment = metadata.get("general.alignment", _DEFAULT_ALIGNMENT)
        if not isinstance(alignment, int) or not 0 < alignment <= _LONGEST_TEXT:
            raise _damaged()
        begin = -(-self._at // alignment) * alignment
        whole = None if end is None else begin + end if tensor_count else self._at
        return GgufHeader(metadata, tensor_count, whole, self._length)

    def _value(self, kind: int) -> Value | None:
        """Read a value; return None for one that is not kept."""
        if kind == _STRING:
            return self._text(_LONGEST_TEXT)
        if kind == _ARRAY:
            self._pass_array()
            return None
        value = self._of_kind(kind)
        return bool(value) if kind == _BOOL else value

    def _pass_array(self) -> None:
        kind = self._bounded("<I", max(_NUMBERS))
        count = self._bounded("<Q", self._items_left)
        self._items_left -= count
        if kind == _ARRAY:
            # The format allows nested arrays; no model has one.
            raise _damaged()
        if kind != _STRING:
            self._skip(count * struct.calcsize(_format_of(kind)))
            return
        self._pass_texts(count)

    def _pass_texts(self, count: int) -> None:
        """Skip a vocabulary fast: hundreds of thousands of texts, before each start of a model."""
        read, seek, size_of = self._file.read, self._file.seek, _SIZE.unpack
        at, end = self._at, min(self._length, _MOST_HEADER_BYTES)
        for _ in range(count):
            size_bytes = read(_SIZE.size)
            if len(size_bytes) < _SIZE.size:
                raise _damaged()
            (size,) = size_of(size_bytes)
            at += _SIZE.size + size
            if size > _LONGEST_TEXT or at > end:
                raise _damaged()
            seek(size, os.SEEK_CUR)
        self._at = at

    def _end_of_tensors(self, count: int) -> int | None:
        """Return the offset of the end of the last tensor from the beginning of the first."""
        end, is_known = 0, True
        for _ in range(count):
            self._skip(self._bounded("<Q", _LONGEST_NAME))
            weights = 1
            for _ in range(self._bounded("<I", _MOST_DIMENSIONS)):
                weights *= self._bounded("<Q", 1 << 40)
            kind, offset = self._number("<I"), self._bounded("<Q", 1 << 50)
            per_block, block_bytes = BLOCKS.get(int(kind), (0, 0))
            is_known = is_known and per_block > 0
            if is_known:
                end = max(end, offset + -(-weights // per_block) * block_bytes)
        return end if is_known else None

    def _text(self, longest: int) -> str:
        return self._bytes(self._bounded("<Q", longest)).decode(errors="replace")

    def _of_kind(self, kind: int) -> int | float:
        return self._number(_format_of(kind))

    def _bounded(self, format_: str, most: int) -> int:
        number = int(self._number(format_))
        if number > most:
            raise _damaged()
        return number

    def _number(self, format_: str) -> int | float:
        number: int | float = struct.unpack(format_, self._bytes(struct.calcsize(format_)))[0]
        return number

    def _bytes(self, count: int) -> bytes:
        self._advance(count)
        data = self._file.read(count)
        if len(data) < count:
            raise _damaged()
        return data

    def _skip(self, count: int) -> None:
        self._advance(count)
        self._file.seek(count, os.SEEK_CUR)

    def _advance(self, count: int) -> None:
        self._at += count
        if self._at > min(self._length, _MOST_HEADER_BYTES):
            raise _damaged()


def _format_of(kind: int) -> str:
    format_ = _NUMBERS.get(kind)
    if format_ is None:
        raise _damaged()
    return format_


def _damaged() -> GgufError:
    return GgufError("This model file is damaged or was not copied completely.")
