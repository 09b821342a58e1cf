"""Reduce the data of ICU to what Qt uses.

Qt for Linux brings ICU's whole data, 30 MB, a fifth of the program. Its libraries call ICU to
compare texts, for case, for time zones and for encodings (`nm -D` of QtCore and QtGui). The words
for units, currencies, languages and regions, transliteration and dictionaries that break lines are
in Qt itself or used by nobody.

Legacy encodings matter only for pasted HTML that names one. The web's single-byte encodings stay.
The multi-byte ones of Chinese, Japanese and Korean, which take most space, are removed: such HTML
is read as UTF-8.
"""

import os
import re
import struct
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from processes import Failed, run

_LIBRARY: Final = re.compile(r"libicudata\.so\.(\d+)")
_UNUSED_FOLDERS: Final = frozenset(
    {"brkitr", "curr", "lang", "rbnf", "region", "translit", "unit"},
)
_UNUSED_KINDS: Final = (".cfu", ".spp")
_ENCODING: Final = ".cnv"
# The encodings that stay, as the web calls them, and ICU's table of each.
ENCODINGS: Final = {
    "ibm866": "ibm-866_P100-1995",
    "iso-8859-2": "ibm-912_P100-1995",
    "iso-8859-3": "ibm-913_P100-2000",
    "iso-8859-4": "ibm-914_P100-1995",
    "iso-8859-5": "ibm-915_P100-1995",
    "iso-8859-6": "ibm-1089_P100-1995",
    "iso-8859-7": "ibm-9005_X110-2007",
    "iso-8859-8": "ibm-5012_P100-1999",
    "iso-8859-10": "iso-8859_10-1998",
    "iso-8859-13": "ibm-921_P100-1995",
    "iso-8859-14": "iso-8859_14-1998",
    "iso-8859-15": "ibm-923_P100-1998",
    "koi8-r": "ibm-878_P100-1996",
    "koi8-u": "ibm-1168_P100-2002",
    "macintosh": "macos-0_2-10.2",
    "windows-874": "windows-874-2000",
    "windows-1250": "ibm-5346_P100-1998",
    "windows-1251": "ibm-5347_P100-1998",
    "windows-1252": "ibm-5348_P100-1997",
    "windows-1253": "ibm-5349_P100-1998",
    "windows-1254": "ibm-5350_P100-1998",
    "windows-1255": "ibm-9447_P100-2002",
    "windows-1256": "ibm-9448_X100-2005",
    "windows-1257": "ibm-9449_P100-2002",
    "windows-1258": "ibm-5354_P100-1998",
    "x-mac-cyrillic": "macos-7_3-10.2",
}
_TABLES: Final = frozenset(ENCODINGS.values())
_UNUSED: Final = frozenset({"unames.icu"})
# The fixed beginning of a package of data, with a mark that says so.
_MARK: Final = b"CmnD"
_MARK_AT: Final = 12
_ALIGNMENT: Final = 16
_SOURCE: Final = """\
.section .rodata
.globl {symbol}
.type {symbol}, @object
.balign 16
{symbol}:
.incbin "data"
.size {symbol}, . - {symbol}
.section .note.GNU-stack, "", @progbits
"""


def trim_in(folder: Path) -> None:
    """Replace ICU's data below a folder by the used part.

    Raises:
        Failed: The assembler or the linker failed.
    """
    for path in folder.rglob("libicudata.so.*"):
        match = _LIBRARY.fullmatch(path.name)
        if match is not None:
            _replace(path, f"icudt{match[1]}_dat")


def trimmed(package: bytes) -> bytes:
    """Return a package of data without the items that are not used.

    Args:
        package: It begins with its own head; what comes after its last item is kept with that.
    """
    head_bytes = struct.unpack_from("<H", package)[0]
    head, body = package[:head_bytes], package[head_bytes:]
    names, items = [], []
    for name, data in _items(body):
        if _is_used(name):
            names.append(name.encode() + b"\0")
            items.append(data + b"\0" * (-len(data) % _ALIGNMENT))
    return head + _table(names, items)


def _items(body: bytes) -> Sequence[tuple[str, bytes]]:
    (count,) = struct.unpack_from("<I", body)
    places = [struct.unpack_from("<II", body, 4 + 8 * number) for number in range(count)]
    ends = [*(begin for _, begin in places[1:]), len(body)]
    return [
        (body[name : body.index(b"\0", name)].decode("ascii"), body[begin:end])
        for (name, begin), end in zip(places, ends, strict=True)
    ]


def _is_used(name: str) -> bool:
    """Return the item that a name means: `icudt73l/FOLDER/FILE`, or without the folder."""
    parts = name.split("/")
    if len(parts) > 2 and parts[1] in _UNUSED_FOLDERS:
        return False
    if parts[-1].endswith(_ENCODING):
        return parts[-1].removesuffix(_ENCODING) in _TABLES
    return parts[-1] not in _UNUSED and not parts[-1].endswith(_UNUSED_KINDS)


def _table(names: Sequence[bytes], items: Sequence[bytes]) -> bytes:
    names_at = 4 + 8 * len(names)
    data_at = names_at + sum(map(len, names))
    padding = -data_at % _ALIGNMENT
    data_at += padding
    entries = [struct.pack("<I", len(names))]
    for name, data in zip(names, items, strict=True):
        entries.append(struct.pack("<II", names_at, data_at))
        names_at += len(name)
        data_at += len(data)
    return b"".join([*entries, *names, b"\0" * padding, *items])


def _replace(path: Path, symbol: str) -> None:
    library = path.read_bytes()
    begin = library.find(_MARK) - _MARK_AT
    size = _size_of(path, symbol)
    with TemporaryDirectory() as work:
        folder = Path(work)
        (folder / "data").write_bytes(trimmed(library[begin : begin + size]))
        (folder / "data.s").write_text(_SOURCE.format(symbol=symbol), encoding="ascii")
        run(["as", "-o", "data.o", "data.s"], doing="Assembling the Unicode data", cwd=folder)
        linking = ["ld", "-shared", "--build-id=none", "-z", "noexecstack", "-soname", path.name]
        run([*linking, "-o", "new", "data.o"], doing="Linking the Unicode data", cwd=folder)
        path.write_bytes((folder / "new").read_bytes())


def _size_of(path: Path, symbol: str) -> int:
    said = run(
        ["readelf", "--wide", "--dyn-syms", path],
        doing="Reading the Unicode data",
        env={**os.environ, "LC_ALL": "C"},
    )
    for line in said.splitlines():
        columns = line.split()
        if columns[-1:] == [symbol]:
            return int(columns[2], 0)
    raise Failed(f"{path} does not hold the Unicode data that was expected.")
