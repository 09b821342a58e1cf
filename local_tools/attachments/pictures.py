"""Decode images with Pillow, scale them to what models accept, and drop their metadata.

Only a worker may decode: image files are untrusted.
"""

import struct
from dataclasses import dataclass
from io import BytesIO
from typing import Final

from PIL import (
    BmpImagePlugin,
    GifImagePlugin,
    Image,
    JpegImagePlugin,
    MpoImagePlugin,
    PngImagePlugin,
    TiffImagePlugin,
    WebPImagePlugin,
)

from local_tools.attached_file import DRAWN, SIDE_LIMIT_PX, ContentImage
from local_tools.attachments.document import FileError, FileFault

IMAGE_LIMIT_BYTES: Final = 5 * 1024 * 1024 // 8
"""The largest image that is sent: an eighth of the 5 MiB of a message, which has up to eight."""

# Imported explicitly, so that Pillow need not import its other decoders, for formats that nobody
# attaches as images.
_READERS: Final = (
    BmpImagePlugin,
    GifImagePlugin,
    JpegImagePlugin,
    MpoImagePlugin,
    PngImagePlugin,
    TiffImagePlugin,
    WebPImagePlugin,
)
_FORMATS: Final = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF")
# A worker has 1 GiB of memory. JPEG may have more pixels: it is scaled down while it is decoded.
_PIXELS_LIMIT: Final = 64_000_000
_JPEG_PIXELS_LIMIT: Final = 256_000_000
_QUALITIES: Final = (90, 80, 65, 45, 25)
_WHITE: Final = (255, 255, 255)
_LOSSLESS: Final = frozenset({"PNG", "GIF", "BMP", "TIFF"})
_JPEG: Final = frozenset({"JPEG", "MPO"})
_ORIENTATION: Final = 0x0112
_TURNS: Final = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
# What its readers raise for files that are damaged.
_DAMAGES: Final = (
    *(ArithmeticError, AttributeError, EOFError, LookupError, NotImplementedError, OSError),
    *(RuntimeError, SyntaxError, TypeError, ValueError, struct.error),
)
# Our own limits count, by the kind of image.
Image.MAX_IMAGE_PIXELS = None


@dataclass(frozen=True, slots=True)
class Decoded:
    """A decoded image, rotated upright, as RGB or RGBA. Lives as long as a call."""

    image: Image.Image
    is_lossless: bool


def prepare_image(name: str, data: bytes) -> ContentImage:
    """Return an image in the form that is sent: at most 1,568 px a side, re-encoded.

    Raises:
        FileError: It cannot be decoded, or would take too much memory.
    """
    decoded = decode_image(name, data, (SIDE_LIMIT_PX, SIDE_LIMIT_PX))
    return encode_image(name, decoded.image, is_lossless=decoded.is_lossless)


def draw_image(name: str, data: bytes, box: tuple[int, int]) -> ContentImage:
    """Return an image's pixels (`DRAWN`, four bytes each), scaled to fit into a box.

    Raises:
        FileError: It cannot be decoded, or would take too much memory.
    """
    image = decode_image(name, data, box).image.convert("RGBA")
    return ContentImage(name, DRAWN, image.width, image.height, image.tobytes())


def decode_image(name: str, data: bytes, box: tuple[int, int]) -> Decoded:
    """Decode the first frame of an image, scaled down to fit into a box.

    Raises:
        FileError: It cannot be decoded, or would take too much memory.
    """
    try:
        image = Image.open(BytesIO(data), formats=_FORMATS)
        kind = image.format or ""
        is_jpeg = kind in _JPEG
        limit = _JPEG_PIXELS_LIMIT if is_jpeg else _PIXELS_LIMIT
        if image.width * image.height > limit:
            raise FileError(name, FileFault.TOO_LARGE)
        turn = _TURNS.get(image.getexif().get(_ORIENTATION, 1))
        side = max(box)
        if is_jpeg:
            image.draft("RGB", (side, side))
        plain = _plain(image)
        plain.thumbnail((side, side), reducing_gap=2.0)
    except MemoryError as exc:
        raise FileError(name, FileFault.TOO_LARGE) from exc
    except _DAMAGES as exc:
        raise FileError(name, FileFault.BROKEN) from exc
    upright = plain if turn is None else plain.transpose(turn)
    upright.thumbnail(box)
    return Decoded(upright, kind in _LOSSLESS)


def encode_image(name: str, image: Image.Image, *, is_lossless: bool) -> ContentImage:
    """Encode as PNG if the original was lossless and the result is small enough, else as JPEG."""
    size = image.size
    if is_lossless or image.mode == "RGBA":
        data = _written(image, "PNG", optimize=True)
        if len(data) <= IMAGE_LIMIT_BYTES:
            return ContentImage(_named(name, ".png"), "image/png", *size, data)
    opaque = image
    if image.mode == "RGBA":
        opaque = Image.new("RGB", size, _WHITE)
        opaque.paste(image, mask=image.getchannel("A"))
    data = b""
    for quality in _QUALITIES:
        data = _written(opaque, "JPEG", quality=quality, optimize=True)
        if len(data) <= IMAGE_LIMIT_BYTES:
            break
    return ContentImage(_named(name, ".jpg", ".jpeg"), "image/jpeg", *size, data)


def _plain(image: Image.Image) -> Image.Image:
    """Return an image as RGB or RGBA, without anything that was written beside its pixels."""
    if image.mode.startswith("I;16"):
        image = image.convert("I")
    if image.mode in {"I", "F"}:
        _, highest = image.getextrema()
        scale = 255 / highest if isinstance(highest, int | float) and highest > 0 else 1.0
        image = image.point(lambda value: value * scale).convert("L")
    has_alpha = "A" in image.getbands() or "transparency" in image.info
    plain = image.convert("RGBA" if has_alpha else "RGB")
    if plain.mode == "RGBA" and plain.getchannel("A").getextrema() == (255, 255):
        plain = plain.convert("RGB")
    plain.info = {}
    return plain


def _written(image: Image.Image, kind: str, **options: object) -> bytes:
    written = BytesIO()
    image.save(written, kind, **options)
    return written.getvalue()


def _named(name: str, *suffixes: str) -> str:
    stem, dot, suffix = name.rpartition(".")
    if f"{dot}{suffix.lower()}" in suffixes:
        return name
    return f"{stem if dot and stem else name}{suffixes[0]}"
