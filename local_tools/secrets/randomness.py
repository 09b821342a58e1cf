"""Text that nobody could have thought of, whatever it is called."""

import math
import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from local_tools.phrases import QT_TRANSLATE_NOOP

_QUOTED: Final = re.compile(r"[\"']([A-Za-z0-9+/_-]{40,400}={0,2})[\"']")
_SIGNS: Final = tuple(re.compile(signs) for signs in ("[0-9]", "[A-Z]", "[a-z]"))
# What is called so is no secret, or too large for one.
_DIGEST: Final = re.compile(r"(?i)hash|sha|digest|checksum|integrity|sign|finger|etag|base64|data")
_NAME_CHARS: Final = 40
_LEAST_BITS: Final = 4.3
_KIND: Final = QT_TRANSLATE_NOOP("Secrets", "random text")


def random_texts(text: str) -> Iterator[tuple[int, int, str]]:
    """Find long random texts in quotes: start, end and kind of each.

    Digests in figures and letters up to f stand everywhere and are none: our choice.
    """
    for hit in _QUOTED.finditer(text):
        before = (max(0, hit.start() - _NAME_CHARS), hit.start())
        if _looks_random(hit[1]) and not _DIGEST.search(text, *before):
            yield *hit.span(1), _KIND


def bits_a_sign(value: str) -> float:
    """How much each sign of a text says, on average."""
    counts = Counter(value).values()
    return -sum(n / len(value) * math.log2(n / len(value)) for n in counts)


def _looks_random(value: str) -> bool:
    has_all = all(signs.search(value) for signs in _SIGNS)
    return has_all and "abcdefgh" not in value.lower() and bits_a_sign(value) >= _LEAST_BITS
