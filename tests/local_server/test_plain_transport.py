"""Plain HTTP for streams: bodies of every kind, connections that serve again, and failures."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2
import pytest

from local_server.plain_transport import PlainTransport
from tests.support.fake_http import Answer, FakeHttp, Received

pytestmark = pytest.mark.anyio


@pytest.fixture(params=[False, True], ids=["asyncio", "uvloop"])
def anyio_backend(request: pytest.FixtureRequest) -> tuple[str, dict[str, bool]]:
    return "asyncio", {"use_uvloop": request.param}


class _Server(FakeHttp):
    def __init__(self, answer: Answer) -> None:
        super().__init__()
        self.answer = answer

    def choose(self, request: Received) -> Answer:
        del request
        return self.answer


def _client(silence_s: float = 5) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(transport=PlainTransport(5, silence_s))


@asynccontextmanager
async def _raw(*parts: bytes) -> AsyncIterator[str]:
    """Serve these bytes, and then the end of the connection."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        for part in parts:
            writer.write(part)
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"


async def test_one_connection_serves_one_request_after_the_other() -> None:
    chunked = Answer(events=(b"one ", b"two"), headers={"X-Kind": "chunked"})
    async with _Server(chunked) as server:
        async with _client() as client:
            first = await client.post(server.base_url, json={"conversation_id": "é"})
            server.answer = Answer(404, b"nothing")
            second = await client.get(f"{server.base_url}/a?b=c")
        assert (first.text, first.headers["x-kind"]) == ("one two", "chunked")
        assert (second.status_code, second.text) == (404, "nothing")
        assert server.requests[1].target == "/a?b=c"
        assert server.connection_count == 1


async def test_body_without_a_length_ends_with_the_connection() -> None:
    async with _raw(b"HTTP/1.1 200 OK\r\n\r\n", b"all of it") as url, _client() as client:
        assert (await client.get(url)).text == "all of it"


async def test_what_is_told_in_between_is_not_the_answer() -> None:
    parts = b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    async with _raw(*parts) as url, _client() as client:
        assert (await client.get(url)).text == "ok"


@pytest.mark.parametrize(
    ("sent", "error"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", httpx2.ReadError),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n", httpx2.ReadError),
        (b"", httpx2.ReadError),
        (b"SSH-2.0-no\r\n", httpx2.RemoteProtocolError),
        (b"HTTP/1.1 200 OK\r\nX: " + b"y" * 70_000 + b"\r\n\r\n", httpx2.RemoteProtocolError),
    ],
)
async def test_what_breaks_off_is_a_failure(
    sent: bytes, error: type[httpx2.TransportError]
) -> None:
    async with _raw(sent) as url, _client() as client:
        with pytest.raises(error):
            await client.get(url)


async def test_silence_and_nobody_there_are_failures() -> None:
    async with _Server(Answer(never=True)) as server, _client(silence_s=0.05) as client:
        with pytest.raises(httpx2.ReadTimeout):
            await client.get(server.base_url)
    async with _client() as client:
        with pytest.raises(httpx2.ConnectError):
            await client.get("http://127.0.0.1:1/")


async def test_large_body_comes_whole_though_its_reader_is_slow() -> None:
    events = tuple(bytes([65 + place % 26]) * 50_000 for place in range(40))
    async with _Server(Answer(events=events)) as server, _client() as client:
        read = []
        async with client.stream("GET", server.base_url) as response:
            async for chunk in response.aiter_raw():
                read.append(chunk)
                await asyncio.sleep(0)
    assert b"".join(read) == b"".join(events)
