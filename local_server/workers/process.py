"""One worker as its parent sees it: started with a socket and a line, ready, ended."""

import asyncio
import contextlib
import logging
import os
import signal
import socket
import subprocess
from asyncio.subprocess import Process
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

log = logging.getLogger(__name__)

# What the workers get by their standard input instead; the rest of the environment they share.
_SECRETS: Final = ("PARLEY_DATABASE_URL", "PARLEY_REDIS_URL")
_LONGEST_LINE_BYTES: Final = 65536
_SIGNALS: Final = {number.value: number.name for number in signal.Signals}


@dataclass(frozen=True)
class WorkerStart:
    """How a worker is started.

    Attributes:
        command: Makes the command line from the descriptor of its socket.
        line: What it reads from its standard input, with secrets in it.
    """

    command: Callable[[int], Sequence[str]]
    line: bytes = field(repr=False)


class Worker:
    """A process that answers requests. Made by `start_worker`; whoever has it waits for its end."""

    def __init__(self, process: Process) -> None:
        self._process = process

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    async def is_ready(self, timeout_s: float) -> bool:
        """Wait for its ready line; False when it ended, or stayed silent for too long."""
        said = b""
        if self._process.stdout is not None:
            with contextlib.suppress(TimeoutError):
                # Not `wait_for`, which until Python 3.12 drops a stop that comes with the line.
                async with asyncio.timeout(timeout_s):
                    said = await self._process.stdout.readline()
        if said:
            log.info("worker %d answers", self.pid)
        return bool(said)

    async def wait(self) -> str:
        """Wait for its end, and say how that was."""
        code = await self._process.wait()
        return f"with code {code}" if code >= 0 else f"by {_SIGNALS.get(-code, -code)}"

    def ask_to_end(self) -> None:
        """Let it finish what it does, within the grace that it gives."""
        self._send(signal.SIGTERM)

    def kill(self) -> None:
        """End it at once."""
        self._send(signal.SIGKILL)

    def _send(self, number: signal.Signals) -> None:
        # WORKAROUND asyncio's own way looks for the process's end first, and so takes away its
        # exit code: https://github.com/python/cpython/issues/87744
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)


async def start_worker(start: WorkerStart, bound: socket.socket) -> Worker:
    """Start a worker on a socket, of which the parent keeps nothing.

    Its standard input stays open until the parent goes, whichever way.
    """
    environment = {name: value for name, value in os.environ.items() if name not in _SECRETS}
    with bound:
        process = await asyncio.create_subprocess_exec(
            *start.command(bound.fileno()),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            pass_fds=(bound.fileno(),),
            env=environment,
            limit=_LONGEST_LINE_BYTES,
            # Ctrl+C is for the parent, which asks each worker to end once.
            start_new_session=True,
        )
    if process.stdin is not None:
        process.stdin.write(start.line)
    return Worker(process)
