"""Write the licences of everything in the program to one text beside it."""

import importlib.metadata
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Final

from checkout import PACKAGING
from freeze.provenance import ARTWORK_TEXTS, Part

FILE: Final = "licences.txt"
_NAMES: Final = ("licen", "copying", "notice", "authors")
_FOLDER: Final = "licenses"
_FROM_SYSTEM: Final = "pkg:deb/"
_OF_SYSTEM: Final = Path("/usr/share/doc")
_OF_PYTHON: Final = ("LICENSE.txt", "LICENSE", "lib/python3.*/LICENSE.txt", "Resources/LICENSE.txt")
# Their wheels bring no text.
_WITHOUT_TEXT: Final = {
    "PySide6_Essentials": ("LGPL-3.0.txt", "GPL-3.0.txt"),
    "shiboken6": ("LGPL-3.0.txt", "GPL-3.0.txt"),
}
# Their wheels hold more than they bring the texts of.
_FURTHER_TEXTS: Final = {"xllamacpp": ("llama.cpp.txt",)}
_HEAD: Final = """\
Parley brings these parts of others, each under its own licence; nothing was added to them.

The libraries of Qt and of Qt for Python lie as files of their own beside the program and may be
replaced by others of the same interface. Their sources, and those of every other part, are where
their makers publish them, in the versions named here.
"""
_NO_TEXT: Final = "Its makers give no text with it.\n"
_LINE: Final = "=" * 98


def write(parts: Iterable[Part], site: Path, base: Path, folder: Path) -> Path:
    """Write the licences to a file in `folder`.

    Args:
        parts: The components of the program.
        site: The site-packages folder that was frozen.
        base: The folder of its Python (`sys.base_prefix`).
        folder: The frozen folder, which gets the file.

    Returns:
        The file.
    """
    blocks = [_HEAD]
    shown: dict[str, str] = {}
    for part in sorted(parts, key=lambda one: one.name.lower()):
        title = " ".join(filter(None, (part.name, part.version)))
        blocks.append(f"{_LINE}\n{title}\n{part.licence or 'see below'}\n")
        text = "\n".join(_texts(part, site, base)) or _NO_TEXT
        if text in shown and text != _NO_TEXT:
            text = f"The same text as of {shown[text]}.\n"
        else:
            shown[text] = title
        blocks.append(text)
    path = folder / FILE
    path.write_text("\n".join(blocks), encoding="utf-8")
    return path


def _texts(part: Part, site: Path, base: Path) -> Iterator[str]:
    for path in _files(part, site, base):
        yield path.read_text(encoding="utf-8", errors="replace").strip() + "\n"


def _files(part: Part, site: Path, base: Path) -> list[Path]:
    if part.name in _WITHOUT_TEXT:
        return [PACKAGING / "licences" / name for name in _WITHOUT_TEXT[part.name]]
    if part.name in ARTWORK_TEXTS:
        return [ARTWORK_TEXTS[part.name]]
    if part.kind == "platform":
        return [path for pattern in _OF_PYTHON for path in sorted(base.glob(pattern))][:1]
    if part.purl.startswith(_FROM_SYSTEM):
        return sorted(_OF_SYSTEM.glob(f"{part.name}/copyright"))
    found = importlib.metadata.distributions(name=part.name, path=[str(site)])
    own = sorted(
        Path(str(file.locate()))
        for distribution in found
        for file in distribution.files or ()
        if _is_licence(PurePosixPath(file))
    )
    further = _FURTHER_TEXTS.get(part.name, ())
    return [*own, *(PACKAGING / "licences" / name for name in further)]


def _is_licence(path: PurePosixPath) -> bool:
    is_beside = any(part.endswith(".dist-info") for part in path.parts)
    # A folder of this name holds nothing else, however its files are called.
    return is_beside and (
        _FOLDER in path.parts or any(name in path.name.lower() for name in _NAMES)
    )
