"""Reads the body of an answer to its end."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Final, Self

import httpx2

from local_server.assistant.models.events import EventReader
from local_server.assistant.models.failures import UpstreamError

# How long the end of a body may take once all was said; read, its connection serves again.
_TAIL_S: Final = 0.2


def stream_of(response: httpx2.Response) -> httpx2.AsyncByteStream:
    """Take the body as it comes from a response whose body was not read.

    Raises:
        TypeError: When it is no stream.
    """
    stream = response.stream
    if not isinstance(stream, httpx2.AsyncByteStream):
        raise TypeError("a client for streams gave something else")
    return stream


class BodyTexts:
    """The text of a body, joined for each read of the network.

    Not a generator: of many streams most are silent, and this holds little; and closing it closes
    the stream even when nobody began to read.
    """

    def __init__(self, stream: httpx2.AsyncByteStream, reader: EventReader) -> None:
        self._stream = stream
        self._chunks = aiter(stream)
        self._reader = reader
        self._is_finished = False

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> str:
        """Read on; the text may be empty.

        Raises:
            UpstreamError: When the answer is not whole.
        """
        if self._is_finished:
            raise StopAsyncIteration
        if self._reader.is_over:
            await _read_tail(self._chunks)
        else:
            chunk = await self._read()
            if chunk is not None:
                return self._reader.feed(chunk)
        self._is_finished = True
        return self._reader.finish()

    async def aclose(self) -> None:
        """Let go of the connection."""
        self._is_finished = True
        try:
            if isinstance(self._chunks, AsyncGenerator):
                await self._chunks.aclose()
        finally:
            await self._stream.aclose()

    async def _read(self) -> bytes | None:
        try:
            return await anext(self._chunks, None)
        except httpx2.TimeoutException as exc:
            raise UpstreamError("slow") from exc
        except httpx2.HTTPError as exc:
            raise UpstreamError("broken_off") from exc


async def _read_tail(chunks: AsyncIterator[bytes]) -> None:
    with contextlib.suppress(TimeoutError, httpx2.HTTPError):
        async with asyncio.timeout(_TAIL_S):
            async for _ in chunks:
                pass
