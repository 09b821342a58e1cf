"""The middleware of a request in its order, and the error answers.

`RequestWatch` gives each request an id, logs it and measures it, from its first to its last byte;
`OriginGuard` refuses foreign hosts and web pages, `ErrorBoundary` answers unexpected exceptions,
`KeyGate` checks the key, `CrowdGuard` limits requests at once, `RateGate` requests a minute, and
`BodyGuard` the size of bodies. `install_error_handlers` gives the framework's own errors the shape
of the specification.

All are plain ASGI middleware, which buffers no stream, made with the application.
"""

import logging
import math
import secrets
from contextlib import ExitStack
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.routing import Match, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from local_server.auth import KEY_HEADER, Caller, KeyCheck, WrongKeys
from local_server.coordination import RATE_WINDOW_S, RateLimits, RateWindow
from local_server.errors import (
    ApiError,
    BadHostError,
    BodyTooLargeError,
    InvalidApiKeyError,
    InvalidRequestError,
    MethodNotAllowedError,
    NotFoundError,
    OriginRefusedError,
    OverloadedError,
    RateLimitedError,
    UnavailableError,
    error_response,
    explain,
    unforeseen,
)
from local_server.http_connection import slot_of
from local_server.observability import (
    FIELDS,
    NO_ROUTE,
    STREAM_STATS,
    AnsweredRequest,
    Meter,
    StreamStats,
    request_id,
)
from local_server.store.database import StoreUnavailableError

log = logging.getLogger(__name__)

# The three headers that clients and their libraries know. Later drafts put it all into a
# structured one, which hardly any client reads yet.
LIMIT_HEADERS: Final = {
    "RateLimit-Limit": "Requests that the key has in a minute; absent for a key without a limit.",
    "RateLimit-Remaining": "What is left of them now.",
    "RateLimit-Reset": "Seconds until the oldest request leaves the minute.",
}
_LONGEST_KEY_BYTES: Final = 512

REQUEST_ID_HEADER: Final = "X-Request-Id"
# Asked every few seconds by whoever watches over the service.
_QUIET_ROUTES: Final = frozenset({"/healthz", "/readyz"})


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
        """Pass the request on, with an id."""
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
    """Make an id. A client's own is not used: it could put anything into the log."""
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
    """Return the fields of a log line: except for the method, none that the client chooses."""
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


