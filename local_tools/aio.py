"""asyncio helpers: bounded waits, shielded clean-up, and child processes with their pipes.

`wait_bounded` and `shielded` are for clean-up after a cancellation. `start_managed` starts a
`ManagedProcess`, whose pipes are closed at its end even if another process still holds the other
ends.
"""

import asyncio
from asyncio.subprocess import Process, SubprocessStreamProtocol
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, Final, TypeVar

T = TypeVar("T")


async def wait_bounded(limit_s: float, end: Coroutine[Any, Any, object]) -> bool:
    """Wait for it at most so long; return whether it came about.

    When the time is over, or who waits is cancelled, `end` is cancelled and seen to its end.

    WORKAROUND In a task that was cancelled, `asyncio.timeout` of Python 3.11.2 (Debian 12) passes
    its own end off for another cancellation, and what is to be done after it is not done; and until
    Python 3.12 `asyncio.wait_for` drops a cancellation that comes together with what it waits for:
    https://github.com/python/cpython/issues/86296
    """
    waited = asyncio.ensure_future(end)
    try:
        await asyncio.wait({waited}, timeout=limit_s)
    finally:
        if waited.cancel():
            await asyncio.wait({waited})
    if waited.cancelled():
        return False
    waited.result()
    return True


async def shielded(work: Coroutine[Any, Any, T]) -> T:
    """Wait for what must not go on after us, as a thread would.

    Who waits may be cancelled meanwhile as often as anybody likes, and is when it is over. What it
    gave or raised is lost then.

    Work that hangs, as on a disk that is gone, is waited for as long. A cancel scope of anyio
    cancels again at every turn of the loop, which would keep the processor busy: shield it there.
    """
    working = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(working)
    finally:
        while not working.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait({working})
        if not working.cancelled():
            # Retrieved, so that asyncio does not log "exception was never retrieved".
            working.exception()


_LINE_BYTES: Final = 64 * 1024
_REAP_TIMEOUT_S: Final = 1.0


class ManagedProcess(Process):
    """A process of `start_managed`; ends with `reap`."""

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
            await wait_bounded(limit_s, self.communicate())
        finally:
            self._pipes.close()


async def start_managed(*argv: str, **options: Any) -> ManagedProcess:
    """Start a process that leads a group, as `asyncio.create_subprocess_exec` does.

    When we are cancelled meanwhile, nothing of it is left. asyncio would wait forever then for
    pipes that it had not connected yet, when the process has left somebody who holds them.

    Raises:
        OSError: It cannot be started.
    """
    loop = asyncio.get_running_loop()
    started: list[ManagedProcess] = []

    async def start() -> None:
        transport, protocol = await loop.subprocess_exec(
            lambda: SubprocessStreamProtocol(_LINE_BYTES, loop),
            *argv,
            start_new_session=True,
            **options,
        )
        started.append(ManagedProcess(transport, protocol, loop))

    try:
        await shielded(start())
    except asyncio.CancelledError:
        from local_tools.descendants import end_tree  # noqa: PLC0415 - psutil, seldom needed

        for process in started:
            end_tree(process.pid)
            await process.reap(_REAP_TIMEOUT_S)
        raise
    return started[0]
