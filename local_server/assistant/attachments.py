"""Validate the images of a message or a tool result (extension `attachments`).

Their type is checked by their first bytes; nothing is decoded here.
"""

import base64
import binascii
from collections.abc import Mapping, Sequence
from typing import Final

from local_server.errors import InvalidRequestError
from local_server.schemas import AttachmentBody
from local_server.store.records import NewImage

_MOST: Final = 8
_MOST_BYTES: Final = 5 * 1024 * 1024
_PNG: Final = b"\x89PNG\r\n\x1a\n"
_JPEG: Final = b"\xff\xd8\xff"
_KINDS: Final[Mapping[str, str]] = {
    "image/png": "a PNG",
    "image/jpeg": "a JPEG",
    "image/webp": "a WebP",
}
_NAMED_CHARS: Final = 60


def read_attachments(given: Sequence[AttachmentBody] | None) -> tuple[NewImage, ...]:
    """Read and check the attachments that a client sends; return none for None.

    Raises:
        InvalidRequestError: When they are too many or too large, or one is no such image.
    """
    attachments = given or ()
    if len(attachments) > _MOST:
        raise InvalidRequestError(
            f"At most {_MOST} attachments go with a message; these are {len(attachments)}."
        )
    images = tuple(map(_read, attachments))
    size = sum(len(image.data) for image in images)
    if size > _MOST_BYTES:
        raise InvalidRequestError(
            f"The attachments of a message have at most {_MOST_BYTES // (1024 * 1024)} MiB "
            f"together; these have {size / (1024 * 1024):.1f} MiB."
        )
    return images


def _read(attachment: AttachmentBody) -> NewImage:
    name, media_type = attachment.name, attachment.media_type
    shown = "".join(sign if sign.isprintable() else "_" for sign in name[:_NAMED_CHARS])
    if not name.strip():
        raise InvalidRequestError("An attachment has no name.")
    if media_type not in _KINDS:
        raise InvalidRequestError(
            f"The attachment “{shown}” is of a kind that is not taken. PNG, JPEG and WebP are."
        )
    try:
        data = base64.b64decode(attachment.data, validate=True)
    except (binascii.Error, ValueError) as exc:
        raise InvalidRequestError(f"The attachment “{shown}” is not valid base64.") from exc
    if _media_type_of(data) != media_type:
        kind = _KINDS[media_type]
        raise InvalidRequestError(
            f"The attachment “{shown}” is declared as {kind} image, but its bytes are not one."
        )
    return NewImage(name, media_type, data)


def _media_type_of(data: bytes) -> str | None:
    if data.startswith(_PNG):
        return "image/png"
    if data.startswith(_JPEG):
        return "image/jpeg"
    return "image/webp" if data[:4] == b"RIFF" and data[8:12] == b"WEBP" else None
