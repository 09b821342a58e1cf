"""What comes before a request is whole, from anybody: bounded, and refused in our shape."""

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from starlette.responses import PlainTextResponse
from uvicorn.server import ServerState

from local_server.http_connection import HEAD_LIMIT_BYTES, Connection, ConnectionLimiter
from local_server.settings import ConnectionTimeouts
from tests.support.own_service import KEY, OwnService, own_service

pytestmark = pytest.mark.anyio

_Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
_MUCH = b"x" * 1024 * 1024


def _connected(port: int) -> AbstractAsyncContextManager[_Streams]:
    return _streams("127.0.0.1", port)


@asynccontextmanager
async def _streams(*place: Any, **options: Any) -> AsyncIterator[_Streams]:
    reader, writer = await asyncio.open_connection(*place, **options)
    try:
        async with asyncio.timeout(20):
            yield reader, writer
    finally:
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()


async def _answer_of_impatient_server(sent: bytes) -> bytes:
    """Return what a server says to this whose connections wait a hundredth of a second.

    All of it has arrived before the server takes the connection, so that it is read before any
    time is over, however late that is.
    """
    with socket.create_server(("127.0.0.1", 0)) as listening:
        plain = socket.create_connection(listening.getsockname())
        plain.sendall(sent)
        async with _impatient_server(listening), _streams(sock=plain) as (reader, _writer):
            return await reader.read()


@asynccontextmanager
async def _impatient_server(listening: socket.socket) -> AsyncIterator[None]:
    config = uvicorn.Config(PlainTextResponse("early"), log_config=None)
    config.load()
    state, loop = ServerState(), asyncio.get_running_loop()
    limiter, timeouts = ConnectionLimiter(9), ConnectionTimeouts(0.01, 0.01, 0.01)

    def connection() -> Connection:
        return Connection(config, state, {}, limiter=limiter, timeouts=timeouts)

    async with await loop.create_server(connection, sock=listening):
        yield


def _port(service: OwnService) -> int:
    return int(service.base_url.rpartition(":")[2])


def _code(answer: bytes) -> tuple[int, str]:
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)["error"]["code"]


@pytest.mark.spec("7.2-body")
async def test_malformed_http_gets_a_regular_error_body_our_choice(
    tmp_path: Path,
) -> None:
    host = "Host: 127.0.0.1\r\n"
    sent = (
        b"\x16\x03\x01\x00\xff\xfe\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        f"FOO BAR\r\n{host}\r\n".encode(),
        f"GET / HTTP/1.1\r\n{host}a\x00: b\r\n\r\n".encode(),
        f"POST / HTTP/1.1\r\n{host}Content-Length: 1\r\nContent-Length: 2\r\n\r\na".encode(),
        f"POST / HTTP/1.1\r\n{host}Transfer-Encoding: chunked\r\n\r\nzz\r\n".encode(),
    )
    async with own_service(tmp_path) as service:
        for data in sent:
            async with _connected(_port(service)) as (reader, writer):
                writer.write(data)
                assert _code(await reader.read()) == (400, "invalid_request"), data


@pytest.mark.parametrize("beginning", [b"GET /", b"GET / HTTP/1.1\r\na: "], ids=["url", "header"])
async def test_endless_head_is_cut_off_without_a_key(tmp_path: Path, beginning: bytes) -> None:
    async with own_service(tmp_path) as service, _connected(_port(service)) as (reader, writer):
        writer.write(beginning + _MUCH)
        with contextlib.suppress(ConnectionError):
            await reader.read()
        assert (await service.client.get("/v1/agents")).status_code == 200


async def test_endless_trailers_are_cut_off_without_a_key(tmp_path: Path) -> None:
    async with own_service(tmp_path) as service, _connected(_port(service)) as (reader, writer):
        writer.write(
            f"POST / HTTP/1.1\r\nHost: 127.0.0.1:{_port(service)}\r\n"
            "Transfer-Encoding: chunked\r\n\r\n0\r\n".encode()
        )
        writer.write(b"a: " + _MUCH)
        with contextlib.suppress(ConnectionError):
            await reader.read()


async def test_long_head_within_the_limit_is_read(tmp_path: Path) -> None:
    long = {"X-API-Key": KEY, "X-Long": "x" * (HEAD_LIMIT_BYTES - 1024)}
    async with own_service(tmp_path) as service:
        assert (await service.client.get("/v1/agents", headers=long)).status_code == 200


@pytest.mark.parametrize("beginning", [b"", b"GET / HTTP/1.1\r\n"], ids=["silence", "half"])
async def test_connection_that_does_not_say_what_it_wants_is_closed(beginning: bytes) -> None:
    assert await _answer_of_impatient_server(beginning) == b""


async def test_rest_of_a_request_that_was_answered_early_is_not_taken_for_ever() -> None:
    sent = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\nbegin"
    assert (await _answer_of_impatient_server(sent)).endswith(b"early")
