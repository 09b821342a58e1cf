"""Remove what only machines read, such as ids, from what services and providers say.

`MissingAsEllipsis` holds the values that fill a sentence; a missing one reads as an ellipsis.
"""

import re
from typing import Final


class MissingAsEllipsis(dict[str, str | int]):
    """Values in which a missing one reads as an ellipsis, so that `format_map` never fails."""

    def __missing__(self, key: str) -> str:
        return "…"


# What only machines read: an id with a number in it, and the words that lead to one.
_ID: Final = (
    r"(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]*\d[0-9a-f]{11,}"
    r"|\b[a-zA-Z]{2,10}[-_](?=[A-Za-z]*\d)[A-Za-z0-9]{8,})\b"
)
_LED_TO_ID: Final = re.compile(
    r"[ ,;]*\(?\b(?:(?:request|trace|correlation|reference|error)[ _-]?(?:id|code)?|id)\b"
    rf"[ :=#]*[\"'`“]?{_ID}[\"'`”]?\)?",
    re.IGNORECASE,
)
_LONE_ID: Final = re.compile(rf" ?[\"'`“]?\b{_ID}[\"'`”]?", re.IGNORECASE)
_MODEL_AT_ADDRESS: Final = re.compile(r"(?:\b[a-z]+:)?([^\s@:“\"'`]+)@https?://[^\s,;\"'`”]*[\w/]")
_USER_AT_HOST: Final = re.compile(r"(\bhttps?://)[^\s/@]*@")


def plain_cause(text: str) -> str:
    """Return what a service, server or provider said, without what only machines read.

    Ids of requests and chats go; a model's id loses the address behind its name, and an address the
    name and password before its host.
    """
    plain = _USER_AT_HOST.sub(r"\1", _MODEL_AT_ADDRESS.sub(r"\1", text))
    # First those with words that lead to them, or the words would stay behind alone.
    return _LONE_ID.sub("", _LED_TO_ID.sub("", plain))
