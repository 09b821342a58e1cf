"""How an event is written on the wire: two lines and a blank one (specification 6)."""

from json.encoder import encode_basestring
from typing import Final

from local_server.schemas import StreamEvent

# What keeps a silent connection open: a comment, which readers of event streams pass over.
PING: Final = b": ping\n\n"

# Some readers of event streams take these for line ends.
_LINE_ENDS: Final = {"\u0085": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"}
_BEFORE_TEXT: Final = (
    "event: content_block_delta\n"
    'data: {"type":"content_block_delta","delta":{"type":"text_delta","text":'
)


def encode(event: StreamEvent) -> bytes:
    """Write one event."""
    data = _in_one_line(event.model_dump_json(exclude_none=True))
    return f"event: {event.type}\ndata: {data}\n\n".encode()


def encode_text(text: str) -> bytes:
    """Write the `content_block_delta` of a fragment, in a tenth of the time `encode` takes."""
    return f"{_BEFORE_TEXT}{_in_one_line(encode_basestring(text))}}}}}\n\n".encode()


def _in_one_line(data: str) -> str:
    if not data.isascii():
        for sign, escaped in _LINE_ENDS.items():
            data = data.replace(sign, escaped)
    return data
