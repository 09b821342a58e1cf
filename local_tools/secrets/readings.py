"""Decode a text before it is scanned: escapes, colours, invisible characters, hex dumps.

Coloured output, JSON in a text, or a hex dump can contain a secret in a form that no pattern
matches. Each `Reading` maps its positions back to the text.
"""

import base64
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

# Escape sequences of terminals, letters struck over, and signs that draw nothing. A zero comes
# from UTF-16 that was read as UTF-8.
_INVISIBLE: Final = (
    r"\x1b(?:\[[0-?]{0,40}[ -/]{0,4}[@-~]|\][^\x07\x1b\n]{0,2000}(?:\x07|\x1b\\)|[@-Z\\^_])"
    r"|[^\n]\x08|[\0\xad\u034f\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]"
)
_ESCAPED: Final = r"\\(?:u[0-9A-Fa-f]{4}|[\"/nrt])|%[0-9A-Fa-f]{2}"
_SIGNS: Final = re.compile(f"{_INVISIBLE}|({_ESCAPED})")
_ESCAPES: Final = {"n": "\n", "r": "\n", "t": "\t"}

# Long enough for a token; a dump breaks it into lines.
_BASE64: Final = re.compile(
    r"(?<![A-Za-z0-9+/_-])"
    r"(?:(?:[A-Za-z0-9+/]{60,76}\r?\n){1,4000}[A-Za-z0-9+/]{0,76}|[A-Za-z0-9+/_-]{24,})={0,2}"
)
_HEX: Final = re.compile(
    r"(?<![0-9A-Fa-f])(?:(?:[0-9A-Fa-f]{60}\r?\n){1,8000}[0-9A-Fa-f]{0,60}|[0-9A-Fa-f]{48,})"
)
_BREAKS: Final = re.compile(r"[\r\n]+")


@dataclass(frozen=True, slots=True)
class Reading:
    """A decoded text, with a mapping of its positions to the original.

    Attributes:
        starts: The positions in `text` of the pieces that are unchanged, and `origins` their
            positions in the original; each character between them replaces one escape.
    """

    text: str
    starts: tuple[int, ...]
    origins: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of a part in the original, including the whole escape at its end."""
        first, last = bisect_right(self.starts, start) - 1, bisect_left(self.starts, end) - 1
        is_to_next = last + 1 < len(self.starts) and self.starts[last + 1] <= end
        closing = (
            self.origins[last + 1] if is_to_next else self.origins[last] + end - self.starts[last]
        )
        return self.origins[first] + start - self.starts[first], closing


def plain_reading(text: str) -> Reading | None:
    """Return the text without escapes and invisible characters; None if it has none."""
    parts: list[str] = []
    starts, origins = [0], [0]
    at = length = 0
    for hit in _SIGNS.finditer(text):
        said = "" if hit[1] is None else _unescaped(hit[1])
        before = text[at : hit.start()]
        parts += [before, said]
        length += len(before)
        if said:
            starts.append(length)
            origins.append(hit.start())
            length += 1
        starts.append(length)
        origins.append(hit.end())
        at = hit.end()
    if not parts:
        return None
    return Reading("".join([*parts, text[at:]]), tuple(starts), tuple(origins))


def decoded_parts(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the parts that are text in base64 or hexadecimal: start, end, decoded text."""
    for hit in _HEX.finditer(text):
        digits = _BREAKS.sub("", hit[0])
        yield from _told(hit, bytes.fromhex(digits[: len(digits) // 2 * 2]))
    for hit in _BASE64.finditer(text):
        signs = _BREAKS.sub("", hit[0]).rstrip("=").replace("-", "+").replace("_", "/")
        # What is left of a group of four is no byte.
        signs = signs[: len(signs) - 1] if len(signs) % 4 == 1 else signs
        yield from _told(hit, base64.b64decode(signs + "=" * (-len(signs) % 4)))


def _told(hit: re.Match[str], data: bytes) -> Iterator[tuple[int, int, str]]:
    try:
        said = data.decode("utf-16" if b"\0" in data else "utf-8-sig")
    except ValueError:
        return
    if all(sign.isprintable() or sign.isspace() for sign in said):
        yield *hit.span(), said


def _unescaped(escape: str) -> str:
    """Return the one sign that an escape stands for."""
    if escape[0] == "%" or escape[1] == "u":
        return chr(int(escape.lstrip("%\\u"), 16))
    return _ESCAPES.get(escape[1], escape[1])
