"""Plain HTTP for streams: bodies of every kind, connections that serve again, and failures."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

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


def _client(silence_s: float = 20) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(transport=PlainTransport(20, silence_s))


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


_CHUNKED = (
    b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
    b"HTTP/1.1 200 OK\r\nX-Kind: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    b"3;ext=1\r\none\r\n4\r\n two\r\n0\r\nX-After: b\r\n\r\n"
)
_MEASURED = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\none"


@pytest.mark.parametrize("whole", [_CHUNKED, _MEASURED], ids=["chunked", "measured"])
async def test_answer_is_the_same_wherever_it_is_cut(whole: bytes) -> None:
    places = iter(range(len(whole)))

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError):
            while await reader.readuntil(b"\r\n\r\n"):
                place = next(places)
                writer.write(whole[:place])
                await writer.drain()
                # The loop writes at once what it can, so that this leaves in a piece of its own.
                await asyncio.sleep(0)
                writer.write(whole[place:])
        writer.close()

    read = set()
    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server, _client() as client:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        for _ in whole:
            response = await client.get(url)
            read.add((response.status_code, response.text, response.headers.get("x-after")))
    assert read == {(200, "one two" if whole is _CHUNKED else "one", None)}


@pytest.mark.parametrize("together", [True, False])
async def test_answer_that_nobody_asked_for_is_nobodys(together: bool) -> None:
    parts = (_MEASURED, b"HTTP/1.1 201 Created\r\nX-Evil: 1\r\nContent-Length: 0\r\n\r\n")
    async with _raw(*([b"".join(parts)] if together else parts)) as url, _client() as client:
        first = await client.get(url)
        second = await client.get(url)
    for response in (first, second):
        assert (response.status_code, response.text) == (200, "one")
        assert "x-evil" not in response.headers


@pytest.mark.parametrize(
    ("begin", "again"),
    [
        (b"HTTP/1.1 200 OK\r\nX: ", b"y" * 1024),
        (b"HTTP/1.1 200 ", b"y" * 1024),
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 40),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;", b"y" * 1024),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: ", b"y" * 1024),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", b"X: y\r\n" * 200),
    ],
    ids=["header", "reason", "interim", "extension", "trailer", "trailers"],
)
async def test_what_never_becomes_a_body_is_ended(begin: bytes, again: bytes) -> None:
    async with _raw(begin, *[again] * 1000) as url, _client() as client:
        with pytest.raises(httpx2.RemoteProtocolError):
            await client.get(url)


async def test_bytes_that_are_no_body_are_silence() -> None:
    is_over = asyncio.Event()

    async def drip(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nX: ")
        while not is_over.is_set():
            writer.write(b"y")
            with suppress(TimeoutError):
                await asyncio.wait_for(is_over.wait(), 0.01)
        writer.close()

    async with await asyncio.start_server(drip, "127.0.0.1", 0) as server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        async with _client(silence_s=0.1) as client:
            with pytest.raises(httpx2.ReadTimeout):
                await client.get(url)
        is_over.set()


@pytest.mark.parametrize(
    "sent",
    [
        b"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nmore",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nok",
        b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nok",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1" + b"0" * 30 + b"\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nok",
        b"HTTP/0.9 \0\r\n\r\n",
    ],
)
async def test_what_can_be_read_in_two_ways_is_not_read(sent: bytes) -> None:
    async with _raw(sent) as url, _client() as client:
        with pytest.raises(httpx2.RemoteProtocolError):
            await client.get(url)


async def test_request_that_would_be_read_otherwise_is_not_sent() -> None:
    async def pieces() -> AsyncIterator[bytes]:
        yield b"body"

    async with _Server(Answer(204)) as server, _client() as client:
        for headers in ({b"X": b"a\r\nX-Evil: 1"}, {b"X": b"a\nb"}, {b"X": b"\0"}):
            with pytest.raises(httpx2.LocalProtocolError):
                await client.get(server.base_url, headers=headers)
        with pytest.raises(httpx2.LocalProtocolError):
            await client.head(server.base_url)
        with pytest.raises(httpx2.LocalProtocolError):
            await client.post(server.base_url, content=pieces())
        assert server.requests == []
        assert (await client.get(server.base_url)).status_code == 204
        assert (await client.get(server.base_url)).text == ""
        assert server.connection_count == 1


@pytest.mark.parametrize("wait_for_head", [True, False])
async def test_reader_who_leaves_takes_the_connection_along(wait_for_head: bool) -> None:
    endless = Answer(events=(b"one",) * 3, hang_after=1, never=not wait_for_head)
    async with _Server(endless) as server, _client() as client:
        begun = asyncio.Event()

        async def read() -> None:
            async with client.stream("GET", server.base_url) as response:
                async for _ in response.aiter_raw():
                    begun.set()

        reading = asyncio.create_task(read())
        await (begun.wait() if wait_for_head else server.received(1))
        reading.cancel()
        await asyncio.wait({reading})
        assert reading.cancelled()
        await server.hung_up()
        server.answer = Answer(200, b"next")
        assert (await client.get(server.base_url)).text == "next"
