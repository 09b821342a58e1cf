"""Processes whose pipes are closed at their end, whoever still holds the other ends."""

import asyncio
from asyncio.subprocess import Process, SubprocessStreamProtocol
from typing import Any, Final

from local_tools.waiting import comes_within

_LINE_BYTES: Final = 64 * 1024


class PipedProcess(Process):
    """A process of `start_piped`; ends with `reap`."""

    def __init__(
        self,
        transport: asyncio.SubprocessTransport,
        protocol: SubprocessStreamProtocol,
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        super().__init__(transport, protocol, loop)
        self._pipes = transport

    async def reap(self, limit_s: float) -> None:
        """Wait for the end of one that was killed, and close its pipes.

        What it started and nobody found may hold them open, and then they never come to an end.
        """
        try:
            await comes_within(limit_s, self.communicate())
        finally:
            self._pipes.close()


async def start_piped(*argv: str, **options: Any) -> PipedProcess:
    """Start a process, as `asyncio.create_subprocess_exec` does.

    Raises:
        OSError: It cannot be started.
    """
    loop = asyncio.get_running_loop()
    transport, protocol = await loop.subprocess_exec(
        lambda: SubprocessStreamProtocol(_LINE_BYTES, loop), *argv, **options
    )
    return PipedProcess(transport, protocol, loop)
