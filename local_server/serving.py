"""Serve the application on a bound socket until a signal stops it; built on uvicorn."""

import asyncio
import contextlib
import errno
import ipaddress
import json
import logging
import math
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import version
from types import FrameType
from typing import Final

import uvicorn

if sys.platform != "win32":
    import uvloop
from fastapi import FastAPI

from local_server.application import create_app
from local_server.assistant.allowances import ModelDescriber
from local_server.assistant.assistants import Assistants
from local_server.assistant.catalog import Catalogs
from local_server.coordination import BackendConfig
from local_server.http_connection import Connection, ConnectionLimiter
from local_server.observability import Meter
from local_server.settings import ServiceSettings, utc_now
from local_server.sse import ShutdownEvent
from local_server.store.opening import ServiceStore
from local_tools.recovery.files import PutAside

log = logging.getLogger(__name__)

_BACKLOG: Final = 512
# Longer than clients keep an idle connection, so that it is the client that closes it.
_KEEP_ALIVE_S: Final = 75
_STORING_S: Final = 1
# HTTP's dates count whole seconds.
_DATE_S: Final = 1


class BindError(Exception):
    """The host and port cannot be bound; the message says why.

    Attributes:
        is_of_port: The port is the cause (in use or not permitted), so another port may work.
    """

    def __init__(self, host: str, port: int, exc: OSError) -> None:
        self.is_of_port = exc.errno != errno.EADDRNOTAVAIL
        why = f"{host}:{port} cannot be used: {exc.strerror}."
        super().__init__(why if self.is_of_port else f"{host} is no address of this computer.")


