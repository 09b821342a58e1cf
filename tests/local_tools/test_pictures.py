"""Images are decoded in a worker: made small, stripped, and refused where they are hostile."""

import json
import struct
import zlib
from io import BytesIO
from typing import Any

import pytest
from PIL import Image, PngImagePlugin

from local_tools.attached_file import SIDE_LIMIT_PX, ContentImage
from local_tools.attachments.document import FileFault, FileKind
from local_tools.attachments.intake import FileIntake
from local_tools.attachments.pictures import IMAGE_LIMIT_BYTES
from local_tools.execution.tool_runner import ToolRunner
from tests.support.attached_files import pdf, read
from tests.support.images import png

pytestmark = pytest.mark.anyio


async def _taken(name: str, data: bytes) -> ContentImage:
    found, image = await FileIntake(ToolRunner()).describe(name, data)
    assert found.kind is FileKind.IMAGE, found
    assert image is not None
    assert (found.width, found.height) == (image.width, image.height)
    return image


async def _fault(name: str, data: bytes) -> FileFault | None:
    found, image = await FileIntake(ToolRunner()).describe(name, data)
    assert image is None
    return found.fault


def _opened(image: ContentImage) -> Image.Image:
    return Image.open(BytesIO(image.data))


def _written(image: Image.Image, kind: str, **options: Any) -> bytes:
    out = BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def _noise(width: int, height: int) -> Image.Image:
    return Image.effect_noise((width, height), 90).convert("RGB")


