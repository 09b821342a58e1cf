"""What a server's tool gave back, as text. Nothing in it is followed, opened or drawn."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from local_tools.canonical import canonical_text, frozen_json
from local_tools.errors import InvalidInputError, named

_KIB: Final = 1000
# Base64 as it stands in texts: in JSON a slash may be escaped, and lines may be broken.
_RUN: Final = r"(?:[A-Za-z0-9+/_-]|\\/)"
_BREAK: Final = r"(?:\\[nr]|[\r\n]){1,4}"
_DATA: Final = rf"{_RUN}{{20,}}+(?:{_BREAK}{_RUN}{{20,}}+)*+(?:{_BREAK}{_RUN}*+=)?={{0,2}}"
# How PNG, GIF, JPEG, WebP and other RIFF, TIFF, SVG, AVIF and HEIC, and icons begin in it.
_PICTURE: Final = (
    r"(?:iVBORw0KGgo|R0lGOD[dl]h|(?:\\?/)9j(?:\\?/)|UklGR|SUkqA|TU0AK|PHN2Zy"
    r"|AAAA[\w+/][GWm2]Z0eX[A-D]|AAABAA)"
)
_PICTURES: Final = re.compile(
    rf"data:([\w.+/-]{{1,100}})(?:;[\w.=+-]{{1,60}}){{0,4}};base64,(?:{_DATA}|{_RUN}*+={{0,2}})"
    rf"|(?<![A-Za-z0-9+/]){_PICTURE}{_DATA}"
)
_NO_TEXT: Final = "The tool gave back nothing."


def result_text(contents: Iterable[Any], structured: Mapping[str, Any] | None) -> str:
    """All that came back, in order; structured content stands for itself where no text does.

    Pictures are named, also where a text holds them: nobody can read them there.

    Args:
        contents: The SDK's content blocks.
        structured: The structured content beside them, if any.
    """
    parts = [text for block in contents for text in _block(block)]
    if structured is not None and not any(getattr(b, "type", "") == "text" for b in contents):
        parts.append(_json(structured))
    return _PICTURES.sub(_named_picture, "\n".join(parts)) or _NO_TEXT


def _named_picture(found: re.Match[str]) -> str:
    data = found[0].rpartition(",")[2]
    return f"[{found[1] or 'image'}, {_size(_decoded_bytes(data))}]"


def _block(block: Any) -> Iterator[str]:
    kind = getattr(block, "type", "")
    if kind == "text":
        yield str(block.text)
    elif kind in ("image", "audio"):
        yield f"[{kind}: {_kind_of(block)}, {_size(_decoded_bytes(block.data))}]"
    elif kind == "resource_link":
        yield f"[link: {block.uri}] {named(block.name)}"
    elif kind == "resource":
        yield from _resource(block.resource)
    else:
        yield f"[{named(str(kind)) or 'unknown'}: left out]"


def _resource(resource: Any) -> Iterator[str]:
    text = getattr(resource, "text", None)
    if text is not None:
        yield f"[resource: {resource.uri}]"
        yield str(text)
    else:
        size = _size(_decoded_bytes(getattr(resource, "blob", "")))
        yield f"[resource: {resource.uri}, {_kind_of(resource)}, {size}]"


def _kind_of(block: Any) -> str:
    return named(str(getattr(block, "mime_type", None) or "unknown kind"))


def _decoded_bytes(data: str) -> int:
    return len(data.rstrip("=")) * 3 // 4


def _size(size_bytes: int) -> str:
    return f"{size_bytes} bytes" if size_bytes < _KIB else f"{round(size_bytes / _KIB)} kB"


def _json(value: Mapping[str, Any]) -> str:
    try:
        return canonical_text(frozen_json(value))
    except InvalidInputError as exc:
        return f"[structured content that cannot be read: {exc}]"
