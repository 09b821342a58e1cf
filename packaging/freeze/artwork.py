"""The fonts, icons and tables of others that lie in resources."""

import re
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from checkout import ROOT

from freeze.component import Component, Statement

# Name, licence, the file with its text, and what its files begin with.
_ARTWORK: Final = (
    ("Inter", "OFL-1.1", "fonts/Inter-OFL.txt", "fonts/Inter-*.otf"),
    ("JetBrains Mono", "OFL-1.1", "fonts/JetBrainsMono-OFL.txt", "fonts/JetBrainsMono-*.ttf"),
    ("Lucide", "ISC", "icons/LICENSE", "icons/*.svg"),
    ("Unicode confusables", "Unicode-DFS-2016", "unicode/LICENSE", "unicode/*.txt"),
)
RESOURCES: Final = ROOT / "resources"
TEXTS: Final = {name: text for name, _, text, _ in _ARTWORK}


def components(resources: Path = RESOURCES) -> Iterator[Component]:
    """Those of which there are files."""
    for name, licence, text, pattern in _ARTWORK:
        if files := sorted(resources.glob(pattern)):
            version = _VERSIONS.get(files[0].suffix, _of_font)(files[0])
            said = (Statement(f"resources/{text}", licence),)
            yield Component(name=name, kind="data", version=version, said=said)


def _of_icon(_icon: Path) -> str:
    """An icon says nothing of its version."""
    return ""


def _of_table(table: Path) -> str:
    """What a table says in its first line."""
    found = re.search(r"version (\d[\d.]*\d)", table.read_text(encoding="ascii"))
    return found[1] if found else ""


def _of_font(font: Path) -> str:
    """What an OpenType font says of its version, in its table "head"."""
    contents = font.read_bytes()
    (count,) = struct.unpack_from(">H", contents, 4)
    rows = [contents[at : at + 16] for at in range(12, 12 + count * 16, 16)]
    tables = {row[:4]: row for row in rows}
    (place,) = struct.unpack_from(">I", tables[b"head"], 8)
    (revision,) = struct.unpack_from(">i", contents, place + 4)
    return f"{revision / 65536:.3f}"


_VERSIONS: Final = {".svg": _of_icon, ".txt": _of_table}
