"""A proxy in front of the engine that adds to each question what the service would never send."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

from tests.support.connections import serving
from tests.support.engine import NAME, Engine
from tests.support.fake_http import Received, read_request

Json = dict[str, Any]
Change = Callable[[Json], Json]
_READ_BYTES: Final = 65536


class EngineProxy:
    """Passes questions on, changed, and answers back as they come.

    Attributes:
        model: The id of the engine's model, as the service takes it, on the way through here.
        change: What is put into the next questions.
        asked: The questions as the service wrote them.
        statuses: What the engine answered to each.
        was_left: A client left before the end of its answer.
    """

    def __init__(self, engine: Engine, change: Change) -> None:
        self._engine = engine
        self.change = change
        self.model = ""
        self.asked: list[Json] = []
        self.statuses: list[int] = []
        self.was_left = asyncio.Event()

    async def on_connected(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Serve one request; a client that leaves is gone for the engine, too."""
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            request = await read_request(reader)
            there, back = await asyncio.open_connection("127.0.0.1", self._engine.port)
            back.write(self._written(request))
            leaving = asyncio.create_task(reader.read())
            answering = asyncio.create_task(self._answer(request, there, writer))
            await asyncio.wait({leaving, answering}, return_when=asyncio.FIRST_COMPLETED)
            # Where the client left while something was written, the write may fail first.
            if not answering.done() or (answering.exception() and writer.is_closing()):
                self.was_left.set()
            for task in (leaving, answering):
                task.cancel()
            await asyncio.gather(leaving, answering, return_exceptions=True)
            back.close()

    async def _answer(
        self, request: Received, there: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        first_line = await there.readuntil(b"\r\n")
        if request.body:
            self.statuses.append(int(first_line.split()[1]))
        writer.write(first_line)
        while data := await there.read(_READ_BYTES):
            writer.write(data)
            await writer.drain()
        writer.close()

    def _written(self, request: Received) -> bytes:
        body = b""
        if request.body:
            self.asked.append(request.json)
            body = json.dumps(self.change(request.json)).encode()
        lines = (
            f"{request.method} {request.target} HTTP/1.1",
            "Host: 127.0.0.1",
            "Content-Type: application/json",
            "Connection: close",
            f"Content-Length: {len(body)}",
        )
        return "\r\n".join([*lines, "", ""]).encode() + body


@asynccontextmanager
async def changing(engine: Engine, change: Change) -> AsyncIterator[EngineProxy]:
    """Run a proxy before the engine until the end of the block."""
    proxy = EngineProxy(engine, change)
    async with serving(proxy.on_connected) as port:
        proxy.model = f"openai:{NAME}@http://127.0.0.1:{port}/v1"
        yield proxy


def unchanged(body: Json) -> Json:
    """Change nothing."""
    return body
