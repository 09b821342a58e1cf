"""Log to standard error and measure, without words of conversations and without secrets.

A `Meter` adds up requests, each an `AnsweredRequest`; a `StreamStats` has what is counted of a
stream while it is written. The middleware does the logging and measuring of a request.

`log_to_stderr` sets the log up, `JsonLines` and `TextLines` write its lines, and `request_id`
names the request that is being answered, wherever in the code that is.

Our own log calls contain neither. An exception's message may hold a parameter of a query or a part
of a request, and so may a library's log line. So of an exception only types and places are logged,
not messages, and of a library's line only the unformatted template.
"""

import errno
import json
import logging
import re
import sys
import traceback
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from time import perf_counter
from typing import Any, Final, Literal, Protocol, TextIO

# Set for each request; what is started from it, such as the task of a stream, inherits it.
request_id: Final[ContextVar[str | None]] = ContextVar("request_id", default=None)

OUR_LOGGERS: Final = "local_server"
# The attribute of a log record that holds the fields of its line; passed by `extra`.
FIELDS: Final = "fields"
_LONGEST_FOREIGN_CHARS: Final = 200
# A file name, for example, may contain line ends or escape sequences for a terminal.
_NOT_IN_A_LINE: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_MOST_FRAMES: Final = 40
# The key in the request's state under which a stream stores its counters.
STREAM_STATS: Final = "stream_stats"
# The route label of requests refused before routing, or with an unknown path.
NO_ROUTE: Final = "none"
# whole: to its last event. left: the client went. stopped: the service did. failed: an error event.
Ending = Literal["whole", "left", "stopped", "failed"]


class OwnOrWarningFilter(logging.Filter):
    """Passes our own records, and those of libraries from WARNING on."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Decide on a record."""
        return is_ours(record) or record.levelno >= logging.WARNING


class JsonLines(logging.Formatter):
    """One JSON object a line: time, level, logger, message, request_id, fields, exception."""

    def format(self, record: logging.LogRecord) -> str:
        """Write a record."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": message_of(record),
        }
        if (current := request_id.get()) is not None:
            line["request_id"] = current
        line |= fields_of(record)
        if exception := exception_of(record):
            line["exception"] = exception
        return json.dumps(line, ensure_ascii=False, default=str)


class TextLines(logging.Formatter):
    """A line for people: time, level, logger, message and what else is known, by name."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: ")

    def format(self, record: logging.LogRecord) -> str:
        """Write a record."""
        record.asctime = self.formatTime(record)
        known: dict[str, Any] = dict(fields_of(record))
        if (current := request_id.get()) is not None:
            known["request_id"] = current
        named = "".join(f" {name}={value}" for name, value in known.items())
        lines = [f"{self.formatMessage(record)}{message_of(record)}{named}"]
        return "\n  ".join([*lines, *exception_of(record)])


def is_ours(record: logging.LogRecord) -> bool:
    """Return whether a record comes from our own code."""
    return record.name == OUR_LOGGERS or record.name.startswith(f"{OUR_LOGGERS}.")


def fields_of(record: logging.LogRecord) -> dict[str, Any]:
    """Find what a record says besides its message."""
    fields = record.__dict__.get(FIELDS)
    return fields if isinstance(fields, dict) else {}


def message_of(record: logging.LogRecord) -> str:
    """Return the message; of a library's record only the unformatted template."""
    if is_ours(record):
        return _NOT_IN_A_LINE.sub(" ", record.getMessage())
    return str(record.msg).partition("\n")[0][:_LONGEST_FOREIGN_CHARS]


def exception_of(record: logging.LogRecord) -> list[str]:
    """Return types and places of an exception and its causes, innermost frame last."""
    exc = record.exc_info[1] if record.exc_info else None
    return list(_raised(exc)) if exc is not None else []


def _raised(exc: BaseException) -> Iterator[str]:
    cause = exc.__cause__ or (None if exc.__suppress_context__ else exc.__context__)
    if cause is not None:
        yield from _raised(cause)
    frames = traceback.extract_tb(exc.__traceback__, limit=-_MOST_FRAMES)
    yield from (f"{frame.filename}:{frame.lineno} in {frame.name}" for frame in frames)
    yield f"{type(exc).__module__}.{type(exc).__qualname__}{_known_reason(exc)}"


def _known_reason(exc: BaseException) -> str:
    """Return the system's name for its own failure, such as ENOSPC, from a closed list."""
    if isinstance(exc, OSError) and exc.errno is not None:
        return f" ({errno.errorcode.get(exc.errno, exc.errno)})"
    return ""


class LogFormat(StrEnum):
    """How a line of the log looks."""

    TEXT = "text"
    JSON = "json"


def log_to_stderr(log_format: LogFormat) -> None:
    """Send the log to standard error, a line each; what was set up before is replaced."""
    handler = log_handler(log_format, sys.stderr)
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    # What unauthenticated clients send is nothing that anybody could act on.
    logging.getLogger("uvicorn").setLevel(logging.ERROR)


def log_handler(log_format: LogFormat, stream: TextIO) -> logging.Handler:
    """Make what writes the log to a stream."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines() if log_format is LogFormat.JSON else TextLines())
    handler.addFilter(OwnOrWarningFilter())
    return handler


@dataclass(slots=True)
class StreamStats:
    """The figures of one stream; filled by whoever writes it, read once it has ended.

    Attributes:
        deltas: The number of fragments of text.
        characters: Their total length.
        first_text_at: When the first of them was written, by `time.perf_counter`.
        asks_tool: Whether it ended with a call of a client's tool.
    """

    deltas: int = 0
    characters: int = 0
    first_text_at: float | None = None
    asks_tool: bool = False
    ending: Ending = "left"

    def count_text(self, text: str) -> None:
        """Count a fragment. It stands in the way of each of them, so it does no more than that."""
        self.deltas += 1
        self.characters += len(text)
        if self.first_text_at is None:
            self.first_text_at = perf_counter()


@dataclass(frozen=True)
class AnsweredRequest:
    """A request that was answered, or whose client left before.

    Attributes:
        route: The template of its path, such as `/v1/conversations/{conversation_id}`.
        status: None when no answer had begun.
        stats: With a stream, what was counted of it.
    """

    route: str
    method: str
    status: int | None
    duration_s: float
    first_delta_s: float | None = None
    stats: StreamStats | None = None


class Meter(Protocol):
    """Adds up what happens. One for the life of the service."""

    def answered(self, request: AnsweredRequest) -> None:
        """Add a request at its end."""

    def open_stream(self) -> AbstractContextManager[None]:
        """Count a stream as open for as long as this is entered."""


class Unmeasured:
    """The meter of a service whose metrics nobody asks for."""

    def answered(self, request: AnsweredRequest) -> None:
        """Do nothing."""

    def open_stream(self) -> AbstractContextManager[None]:
        """Count nothing."""
        return nullcontext()
