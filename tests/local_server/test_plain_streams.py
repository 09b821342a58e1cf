"""Connections to servers on this computer: ends, faults, limits and full buffers."""

import asyncio
import contextlib
import socket
import struct
from collections.abc import AsyncIterator
from pathlib import Path

import httpcore2
import httpx2
import pytest

from local_server.loopback import ServerClient, new_client
from local_server.plain_streams import PlainNetwork
from tests.support.connections import OnConnected, refused_port, serving
from tests.support.fake_http import read_request

pytestmark = pytest.mark.anyio
HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n"
# More than any buffer between two programs of one computer holds.
LARGE = 32 * 1024 * 1024


@contextlib.asynccontextmanager
async def client_of(answer: OnConnected) -> AsyncIterator[tuple[ServerClient, str]]:
    """Yield a client and the address of a server that answers so."""
    async with serving(answer) as port:
        address = f"http://127.0.0.1:{port}"
        async with new_client(address) as client:
            yield client, address


async def read_into(read: bytearray, response: httpx2.Response, arrived: asyncio.Semaphore) -> None:
    """Collect what comes until the end, whatever that is; release `arrived` for each part."""
    async for chunk in response.aiter_raw():
        read += chunk
        arrived.release()


async def test_a_server_waits_while_nobody_reads() -> None:
    sent = 0
    is_over = asyncio.Event()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        await read_request(reader)
        writer.write(HEAD % LARGE)
        while sent < LARGE:
            writer.write(bytes(65_536))
            sent += 65_536
            await writer.drain()
        is_over.set()

    async with client_of(answer) as (client, address):
        async with client.stream("GET", address) as response:
            # Whoever does not wait sends all of it in this time many times over.
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(is_over.wait(), 0.3)
            assert sent < LARGE
            assert len(await response.aread()) == LARGE
        await is_over.wait()


async def test_a_large_question_goes_as_fast_as_it_is_read() -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = await read_request(reader)
        writer.write(HEAD % 8 + b"%8d" % len(request.body))

    async with client_of(answer) as (client, address):
        response = await client.post(address, content=bytes(LARGE))
        assert int(response.text) == LARGE


async def test_a_server_that_takes_nothing_and_says_nothing_is_not_waited_for() -> None:
    is_over = asyncio.Event()

    async def answer(_reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
        await is_over.wait()

    async with client_of(answer) as (client, address):
        limits = httpx2.Timeout(20, read=0.05, write=0.05)
        with pytest.raises(httpx2.WriteTimeout):
            await client.post(address, content=bytes(LARGE), timeout=limits)
        with pytest.raises(httpx2.ReadTimeout):
            await client.get(address, timeout=limits)
        is_over.set()


async def test_silence_is_counted_from_the_last_fragment_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    is_over = asyncio.Event()
    read, arrived = bytearray(), asyncio.Semaphore(0)
    loop, skipped_s = asyncio.get_running_loop(), 0
    clock = loop.time
    monkeypatch.setattr(loop, "time", lambda: clock() + skipped_s)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_request(reader)
        writer.write(HEAD % 100)
        nonlocal skipped_s
        for _ in range(5):
            writer.write(b"on")
            await arrived.acquire()
            skipped_s += 12
        while not is_over.is_set():
            skipped_s += 12
            await asyncio.sleep(0.01)

    async with client_of(answer) as (client, address):
        limits = httpx2.Timeout(20, read=20)
        async with client.stream("GET", address, timeout=limits) as response:
            with pytest.raises(httpx2.ReadTimeout):
                await read_into(read, response, arrived)
        assert read == b"on" * 5
        is_over.set()


async def test_a_connection_that_is_reset_and_one_that_is_cut_are_distinguished() -> None:
    is_reset = False

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_request(reader)
        writer.write(HEAD % 100 + b"begun")
        await writer.drain()
        if is_reset:
            at_once = struct.pack("ii", 1, 0)
            own: socket.socket = writer.get_extra_info("socket")
            own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, at_once)
            writer.transport.abort()

    async with client_of(answer) as (client, address):
        with pytest.raises(httpx2.RemoteProtocolError):
            await client.get(address)
        is_reset = True
        with pytest.raises(httpx2.ReadError):
            await client.get(address)


async def test_connecting_where_nobody_listens_fails_at_once(tmp_path: Path) -> None:
    with refused_port() as port:
        for client in (new_client("http://127.0.0.1"), new_client("", str(tmp_path / "nobody"))):
            async with client:
                with pytest.raises(httpx2.ConnectError):
                    await client.get(f"http://127.0.0.1:{port}/")


async def test_a_server_that_never_accepts_is_not_waited_for() -> None:
    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        port: int = full.getsockname()[1]
        waiting = [socket.socket() for _ in range(8)]
        for one in waiting:
            one.setblocking(False)
            one.connect_ex(("127.0.0.1", port))
        with pytest.raises(httpcore2.ConnectTimeout):
            await PlainNetwork().connect_tcp("127.0.0.1", port, timeout=0.05)
        for one in waiting:
            one.close()


async def test_a_connection_serves_again_until_the_server_closes_it() -> None:
    connections: list[asyncio.StreamWriter] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.append(writer)
        for _ in range(2):
            await read_request(reader)
            writer.write(HEAD % 2 + b"ok")

    async with client_of(answer) as (client, address):
        for _ in range(4):
            assert (await client.get(address)).text == "ok"
    assert len(connections) == 2