class Service(uvicorn.Server):
    """A uvicorn server that reports when it is ready, and lets streams finish at shutdown.

    Made by `serve`.
    """

    def __init__(self, app: FastAPI, grace_s: float, on_ready: Callable[["Service"], None]) -> None:
        settings: ServiceSettings = app.state.settings
        limiter = ConnectionLimiter(settings.max_connections)
        timeouts = settings.connection_timeouts
        connection = partial(Connection, limiter=limiter, timeouts=timeouts)
        config = uvicorn.Config(
            app,
            access_log=False,
            http=connection,  # type: ignore[arg-type]  # a class is only called, too
            lifespan="on",
            log_config=None,
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=math.ceil(grace_s + _STORING_S),
            timeout_keep_alive=_KEEP_ALIVE_S,
            ws="none",
        )
        super().__init__(config)
        self._shutdown_event: ShutdownEvent = app.state.shutdown
        self._grace_s = grace_s
        self._loop: asyncio.AbstractEventLoop | None = None
        self._on_ready = on_ready
        self._stopping = asyncio.Event()
        self._on_wait: Callable[[], None] | None = None

    def on_wait(self, listener: Callable[[], None]) -> None:
        """Call `listener` when the shutdown starts to wait for unfinished replies."""
        self._on_wait = listener

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to accept connections, then call `on_ready`."""
        self._loop = asyncio.get_running_loop()
        for bound in sockets or ():
            # The connections inherit it; asyncio sets it only where it knows the protocol, and
            # without it an answer's body waits 40 ms for the receipt of its head.
            bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        await super().startup(sockets)
        if self.started:
            self._on_ready(self)

    def stop(self) -> None:
        """Start the shutdown; from any thread."""
        self.should_exit = True
        if self._loop is not None:
            # The loop may have ended meanwhile.
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._stopping.set)

    async def main_loop(self) -> None:
        """Wait for `stop`, and renew the date of answers; uvicorn would look ten times a second."""
        while not await self.on_tick(0):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_DATE_S):
                    await self._stopping.wait()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Start the shutdown; at the second signal, stop waiting for streams."""
        del sig, frame
        if self.should_exit and self._loop is not None:
            self._loop.call_soon_threadsafe(self._shut_down_now)
        self.stop()

    def _shut_down_now(self) -> None:
        self._shutdown_event.set()
        asyncio.get_running_loop().call_later(_STORING_S, setattr, self, "force_exit", True)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Wait up to `grace_s` for streams, then end them; what they have written is stored."""
        if self._on_wait is not None and self._shutdown_event.is_awaited:
            self._on_wait()
        ending = asyncio.get_running_loop().call_later(self._grace_s, self._shutdown_event.set)
        await super().shutdown(sockets)
        ending.cancel()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Shut down on SIGINT and SIGTERM; the base class would raise them again afterwards."""
        handled = (signal.SIGINT, signal.SIGTERM)
        before = {number: signal.signal(number, self.handle_exit) for number in handled}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def bind_socket(host: str, port: int) -> socket.socket:
    """Bind a TCP socket to listen on; port 0 takes a free one.

    Raises:
        BindError: When that is not possible.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    # On Windows SO_REUSEADDR would let other programs share the port.
    option = socket.SO_REUSEADDR
    if sys.platform == "win32":
        option = socket.SO_EXCLUSIVEADDRUSE
    try:
        bound.setsockopt(socket.SOL_SOCKET, option, 1)
        bound.bind((host, port))
        bound.listen(_BACKLOG)
    except OSError as exc:
        bound.close()
        raise BindError(host, port, exc) from exc
    return bound


def base_url(bound: socket.socket) -> str:
    """Return the base URL of a bound socket, such as `http://127.0.0.1:8765`."""
    host, port = bound.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def metrics_url(bound: socket.socket) -> str:
    """Return the URL of the metrics on a bound socket."""
    return f"{base_url(bound)}/metrics"


def print_ready(
    bound: socket.socket,
    metrics: socket.socket | None = None,
    put_aside: PutAside | None = None,
) -> None:
    """Print the ready line to standard output, for the program that started the service.

    If a damaged database was put aside (`put_aside`), the line says where.
    """
    line = {
        "event": "ready",
        "base_url": base_url(bound),
        **({"metrics_url": metrics_url(metrics)} if metrics is not None else {}),
        "version": version("parley"),
        "pid": os.getpid(),
        **({"put_aside": _described(put_aside)} if put_aside is not None else {}),
    }
    os.write(sys.stdout.fileno(), json.dumps(line).encode() + b"\n")


def _described(put_aside: PutAside) -> dict[str, object]:
    return {"path": str(put_aside.path), "is_salvaged": put_aside.is_salvaged}


def allowed_hosts(bound: socket.socket) -> frozenset[str]:
    """Return the accepted values of `Host` for a loopback socket; empty for any other."""
    host, port = bound.getsockname()[:2]
    if not ipaddress.ip_address(host).is_loopback:
        return frozenset()
    names = {f"[{host}]"} if ":" in host else {host, "localhost"}
    full = {f"{name}:{port}" for name in names}
    return frozenset(full | names) if port == 80 else frozenset(full)


def new_event_loop() -> asyncio.AbstractEventLoop:
    """Return a uvloop event loop; on Windows, which uvloop does not support, asyncio's own."""
    if sys.platform == "win32":
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


async def serve(
    bound: socket.socket,
    backend: BackendConfig,
    settings: ServiceSettings,
    assistants: Assistants,
    *,
    grace_s: float,
    on_ready: Callable[[Service], None],
    meter: Meter | None = None,
    describer: ModelDescriber | None = None,
) -> None:
    """Serve until a signal; then streams get `grace_s` seconds to end.

    Raises:
        DatabaseError: When the data cannot be used.
        CoordinationError: When what is shared with other services cannot be used.
        DefinitionError: When an agent or a skill that ships cannot be read.
    """
    async with contextlib.AsyncExitStack() as opened:
        opened.push_async_callback(assistants.aclose)
        store = await ServiceStore.open(backend.store, utc_now)
        opened.push_async_callback(store.aclose)
        coordination = await backend.open_coordination(utc_now, settings.release_wait_s)
        opened.push_async_callback(coordination.aclose)
        app = create_app(
            settings,
            store,
            assistants,
            utc_now,
            coordination,
            meter=meter,
            describer=describer,
        )
        catalogs: Catalogs = app.state.catalogs

        def announce(service: Service) -> None:
            on_ready(service)
            # Only now, and in a thread: it reads the disk.
            look = asyncio.to_thread(catalogs.check_shared)
            looking = asyncio.create_task(look, name="first-look")
            opened.push_async_callback(asyncio.wait, [looking])

        await Service(app, grace_s, announce).serve([bound])
