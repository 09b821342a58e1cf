"""Render the program's icon in the sizes that desktops need, with the environment's Qt.

Windows and macOS need one file with several sizes, as PNG.
"""

import os
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from checkout import ROOT, program
from processes import run

DRAWING: Final = ROOT / "resources" / "icons" / "parley.svg"
SIZES: Final = (32, 48, 64, 128, 256, 512)
_DRAW: Final = """
import sys
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

application = QGuiApplication([])
drawing = QSvgRenderer(sys.argv[1])
for size in map(int, sys.argv[3:]):
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    with QPainter(image) as painter:
        drawing.render(painter)
    if not image.save(f"{sys.argv[2]}/{size}.png"):
        sys.exit(f"{size}.png cannot be written.")
"""

_ICO_LARGEST: Final = 256
# Apple's name of each size in pixels; the same pixels also serve as half the size on fine screens.
_ICNS_KINDS: Final = {
    32: (b"icp5", b"ic11"),
    64: (b"icp6", b"ic12"),
    128: (b"ic07",),
    256: (b"ic08", b"ic13"),
    512: (b"ic09", b"ic14"),
}


def draw(folder: Path, sizes: Sequence[int] = SIZES) -> dict[int, Path]:
    """Write the icon to `folder` as PNG; return the file of each size in pixels.

    Raises:
        Failed: The environment is not ready.
    """
    folder.mkdir(parents=True, exist_ok=True)
    run(
        [program("python"), "-I", "-c", _DRAW, DRAWING, folder, *map(str, sizes)],
        doing="Drawing the icon",
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )
    return {size: folder / f"{size}.png" for size in sizes}


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
