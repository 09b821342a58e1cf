"""asyncio helpers: bounded waits, shielded clean-up, and child processes with their pipes.

`wait_bounded` and `shielded` are for clean-up after a cancellation. `start_managed` starts a
`ManagedProcess`, whose pipes are closed at its end even if another process still holds the other
ends.
"""

import asyncio
import sys
from asyncio.subprocess import Process, SubprocessStreamProtocol
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, Final, TypeVar

from local_tools.processes import end_group

T = TypeVar("T")


async def wait_bounded(limit_s: float, end: Coroutine[Any, Any, object]) -> bool:
    """Await `end` for at most `limit_s` seconds; return whether it finished.

    On timeout, or if the caller is cancelled, cancel `end` and wait until it has ended.

    WORKAROUND In a task that was cancelled, `asyncio.timeout` of Python 3.11.2 (Debian 12) raises
    `CancelledError` on its own timeout, so the code after it is skipped; and before Python 3.12
    `asyncio.wait_for` drops a cancellation that arrives at the moment the awaited thing finishes:
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
    """Await `work` to its end even if the caller is cancelled meanwhile, and then raise.

    For work that must not outlive its caller, such as a thread. A cancelled caller waits for the
    end of `work` and is then cancelled; the result or error of `work` is lost in that case.

    There is no timeout: work that hangs (a lost network disk) blocks the caller. A cancel scope of
    anyio repeats its cancellation at every iteration of the loop, which would spin here; shield
    that scope.
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
    """A child process started by `start_managed`; its owner calls `reap`."""

    def __init__(
        self,
        transport: asyncio.SubprocessTransport,
        protocol: SubprocessStreamProtocol,
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        super().__init__(transport, protocol, loop)
        self._pipes = transport

    def kill(self) -> None:
        """Kill the process and its group.

        WORKAROUND asyncio asks a process whether it has ended before it sends a signal, and so may
        take its end from the thread that waits for it: https://github.com/python/cpython/issues/87744
        """
        if sys.platform == "win32":
            super().kill()
        else:
            end_group(self.pid)

    async def reap(self, limit_s: float) -> None:
        """Wait for the end of a process that was killed, and close its pipes.

        Descendants that were not found may hold the pipes open, so their end of file may never
        come.
        """
        try:
            await wait_bounded(limit_s, self.communicate())
        finally:
            self._pipes.close()


async def start_managed(*argv: str, **options: Any) -> ManagedProcess:
    """Start a process in a new process group; arguments as `asyncio.create_subprocess_exec`.

    If the caller is cancelled meanwhile, the process is killed. asyncio itself would then wait for
    ever for pipes it had not connected yet if a descendant of the process holds them.

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
