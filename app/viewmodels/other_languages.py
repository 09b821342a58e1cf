"""`words_elsewhere` translates words of the window into its other languages, for searches.

Whoever knows a setting by its name in another language finds it by that name. The words come from
the `.qm` files that Qt looks them up in, which hold each phrase and its translation.
"""

import struct
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from app.paths import resources

# The format is Qt's (qtranslator.cpp): a magic number, then blocks of a tag, a length and bytes.
_MAGIC_BYTES: Final = 16
_MESSAGES: Final = 0x69
_BLOCK: Final = struct.Struct(">BI")
_LENGTH: Final = struct.Struct(">I")
_END, _TRANSLATION, _OBSOLETE, _SOURCE, _CONTEXT, _COMMENT = 1, 3, 5, 6, 7, 8
_TEXTS: Final = frozenset({_TRANSLATION, _SOURCE, _CONTEXT, _COMMENT})
_NO_TEXT: Final = 0xFFFFFFFF


@cache
def words_elsewhere() -> Mapping[str, str]:
    """Return the wording of each phrase in the other languages, by its wording in one."""
    found: dict[str, str] = {}
    for file in sorted((resources() / "translations").glob("parley_*.qm")):
        for source, translation in read_messages(file):
            found[source] = f"{found.get(source, '')} {translation}"
            found[translation] = f"{found.get(translation, '')} {source}"
    return MappingProxyType(found)


def read_messages(file: Path) -> Iterator[tuple[str, str]]:
    """Yield the phrases of a `.qm` file, each with its translation; plurals with their first."""
    data = file.read_bytes()
    at = _MAGIC_BYTES
    while at + _BLOCK.size <= len(data):
        tag, length = _BLOCK.unpack_from(data, at)
        at += _BLOCK.size
        if tag == _MESSAGES:
            yield from _messages(data[at : at + length])
        at += length


def _messages(block: bytes) -> Iterator[tuple[str, str]]:
    at = 0
    texts: dict[int, bytes] = {}
    while at < len(block):
        tag = block[at]
        at += 1
        if tag == _END:
            if _SOURCE in texts and _TRANSLATION in texts:
                source, translation = texts[_SOURCE], texts[_TRANSLATION]
                yield source.decode("utf-8"), translation.decode("utf-16-be")
            texts = {}
        elif tag == _OBSOLETE:
            at += 1
        elif tag in _TEXTS:
            (length,) = _LENGTH.unpack_from(block, at)
            at += _LENGTH.size
            if length != _NO_TEXT:
                texts.setdefault(tag, block[at : at + length])
                at += length
        else:
            return
