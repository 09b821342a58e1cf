"""Small images, as clients send them."""

import struct
import zlib
from base64 import b64encode
from typing import Any

JPEG = b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01" + b"\0" * 40
WEBP = b"RIFF\x1a\x00\x00\x00WEBPVP8L" + b"\0" * 20


def png(width: int = 2, height: int = 2, colour: tuple[int, int, int] = (200, 40, 40)) -> bytes:
    """Write a PNG of one colour."""
    row = b"\0" + bytes(colour) * width
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(row * height)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in parts)


def attachment(
    name: str = "a.png", data: bytes | None = None, media_type: str = "image/png"
) -> dict[str, Any]:
    """Write an image as a request has it."""
    content = png() if data is None else data
    return {"name": name, "media_type": media_type, "data": b64encode(content).decode()}


def _chunk(kind: bytes, data: bytes) -> bytes:
    body = kind + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))
