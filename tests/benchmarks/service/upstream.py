"""A fake model server, shaped like OpenAI's chat completions, that costs next to nothing.

Run as a program: it prints its port and ends when its input does. Every event is prepared and is
a chunk of its own; fast ones leave in large writes, paced ones each in its own.
"""

import asyncio
import json
import re
import sys
import time
from typing import Final, cast

from tests.benchmarks.service.loop import new_event_loop
from tests.benchmarks.service.orders import MARK, TOKENS_PER_S, last_order

_HEAD_END: Final = b"\r\n\r\n"
_LENGTH: Final = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)
_STREAM_HEAD: Final = (
    b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
)
_TOKENS_A_WRITE: Final = 64
# Spreads the tokens of many streams over the time between two of one.
_GOLDEN: Final = 0.618034


def _chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


def _event(delta: dict[str, str], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    common = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "fake"}
    return b"data: " + json.dumps({**common, "choices": [choice]}).encode() + b"\n\n"


def _token(text: bytes) -> bytes:
    return _chunk(_event({"content": text.decode()}))


_BEGIN: Final = _STREAM_HEAD + _chunk(_event({"role": "assistant", "content": ""}))
# Of equal length. Not all alike: LiteLLM ends a stream that says the same too often.
_TOKENS: Final = [_token(MARK + b"%03d" % number) for number in range(_TOKENS_A_WRITE)]
_BATCH: Final = b"".join(_TOKENS)
_ZEROS: Final = b"0" * 15
_BEFORE_STAMP, _AFTER_STAMP = _token(MARK + _ZEROS).split(_ZEROS)
_END: Final = _chunk(_event({}, "stop")) + _chunk(b"data: [DONE]\n\n") + b"0\r\n\r\n"


def _whole(text: str) -> bytes:
    """Return an answer that is no stream, such as a list of models or a choice."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}}
    body = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "fake"}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    data = json.dumps(
        {**body, "choices": [{**choice, "finish_reason": "stop"}], "usage": usage, "data": []}
    ).encode()
    return b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%b" % (
        len(data),
        data,
    )


class _Connection(asyncio.Protocol):
    """One client; answers one request after the other."""

    _count = 0

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._buffer = b""
        self._left = 0
        self._is_paused = False
        self._due_s = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's transports are not of asyncio's classes.
        self._transport = cast("asyncio.Transport", transport)

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        self._left = 0
        if self._timer is not None:
            self._timer.cancel()

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        head_end = self._buffer.find(_HEAD_END)
        if head_end < 0:
            return
        match = _LENGTH.search(self._buffer, 0, head_end)
        end = head_end + len(_HEAD_END) + (int(match[1]) if match else 0)
        if len(self._buffer) >= end:
            body, self._buffer = self._buffer[head_end:end], self._buffer[end:]
            self._answer(body)

    def pause_writing(self) -> None:
        self._is_paused = True

    def resume_writing(self) -> None:
        self._is_paused = False
        self._write_fast()

    def _answer(self, body: bytes) -> None:
        order = last_order(body)
        if order is None or b'"stream"' not in body:
            self._transport.write(_whole("files"))
            return
        kind, self._left = order
        self._transport.write(_BEGIN)
        if kind == b"fast":
            self._write_fast()
        elif kind == b"idle":
            self._transport.write(_TOKENS[0])
            self._left = 0
        else:
            self._begin_pace()

    def _write_fast(self) -> None:
        if self._timer is not None or not self._left:
            return
        while self._left and not self._is_paused:
            batch = min(self._left, _TOKENS_A_WRITE)
            self._left -= batch
            last = b"" if self._left else _END
            self._transport.write(_BATCH[: batch * len(_TOKENS[0])] + last)

    def _begin_pace(self) -> None:
        _Connection._count += 1
        self._due_s = time.monotonic()
        self._write_stamped()
        self._due_s += (_Connection._count * _GOLDEN % 1) / TOKENS_PER_S
        self._wait()

    def _wait(self) -> None:
        self._timer = self._loop.call_later(max(0, self._due_s - time.monotonic()), self._tick)

    def _tick(self) -> None:
        while self._left and self._due_s <= time.monotonic():
            self._write_stamped()
            self._due_s += 1 / TOKENS_PER_S
        if self._left:
            self._wait()
        else:
            self._timer = None
            self._transport.write(_END)

    def _write_stamped(self) -> None:
        self._left -= 1
        stamp = b"%015d" % int(self._due_s * 1e6)
        self._transport.write(_BEFORE_STAMP + stamp + _AFTER_STAMP)


async def _serve() -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(_Connection, "127.0.0.1", 0, backlog=2048)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    ended = asyncio.Event()
    # The input never says anything: to be readable is to be at its end.
    loop.add_reader(sys.stdin.fileno(), ended.set)
    await ended.wait()


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        runner.run(_serve())
