"""The icon as Windows and macOS want it: one file that holds it in several sizes, as PNG."""

import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Final

_ICO_LARGEST: Final = 256
# Apple's name of each size in pixels; the same pixels also serve as half the size on fine screens.
_ICNS_KINDS: Final = {
    32: (b"icp5", b"ic11"),
    64: (b"icp6", b"ic12"),
    128: (b"ic07",),
    256: (b"ic08", b"ic13"),
    512: (b"ic09", b"ic14"),
}


def write_ico(drawn: Mapping[int, Path], target: Path) -> Path:
    """Write the icon for Windows.

    Args:
        drawn: The PNG of each size in pixels.
        target: The file.
    """
    images = [(size, drawn[size].read_bytes()) for size in sorted(drawn) if size <= _ICO_LARGEST]
    offset = 6 + 16 * len(images)
    head = struct.pack("<HHH", 0, 1, len(images))
    for size, data in images:
        # A width of 256 is written as 0.
        head += struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(data), offset)
        offset += len(data)
    target.write_bytes(head + b"".join(data for _, data in images))
    return target


def write_icns(drawn: Mapping[int, Path], target: Path) -> Path:
    """Write the icon for macOS.

    Args:
        drawn: The PNG of each size in pixels.
        target: The file.
    """
    body = b""
    for size in sorted(drawn.keys() & _ICNS_KINDS.keys()):
        data = drawn[size].read_bytes()
        for kind in _ICNS_KINDS[size]:
            body += kind + struct.pack(">I", 8 + len(data)) + data
    target.write_bytes(b"icns" + struct.pack(">I", 8 + len(body)) + body)
    return target
