"""Give each request an id, log it and measure it, from its first to its last byte.

`RequestWatch` is the middleware that does so. A `Meter` adds up requests, each an
`AnsweredRequest`; a `StreamStats` has what is counted of a stream while it is written.
"""

import logging
import secrets
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Final, Literal, Protocol

from starlette.datastructures import MutableHeaders
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from local_server.auth import Caller
from local_server.observability.logs import FIELDS, request_id

log = logging.getLogger(__name__)

# Where a stream leaves its figures, in the state of its request.
STREAM_STATS: Final = "stream_stats"
REQUEST_ID_HEADER: Final = "X-Request-Id"
# A request that was refused before anybody looked at its path, or whose path is none.
NO_ROUTE: Final = "none"
# Asked every few seconds by whoever watches over the service.
_QUIET_ROUTES: Final = frozenset({"/healthz", "/readyz"})
# whole: to its last event. left: the client went. stopped: the service did. failed: an error event.
Ending = Literal["whole", "left", "stopped", "failed"]


@dataclass(slots=True)
class StreamStats:
    """The figures of one stream; filled by whoever writes it, read once it has ended.

    Attributes:
        deltas: How many fragments of text there were.
        characters: How long they were together.
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


@dataclass
class _Progress:
    """How far an answer has come."""

    status: int | None = None


class RequestWatch:
    """The outermost layer. ASGI middleware; made with the application."""

    def __init__(self, app: ASGIApp, meter: Meter) -> None:
        self._app = app
        self._meter = meter

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, under its name."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began_at = perf_counter()
        name = _new_request_id()
        progress = _Progress()
        token = request_id.set(name)
        with ExitStack() as stream:

            async def named_send(message: Message) -> None:
                if message["type"] == "http.response.start":
                    progress.status = message["status"]
                    headers = MutableHeaders(raw=message["headers"])
                    headers[REQUEST_ID_HEADER] = name
                    if headers.get("content-type", "").startswith("text/event-stream"):
                        stream.enter_context(self._meter.open_stream())
                await send(message)

            try:
                await self._app(scope, receive, named_send)
            finally:
                self._record(scope, _answered(scope, progress.status, began_at))
                request_id.reset(token)

    def _record(self, scope: Scope, request: AnsweredRequest) -> None:
        self._meter.answered(request)
        level = logging.DEBUG if request.route in _QUIET_ROUTES else logging.INFO
        if log.isEnabledFor(level):
            log.log(level, "request", extra={FIELDS: _fields(scope, request)})


def _new_request_id() -> str:
    """Make up a name. A client's own is not taken: it could put anything into the log."""
    return f"req_{secrets.token_hex(12)}"


def _answered(scope: Scope, status: int | None, began_at: float) -> AnsweredRequest:
    found: StreamStats | None = scope.get("state", {}).get(STREAM_STATS)
    first_text_at = found.first_text_at if found else None
    route = scope.get("route")
    return AnsweredRequest(
        route=route.path if isinstance(route, Route) else NO_ROUTE,
        method=scope["method"],
        status=status,
        duration_s=perf_counter() - began_at,
        first_delta_s=None if first_text_at is None else first_text_at - began_at,
        stats=found,
    )


def _fields(scope: Scope, request: AnsweredRequest) -> dict[str, Any]:
    """Return the fields of a log line: nothing that the client chose, but for the method."""
    caller: Caller | None = scope.get("state", {}).get("caller")
    fields: dict[str, Any] = {
        "method": request.method,
        "route": request.route,
        "status": request.status,
        "duration_ms": round(request.duration_s * 1000, 1),
        "key_id": caller.key_id if caller else None,
    }
    if request.stats is not None:
        fields |= {
            "ended": request.stats.ending,
            "deltas": request.stats.deltas,
            "characters": request.stats.characters,
            "asks_tool": request.stats.asks_tool,
        }
    if request.first_delta_s is not None:
        fields["first_delta_ms"] = round(request.first_delta_s * 1000, 1)
    return {name: value for name, value in fields.items() if value is not None}
