"""The stdio transport to a local server: one JSON message a line on stdin and stdout.

Replaces the SDK's own: starts the program in a sandbox, limits what is read, and leaves no process
behind.
"""

import asyncio
import logging
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

import anyio
import psutil
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCNotification, jsonrpc_message_adapter

from local_tools.aio import ManagedProcess, start_managed, wait_bounded
from local_tools.descendants import end_tree
from local_tools.errors import ToolError
from local_tools.log_tail import LogTail
from local_tools.mcp.client_session import (
    LINE_LIMIT_BYTES,
    LINES_PER_S,
    NOTICES_PER_S,
    Allowance,
    drop_result_schemas,
)
from local_tools.mcp.connection_events import ConnectionEvents
from local_tools.mcp.launch import ServerLaunch
from local_tools.processes import end_group
from local_tools.sandbox.types import LaunchSpec
from local_tools.threads import run_in_thread
from local_tools.translation_marks import QT_TRANSLATE_NOOP

log = logging.getLogger(__name__)

_CHUNK_BYTES: Final = 64 * 1024
_EXIT_GRACE_S: Final = 1.0
_REAP_TIMEOUT_S: Final = 2.0
_SHOWN_BYTES: Final = 500
# Messages that may wait to be written. Without such a buffer, a call to a server that reads nothing
# would block even its own cancellation.
_UNWRITTEN_LIMIT: Final = 100

_Incoming = MemoryObjectSendStream[SessionMessage | Exception]
_Outgoing = MemoryObjectReceiveStream[SessionMessage]


class StdioTransport:
    """One run of a server's program; reports its end through `ConnectionEvents`."""

    def __init__(
        self,
        launch: ServerLaunch,
        start: LaunchSpec,
        tail: LogTail,
        signs: ConnectionEvents,
        umask: int = -1,
    ) -> None:
        self._launch = launch
        self._start = start
        self._tail = tail
        self._notices = Allowance(NOTICES_PER_S)
        self._lines = Allowance(LINES_PER_S)
        self._signs = signs
        self._umask = umask

    @asynccontextmanager
    async def streams(self) -> AsyncIterator[tuple[Any, Any]]:
        """Start the program and yield the SDK's two streams; kill all its processes on exit.

        Raises:
            ToolError: The program could not be started.
        """
        process = await self._started()
        incoming, read_stream = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        write_stream, outgoing = anyio.create_memory_object_stream[SessionMessage](_UNWRITTEN_LIMIT)
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(self._read, process, incoming)
                group.start_soon(self._write, process, outgoing)
                group.start_soon(self._read_log, process)
                try:
                    yield read_stream, write_stream
                finally:
                    group.cancel_scope.cancel()
        finally:
            for stream in (incoming, read_stream, write_stream, outgoing):
                stream.close()
            with anyio.CancelScope(shield=True):
                await _end(process, 0.0 if self._signs.fault else _EXIT_GRACE_S)

    async def _started(self) -> ManagedProcess:
        try:
            return await start_managed(
                *self._start.argv,
                stdin=PIPE,
                stdout=PIPE,
                stderr=PIPE,
                env=dict(self._launch.environment),
                cwd=self._launch.terms.root or "/",
                pass_fds=self._start.descriptors,
                umask=self._umask,
            )
        except OSError as exc:
            raise ToolError(f"It could not be started: {exc.strerror}.") from exc

    async def _read(self, process: Process, incoming: _Incoming) -> None:
        if process.stdout is None:
            return
        with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
            async with incoming:
                try:
                    await self._read_lines(process.stdout, incoming)
                except ValueError as exc:
                    self._signs.end(str(exc))
                else:
                    self._signs.end(await _how_it_ended(process))

    async def _read_lines(self, stdout: asyncio.StreamReader, incoming: _Incoming) -> None:
        rest = bytearray()
        while chunk := await stdout.read(_CHUNK_BYTES):
            *lines, last = chunk.split(b"\n")
            for line in lines:
                await self._take(bytes(rest) + line, incoming)
                rest.clear()
            rest += last
            if len(rest) > LINE_LIMIT_BYTES:
                raise ValueError(
                    QT_TRANSLATE_NOOP("ToolServers", "It sent a line of more than 4 MiB.")
                )

    async def _take(self, line: bytes, incoming: _Incoming) -> None:
        if not line.strip():
            return
        if not self._lines.take():
            # Its own pipe fills up meanwhile.
            await asyncio.sleep(self._lines.wait_s())
        try:
            message = jsonrpc_message_adapter.validate_json(line, by_name=False)
        except ValueError:
            self._tail.add(f"(no message) {line[:_SHOWN_BYTES].decode('utf-8', 'replace')}")
            return
        if isinstance(message, JSONRPCNotification) and not self._notices.take():
            if self._notices.dropped == 1:
                self._tail.add(f"(more than {NOTICES_PER_S} notices a second are dropped)")
            return
        drop_result_schemas(message)
        await incoming.send(SessionMessage(message))

    async def _write(self, process: Process, outgoing: _Outgoing) -> None:
        if process.stdin is None:
            return
        async with outgoing:
            async for item in outgoing:
                text = item.message.model_dump_json(by_alias=True, exclude_unset=True)
                try:
                    process.stdin.write(text.encode() + b"\n")
                    await process.stdin.drain()
                except OSError:
                    # The reader finds out, too, and says so.
                    return

    async def _read_log(self, process: Process) -> None:
        if process.stderr is None:
            return
        allowance = Allowance(LINES_PER_S)
        while chunk := await process.stderr.read(_CHUNK_BYTES):
            for line in chunk.splitlines(keepends=True):
                if not allowance.take():
                    await asyncio.sleep(allowance.wait_s())
                self._tail.feed(line)
        self._tail.end()


async def _how_it_ended(process: Process) -> str:
    with suppress(TimeoutError):
        async with asyncio.timeout(_EXIT_GRACE_S):
            code = await process.wait()
            return f"It ended (exit code {code})."
    return QT_TRANSLATE_NOOP("ToolServers", "It closed its output.")


async def _end(process: ManagedProcess, grace_s: float) -> None:
    """Ask it to end by closing its line, then end whatever is left.

    What leaves its session is found only while its parent lives; where a sandbox has processes of
    its own, all of them end with it anyway.
    """
    started: list[psutil.Process] = []
    try:
        started = await run_in_thread(_descendants, process.pid)
        if process.stdin is not None:
            process.stdin.close()
        await wait_bounded(grace_s, process.wait())
    finally:
        # Also for somebody who does not want to wait: its pipes stay open until they are read.
        await _end_now(process, started)


async def _end_now(process: ManagedProcess, started: list[psutil.Process]) -> None:
    if process.returncode is None:
        end_tree(process.pid)
    else:
        end_group(process.pid)
    for item in started:
        with suppress(psutil.Error):
            # psutil refuses to signal if another process has the pid by now.
            item.kill()
    await process.reap(_REAP_TIMEOUT_S)


def _descendants(pid: int) -> list[psutil.Process]:
    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.Error:
        return []
