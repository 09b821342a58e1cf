"""What a server gives back is text: nothing in it is followed, opened or drawn."""

import base64
import hashlib
import json
import textwrap
from types import SimpleNamespace

import pytest

from local_tools.mcp.client_session import result_content
from tests.support.images import png


def block(kind: str, **parts: object) -> SimpleNamespace:
    return SimpleNamespace(type=kind, **parts)


def _text(blocks: list[SimpleNamespace], structured: dict[str, object] | None) -> str:
    return result_content(blocks, structured).text


def test_images_come_beside_the_text_that_names_them_within_bounds() -> None:
    small = base64.b64encode(png()).decode()
    large = base64.b64encode(bytes(17 * 1024 * 1024)).decode()
    blocks = [
        block("text", text="Here:"),
        block("image", data=small, mime_type="image/png"),
        block("image", data=large, mime_type="image/png"),
        block("image", data="%", mime_type="image/png"),
        block("image", data=small, mime_type="image/svg+xml"),
        *(block("image", data=small, mime_type="image/jpeg") for _ in range(9)),
    ]
    content = result_content(blocks, None)
    assert [image.name for image in content.images] == [
        "image-1.png",
        *(f"image-{n}.jpg" for n in range(2, 9)),
    ]
    assert content.images[0].data == png()
    lines = content.text.splitlines()
    assert lines[:5] == [
        "Here:",
        "[image: image-1.png]",
        "[image: image/png, 17826 kB]",
        "[image: image/png, 0 bytes]",
        f"[image: image/svg+xml, {len(png())} bytes]",
    ]
    assert lines[-2:] == [f"[image: image/jpeg, {len(png())} bytes]"] * 2


@pytest.mark.security(50)
def test_links_and_pictures_are_named_and_not_followed() -> None:
    secret = SimpleNamespace(uri="file:///home/u/.ssh/id_rsa", text="what it says is there")
    blob = SimpleNamespace(uri="file:///x", text=None, blob="AAAA", mime_type=None)
    blocks = [
        block("text", text="first"),
        block("resource_link", uri="file:///etc/passwd", name="a" * 100),
        block("resource", resource=secret),
        block("resource", resource=blob),
        block("image", data="A" * 4000, mime_type="image/x-icon"),
        block("video", data="x"),
    ]
    assert _text(blocks, None).splitlines() == [
        "first",
        f"[link: file:///etc/passwd] {'a' * 80}…",
        "[resource: file:///home/u/.ssh/id_rsa]",
        "what it says is there",
        "[resource: file:///x, unknown kind, 3 bytes]",
        "[image: image/x-icon, 3 kB]",
        "[video: left out]",
    ]


def _pictures() -> dict[str, str]:
    beginnings = {
        "png": b"\x89PNG\r\n\x1a\n",
        "gif": b"GIF89a",
        "jpeg": b"\xff\xd8\xff\xe0",
        "webp": b"RIFF\0\0\0\0WEBP",
        "tiff": b"II*\0",
        "svg": b"<svg xmlns=",
        "avif": b"\0\0\0\x20ftypavif",
    }
    noise = hashlib.shake_256(b"noise").digest(3_000)
    return {name: base64.b64encode(start + noise).decode() for name, start in beginnings.items()}


def _ways_to_bring(data: str) -> list[tuple[list[SimpleNamespace], dict[str, object] | None]]:
    image = {"type": "image", "mimeType": "image/png", "data": data}
    lines = "\n".join(textwrap.wrap(data, 76))
    said = json.dumps({"content": [image], "note": "beside"})
    return [
        ([block("image", data=data, mime_type="image/png")], {"result": [image]}),
        ([], {"result": image}),
        ([block("text", text=data)], None),
        ([block("text", text=f"Here it is:\n{lines}\nThat was it.")], None),
        ([block("text", text=said)], None),
        ([block("text", text=said.replace("/", "\\/"))], None),
        ([block("text", text=json.dumps({"picture": lines}))], None),
        ([block("text", text=f"![x](data:image/png;charset=x;base64,{data})")], None),
        ([block("resource_link", uri=f"data:image/png;base64,{data}", name="x")], None),
        ([block("resource", resource=SimpleNamespace(uri="a:b", text=data))], None),
    ]


@pytest.mark.parametrize("kind", _pictures())
def test_no_picture_is_told_as_base64_however_a_server_brings_it(kind: str) -> None:
    data = _pictures()[kind]
    for blocks, structured in _ways_to_bring(data):
        told = _text(blocks, structured)
        assert not any(data[at : at + 60] in told for at in range(0, len(data) - 60, 60)), told
        assert len(told) < 300
        assert "kB]" in told or told == "[image: image-1.png]"
    assert _text([block("text", text=f"before {data} after")], None).endswith("] after")


def test_text_that_only_looks_like_an_image_is_kept() -> None:
    texts = ["/9j/ is a path", "iVBORw0KGgo", "UklGR " * 20, "a" * 5_000, "see data:text/plain,x"]
    assert _text([block("text", text=text) for text in texts], None) == "\n".join(texts)


def test_structured_content_stands_for_a_text_that_is_missing() -> None:
    assert _text([], {"a": 1}) == '{"a":1}'
    assert _text([block("text", text="one")], {"a": 1}) == "one"
    assert _text([], None) == "The tool gave back nothing."
