"""Lay out the files of an installed program on Linux under one root, for packages.

Small files are generated from templates with the product's texts and version.
"""

import gzip
import re
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

from checkout import PACKAGING
from processes import Failed

from installers import icons, product
from installers.payload import Payload
from installers.product import APP_ID, NAME, PROGRAMS

# How xz packs the files of a program: as one stream, so that what its programs share is there once,
# and the bytes do not depend on the number of cores (reproducible).
COMPRESSION: Final = ("-9e", "--threads=1")
_FILE_MODE: Final = 0o644

_PLACE: Final = re.compile(r"@([A-Z_]+)@")


def lay_out(payload: Payload, usr: Path) -> None:
    """Copy the program and its desktop integration files to `usr`.

    The programs and their libraries go to lib/parley; bin has links to them.

    Raises:
        Failed: The payload is incomplete, or the icon cannot be rendered.
    """
    payload.check()
    usr.mkdir(parents=True)
    library = usr / "lib" / NAME
    library.parent.mkdir()
    payload.copy_to(library)
    (usr / "bin").mkdir()
    for name in PROGRAMS:
        (usr / "bin" / name).symlink_to(Path("..", "lib", NAME, name))
    add_desktop_files(payload, usr / "share")
    _add_manual(payload, usr / "share" / "man" / "man1")


def add_desktop_files(payload: Payload, share: Path) -> None:
    """Put what a desktop shows of the program under `share`: its entry, its page, its icon."""
    desktop = (PACKAGING / "linux" / f"{NAME}.desktop").read_text(encoding="utf-8")
    write(share / "applications" / f"{NAME}.desktop", desktop)
    metainfo = fill("linux/metainfo.xml.in", payload)
    write(share / "metainfo" / f"{APP_ID}.metainfo.xml", metainfo)
    hicolor = share / "icons" / "hicolor"
    write(hicolor / "scalable" / "apps" / f"{NAME}.svg", icons.DRAWING.read_bytes())
    drawn = icons.draw(share / "drawn")
    for size, path in drawn.items():
        write(hicolor / f"{size}x{size}" / "apps" / f"{NAME}.png", path.read_bytes())
    shutil.rmtree(share / "drawn")


def write(path: Path, content: str | bytes, mode: int = _FILE_MODE) -> None:
    """Write a file, and the folders it lies in."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    path.chmod(mode)


def compress(text: str) -> bytes:
    """Return the text as gzip without a timestamp (reproducible)."""
    return gzip.compress(text.encode(), mtime=0)


def changes() -> str:
    """Return the change log without its title, as Markdown."""
    text = (PACKAGING / "CHANGES.md").read_text(encoding="utf-8")
    return text.removeprefix("# Changes\n").strip()


def fill(path: str, payload: Payload, **further: str) -> str:
    """Return the text of a file of this folder's neighbours, with `@NAME@` replaced.

    Args:
        path: The file, from `packaging` on ("linux/metainfo.xml.in").
        payload: What is packed.
        further: Values beside those of the product.

    Raises:
        Failed: The file names a place that nothing fills.
    """
    values = {**_values(payload), **further}
    text = Path(PACKAGING, path).read_text(encoding="utf-8")
    unknown = set(_PLACE.findall(text)) - values.keys()
    if unknown:
        raise Failed(f"{path} has places that nothing fills: {', '.join(sorted(unknown))}.")
    if path.endswith(".xml.in"):
        values = {name: escape(value) for name, value in values.items()}
    return _PLACE.sub(lambda match: values[match[1]], text)


def _add_manual(payload: Payload, folder: Path) -> None:
    write(folder / f"{NAME}.1.gz", compress(fill("linux/parley.1.in", payload)))
    for name in PROGRAMS[1:]:
        (folder / f"{name}.1.gz").symlink_to(f"{NAME}.1.gz")


def _values(payload: Payload) -> dict[str, str]:
    date = datetime.fromtimestamp(payload.moment, UTC).date()
    return {
        "APP_ID": product.APP_ID,
        "DATE": date.isoformat(),
        "LICENCE": product.LICENCE,
        "MAINTAINER": product.MAINTAINER,
        "NAME": product.NAME,
        "PACKAGE": product.PACKAGE,
        "PUBLISHER": product.PUBLISHER,
        "SUMMARY": product.SUMMARY,
        "TITLE": product.TITLE,
        "VERSION": payload.version,
        "YEAR": str(date.year),
    }
