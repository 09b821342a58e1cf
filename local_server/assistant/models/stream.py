"""Sends a question to a model's server, and reads the body of the answer to its end."""

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, AsyncIterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final, Self

import httpx2

from local_server.assistant.models.events import EventReader
from local_server.assistant.models.failures import (
    FailureKind,
    UpstreamError,
    counted_tokens,
    kind_of_words,
)
from local_server.json_text import JsonTextError, parse_json

# How long the end of a body may take once all was said; read, its connection serves again.
_TAIL_S: Final = 0.2
_READ_REFUSAL_BYTES: Final = 64 * 1024
# Followed, the conversation and the key would go to whom nobody chose.
_MOVED: Final = "requests have to be sent to another address"
_KINDS: Final[dict[int, FailureKind]] = {
    401: "key",
    402: "credit",
    403: "key",
    404: "unknown_model",
    413: "too_long",
}


async def open_stream(client: httpx2.AsyncClient, request: httpx2.Request) -> httpx2.Response:
    """Send a question, and wait for the head of the answer; the caller closes the response.

    Raises:
        UpstreamError: When the server cannot be reached or refuses.
    """
    try:
        response = await client.send(request, stream=True)
    except (httpx2.ConnectError, httpx2.ConnectTimeout) as exc:
        raise UpstreamError("unreachable") from exc
    except httpx2.TimeoutException as exc:
        raise UpstreamError("slow") from exc
    except httpx2.HTTPError as exc:
        raise UpstreamError("broken_off") from exc
    if response.status_code == httpx2.codes.OK:
        return response
    try:
        if response.is_redirect:
            raise UpstreamError("refused", _MOVED)
        raise _refusal(response, await _read_refusal(response))
    finally:
        await response.aclose()


async def _read_refusal(response: httpx2.Response) -> bytes:
    body = b""
    try:
        async for chunk in response.aiter_raw():
            body += chunk
            if len(body) > _READ_REFUSAL_BYTES:
                break
    except httpx2.HTTPError:
        return b""
    return body


def _refusal(response: httpx2.Response, body: bytes) -> UpstreamError:
    try:
        said = parse_json(body)
    except JsonTextError:
        said = None
    error: Any = said.get("error") or said if isinstance(said, dict) else None
    detail = error.get("message") or error.get("detail") if isinstance(error, dict) else error
    return UpstreamError(
        _kind(response.status_code, json.dumps(error)),
        detail if isinstance(detail, str) else "",
        _retry_after_s(response.headers),
        counted_tokens(error),
    )


def _kind(status: int, words: str) -> FailureKind:
    """Judge by the status first; by the words where it leaves more than one reason."""
    if status == httpx2.codes.TOO_MANY_REQUESTS:
        return "credit" if kind_of_words(words, "rate_limited") == "credit" else "rate_limited"
    # Servers on this computer refuse with a 500, too.
    otherwise: FailureKind = (
        "overloaded" if status >= httpx2.codes.INTERNAL_SERVER_ERROR else "refused"
    )
    return _KINDS.get(status) or kind_of_words(words, otherwise)


def _retry_after_s(headers: httpx2.Headers) -> float | None:
    """Read how long the server asks to wait: milliseconds, seconds or a date."""
    try:
        if "retry-after-ms" in headers:
            return max(0.0, float(headers["retry-after-ms"]) / 1000)
        said = headers.get("retry-after", "")
        if said.isdecimal():
            return float(said)
        wait = parsedate_to_datetime(said) - datetime.now(UTC)
        return max(0.0, wait.total_seconds())
    except (ValueError, TypeError, OverflowError):
        return None


class BodyTexts:
    """The text of a body, joined for each read of the network.

    Not a generator: of many streams most are silent, and this holds little; and closing it closes
    the stream even when nobody began to read.
    """

    def __init__(self, response: httpx2.Response, reader: EventReader) -> None:
        """Make one of a response whose body was not read.

        Raises:
            TypeError: When it is of a client that does not stream.
        """
        if not isinstance(response.stream, httpx2.AsyncByteStream):
            raise TypeError("a client for streams gave something else")
        # Below what unpacks: a little that is packed can be more than there is memory for.
        self._stream = response.stream
        self._chunks = aiter(self._stream)
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
