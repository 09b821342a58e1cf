"""Reads the body of an answer to its end."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Final

import httpx2

from local_server.assistant.models.events import EventReader
from local_server.assistant.models.failures import UpstreamError

# How long the end of a body may take once all was said; read, its connection serves again.
_TAIL_S: Final = 0.2


async def read_all(stream: AsyncIterator[bytes], reader: EventReader) -> AsyncGenerator[str]:
    """Pass on the text of a body, joined for each read of the network.

    Raises:
        UpstreamError: When it is not whole.
    """
    try:
        async with aclosing(_texts(stream, reader)) as texts:
            async for text in texts:
                yield text
    except httpx2.TimeoutException as exc:
        raise UpstreamError("slow") from exc
    except httpx2.HTTPError as exc:
        raise UpstreamError("broken_off") from exc


async def _texts(stream: AsyncIterator[bytes], reader: EventReader) -> AsyncGenerator[str]:
    async for chunk in stream:
        yield reader.feed(chunk)
        if reader.is_over:
            await _read_tail(stream)
            break
    yield reader.finish()


async def _read_tail(stream: AsyncIterator[bytes]) -> None:
    with contextlib.suppress(TimeoutError, httpx2.HTTPError):
        async with asyncio.timeout(_TAIL_S):
            async for _ in stream:
                pass
