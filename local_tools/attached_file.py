"""A file that the user attached to a chat, as the program knows it and as a tool gets it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

ATTACHMENT_LIMIT_BYTES: Final = 32 * 1024 * 1024
"""The largest file that can be attached: a worker holds all of it."""


@dataclass(frozen=True, slots=True)
class AttachmentReference:
    """Which file was attached: its contents are named by their hash.

    Attributes:
        name: As the chat shows it; no other attachment of the chat has it.
        sha256: Of the contents, in hexadecimal.
    """

    name: str
    sha256: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class AttachedFile:
    """What a tool gets for the name of an attachment: the very contents that were attached."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class AttachedContent:
    """Contents that a tool returns beside its text, such as an image."""

    text: str
    data: bytes


def part_of_attachment(parameter: str, values: Mapping[str, object]) -> str:
    """Return which file an input names, and what of it: “offer.pdf, 1-2”."""
    others = (str(value) for name, value in values.items() if name != parameter and value)
    return ", ".join([str(values.get(parameter, "")), *others])
