"""Names of files, made from titles, that every system takes."""

import re
import unicodedata
from collections.abc import Collection
from typing import Final

_LONGEST_CHARS: Final = 80
# A name may have 255 bytes; the rest is for what is added to it.
_LONGEST_BYTES: Final = 200
_FORBIDDEN: Final = re.compile(r'[<>:"/\\|?*]')
_HIDDEN: Final = frozenset({"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"})
_DEVICES: Final = re.compile(
    r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])( *\..*)?", re.IGNORECASE
)


def file_stem(title: str, fallback: str) -> str:
    """A name without an extension; `fallback` where nothing of the title is left."""
    shown = "".join(
        " " if unicodedata.category(c) in ("Cc", "Zl", "Zp") else c
        for c in unicodedata.normalize("NFC", title)
        if unicodedata.category(c) not in _HIDDEN - {"Cc", "Zl", "Zp"}
    )
    words = " ".join(_FORBIDDEN.sub(" ", shown).split())
    stem = _cut(words).strip(" .-~")
    if not stem:
        return fallback
    return f"{stem}_" if _DEVICES.fullmatch(stem) else stem


def free_name(stem: str, extension: str, taken: Collection[str]) -> str:
    """A name that is none of `taken`, whatever their case; `extension` has no dot, or is empty."""
    ending = f".{extension}" if extension else ""
    known = {name.casefold() for name in taken}
    name, number = f"{stem}{ending}", 2
    while name.casefold() in known:
        name, number = f"{stem} ({number}){ending}", number + 1
    return name


def _cut(words: str) -> str:
    cut = words[:_LONGEST_CHARS]
    return cut.encode()[:_LONGEST_BYTES].decode(errors="ignore")
