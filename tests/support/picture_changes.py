"""Compare the pictures of the window with those of the previous run, and show the differences.

They are kept in pytest's cache. Pages on which only times differ count as equal.
"""

import html
import shutil
from array import array
from pathlib import Path
from typing import Final

from PySide6.QtGui import QImage

# Up to this many changed pixels of a picture are taken for times of day and durations.
_CLOCKS_PX: Final = 800
# Shows durations in milliseconds.
_NEVER_THE_SAME: Final = "undo-"
_STYLE: Final = (
    "body{font:14px sans-serif;margin:24px;background:#888;color:#fff}"
    "figure{display:inline-block;margin:0 16px 16px 0;width:46%}img{width:100%}"
)


def note_changes(pictures: Path, kept: Path) -> list[str]:
    """Keep the pictures of this run in `kept`, and return which look different, by name.

    Where there are some, `kept`/index.html shows each before and now. At first there is nothing to
    compare with.
    """
    before, now = kept / "before", kept / "now"
    taken = sorted(pictures.glob("*.png"))
    changed = [one.name for one in taken if now.exists() and _differs(now / one.name, one)]
    if now.exists() and not changed:
        return []
    shutil.rmtree(before, ignore_errors=True)
    if now.exists():
        now.rename(before)
    shutil.copytree(pictures, now)
    (kept / "index.html").write_text(_page(changed), encoding="utf-8")
    return changed


def _differs(before: Path, after: Path) -> bool:
    if after.name.startswith(_NEVER_THE_SAME):
        return False
    one, other = (QImage(str(path)) for path in (before, after))
    if one.size() != other.size():
        return True
    form = QImage.Format.Format_RGB32
    pixels = (array("I", bytes(image.convertToFormat(form).constBits())) for image in (one, other))
    changed_px: int = sum(was != is_now for was, is_now in zip(*pixels, strict=True))
    return changed_px > _CLOCKS_PX


def _page(names: list[str]) -> str:
    parts = [f"<!DOCTYPE html><meta charset=utf-8><title>Changed</title><style>{_STYLE}</style>"]
    for name in names:
        parts.append(f"<h2>{html.escape(name)}</h2>")
        for side in ("before", "now"):
            address = html.escape(f"{side}/{name}")
            image = f'<img loading="lazy" alt="" src="{address}">'
            parts.append(f"<figure>{image}<figcaption>{side}</figcaption></figure>")
    return "\n".join(parts) + "\n"