async def test_photo_is_made_small_upright_and_says_nothing_of_its_camera() -> None:
    photo = Image.new("RGB", (4000, 2000), (200, 40, 40))
    exif = Image.Exif()
    exif[0x0112] = 6
    exif[0x010F] = "SECRETCAMERA"
    exif.get_ifd(0x8825)[1] = "N"
    data = _written(photo, "JPEG", exif=exif, comment=b"SECRETCOMMENT", icc_profile=b"SECRETICC")
    image = await _taken("photo.jpg", data)
    assert (image.width, image.height) == (SIDE_LIMIT_PX // 2, SIDE_LIMIT_PX)
    assert image.media_type == "image/jpeg"
    assert b"SECRET" not in image.data
    assert b"Exif" not in image.data
    opened = _opened(image)
    assert opened.size == (image.width, image.height)
    assert not opened.getexif()


async def test_screenshot_stays_a_png_without_its_texts() -> None:
    told = PngImagePlugin.PngInfo()
    told.add_text("Author", "SECRET")
    data = _written(Image.new("RGB", (300, 200), (1, 2, 3)), "PNG", pnginfo=told)
    image = await _taken("shot.PNG", data)
    assert (image.name, image.media_type) == ("shot.PNG", "image/png")
    assert b"SECRET" not in image.data
    assert _opened(image).getpixel((0, 0)) == (1, 2, 3)


@pytest.mark.parametrize(
    ("kind", "mode", "options"),
    [
        ("WEBP", "RGB", {}),
        ("WEBP", "RGBA", {}),
        ("GIF", "P", {}),
        ("BMP", "RGB", {}),
        ("TIFF", "CMYK", {}),
        ("JPEG", "CMYK", {}),
        ("JPEG", "L", {}),
        ("JPEG", "RGB", {"progressive": True}),
        ("PNG", "LA", {}),
        ("PNG", "1", {}),
        ("PNG", "I;16", {}),
    ],
)
async def test_every_kind_is_sent_as_png_or_jpeg(
    kind: str, mode: str, options: dict[str, Any]
) -> None:
    data = _written(Image.new(mode, (40, 20)), kind, **options)
    image = await _taken("picture.bin", data)
    assert image.media_type in {"image/png", "image/jpeg"}
    assert image.name in {"picture.png", "picture.jpg"}
    assert _opened(image).size == (40, 20)


async def test_animation_is_its_first_picture() -> None:
    colours = [Image.new("RGB", (20, 20), colour) for colour in ("red", "blue")]
    data = _written(colours[0], "GIF", save_all=True, append_images=colours[1:])
    opened = _opened(await _taken("moving.gif", data))
    assert getattr(opened, "n_frames", 1) == 1
    assert opened.convert("RGB").getpixel((5, 5)) == (255, 0, 0)


async def test_eight_of_the_hardest_fit_into_one_message() -> None:
    image = await _taken("noise.png", _written(_noise(1700, 1700), "PNG"))
    assert image.media_type == "image/jpeg"
    assert len(image.data) <= IMAGE_LIMIT_BYTES


async def test_transparent_image_that_is_too_large_gets_a_white_ground() -> None:
    noise = _noise(1500, 1500).convert("RGBA")
    noise.putalpha(0)
    image = await _taken("ghost.png", _written(noise, "PNG"))
    assert image.media_type == "image/jpeg" or _opened(image).mode == "RGBA"


def _png_of(width: int, height: int) -> bytes:
    """Return a PNG that says it is this large, of a few bytes."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress(bytes(1_000_000), 9)
    start = b"\x89PNG\r\n\x1a\n"
    return start + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


@pytest.mark.security(120)
async def test_hostile_images_are_refused_with_a_reason() -> None:
    whole = _written(_noise(200, 200), "JPEG")
    assert await _fault("bomb.png", _png_of(30_000, 30_000)) is FileFault.TOO_LARGE
    assert await _fault("cut.jpg", whole[: len(whole) // 2]) is FileFault.BROKEN
    assert await _fault("cut.png", png(50, 50)[:60]) is FileFault.BROKEN
    assert await _fault("rows.png", _png_of(5_000, 5_000)) is FileFault.BROKEN
    heic = b"\0\0\0\x18ftypheic\0\0\0\0" + bytes(100)
    assert await _fault("photo.heic", heic) is FileFault.HEIC


async def test_wrong_ending_does_not_matter_and_svg_is_text() -> None:
    image = await _taken("letter.docx", _written(_noise(30, 30), "JPEG"))
    assert image.name == "letter.jpg"
    svg = b'<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>'
    found, drawn = await FileIntake(ToolRunner()).describe("drawing.svg", svg)
    assert (found.kind, drawn) == (FileKind.TEXT, None)


async def test_image_is_drawn_as_plain_pixels_within_its_box() -> None:
    data = _written(Image.new("RGB", (900, 300), (9, 8, 7)), "PNG")
    drawn = await FileIntake(ToolRunner()).draw("a.png", data, 300, 300)
    assert drawn is not None
    assert (drawn.width, drawn.height) == (300, 100)
    assert drawn.data == bytes((9, 8, 7, 255)) * 30_000
    assert await FileIntake(ToolRunner()).draw("a.png", b"\x89PNG\r\n\x1a\nx", 300, 300) is None


async def test_pages_of_a_pdf_are_drawn_where_that_is_asked_for() -> None:
    data = pdf(*(f"Page {number}" for number in range(1, 8)))
    outcome = await read("offer.pdf", data, pages="2-7", draw=True)
    assert outcome.status == "ok", outcome.text
    assert [image.name for image in outcome.images] == [f"page-{n}.png" for n in range(2, 6)]
    assert outcome.text.endswith("[image: page-4.png]\n[image: page-5.png]")
    assert max(outcome.images[0].width, outcome.images[0].height) <= SIDE_LIMIT_PX
    assert _opened(outcome.images[0]).convert("L").getextrema()[0] == 0
    plain = await read("offer.pdf", data, pages="2")
    assert plain.images == ()
    refused = await read("notes.txt", b"words", draw=True)
    assert refused.status == "failed"
    assert "no PDF" in refused.text


async def test_description_of_a_document_has_no_image() -> None:
    found, image = await FileIntake(ToolRunner()).describe("offer.pdf", pdf("One"))
    assert (found.kind, found.count, image) == (FileKind.PDF, 1, None)
    assert json.dumps(found.unit) == '"page"'
