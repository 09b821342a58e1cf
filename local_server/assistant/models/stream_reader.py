"""Send a question to a model's server and read the event stream of the answer.

`open_stream` sends the question, `BodyTexts` reads the body to its end, and `EventReader` makes
text and tool calls out of its events. `ThinkTagFilter` separates `<think>` sections from the
answer.

One read from the network may contain hundreds of events. Their text is joined, so that it is
processed once for each read and not for each event.
"""

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from email.utils import parsedate_to_datetime
from typing import Any, Final, Self

import httpx2

from local_server.assistant.models.answer import Answer, clean
from local_server.assistant.models.failures import (
    FailureKind,
    UpstreamError,
    counted_tokens,
    kind_of_words,
)
from local_server.assistant.reply import TokenUsage
from local_server.schemas import JsonTextError, parse_json
from local_server.settings import utc_now

_OPENING: Final = "<think>"
_CLOSING: Final = "</think>"

Json = dict[str, Any]
# Notes calls and the end in the answer; returns the text.
ReadEvent = Callable[[Json, Answer], str]
LONGEST_LINE_BYTES: Final = 4 * 1024 * 1024
_DATA: Final = b"data:"
_DONE: Final = b"[DONE]"
_OBJECT_START: Final = b"{"
# The beginnings of lines of an event stream that carry no data.
_FIELDS: Final = (b":", b"event", b"id", b"retry")
# How long to wait for the end of a body after the last event: a connection can be reused only when
# its body was read to the end.
_TAIL_S: Final = 0.2
_READ_REFUSAL_BYTES: Final = 64 * 1024
# Redirects are not followed: conversation and key would go to a server that nobody has chosen.
_MOVED: Final = "requests have to be sent to another address"
_KINDS: Final[dict[int, FailureKind]] = {
    401: "key",
    402: "credit",
    403: "key",
    404: "unknown_model",
    413: "too_long",
}


class ThinkTagFilter:
    """Removes `<think>…</think>` from the start of an answer. One for each answer."""

    def __init__(self, on_thought: Callable[[str], None]) -> None:
        """Make one; `on_thought` is called with what stands between the tags, as it comes."""
        self._on_thought = on_thought
        self._held = ""
        self._is_thinking = False
        self._has_begun = False

    def pass_on(self, text: str) -> str:
        """Take the next fragment, cut at any place, and return the part of it to show."""
        if self._has_begun or not text:
            return text
        self._held += text
        if not self._is_thinking:
            start = self._held.lstrip()
            if len(start) < len(_OPENING) and _OPENING.startswith(start):
                return ""
            if not start.startswith(_OPENING):
                return self._begin(self._held)
            self._is_thinking = True
            self._held = start.removeprefix(_OPENING).lstrip()
        thought, closing, spoken = self._held.partition(_CLOSING)
        if closing:
            self._on_thought(thought.rstrip())
            # The empty lines after a thought are not part of the answer.
            return self._begin_after_thought(spoken)
        self._held = self._held[_end_of_thought(thought) :]
        self._on_thought(thought[: len(thought) - len(self._held)])
        return ""

    def rest(self) -> str:
        """Return what was kept back in case it was the start of a thought."""
        held, self._held = self._held, ""
        if not self._is_thinking:
            return held
        self._on_thought(held.removeprefix(_CLOSING).rstrip())
        return ""

    def _begin_after_thought(self, spoken: str) -> str:
        spoken = spoken.lstrip()
        if not spoken:
            self._held = _CLOSING
            return ""
        return self._begin(spoken)

    def _begin(self, text: str) -> str:
        self._has_begun = True
        self._held = ""
        self._is_thinking = False
        return text


def _end_of_thought(thought: str) -> int:
    """Return where the white space and the beginning of a closing at the end of a text begin."""
    begun = (size for size in range(len(_CLOSING) - 1, 0, -1) if thought.endswith(_CLOSING[:size]))
    return len(thought[: len(thought) - next(begun, 0)].rstrip())


