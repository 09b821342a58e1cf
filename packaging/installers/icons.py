"""The program's icon in the sizes that desktops ask for, drawn by the Qt of the environment."""

import os
from collections.abc import Sequence
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


def draw(folder: Path, sizes: Sequence[int] = SIZES) -> dict[int, Path]:
    """Write the icon into `folder` as PNG, and gives the file of each size in pixels.

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