class OriginGuard:
    """Answers only requests addressed to this service by name, and none from a web page.

    The exact comparison, of upper and lower case too (our choice), stops DNS rebinding; refusing
    every Origin stops the rest of the web. The paths of `any_host` are for whoever asks by address.
    """

    def __init__(
        self, app: ASGIApp, allowed_hosts: frozenset[str], any_host: frozenset[str]
    ) -> None:
        self._app = app
        self._any_host = any_host
        self._allowed = {host.encode("ascii") for host in allowed_hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or pass the request on."""
        refusal = self._refusal(scope) if scope["type"] == "http" else None
        if refusal is None:
            await self._app(scope, receive, send)
        else:
            await error_response(refusal)(scope, receive, send)

    def _refusal(self, scope: Scope) -> ApiError | None:
        hosts = _header_values(scope, b"host")
        is_ours = len(hosts) == 1 and hosts[0] in self._allowed
        if not (is_ours or scope["path"] in self._any_host):
            return BadHostError()
        if _header_values(scope, b"origin"):
            return OriginRefusedError()
        return None


class ErrorBoundary:
    """Answers 500 in our shape for whatever the application did not foresee."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application, and answer for it if it fails before it has begun to."""
        has_begun = False

        async def watched_send(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            await self._app(scope, receive, watched_send)
        except ClientDisconnect:
            log.debug("a client disconnected before its request was read")
        except Exception as exc:  # noqa: BLE001 - the server's error handler; `unforeseen` logs it
            error = unforeseen(exc) if has_begun else _answer_for(exc)
            if not has_begun:
                await error_response(error)(scope, receive, send)


class KeyGate:
    """Lets through only requests with a valid key, whatever their path.

    The caller is left in `request.state`.
    """

    def __init__(
        self, app: ASGIApp, keys: KeyCheck, wrong_keys: WrongKeys, open_paths: frozenset[str]
    ) -> None:
        self._app = app
        self._keys = keys
        self._wrong_keys = wrong_keys
        self._open_paths = open_paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 401, or pass the request on with its caller."""
        if scope["type"] != "http" or scope["path"] in self._open_paths:
            await self._app(scope, receive, send)
            return
        caller = await self._identify(scope)
        if caller is None:
            await error_response(InvalidApiKeyError())(scope, receive, send)
            return
        scope.setdefault("state", {})["caller"] = caller
        await self._app(scope, receive, send)

    async def _identify(self, scope: Scope) -> Caller | None:
        presented = _header_values(scope, KEY_HEADER.lower().encode())
        if not presented:
            return None
        is_possible = len(presented) == 1 and len(presented[0]) <= _LONGEST_KEY_BYTES
        caller = await self._keys.find(presented[0]) if is_possible else None
        if caller is None:
            await self._wrong_keys.delay()
        return caller


class CrowdGuard:
    """Answers 503 to what comes while too many requests are being answered.

    It stands behind the key, so that nobody without one can occupy a slot.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or reserve the slot of the connection until the request is answered."""
        slot = slot_of(scope) if "caller" in scope.get("state", {}) else None
        if slot is None or slot.reserve():
            await self._app(scope, receive, send)
        else:
            await error_response(OverloadedError())(scope, receive, send)


class RateGate:
    """Answers 429 to a key that asks more often than its plan allows, over any sliding minute.

    Every answer to a key with a limit says where it stands (specification 8).
    """

    def __init__(self, app: ASGIApp, limits: RateLimits) -> None:
        self._app = app
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or count the request and pass it on."""
        caller = scope.get("state", {}).get("caller")
        if not isinstance(caller, Caller) or caller.per_minute is None:
            await self._app(scope, receive, send)
            return
        window = await self._limits.count(caller.key_id, caller.per_minute)
        usage = _usage(window, caller.per_minute)
        send_with_usage = _with_headers(send, usage.headers())
        if window.is_counted:
            await self._app(scope, receive, send_with_usage)
        else:
            refusal = RateLimitedError(usage.per_minute, usage.wait_s)
            await error_response(refusal)(scope, receive, send_with_usage)


@dataclass(frozen=True)
class _RateUsage:
    """Where a key stands in its minute.

    Attributes:
        per_minute: How many requests the key has in a minute.
        remaining: How many of them are left now.
        wait_s: When the oldest request leaves the minute, and there is one more.
    """

    per_minute: int
    remaining: int
    wait_s: int

    def headers(self) -> list[tuple[bytes, bytes]]:
        """Return the usage as the headers of `LIMIT_HEADERS`."""
        numbers = (self.per_minute, self.remaining, self.wait_s)
        return [
            (name.lower().encode(), str(number).encode())
            for name, number in zip(LIMIT_HEADERS, numbers, strict=True)
        ]


def _usage(window: RateWindow, per_minute: int) -> _RateUsage:
    wait_s = math.ceil(RATE_WINDOW_S - window.oldest_age_s)
    return _RateUsage(per_minute, max(0, per_minute - window.count), max(1, wait_s))


class BodyGuard:
    """Stops reading a request body at a size, whether it was announced or not."""

    def __init__(self, app: ASGIApp, limit_bytes: int) -> None:
        self._app = app
        self._limit_bytes = limit_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse what is announced as too large; count what is not announced."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        announced = _header_values(scope, b"content-length")
        if announced and announced[0].isdigit() and int(announced[0]) > self._limit_bytes:
            await error_response(BodyTooLargeError(self._limit_bytes))(scope, receive, send)
            return
        await self._app(scope, self._counted(receive), send)

    def _counted(self, receive: Receive) -> Receive:
        read_bytes = 0

        async def counted_receive() -> Message:
            nonlocal read_bytes
            message = await receive()
            read_bytes += len(message.get("body", b""))
            if read_bytes > self._limit_bytes:
                raise BodyTooLargeError(self._limit_bytes)
            return message

        return counted_receive


def install_error_handlers(app: FastAPI) -> None:
    """Make every answer that is an error leave in our shape (specification 7.2)."""
    app.add_exception_handler(ApiError, _on_api_error)
    app.add_exception_handler(RequestValidationError, _on_invalid_parameters)
    app.add_exception_handler(HTTPException, _on_routing_error)


async def _on_api_error(_request: Request, exc: Exception) -> JSONResponse:
    if not isinstance(exc, ApiError):
        raise exc
    return error_response(exc)


async def _on_invalid_parameters(_request: Request, exc: Exception) -> JSONResponse:
    if not isinstance(exc, RequestValidationError):
        raise exc
    return error_response(InvalidRequestError(explain(list(exc.errors()))))


async def _on_routing_error(request: Request, exc: Exception) -> JSONResponse:
    if not isinstance(exc, HTTPException):
        raise exc
    error: ApiError
    if exc.status_code == MethodNotAllowedError.status:
        error = MethodNotAllowedError(_methods_of_path(request))
    elif exc.status_code == NotFoundError.status:
        error = NotFoundError("There is nothing at this path.")
    else:
        error = InvalidRequestError("The request could not be read.")
    return error_response(error)


def _methods_of_path(request: Request) -> set[str]:
    """Return all methods of a path; Starlette names only those of the first route with it."""
    routes = (route for route in request.app.routes if isinstance(route, Route))
    matching = (route for route in routes if route.matches(request.scope)[0] is not Match.NONE)
    return {method for route in matching for method in route.methods or ()}


def _answer_for(exc: Exception) -> ApiError:
    if isinstance(exc, ApiError):
        return exc
    if isinstance(exc, StoreUnavailableError):
        log.warning("the store cannot be used: %s", exc)
        return UnavailableError(str(exc))
    return unforeseen(exc)


def _header_values(scope: Scope, name: bytes) -> list[bytes]:
    """List the values of a header, one for each time that it was sent."""
    return [value for key, value in scope["headers"] if key == name]


def _with_headers(send: Send, headers: list[tuple[bytes, bytes]]) -> Send:
    """Wrap `send` so that the head of the answer has these headers too."""

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", ()), *headers]
        await send(message)

    return send_with_headers
