"""Sees each request from its first to its last byte: gives it a name, logs it, measures it."""

import logging
from contextlib import ExitStack
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Final

from starlette.datastructures import MutableHeaders
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from local_server.auth import Caller
from local_server.observability.logs import FIELDS, new_request_id, request_id
from local_server.observability.metrics import STREAM_ACCOUNT, AnsweredRequest, Meter, StreamAccount

log = logging.getLogger(__name__)

REQUEST_ID_HEADER: Final = "X-Request-Id"
# A request that was refused before anybody looked at its path, or whose path is none.
NO_ROUTE: Final = "none"
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
        """Let the request be answered, under its name."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began_at = perf_counter()
        name = new_request_id()
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
                self._tell(scope, _answered(scope, progress.status, began_at))
                request_id.reset(token)

    def _tell(self, scope: Scope, request: AnsweredRequest) -> None:
        self._meter.answered(request)
        level = logging.DEBUG if request.route in _QUIET_ROUTES else logging.INFO
        if log.isEnabledFor(level):
            log.log(level, "request", extra={FIELDS: _fields(scope, request)})


def _answered(scope: Scope, status: int | None, began_at: float) -> AnsweredRequest:
    found: StreamAccount | None = scope.get("state", {}).get(STREAM_ACCOUNT)
    first_text_at = found.first_text_at if found else None
    route = scope.get("route")
    return AnsweredRequest(
        route=route.path if isinstance(route, Route) else NO_ROUTE,
        method=scope["method"],
        status=status,
        duration_s=perf_counter() - began_at,
        first_delta_s=None if first_text_at is None else first_text_at - began_at,
        account=found,
    )


def _fields(scope: Scope, request: AnsweredRequest) -> dict[str, Any]:
    """Return what the log says of a request: nothing that the client chose, but for the method."""
    caller: Caller | None = scope.get("state", {}).get("caller")
    fields: dict[str, Any] = {
        "method": request.method,
        "route": request.route,
        "status": request.status,
        "duration_ms": round(request.duration_s * 1000, 1),
        "key_id": caller.key_id if caller else None,
    }
    if request.account is not None:
        fields |= {
            "ended": request.account.ending,
            "deltas": request.account.deltas,
            "characters": request.account.characters,
            "asks_tool": request.account.asks_tool,
        }
    if request.first_delta_s is not None:
        fields["first_delta_ms"] = round(request.first_delta_s * 1000, 1)
    return {name: value for name, value in fields.items() if value is not None}
