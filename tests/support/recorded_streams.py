"""Twenty-five streams as services send them, well-formed and not, for tests of the SSE framing."""

from typing import Final

from tests.support.fake_service import delta, sse

_START = sse("message_start", message_id="m1", conversation_id="c1")
_STOP = sse("message_stop")
_HELLO = delta("Hello")
_TOOL = sse("tool_use", id="t1", name="read_file", input={"path": "a.txt", "n": 3, "deep": [{}]})


def _whole(*events: bytes) -> bytes:
    return b"".join((_START, *events, _STOP))


def _raw(name: bytes, data: bytes) -> bytes:
    return b"event: " + name + b"\ndata: " + data + b"\n\n"


_PLAIN = _whole(_HELLO, delta(" world"))

STREAMS: Final[dict[str, bytes]] = {
    "plain": _PLAIN,
    "with_agent": b"".join(
        (
            sse("message_start", message_id="m1", conversation_id="c1", agent_name="a"),
            sse("agent_start", agent_name="a", agent_display_name="Agent"),
            _HELLO,
            sse("agent_end", agent_name="a"),
            _STOP,
        )
    ),
    "tool_use": _whole(_HELLO, _TOOL),
    "error_in_stream": _START + _HELLO + sse("error", message="Rate limit exceeded"),
    "crlf": _PLAIN.replace(b"\n", b"\r\n"),
    "cr": _PLAIN.replace(b"\n", b"\r"),
    "mixed_line_ends": _START.replace(b"\n", b"\r\n") + _HELLO.replace(b"\n", b"\r") + _STOP,
    "byte_order_mark": b"\xef\xbb\xbf" + _PLAIN,
    "second_byte_order_mark": b"\xef\xbb\xbf\xef\xbb\xbf" + _PLAIN,
    "non_latin": _whole(delta("Grüße, 世界 👋🏽 שלום")),
    "line_separators": _whole(delta("a\u2028b\u2029c\u0085d\x0be\x0cf")),
    "escaped_line_ends": _whole(delta("a\r\nb\nc\rd\x00e")),
    "lone_surrogate": _whole(
        _raw(
            b"content_block_delta",
            rb'{"type":"content_block_delta","delta":{"type":"text_delta","text":"a\ud83db"}}',
        )
    ),
    "surrogate_pair": _whole(
        _raw(
            b"content_block_delta",
            rb'{"type":"content_block_delta","delta":{"type":"text_delta","text":"\ud83d\ude00"}}',
        )
    ),
    "broken_utf8": _whole(_HELLO.replace(b"Hello", b"He\xffl\xc3lo\xf0\x9f")),
    "broken_json": _whole(_raw(b"content_block_delta", b'{"type":"content_block_delta",')),
    "duplicate_keys": _whole(
        _raw(b"tool_use", b'{"type":"tool_use","id":"t","name":"x","input":{"a":1,"a":2}}')
    ),
    "not_a_number": _whole(
        _raw(b"tool_use", b'{"type":"tool_use","id":"t","name":"x","input":{"a":NaN,"b":1e999}}')
    ),
    "unknown_event": _whole(_raw(b"confetti", b'{"type":"confetti"}'), _HELLO),
    "type_is_not_name": _whole(_raw(b"message_stop", b'{"type":"content_block_delta"}'), _HELLO),
    "comments": b": hello\n\n" + _START + b": ping\n" + _HELLO + b":\n\n" + _STOP,
    "other_fields": _START + b"id: 7\nretry: 10\nnonsense\n" + _HELLO + b"id\n" + _STOP,
    "data_in_two_lines": _START
    + b'event: content_block_delta\ndata: {"type":"content_block_delta",\n'
    + b'data: "delta":{"type":"text_delta","text":"Hi"}}\n\n'
    + _STOP,
    "no_space_after_colon": _PLAIN.replace(b": ", b":"),
    "after_the_end": _whole(_HELLO) + _HELLO + _TOOL + _STOP,
}
