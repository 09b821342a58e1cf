"""Keeps workers running, and ends them together."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from local_server.serving import BindError
from local_server.workers.process import Worker

log = logging.getLogger(__name__)

_READY_TIMEOUT_S: Final = 60
# What a worker may take longer than its grace before it is ended by force.
_END_MARGIN_S: Final = 3
_PAUSES_S: Final = (0.5, 1.0, 2.0, 4.0, 8.0)
# After so long a life, an end is no reason for a longer pause.
_STEADY_AFTER_S: Final = 60


class WorkerFailedError(Exception):
    """A worker did not even start; what it said about that stands in the log."""


class Supervisor:
    """Runs so many workers until it is stopped. Made by the parent process, for its life.

    Args:
        start: Starts one worker.
        grace_s: How long workers give to what they do once they were asked to end.
    """

    def __init__(self, start: Callable[[], Awaitable[Worker]], count: int, grace_s: float) -> None:
        self._start = start
        self._count = count
        self._grace_s = grace_s
        self._workers: set[Worker] = set()
        self._stopped = asyncio.Event()

    def stop(self) -> None:
        """End all workers with grace; at once when asked a second time."""
        if self._stopped.is_set():
            for worker in self._workers:
                worker.kill()
        self._stopped.set()

    async def run(self, on_ready: Callable[[], None]) -> None:
        """Run the workers until `stop`, and end them; `on_ready` when all of them answer.

        Raises:
            WorkerFailedError: When one of them cannot start at the beginning.
        """
        keeping = asyncio.create_task(self._keep_all(on_ready), name="workers")
        stopped = asyncio.create_task(self._stopped.wait(), name="workers-stop")
        try:
            await asyncio.wait({keeping, stopped}, return_when=asyncio.FIRST_COMPLETED)
            if keeping.done():
                keeping.result()
        finally:
            keeping.cancel()
            stopped.cancel()
            await asyncio.wait({keeping, stopped})
            await self._end_all()

    async def _keep_all(self, on_ready: Callable[[], None]) -> None:
        workers = [await self._start_one() for _ in range(self._count)]
        ready = await asyncio.gather(*(worker.is_ready(_READY_TIMEOUT_S) for worker in workers))
        if not all(ready):
            raise WorkerFailedError
        on_ready()
        await asyncio.gather(*(self._keep(worker) for worker in workers))

    async def _keep(self, worker: Worker) -> None:
        """Wait for a worker's end and start the next one, again and again."""
        failures = 0
        while True:
            lived_s = await self._until_end(worker)
            failures = 0 if lived_s > _STEADY_AFTER_S else failures
            worker = await self._start_next(failures)
            failures += 1
            if not await worker.is_ready(_READY_TIMEOUT_S):
                worker.kill()

    async def _until_end(self, worker: Worker) -> float:
        began_at = asyncio.get_running_loop().time()
        how = await worker.wait()
        self._workers.discard(worker)
        log.warning("worker %d ended %s; another one is started", worker.pid, how)
        return asyncio.get_running_loop().time() - began_at

    async def _start_next(self, failures: int) -> Worker:
        while True:
            await asyncio.sleep(_PAUSES_S[min(failures, len(_PAUSES_S) - 1)])
            try:
                return await self._start_one()
            except (OSError, BindError) as exc:
                log.warning("no worker can be started now: %s", exc)
                failures += 1

    async def _start_one(self) -> Worker:
        worker = await self._start()
        self._workers.add(worker)
        return worker

    async def _end_all(self) -> None:
        for worker in self._workers:
            worker.ask_to_end()
        ends = [asyncio.create_task(worker.wait()) for worker in self._workers]
        if not ends:
            return
        _, late = await asyncio.wait(ends, timeout=self._grace_s + _END_MARGIN_S)
        if late:
            log.warning("%d workers did not end in time; they are killed", len(late))
            for worker in self._workers:
                worker.kill()
            await asyncio.wait(late)
