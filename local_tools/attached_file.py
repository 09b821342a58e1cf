"""Files that the user attached to a chat, and images that tools return."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from local_tools.skeleton import BLANK_RANGES

ATTACHMENT_LIMIT_BYTES: Final = 32 * 1024 * 1024
"""The largest file that can be attached: a worker holds all of it."""


_NAME_CHARS: Final = 100
# What follows the last dot counts as a suffix only up to this length.
_SUFFIX_CHARS: Final = 12
# They choose between the forms of the character before, such as a coloured heart.
_STYLES: Final = "\ufe0e\ufe0f"

SIDE_LIMIT_PX: Final = 1568
"""The longest side of an image that is sent; models would make it smaller themselves."""


@dataclass(frozen=True, slots=True)
class AttachmentReference:
    """An attached file by name and content hash.

    Attributes:
        name: As the chat shows it; unique within the chat.
        sha256: Of the contents, in hexadecimal.
    """

    name: str
    sha256: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class AttachedFile:
    """An attachment as a tool gets it: the name, and the contents as they were attached."""

    name: str
    data: bytes


DRAWN: Final = "image/x-rgba"
"""The media type of raw pixels: four bytes each, red, green, blue and alpha."""


@dataclass(frozen=True, slots=True)
class ContentImage:
    """An image that a tool returns beside its text.

    Attributes:
        name: How the text names it: `[image: NAME]`.
        media_type: `image/png`, `image/jpeg` or `DRAWN`; from a tool server, whatever it declares.
        width: In pixels, as is `height`; both 0 before the image was decoded.
    """

    name: str
    media_type: str
    width: int
    height: int
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class AttachedContent:
    """The result of a tool that returns images beside its text."""

    text: str
    images: tuple[ContentImage, ...] = ()


def part_of_attachment(parameter: str, values: Mapping[str, object]) -> str:
    """Return the file and the part of it that an input names, such as “offer.pdf, 1-2”."""
    others = (
        str(value)
        for name, value in values.items()
        if name != parameter and value and not isinstance(value, bool)
    )
    return ", ".join([str(values.get(parameter, "")), *others])


def shown_name(text: str) -> str:
    """Return a name of a file without what could pass it off for another, or for a path."""
    plain = unicodedata.normalize("NFC", text)
    kept = "".join(_shown_character(character) for character in plain).strip(" .") or "_"
    if len(kept) <= _NAME_CHARS:
        return kept
    stem, dot, suffix = kept.rpartition(".")
    end = f".{suffix}" if dot and stem and len(suffix) <= _SUFFIX_CHARS else ""
    return f"{kept[: _NAME_CHARS - len(end) - 1]}…{end}"


def _shown_character(character: str) -> str:
    if character in _STYLES:
        return ""
    is_odd = unicodedata.category(character)[0] == "C" or character in "\u2028\u2029/\\[]`"
    is_blank = not character.isascii() and any(
        first <= ord(character) <= last for first, last in BLANK_RANGES
    )
    return "_" if is_odd or is_blank else character
