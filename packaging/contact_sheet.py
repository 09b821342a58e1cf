"""Pictures of every page of the window, in each language, theme and size, on one index page.

The self-test takes them while it goes through the window as a person does.
"""

import html
import json
from collections.abc import Iterable, Mapping
from itertools import groupby
from pathlib import Path
from typing import Final

from checkout import ROOT, program
from processes import Failed, say, succeeds

LANGUAGES: Final = ("en", "de")
SCALES_PERCENT: Final = (100, 200)
_SCREEN: Final = {
    "name": "sheet",
    "x": 0,
    "y": 0,
    "width": 3840,
    "height": 2160,
    "logicalDpi": 96,
    "logicalBaseDpi": 96,
    "dpr": 1,
}
_STYLE: Final = (
    "body{font:14px sans-serif;margin:24px;background:#888;color:#fff}"
    "figure{display:inline-block;margin:0 16px 16px 0;width:560px}img{width:100%}"
)


def make(folder: Path, variables: Mapping[str, str]) -> Path:
    """Take all pictures into folders below `folder`, and return the index page.

    Raises:
        Failed: a run of the self-test failed, so pictures are missing.
    """
    for language in LANGUAGES:
        for percent in SCALES_PERCENT:
            place = folder.resolve() / f"{language}-{percent}"
            say(f"Taking pictures into {place}.")
            command: list[str | Path] = [program("parley"), "--self-test", "--screenshots", place]
            scaled = {**variables, **on_screen(folder), "QT_SCALE_FACTOR": str(percent / 100)}
            if not succeeds([*command, "--language", language], cwd=ROOT, variables=scaled):
                raise Failed(f"The self-test did not pass in {language} at {percent} %.")
    index = folder / "index.html"
    index.write_text(index_page(folder, folder.glob("*/*.png")), encoding="utf-8")
    return index


def on_screen(folder: Path) -> dict[str, str]:
    """Return the variables for a screen that nobody sees, large enough for menus and dialogs.

    Qt's own is 800 pixels wide: what opens further to the right is moved there.
    """
    file = folder.resolve() / "screen.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({"screens": [_SCREEN]}), encoding="utf-8")
    return {"QT_QPA_PLATFORM": f"offscreen:configfile={file}"}


def index_page(folder: Path, pictures: Iterable[Path]) -> str:
    """Return a page with all pictures, those of one page of the window beside each other."""
    parts = [f"<!DOCTYPE html><meta charset=utf-8><title>Parley</title><style>{_STYLE}</style>"]
    for page, those in groupby(sorted(pictures, key=_page_first), key=_page):
        parts.append(f"<h2>{html.escape(page)}</h2>")
        for picture in those:
            address = html.escape(picture.relative_to(folder).as_posix())
            parts.append(
                f'<figure><a href="{address}"><img loading="lazy" src="{address}"></a>'
                f"<figcaption>{address}</figcaption></figure>"
            )
    return "\n".join(parts) + "\n"


def _page(picture: Path) -> str:
    """Return the page of the window: the name without the theme."""
    return picture.stem.rpartition("-")[0]


def _page_first(picture: Path) -> tuple[str, str]:
    return _page(picture), picture.as_posix()
