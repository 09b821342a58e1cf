"""Reads the event streams of providers, from bytes to text and tool calls.

One read of the network may hold hundreds of events: their text is joined, so that what follows
costs once for each read and not for each event.
"""

import json
from collections.abc import Callable
from typing import Any, Final

from local_server.assistant.models.answer import Answer, clean
from local_server.assistant.models.failures import UpstreamError, counted_tokens, kind_of_words
from local_server.assistant.models.think_filter import ThinkTagFilter

Json = dict[str, Any]
# Notes calls and the end in the answer; returns the text.
ReadEvent = Callable[[Json, Answer], str]

LONGEST_LINE_BYTES: Final = 4 * 1024 * 1024
_DATA: Final = b"data:"
_DONE: Final = b"[DONE]"
_OBJECT_START: Final = b"{"
# What lines of an event stream begin with, beside events.
_FIELDS: Final = (b":", b"event", b"id", b"retry")


class EventReader:
    """Reads one stream. Made for one answer."""

    def __init__(self, read_event: ReadEvent, answer: Answer, prefix: bytes = _DATA) -> None:
        """Make one; each line that begins with `prefix` holds an event, others mean nothing."""
        self._read_event = read_event
        self._prefix = prefix
        self._answer = answer
        self._rest = b""
        self._is_whole_answer = False
        self._has_begun = False
        self._think_filter = ThinkTagFilter()
        self._failure: UpstreamError | None = None
        self._has_event = False
        self._strange_line = b""

    @property
    def is_over(self) -> bool:
        """Whether the provider said that nothing follows."""
        return self._answer.is_over

    def feed(self, chunk: bytes) -> str:
        """Read on; returns the text of the events that became whole.

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
        lines = (self._rest + head).split(b"\n")
        self._rest = tail
        return self._think_filter.pass_on(clean(self._joined(lines)))

    def finish(self) -> str:
        """Read what stands after the last line end; returns the last text.

        Raises:
            UpstreamError: When the answer is not whole.
        """
        self._raise_failure()
        rest, self._rest = self._rest, b""
        told = self._text_of_whole(rest) if self._is_whole_answer else self._text_of(rest)
        text = self._think_filter.pass_on(clean(told))
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
        """Read an answer that is no stream."""
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


def text_of(content: Any) -> str:
    """Read the text of a message; some servers send it in parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else ()
    return "".join(part["text"] for part in parts if part.get("type") == "text")


def arguments_of(given: Any) -> str:
    """Write the arguments of a call as JSON, where they come as an object."""
    if given is None:
        return ""
    return given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)


def _object(data: bytes) -> Json:
    try:
        event = json.loads(data)
    except (ValueError, RecursionError) as exc:
        raise UpstreamError("unreadable") from exc
    if not isinstance(event, dict):
        raise UpstreamError("unreadable")
    return event
