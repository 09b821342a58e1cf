"""Metrics in the form that Prometheus reads, on a loopback port of their own, without a key."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, asynccontextmanager
from functools import partial
from typing import Final

import uvicorn
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from local_server.http_connection import Connection, ConnectionLimiter
from local_server.middleware import OriginGuard
from local_server.observability import AnsweredRequest, Meter
from local_server.settings import ConnectionTimeouts
from local_server.store.database import watched_uses

METRICS_PATH: Final = "/metrics"
_CONNECTIONS: Final = 16
_METHODS: Final = frozenset({"GET", "POST", "DELETE", "HEAD", "OPTIONS", "PUT", "PATCH"})
_REQUEST_S: Final = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300)
_FIRST_DELTA_S: Final = (0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100)
_STORE_S: Final = (0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3)
_TOOL_RESULT_ROUTE: Final = "/v1/tool-result"
_LIMITS: Final = {413: "body", 429: "requests", 503: "capacity"}


class PrometheusMeter:
    """Adds up in a registry of its own. One for each process of the service."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        registry = self._registry
        self._requests = Counter(
            "parley_requests",
            "Requests answered.",
            ("route", "method", "status"),
            registry=registry,
        )
        self._duration = Histogram(
            "parley_request_seconds",
            "From the head of a request to the last byte of its answer.",
            ("route",),
            buckets=_REQUEST_S,
            registry=registry,
        )
        self._open = Gauge("parley_streams_open", "Streams being written.", registry=registry)
        self._streams = Counter("parley_streams", "Streams ended.", ("ended",), registry=registry)
        self._deltas = Counter(
            "parley_deltas", "Fragments of text in ended streams.", registry=registry
        )
        self._characters = Counter("parley_characters", "Characters in them.", registry=registry)
        self._first_delta = Histogram(
            "parley_first_delta_seconds",
            "From the head of a request to the first fragment of text.",
            buckets=_FIRST_DELTA_S,
            registry=registry,
        )
        self._tool_calls = Counter(
            "parley_tool_calls", "Tool calls of clients.", ("step",), registry=registry
        )
        self._limits = Counter(
            "parley_limits_hit",
            "Requests refused because of a limit.",
            ("limit",),
            registry=registry,
        )
        self._store = Histogram(
            "parley_store_seconds",
            "How long a connection to the database was in use: a transaction with its commit.",
            buckets=_STORE_S,
            registry=registry,
        )

    def answered(self, request: AnsweredRequest) -> None:
        """Add a request at its end."""
        method = request.method if request.method in _METHODS else "other"
        self._requests.labels(request.route, method, request.status or "none").inc()
        self._duration.labels(request.route).observe(request.duration_s)
        if request.status in _LIMITS:
            self._limits.labels(_LIMITS[request.status]).inc()
        if request.stats is None:
            return
        self._streams.labels(request.stats.ending).inc()
        self._deltas.inc(request.stats.deltas)
        self._characters.inc(request.stats.characters)
        if request.stats.asks_tool:
            self._tool_calls.labels("suspended").inc()
        if request.route == _TOOL_RESULT_ROUTE:
            self._tool_calls.labels("answered").inc()
        if request.first_delta_s is not None:
            self._first_delta.observe(request.first_delta_s)

    def open_stream(self) -> AbstractContextManager[None]:
        """Count a stream as open for as long as this is entered."""
        return self._open.track_inprogress()

    def watching_store(self) -> AbstractContextManager[None]:
        """Measure each transaction within a block."""
        return watched_uses(self._store.observe)

    def text(self) -> bytes:
        """Write all metrics as they are now."""
        return generate_latest(self._registry)


@asynccontextmanager
async def measuring(bound: socket.socket, allowed_hosts: frozenset[str]) -> AsyncIterator[Meter]:
    """Make the meter of a service, whose figures are read at `/metrics` of a bound socket."""
    meter = PrometheusMeter()
    with meter.watching_store():
        async with serving_metrics(meter, bound, allowed_hosts):
            yield meter


@asynccontextmanager
async def serving_metrics(
    meter: PrometheusMeter, bound: socket.socket, allowed_hosts: frozenset[str]
) -> AsyncIterator[None]:
    """Answer at `/metrics` on a bound socket for as long as this is entered."""
    config = uvicorn.Config(
        _app(meter.text, allowed_hosts),
        access_log=False,
        http=partial(
            Connection, limiter=ConnectionLimiter(_CONNECTIONS), timeouts=ConnectionTimeouts()
        ),  # type: ignore[arg-type]  # a class is only called, too
        lifespan="off",
        log_config=None,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=1,
        ws="none",
    )
    server = _Quiet(config)
    running = asyncio.create_task(server.serve([bound]), name="metrics")
    try:
        yield
    finally:
        server.should_exit = True
        await running


class _Quiet(uvicorn.Server):
    """A server that leaves the signals to the one it runs beside."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Install no signal handlers: signals are the service's, not those of its metrics."""
        yield


def _app(text: Callable[[], bytes], allowed_hosts: frozenset[str]) -> Starlette:
    async def metrics(_request: Request) -> Response:
        return Response(text(), media_type=CONTENT_TYPE_LATEST)

    return Starlette(
        routes=[Route(METRICS_PATH, metrics)],
        middleware=[Middleware(OriginGuard, allowed_hosts=allowed_hosts, any_host=frozenset())],
    )