class EventReader:
    """Reads one stream. Made for one answer."""

    def __init__(self, read_event: ReadEvent, answer: Answer, prefix: bytes = _DATA) -> None:
        """Make one; each line that begins with `prefix` holds an event, others mean nothing."""
        self._read_event = read_event
        self._prefix = prefix
        self._answer = answer
        # Grows in place: a line may come in fragments of one byte.
        self._rest = bytearray()
        self._is_whole_answer = False
        self._has_begun = False
        self._think_filter = ThinkTagFilter(answer.add_thought)
        self._failure: UpstreamError | None = None
        self._has_event = False
        self._strange_line = b""

    @property
    def is_over(self) -> bool:
        """Whether the provider said that nothing follows."""
        return self._answer.is_over

    def feed(self, chunk: bytes) -> str:
        """Read on; return the text of the events that became whole.

        Raises:
            UpstreamError: When the provider reports a failure, or what comes cannot be read.
        """
        self._raise_failure()
        if not self._has_begun and chunk.strip():
            # Some servers do not stream, whatever they are asked.
            self._has_begun = True
            self._is_whole_answer = bool(self._prefix) and chunk.lstrip().startswith(_OBJECT_START)
        head, line_end, tail = chunk.rpartition(b"\n")
        if self._is_whole_answer or not line_end:
            self._rest += chunk
            if len(self._rest) > LONGEST_LINE_BYTES:
                raise UpstreamError("unreadable", "a line is too long")
            return ""
        lines = (bytes(self._rest) + head).split(b"\n")
        self._rest = bytearray(tail)
        return self._think_filter.pass_on(clean(self._joined(lines)))

    def finish(self) -> str:
        """Read what stands after the last line end; return the last text.

        Raises:
            UpstreamError: When the answer is not whole.
        """
        self._raise_failure()
        rest = bytes(self._rest)
        self._rest.clear()
        text = self._text_of_whole(rest) if self._is_whole_answer else self._text_of(rest)
        text = self._think_filter.pass_on(clean(text))
        if self._answer.ending is None and not self._answer.is_over:
            is_stream = self._has_event or not self._strange_line
            raise UpstreamError("broken_off" if is_stream else "no_stream")
        return text + self._think_filter.rest()

    def _joined(self, lines: list[bytes]) -> str:
        """Join the text of lines; a failure after some text is kept until that is passed on."""
        texts: list[str] = []
        try:
            texts.extend(map(self._text_of, lines))
        except UpstreamError as failure:
            if not any(texts):
                raise
            self._failure = failure
        return "".join(texts)

    def _raise_failure(self) -> None:
        if self._failure is not None:
            raise self._failure

    def _text_of(self, line: bytes) -> str:
        if not line.startswith(self._prefix):
            if line.strip() and not line.startswith(_FIELDS):
                self._strange_line = line
            return ""
        data = line[len(self._prefix) :].strip()
        if data == _DONE:
            self._answer.is_over = True
            return ""
        if not data:
            return ""
        self._has_event = True
        return self._text_of_event(_object(data))

    def _text_of_whole(self, body: bytes) -> str:
        """Return the text of an answer that is not streamed."""
        text = self._text_of_event(_object(body))
        if not text and not self._answer.call_count and self._answer.ending is None:
            raise UpstreamError("no_stream")
        self._answer.is_over = True
        return text

    def _text_of_event(self, event: Json) -> str:
        if event.get("error"):
            raise_reported(event)
        try:
            return self._read_event(event, self._answer)
        except (AttributeError, KeyError, IndexError, TypeError) as exc:
            raise UpstreamError("unreadable") from exc


def raise_reported(event: Json) -> None:
    """Raise what a provider reports in place of an answer.

    Raises:
        UpstreamError: Always.
    """
    error = event.get("error")
    detail = error.get("message") if isinstance(error, dict) else error
    kind = kind_of_words(json.dumps(error), "refused")
    raise UpstreamError(kind, str(detail or ""), counted=counted_tokens(error))


def thought_of(content: Any) -> str:
    """Read what a model thinks from the content of a message (Mistral's)."""
    parts = content if isinstance(content, list) else ()
    return "".join(text_of(p["thinking"]) for p in parts if p.get("type") == "thinking")


def text_of(content: Any) -> str:
    """Read the text of a message; some servers send it in parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else ()
    return "".join(part["text"] for part in parts if part.get("type") == "text")


def token_usage(question: Any, answered: Any, cached: Any = None) -> TokenUsage | None:
    """Read what an answer used; None where the server counts no tokens at all."""
    question, answered, cached = map(_count, (question, answered, cached))
    if question is None and answered is None:
        return None
    return TokenUsage(question or 0, answered or 0, cached or 0)


def _count(value: Any) -> int | None:
    is_count = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return value if is_count else None


def arguments_of(given: Any) -> str:
    """Write the arguments of a call as JSON, where they come as an object."""
    if given is None:
        return ""
    return given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)


def _object(data: bytes) -> Json:
    try:
        # By itself it would look for other encodings in each line.
        event = json.loads(data.decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError) as exc:
        raise UpstreamError("unreadable") from exc
    if not isinstance(event, dict):
        raise UpstreamError("unreadable")
    return event


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
        parsed = parse_json(body)
    except JsonTextError:
        parsed = None
    error: Any = parsed.get("error") or parsed if isinstance(parsed, dict) else None
    detail = error.get("message") or error.get("detail") if isinstance(error, dict) else error
    return UpstreamError(
        _kind(response.status_code, json.dumps(error)),
        detail if isinstance(detail, str) else "",
        _retry_after_s(response.headers),
        counted_tokens(error),
    )


def _kind(status: int, words: str) -> FailureKind:
    """Find the kind by the status first; by the words where that leaves more than one reason."""
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
        value = headers.get("retry-after", "")
        if value.isdecimal():
            return float(value)
        wait = parsedate_to_datetime(value) - utc_now()
        return max(0.0, wait.total_seconds())
    except (ValueError, TypeError, OverflowError):
        return None


class BodyTexts:
    """The text of a body, joined for each read of the network.

    Not a generator: it takes less memory, since most of many streams are idle, and closing it
    closes the stream even if nobody has begun to read.
    """

    def __init__(self, response: httpx2.Response, reader: EventReader) -> None:
        """Make one of a response whose body was not read.

        Raises:
            TypeError: When it is of a client that does not stream.
        """
        if not isinstance(response.stream, httpx2.AsyncByteStream):
            raise TypeError("a client for streams gave something else")
        # The raw stream, without decompression: a small compressed body could exceed all memory.
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
        """Close the connection."""
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
