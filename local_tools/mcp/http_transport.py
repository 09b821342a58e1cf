"""The transport to a server at an address (streamable HTTP), with limits on what is read."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import anyio
import httpx2
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCNotification

from local_tools.mcp.client_session import (
    LINE_LIMIT_BYTES,
    LINES_PER_S,
    NOTICES_PER_S,
    Allowance,
    drop_result_schemas,
)
from local_tools.mcp.config import RemoteAddress
from local_tools.mcp.connection_events import ConnectionEvents
from local_tools.translation_marks import QT_TRANSLATE_NOOP


class TooLongError(httpx2.HTTPError):
    """The server's answer is longer than the limit."""


class CompressedError(httpx2.HTTPError):
    """The server's answer is compressed, which was not requested."""


class StreamableHttpTransport:
    """A connection to one address; reports its end through `ConnectionEvents`."""

    def __init__(
        self, place: RemoteAddress, client: httpx2.AsyncClient, signs: ConnectionEvents
    ) -> None:
        """Take the address, and a client for it that this transport closes."""
        self._place = place
        self._client = client
        self._notices = Allowance(NOTICES_PER_S)
        self._lines = Allowance(LINES_PER_S)
        self._signs = signs

    @asynccontextmanager
    async def streams(self) -> AsyncIterator[tuple[Any, Any]]:
        """Connect to the address; yield the SDK's two streams, with limits."""
        incoming, read_stream = anyio.create_memory_object_stream[Any](0)
        way = streamable_http_client(
            self._place.url, http_client=self._client, max_sse_event_size=LINE_LIMIT_BYTES
        )
        async with (
            self._client,
            way as (source, write_stream),
            incoming,
            read_stream,
            anyio.create_task_group() as group,
        ):
            group.start_soon(self._pass_on, source, incoming)
            try:
                yield read_stream, write_stream
            finally:
                group.cancel_scope.cancel()

    async def _pass_on(self, source: Any, incoming: Any) -> None:
        with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
            async with incoming:
                async for item in source:
                    await self._take(item, incoming)
                self._signs.end(QT_TRANSLATE_NOOP("ToolServers", "It closed the connection."))

    async def _take(self, item: Any, incoming: Any) -> None:
        if not self._lines.take():
            await asyncio.sleep(self._lines.wait_s())
        if not _is_notice(item) or self._notices.take():
            if isinstance(item, SessionMessage):
                drop_result_schemas(item.message)
            await incoming.send(item)


class BoundedTransport(httpx2.AsyncBaseTransport):
    """An httpx transport that limits the size of answers; event streams have their own limits.

    Compressed answers are refused: a few bytes could unpack to more than the memory holds.

    Owned and closed by the HTTP client that it is given to.
    """

    def __init__(self, inner: httpx2.AsyncBaseTransport) -> None:
        self._inner = inner

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Forward the request; limit its answer."""
        request.headers["accept-encoding"] = "identity"
        response = await self._inner.handle_async_request(request)
        if response.headers.get("content-encoding", "identity").strip().lower() != "identity":
            await response.aclose()
            raise CompressedError("an answer that is packed, though nobody asked for it")
        kind = response.headers.get("content-type", "")
        if not kind.startswith("text/event-stream") and isinstance(
            response.stream, httpx2.AsyncByteStream
        ):
            response.stream = _BoundedStream(response.stream)
        return response

    async def aclose(self) -> None:
        """Close the inner transport."""
        await self._inner.aclose()


class _BoundedStream(httpx2.AsyncByteStream):
    def __init__(self, inner: httpx2.AsyncByteStream) -> None:
        self._inner = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        count = 0
        async for part in self._inner:
            count += len(part)
            if count > LINE_LIMIT_BYTES:
                raise TooLongError("an answer of more than 4 MiB")
            yield part

    async def aclose(self) -> None:
        await self._inner.aclose()


def _is_notice(item: object) -> bool:
    return isinstance(item, SessionMessage) and isinstance(item.message, JSONRPCNotification)
