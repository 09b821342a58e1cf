"""A server that does with the bytes exactly what a scenario says, however wrong.

No HTTP library, so that malformed output is possible. One connection after the other takes the
next scenario, and a scenario is a list of steps:

    async with ChaosService([[Step(OK_STREAM), Step(b"data: x", then=Act.RESET)]]) as chaos: ...
"""

import asyncio
import enum
import socket
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Self

OK_STREAM = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"  # until FIN
)


class Act(enum.Enum):
    """What happens after the bytes of a step."""

    GO_ON = "go on"
    FINISH = "close in order"
    RESET = "reset the connection"
    HANG = "keep silent until the client leaves"


@dataclass(frozen=True)
class Step:
    """Bytes, what to wait for before them, and what to do after them."""

    send: bytes = b""
    wait_for: asyncio.Event | None = None
    then: Act = Act.GO_ON


class ChaosService:
    """Plays one scenario a connection and keeps what it was sent."""

    def __init__(self, scenarios: Sequence[Sequence[Step]]) -> None:
        self.base_url = ""
        self.requests: list[bytes] = []
        self._scenarios = list(scenarios)
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
        assert self._server is not None
        self._server.close()
        for task in tuple(self._connections):
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)
        await self._server.wait_closed()

    def _on_connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # Not asyncio's own task: see `tests.support.fake_http`.
        task = asyncio.get_running_loop().create_task(self._converse(reader, writer))
        self._connections.add(task)
        task.add_done_callback(self._connections.discard)

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            self.requests.append(await _read_request(reader))
            await _play(self._scenarios.pop(0), reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


async def _read_request(reader: asyncio.StreamReader) -> bytes:
    head = await reader.readuntil(b"\r\n\r\n")
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            return head + await reader.readexactly(int(line.partition(b":")[2]))
    return head


async def _play(
    steps: Sequence[Step], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    for step in steps:
        if step.wait_for is not None:
            await step.wait_for.wait()
        writer.write(step.send)
        await writer.drain()
        if step.then is Act.HANG:
            await reader.read()
        if step.then is Act.RESET:
            _reset(writer)
        if step.then is not Act.GO_ON:
            return


def _reset(writer: asyncio.StreamWriter) -> None:
    """Close with a reset, so that even what was sent may be lost."""
    connection = writer.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()
