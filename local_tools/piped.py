"""Processes whose pipes are closed at their end, whoever still holds the other ends."""

import asyncio
from asyncio.subprocess import Process, SubprocessStreamProtocol
from typing import Any, Final

from local_tools.descendants import end_tree
from local_tools.waiting import comes_within, to_its_end

_LINE_BYTES: Final = 64 * 1024
_REAP_TIMEOUT_S: Final = 1.0


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
    """Start a process that leads a group, as `asyncio.create_subprocess_exec` does.

    When we are cancelled meanwhile, nothing of it is left. asyncio would wait for ever then for
    pipes that it had not connected yet, when the process has left somebody who holds them.

    Raises:
        OSError: It cannot be started.
    """
    loop = asyncio.get_running_loop()
    started: list[PipedProcess] = []

    async def start() -> None:
        transport, protocol = await loop.subprocess_exec(
            lambda: SubprocessStreamProtocol(_LINE_BYTES, loop),
            *argv,
            start_new_session=True,
            **options,
        )
        started.append(PipedProcess(transport, protocol, loop))

    try:
        await to_its_end(start())
    except asyncio.CancelledError:
        for process in started:
            end_tree(process.pid)
            await process.reap(_REAP_TIMEOUT_S)
        raise
    return started[0]
