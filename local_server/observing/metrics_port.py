"""The address of its own at which the metrics are read: loopback only, without a key."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Final

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from local_server.connection import Connection
from local_server.guard import OriginGuard
from local_server.observing.prometheus_meter import CONTENT_TYPE, PrometheusMeter
from local_server.places import Places
from local_server.settings import Waits

METRICS_PATH: Final = "/metrics"
_CONNECTIONS: Final = 16


class _Quiet(uvicorn.Server):
    """A server beside another one, which takes the signals."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take none."""
        yield


@asynccontextmanager
async def serving_metrics(
    meter: PrometheusMeter, bound: socket.socket, allowed_hosts: frozenset[str]
) -> AsyncIterator[None]:
    """Answer at `/metrics` on a bound socket for as long as this is entered."""
    config = uvicorn.Config(
        _app(meter.text, allowed_hosts),
        access_log=False,
        http=partial(Connection, places=Places(_CONNECTIONS), waits=Waits()),  # type: ignore[arg-type]  # a class is only called, too
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


def _app(text: Callable[[], bytes], allowed_hosts: frozenset[str]) -> Starlette:
    async def metrics(_request: Request) -> Response:
        return Response(text(), media_type=CONTENT_TYPE)

    return Starlette(
        routes=[Route(METRICS_PATH, metrics)],
        middleware=[Middleware(OriginGuard, allowed_hosts=allowed_hosts, any_host=frozenset())],
    )
