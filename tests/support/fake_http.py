"""A small HTTP server over a real socket on the loopback, for stand-ins that script its answers."""

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

_LIMIT_S = 20.0


@dataclass(frozen=True)
class Received:
    """A request as it came in."""

    method: str
    target: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    raw: bytes

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    def header(self, name: str) -> str | None:
        return next((v for n, v in self.headers if n.lower() == name.lower()), None)


@dataclass(frozen=True)
class Answer:
    """What one request gets.

    `cut_after` and `hang_after` count events, or the bytes of an answer without any.
    """

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    events: tuple[bytes, ...] | None = None
    cut_after: int | None = None
    hang_after: int | None = None
    pause_after: int | None = None
    go_on: asyncio.Event = field(default_factory=asyncio.Event)
    never: bool = False


class FakeHttp:
    """Serves what `choose` says, keeps each request, and lets a test wait for what happens."""

    def __init__(self) -> None:
        self.base_url = ""
        self.requests: list[Received] = []
        self.connection_count = 0
        self._changed = asyncio.Condition()
        self._hang_ups = 0
        self._connections: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._on_connected, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        self.base_url = f"http://127.0.0.1:{port}"
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.stops()
        if error is None:
            self.check()

    def choose(self, request: Received) -> Answer:
        """Decide what `request` gets."""
        raise NotImplementedError

    def check(self) -> None:
        """Fail if something came that was not expected."""

    async def received(self, count: int) -> None:
        """Wait until so many requests have come."""
        await self._until(lambda: len(self.requests) >= count)

    async def was_asked(self, method: str, path: str) -> None:
        """Wait until such a request has come; others may come as well."""
        await self._until(
            lambda: any((one.method, one.path) == (method, path) for one in self.requests)
        )

    async def hung_up(self, count: int = 1) -> None:
        """Wait until clients have closed so many connections."""
        await self._until(lambda: self._hang_ups >= count)

    async def stops(self) -> None:
        """Stop listening, and close every connection."""
        if self._server is not None:
            self._server.close()
        for task in tuple(self._connections):
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)
        if self._server is not None:
            await self._server.wait_closed()
            self._server = None

    async def _until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(_LIMIT_S), self._changed:
            await self._changed.wait_for(condition)

    async def _note(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    def _on_connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # WORKAROUND 3.11.7 and 3.12.1 among others report their own task, when it is cancelled,
        # as an unhandled exception: https://github.com/python/cpython/issues/113538
        task = asyncio.get_running_loop().create_task(self._converse(reader, writer))
        self._connections.add(task)
        task.add_done_callback(self._connections.discard)
        self.connection_count += 1

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._serve(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            self._hang_ups += 1
            writer.close()
            await self._note()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        request = await read_request(reader)
        self.requests.append(request)
        await self._note()
        answer = self.choose(request)
        if answer.never:
            await reader.read()
            return False
        if answer.events is None:
            if answer.pause_after is not None:
                await answer.go_on.wait()
            await _write_plain(writer, answer)
            if answer.hang_after is not None:
                await reader.read()
            return answer.cut_after is None and answer.hang_after is None
        return await self._write_stream(reader, writer, request, answer)

    async def _write_stream(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        request: Received,
        answer: Answer,
    ) -> bool:
        if answer.cut_after == -1:
            return False
        head = {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"}
        writer.write(_head(200, {**head, **answer.headers}))
        chat = request.json.get("conversation_id", "") if request.body else ""
        for n, event in enumerate(answer.events or ()):
            if n == answer.hang_after:
                break
            if n == answer.cut_after:
                return False
            if n == answer.pause_after:
                await answer.go_on.wait()
            data = event.replace(b"$conversation", chat.encode())
            writer.write(b"%x\r\n%s\r\n" % (len(data), data))
            await writer.drain()
        if answer.hang_after is not None:
            await reader.read()
            return False
        if answer.cut_after is not None:
            return False
        writer.write(b"0\r\n\r\n")
        await writer.drain()
        return True


async def read_request(reader: asyncio.StreamReader) -> Received:
    """Read a request whole.

    Raises:
        asyncio.IncompleteReadError: When the client leaves before.
    """
    head = await reader.readuntil(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").rstrip("\r\n").split("\r\n")
    method, target, _ = first.split(" ")
    pairs = [line.partition(":") for line in lines]
    headers = tuple((name, value.strip()) for name, _, value in pairs)
    lengths = [value for name, value in headers if name.lower() == "content-length"]
    body = await reader.readexactly(int(lengths[0])) if lengths else b""
    return Received(method, target, headers, body, head + body)


async def _write_plain(writer: asyncio.StreamWriter, answer: Answer) -> None:
    length = {} if answer.status == 204 else {"Content-Length": str(len(answer.body))}
    # What is cut or hangs says how long it would have been.
    ends = [end for end in (answer.cut_after, answer.hang_after) if end is not None]
    body = answer.body[: min(ends, default=len(answer.body))]
    writer.write(_head(answer.status, {**answer.headers, **length}) + body)
    await writer.drain()


def _head(status: int, headers: Mapping[str, str]) -> bytes:
    lines = [f"HTTP/1.1 {status} -", *(f"{name}: {value}" for name, value in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")
