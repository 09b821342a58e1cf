"""A Redis that answers nonsense is one that does not answer."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

import pytest
from pydantic import SecretStr

from local_server.cluster.redis import (
    LeaseTimes,
    RedisConversationLocks,
    RedisRateLimits,
    RedisServer,
)
from local_server.coordination import CoordinationError
from local_server.errors import UnavailableError
from local_server.store.records import Owner

pytestmark = pytest.mark.anyio

_LOGGED = pytest.mark.expects_log("Redis does not answer")


class _Nonsense:
    """Answers each command with what it was told to; says PONG before that."""

    def __init__(self) -> None:
        self.answer: bytes | None = None
        self.asked = asyncio.Event()

    async def converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                command = await self._command(reader)
                is_script = command[0].upper() in {b"EVALSHA", b"EVAL"}
                ordinary = b"+PONG\r\n" if command[0].upper() == b"PING" else b"+OK\r\n"
                if self.answer is not None:
                    self.asked.set()
                writer.write(self.answer if is_script and self.answer else ordinary)
        writer.close()

    async def _command(self, reader: asyncio.StreamReader) -> list[bytes]:
        words = []
        for _ in range(int((await reader.readuntil(b"\r\n"))[1:])):
            length = int((await reader.readuntil(b"\r\n"))[1:])
            words.append((await reader.readexactly(length + 2))[:-2])
        return words


@asynccontextmanager
async def _server(
    converse: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]],
) -> AsyncIterator[SecretStr]:
    async with await asyncio.start_server(converse, "127.0.0.1", 0) as server:
        yield SecretStr(f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}")


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(b":many\r\n", marks=_LOGGED),
        pytest.param(b"$many\r\n", marks=_LOGGED),
        pytest.param(b"*1\r\n:x\r\n", marks=_LOGGED),
        pytest.param(b"?\r\n", marks=_LOGGED),
        b"$-1\r\n",
        b"*2\r\n$1\r\na\r\n$1\r\nb\r\n",
        b"*1\r\n:1\r\n",
    ],
)
async def test_nonsense_is_no_answer(answer: bytes) -> None:
    nonsense = _Nonsense()
    async with _server(nonsense.converse) as url:
        server = await RedisServer.open(url)
        nonsense.answer = answer
        with pytest.raises(UnavailableError):
            await RedisRateLimits(server).count("k", 1)
        await server.aclose()


async def test_claims_outlast_renewals_that_are_answered_with_nonsense() -> None:
    nonsense = _Nonsense()
    async with _server(nonsense.converse) as url:
        server = await RedisServer.open(url)
        locks = RedisConversationLocks(server, 0, LeaseTimes(lasts_s=30, renewed_every_s=0.02))
        lock = await locks.acquire(Owner("demo", "live"), "c")
        for nonsense.answer in (b"*0\r\n", b":1\r\n"):
            nonsense.asked.clear()
            async with asyncio.timeout(20):
                await nonsense.asked.wait()
        nonsense.asked.clear()
        async with asyncio.timeout(20):
            await nonsense.asked.wait()
        assert not lock.lost.done()
        await lock.release()
        await locks.aclose()
        await server.aclose()


async def test_server_that_is_not_redis_is_refused_at_start() -> None:
    async def converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(b":HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    async with _server(converse) as url:
        with pytest.raises(CoordinationError):
            await RedisServer.open(url)
